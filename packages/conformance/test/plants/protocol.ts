/** Violations around the answer: headers, errors, signature, limits. */
import { digestOf } from '../../../../test/support/signer.ts';
import { sleep } from '../../../../test/support/wait.ts';
import {
  bodyOf,
  type Json,
  lenient,
  linesOf,
  onAnswer,
  ownRefusal,
  type Passing,
  type Plant,
  type Planted,
  refusing,
  withBody,
} from '../planting-proxy.ts';

const signatureIn = ({ headers }: Passing): string => headers['pos-signature'] ?? '';

/** The time stamp of the signature; not a number where it has none. */
const timeOf = (passing: Passing): number => Number(/(?:^|,)t=(\d+)/.exec(signatureIn(passing))?.[1]);

/** The signature is right for its own time stamp, of any age. */
function isSignedForItsTime(passing: Passing, secret: string): boolean {
  return signatureIn(passing).includes(digestOf(secret, timeOf(passing), passing.bytes));
}

/** Lets a request pass as if it was signed right. */
function accepting(isAccepted: (passing: Passing, secret: string) => boolean): Plant {
  return (passing, tools) =>
    tools.forward(isAccepted(passing, tools.secret) ? withBody(passing, tools, passing.bytes) : passing);
}

export const PROTOCOL_PLANTS: Planted = {
  'identities.order-line-price': {
    'a mismatch names another amount than is right': onAnswer(422, ({ error }) => {
      const { details, ...rest } = error as { details?: Json };
      return { error: { ...rest, details: { ...details, expected: 1 } } };
    }),
  },
  'requests.other-methods': {
    'another method is answered 400': async (passing, { forward }) => {
      const answer = await forward(passing);
      return answer.status === 405 ? { ...answer, status: 400 } : answer;
    },
  },
  'limits.texts': {
    'a longer text of a discount is cut': lenient((body) => ({
      ...body,
      lines: linesOf(body).map((line) => {
        const { existingLineDiscountText: text } = line;
        return typeof text === 'string' ? { ...line, existingLineDiscountText: text.slice(0, 40) } : line;
      }),
    })),
  },
  'signature.tampered-body': {
    'every signature is accepted': accepting(() => true),
  },
  'signature.missing-header': {
    'a missing signature is accepted': accepting(({ headers }) => headers['pos-signature'] === undefined),
  },
  'signature.stale-past': {
    'the clock window is not looked at': accepting(isSignedForItsTime),
  },
  'signature.stale-future': {
    'the clock window is open to the future': accepting(
      (passing, secret) => timeOf(passing) > Date.now() / 1000 && isSignedForItsTime(passing, secret),
    ),
  },
  'signature.inside-the-window-past': {
    'the clock window has 60 seconds': refusing(
      (passing) => timeOf(passing) < Date.now() / 1000 - 60,
      'stale_timestamp',
    ),
  },
  'signature.several-digests': {
    'one v1 only': refusing((passing) => signatureIn(passing).split('v1=').length > 2, 'invalid_signature'),
  },
  'signature.raw-bytes': {
    'the signature is computed over parsed and rewritten JSON': refusing(
      (passing, body) => passing.bytes.toString() !== JSON.stringify(body),
      'invalid_signature',
    ),
  },
  'signature.truncated-digest': {
    'half a digest is enough': accepting((passing, secret) => {
      const digest = /v1=([0-9a-f]{32,})$/.exec(signatureIn(passing))?.[1] ?? '-';
      return digestOf(secret, timeOf(passing), passing.bytes).startsWith(digest);
    }),
  },
  'signature.before-the-body': {
    'the body is parsed before the signature is judged': refusing((_, body) => Object.keys(body).length === 0),
  },
  'schema.unknown-fields': {
    'unknown fields are refused': refusing((_, body) => 'futureField' in body),
  },
  'numbers.products': {
    'quantities in binary floating point': refusing(
      (_, body) =>
        linesOf(body).some(
          (line) => Math.round(Number(line['quantity']) * Number(line['unitPrice'])) !== line['originalLinePrice'],
        ),
      'arithmetic_mismatch',
    ),
  },
  'limits.too-many-lines': {
    'too many lines are invalid_request': refusing((_, body) => linesOf(body).length > 200),
  },
  'limits.most-lines': {
    '199 lines at most': refusing((_, body) => linesOf(body).length > 199, 'too_many_lines'),
  },
  'limits.largest-body': {
    'a body of 256 KB is too large': refusing(({ bytes }) => bytes.length >= 262_144, 'invalid_request', 413),
  },
  'limits.loyalty-id': {
    'a longer loyalty ID is cut': lenient((body) => ({ ...body, loyaltyId: String(body['loyaltyId']).slice(0, 64) })),
    'a loyalty ID is counted in bytes': refusing((_, body) => Buffer.byteLength(String(body['loyaltyId'])) > 64),
  },
  'limits.long-texts': {
    'a name has 255 characters at most': refusing((_, body) =>
      linesOf(body).some((line) => String(line['name']).length > 255),
    ),
  },
  'limits.longer-texts': {
    'an answer to a long name cannot be replayed': async (passing, tools) => {
      const body = bodyOf(passing);
      if (linesOf(body).every((line) => String(line['name']).length <= 1000)) return tools.forward(passing);
      const key = String(body['calculationId']);
      if (tools.memory.has(key)) return ownRefusal(passing, 'internal_error');
      const shorter = linesOf(body).map((line) => ({ ...line, name: 'short' }));
      const answer = await tools.forward(withBody(passing, tools, { ...body, lines: shorter }));
      tools.memory.set(key, answer);
      return answer;
    },
  },
  'limits.venue': {
    'any terminal setup will do': lenient((body) => ({
      ...body,
      ...('context' in body && { context: { ...(body['context'] as Json), baxId: '500123' } }),
    })),
  },
  'limits.currency': {
    'an unknown currency is an unknown venue': onAnswer(422, ({ error }) => ({
      error: { ...(error as Json), code: 'venue_not_configured' },
    })),
  },
  'requests.key-is-calculation-id': {
    'the key may differ from the body': (passing, { forward }) => {
      const id = String(bodyOf(passing)['calculationId']);
      return forward({ ...passing, headers: { ...passing.headers, 'idempotency-key': id } });
    },
  },
  'requests.idempotency-key': {
    'a key is made up where there is none': (passing, { forward }) => {
      const id = String(bodyOf(passing)['calculationId']);
      return forward({ ...passing, headers: { 'idempotency-key': id, ...passing.headers } });
    },
  },
  'timings.targets': {
    'answers after 300 ms': async (passing, { forward }) => {
      await sleep(300);
      return forward(passing);
    },
  },
};
