import { anchorOf, type ERROR_FAMILIES, type Family } from '../contract/error-anchor.ts';
import { ERRORS, type ErrorCode, TRANSPORT_STATUS } from '../contract/errors.ts';
import { ERROR_EXAMPLES } from './error-examples.ts';

/**
 * docs/errors.md: every code and every family of `details.field`, with an example that a test provokes. The page is
 * written by `npm run errors`; a test fails while it differs from these words.
 */

interface Guidance {
  /** Statuses beside the code's own. */
  readonly statuses?: readonly number[];
  readonly means: string;
  readonly act: string;
  readonly example: keyof typeof ERROR_EXAMPLES;
}

const CODES: Readonly<Record<ErrorCode, Guidance>> = {
  invalid_request: {
    statuses: Object.values(TRANSPORT_STATUS),
    means:
      'The request is malformed. An answer without `details` means that the path does not exist (404), the method is not POST (405), or the body is over 256 KB (413).',
    act: 'fix your code. A rejected request does not consume its key: reuse the `calculationId`.',
    example: 'unknownPath',
  },
  invalid_signature: {
    means: '`POS-Signature` is missing, is sent twice, or does not verify with any active secret.',
    act: 'run the [vectors](../packages/conformance/vectors/signature.json) through your signer. Then check the causes in the table.',
    example: 'wrongSignature',
  },
  stale_timestamp: {
    means: '`t` differs from the clock of the server by more than 300 seconds.',
    act: 'sign each attempt again, with `t` in Unix seconds (milliseconds also cause this error), and synchronise the clock by NTP.',
    example: 'staleSignature',
  },
  idempotency_conflict: {
    means: 'The key was used with another body. For a sale event: another outcome was recorded before.',
    act: 'create a new `calculationId` for every calculation, and send the stored bytes when you retry. Report a sale event to support.',
    example: 'otherBody',
  },
  arithmetic_mismatch: {
    means: 'Amounts do not add up. `field` is the first amount that is wrong.',
    act: 'compute money in integers and quantities in decimals, and [round half up](integrating.md#5-numbers).',
    example: 'wrongTotal',
  },
  unknown_currency: {
    means: 'The currency is not configured for the venue.',
    act: "compare the till's setup with the operator's configuration.",
    example: 'foreignCurrency',
  },
  venue_not_configured: {
    means: '`venueId` and `baxId` are not mapped to one venue in this environment.',
    act: 'check whether the till calls the wrong environment. If not, have the operator map the terminal setup.',
    example: 'foreignVenue',
  },
  too_many_lines: {
    means: 'The basket has more than 200 lines.',
    act: 'complete the sale without loyalty. Do not split the basket.',
    example: 'tooManyLines',
  },
  rate_limited: {
    means: 'The environment sends more calls than its rate limit permits.',
    act: 'keep the basket. Send sale events more slowly, and not before `Retry-After`.',
    example: 'tooFast',
  },
  internal_error: {
    means: 'The service failed because of a bug or an invalid state.',
    act: 'keep the basket, and report the `requestId` to the operator. Send a sale event again.',
    example: 'fault',
  },
  unavailable: {
    means:
      'The service is overloaded or in maintenance, Redis is unavailable, the deadline has passed, or the body did not arrive completely. Under overload the answer may come before the body has arrived. It then has `Connection: close`, and the service ignores the rest of the body.',
    act: 'keep the basket. Send a sale event again, not before `Retry-After`. Nothing of this call is written later.',
    example: 'overloaded',
  },
};

type Families<Code extends keyof typeof ERROR_FAMILIES> = Readonly<
  Record<(typeof ERROR_FAMILIES)[Code][number], Guidance>
>;

