/** Violations around the answer: headers, errors, signature, limits. */
import { createHash } from 'node:crypto';
import { digestOf, signatureOf } from '../../../../test/support/signer.ts';
import { sleep } from '../../../../test/support/wait.ts';
import {
  bodyOf,
  type Json,
  ownRefusal,
  type Passing,
  type Plant,
  refusing,
  type Tools,
  withBody,
} from '../planting-proxy.ts';
import type { Planted } from './answers.ts';
import { lenient, linesOf } from './schema.ts';

function onError(change: (error: Json, passing: Passing) => Json): Plant {
  return async (passing, tools) => {
    const answer = await tools.forward(passing);
    if (answer.status < 400) return answer;
    const { error } = JSON.parse(answer.bytes.toString()) as { error: Json };
    return { ...answer, bytes: Buffer.from(JSON.stringify({ error: change(error, passing) })) };
  };
}

/** The signature is right for its own time stamp, of any age. */
function isSignedForItsTime({ headers, bytes }: Passing, { secret }: Tools): boolean {
  const t = /(?:^|,)t=(\d+)/.exec(headers['pos-signature'] ?? '')?.[1];
  return t !== undefined && (headers['pos-signature'] ?? '').includes(digestOf(secret, t, bytes));
}

function signedAgain(passing: Passing, { secret }: Tools): Passing {
  return { ...passing, headers: { ...passing.headers, 'pos-signature': signatureOf(secret, passing.bytes) } };
}

function timeOf({ headers }: Passing): number {
  return Number(/(?:^|,)t=(\d+)/.exec(headers['pos-signature'] ?? '')?.[1]);
}

export const PROTOCOL_PLANTS: readonly Planted[] = [
  [
    'every signature is accepted',
    'signature.tampered-body',
    (passing, tools) => tools.forward(signedAgain(passing, tools)),
  ],
  [
    'a missing signature is accepted',
    'signature.missing-header',
    (passing, tools) =>
      tools.forward(passing.headers['pos-signature'] === undefined ? signedAgain(passing, tools) : passing),
  ],
  [
    'the clock window is not looked at',
    'signature.stale-past',
    (passing, tools) => tools.forward(isSignedForItsTime(passing, tools) ? signedAgain(passing, tools) : passing),
  ],
  [
    'the clock window is open to the future',
    'signature.stale-future',
    (passing, tools) =>
      tools.forward(
        timeOf(passing) > Date.now() / 1000 && isSignedForItsTime(passing, tools)
          ? signedAgain(passing, tools)
          : passing,
      ),
  ],
  [
    'the clock window has 60 seconds',
    'signature.inside-the-window-past',
    refusing((passing) => timeOf(passing) < Date.now() / 1000 - 60, 401, 'stale_timestamp'),
  ],
  [
    'one v1 only',
    'signature.several-digests',
    refusing(({ headers }) => (headers['pos-signature'] ?? '').split('v1=').length > 2, 401, 'invalid_signature'),
  ],
  [
    'the signature is computed over parsed and rewritten JSON',
    'signature.raw-bytes',
    refusing((passing) => passing.bytes.toString() !== JSON.stringify(bodyOf(passing)), 401, 'invalid_signature'),
  ],
  [
    'half a digest is enough',
    'signature.truncated-digest',
    (passing, tools) => {
      const digest = /v1=([0-9a-f]+)$/.exec(passing.headers['pos-signature'] ?? '')?.[1] ?? '';
      const isBeginning =
        digest.length >= 32 && digestOf(tools.secret, timeOf(passing), passing.bytes).startsWith(digest);
      return tools.forward(isBeginning ? signedAgain(passing, tools) : passing);
    },
  ],
  [
    'the body is parsed before the signature is judged',
    'signature.before-the-body',
    refusing((passing) => Object.keys(bodyOf(passing)).length === 0, 400, 'invalid_request'),
  ],
  [
    'unknown fields are refused',
    'schema.unknown-fields',
    refusing((passing) => 'futureField' in bodyOf(passing), 400, 'invalid_request'),
  ],
  [
    'quantities in binary floating point',
    'numbers.products',
    refusing(
      (passing) =>
        linesOf(bodyOf(passing)).some(
          (line) => Math.round(Number(line['quantity']) * Number(line['unitPrice'])) !== line['originalLinePrice'],
        ),
      422,
      'arithmetic_mismatch',
    ),
  ],
  [
    'too many lines are invalid_request',
    'limits.too-many-lines',
    refusing((passing) => linesOf(bodyOf(passing)).length > 200, 400, 'invalid_request'),
  ],
  [
    '199 lines at most',
    'limits.most-lines',
    refusing((passing) => linesOf(bodyOf(passing)).length > 199, 422, 'too_many_lines'),
  ],
  [
    'a body of 256 KB is too large',
    'limits.largest-body',
    refusing(({ bytes }) => bytes.length >= 262_144, 413, 'invalid_request'),
  ],
  [
    'a loyalty ID is counted in bytes',
    'limits.loyalty-id',
    refusing((passing) => Buffer.byteLength(String(bodyOf(passing)['loyaltyId'])) > 64, 400, 'invalid_request'),
  ],
  [
    'a name has 255 characters at most',
    'limits.long-texts',
    refusing(
      (passing) => linesOf(bodyOf(passing)).some((line) => String(line['name']).length > 255),
      400,
      'invalid_request',
    ),
  ],
  [
    'an answer to a long name cannot be replayed',
    'limits.longer-texts',
    async (passing, { forward, memory, ...tools }) => {
      const isLong = linesOf(bodyOf(passing)).some((line) => String(line['name']).length > 1000);
      if (!isLong) return forward(passing);
      const key = String(bodyOf(passing)['calculationId']);
      if (memory.has(key)) return ownRefusal(passing, 500, 'internal_error');
      const shorter = linesOf(bodyOf(passing)).map((line) => ({ ...line, name: 'short' }));
      const answer = await forward(
        withBody(passing, { forward, memory, ...tools }, { ...bodyOf(passing), lines: shorter }),
      );
      memory.set(key, answer);
      return answer;
    },
  ],
  [
    'any terminal setup will do',
    'limits.venue',
    lenient((body) => ({
      ...body,
      ...('context' in body && { context: { ...(body['context'] as Json), baxId: '500123' } }),
    })),
  ],
  [
    'an unknown currency is an unknown venue',
    'limits.currency',
    onError((error) => ({ ...error, code: 'venue_not_configured' })),
  ],
  [
    'the key may differ from the body',
    'requests.key-is-calculation-id',
    (passing, { forward }) => {
      const id = String(bodyOf(passing)['calculationId']);
      return forward({ ...passing, headers: { ...passing.headers, 'idempotency-key': id } });
    },
  ],
  [
    'a key is made up where there is none',
    'requests.idempotency-key',
    (passing, { forward }) => {
      const digits = createHash('md5').update(passing.bytes).digest('hex');
      const id = String(bodyOf(passing)['calculationId'] ?? digits);
      return forward({ ...passing, headers: { 'idempotency-key': id, ...passing.headers } });
    },
  ],
  [
    'answers after 300 ms',
    'timings.targets',
    async (passing, { forward }) => {
      await sleep(300);
      return forward(passing);
    },
  ],
];