const FAMILIES: { readonly [Code in keyof typeof ERROR_FAMILIES]: Families<Code> } = {
  invalid_request: {
    headers: {
      means: '`field` is the name of a header.',
      act: 'send the header once, with the value in `expected` and without `Content-Encoding`.',
      example: 'otherContentType',
    },
    json: {
      means: 'The body is not a JSON object in UTF-8.',
      act: 'send the bytes of your serialiser unchanged.',
      example: 'notJson',
    },
    fields: {
      means: 'A top-level field is missing, of the wrong type, too long, or contradicts another field.',
      act: 'compare the body with [the interface](interface.md#2-resources-and-their-fields).',
      example: 'wrongKey',
    },
    context: {
      means: 'A field of `context` is missing or of the wrong type.',
      act: "check the till's setup.",
      example: 'unknownChannel',
    },
    lines: {
      means:
        'A field of a line is missing or of the wrong type, a `lineId` is used twice, or a `parentLineId` or `orderDiscountId` does not exist.',
      act: 'send every flag, money as integers, and texts within their maximum lengths.',
      example: 'missingField',
    },
    'order discounts': {
      means: 'A field of an order discount is missing or of the wrong type, or its ID is used twice.',
      act: 'send money as integers.',
      example: 'wrongAmountType',
    },
    totals: {
      means: 'A total is missing or of the wrong type.',
      act: 'send all five totals.',
      example: 'missingTotal',
    },
  },
  arithmetic_mismatch: {
    lines: {
      means: 'A price is not quantity × unit price, or not the price less its discounts.',
      act: 'use a decimal type.',
      example: 'wrongLinePrice',
    },
    'order discounts': {
      means: '`amount` is not the sum of its allocations.',
      act: 'give the last share the remainder.',
      example: 'wrongAllocation',
    },
    totals: { means: 'A total is not the sum of its lines.', act: 'add up the lines you send.', example: 'wrongTotal' },
  },
};

/** Why a signature does not verify, in the order in which it is worth looking. */
const SIGNATURE_TROUBLE = [
  ['The body was serialised twice.', 'Serialise once, then sign and send those bytes.'],
  ['The HTTP client changed the body (charset, line ends).', 'Compare its SHA-256 on a local echo server.'],
  ["The key is the secret's text.", 'Decode the hex or base64, without the line end.'],
  ['The secret belongs to another environment.', 'Ask the operator.'],
  ['A proxy re-encoded the request.', 'Pass the body unchanged, without `Content-Encoding`.'],
] as const;

/** Renders the page. */
export function renderErrorPage(): string {
  const codes = (Object.keys(CODES) as ErrorCode[]).map((code) => renderCode(code));
  return `# Errors

<!-- Written by \`npm run errors\` from src/openapi/error-page.ts. -->

After any error of a basket call, keep your own basket, mark the order \`failed\` with \`http_error\`, and do not retry. Send a sale event again
only after 429 and 5xx. The operator can find the call by its \`requestId\`.

${codes.join('\n')}`;
}

function renderCode(code: ErrorCode): string {
  const guidance = CODES[code];
  const families = Object.entries(code in FAMILIES ? FAMILIES[code as keyof typeof FAMILIES] : {});
  const statuses = [ERRORS[code].status, ...(guidance.statuses ?? [])].join(', ');
  return [
    `## ${code}\n\n${statuses}. ${renderGuidance(guidance)}`,
    ...(code === 'invalid_signature' ? [renderTrouble()] : []),
    ...families.map(([family, entry]) => `### ${code}: ${family as Family}\n\n${renderGuidance(entry)}`),
  ].join('\n');
}

function renderGuidance({ means, act, example }: Guidance): string {
  const { body } = ERROR_EXAMPLES[example];
  // The request ID of an example tells nobody anything.
  const { requestId: _, ...error } = body.error;
  return `${means} **Do:** ${act}\n\n\`\`\`json\n${JSON.stringify({ error })}\n\`\`\`\n`;
}

function renderTrouble(): string {
  const rows = SIGNATURE_TROUBLE.map(([because, act]) => `| ${because} | ${act} |\n`).join('');
  return `| cause | do |\n| --- | --- |\n${rows}`;
}

/** Every anchor that a `docUrl` may have. */
export const ERROR_ANCHORS: readonly string[] = (Object.keys(CODES) as ErrorCode[]).flatMap((code) => [
  anchorOf(code),
  ...Object.keys(code in FAMILIES ? FAMILIES[code as keyof typeof FAMILIES] : {}).map((family) =>
    anchorOf(code, family as Family),
  ),
]);
