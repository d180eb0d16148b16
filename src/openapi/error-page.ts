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
    means: 'The request is malformed. Without `details`: no such path (404), not POST (405), over 256 KB (413).',
    act: 'mend your code; the key may be used again.',
    example: 'unknownPath',
  },
  invalid_signature: {
    means: '`POS-Signature` is missing, comes twice, or verifies with no active secret.',
    act: 'run the [vectors](../packages/conformance/vectors/signature.json) through your signer. Then go through this table.',
    example: 'wrongSignature',
  },
  stale_timestamp: {
    means: '`t` is over 300 seconds off the server.',
    act: 'sign at each attempt, in Unix seconds (milliseconds end here), and keep the clock by NTP.',
    example: 'staleSignature',
  },
  idempotency_conflict: {
    means: 'The key was used with another body. On a sale event: another outcome is recorded.',
    act: 'make a new `calculationId` for every calculation, and send stored bytes when you retry. Report an event to support.',
    example: 'otherBody',
  },
  arithmetic_mismatch: {
    means: 'Amounts do not add up; `field` is the first that fails.',
    act: 'compute in whole units and decimals, [rounding half up](integrating.md#5-numbers).',
    example: 'wrongTotal',
  },
  unknown_currency: {
    means: 'The venue has no such currency.',
    act: "compare the till's setup with the operator's.",
    example: 'foreignCurrency',
  },
  venue_not_configured: {
    means: 'This environment does not map `venueId` and `baxId` to one venue.',
    act: 'look whether the till calls the other environment; else have the operator map the terminal setup.',
    example: 'foreignVenue',
  },
  too_many_lines: {
    means: 'Over 200 lines.',
    act: 'sell without loyalty; do not split the basket.',
    example: 'tooManyLines',
  },
  rate_limited: {
    means: 'The environment sends more than agreed.',
    act: 'keep the basket. Send events more slowly, not before `Retry-After`.',
    example: 'tooFast',
  },
  internal_error: {
    means: 'The service is at fault.',
    act: 'tell the operator the `requestId`. Send an event again.',
    example: 'fault',
  },
  unavailable: {
    means:
      'Overload, maintenance, no store, the deadline, or a body that never came whole. Under overload the answer may come before the body has arrived; it then has `Connection: close`, and the rest of the body is not looked at.',
    act: 'keep the basket. Send an event again, not before `Retry-After`; nothing of this call is written later.',
    example: 'overloaded',
  },
};

type Families<Code extends keyof typeof ERROR_FAMILIES> = Readonly<
  Record<(typeof ERROR_FAMILIES)[Code][number], Guidance>
>;

const FAMILIES: { readonly [Code in keyof typeof ERROR_FAMILIES]: Families<Code> } = {
  invalid_request: {
    headers: {
      means: '`field` is a header.',
      act: 'send it once, as `expected`; no content coding.',
      example: 'otherContentType',
    },
    json: {
      means: 'The body is not JSON, not UTF-8, or no object.',
      act: 'send what your serialiser wrote, unchanged.',
      example: 'notJson',
    },
    fields: {
      means: 'A field of the root is missing, mistyped, too long, or contradicts another.',
      act: 'compare with [the interface](interface.md#2-resources-and-their-fields).',
      example: 'wrongKey',
    },
    context: {
      means: 'A field of `context` is missing or mistyped.',
      act: "compare the till's setup.",
      example: 'unknownChannel',
    },
    lines: {
      means:
        'A field of a line is missing or mistyped; a `lineId` comes twice; a `parentLineId` or `orderDiscountId` leads nowhere.',
      act: 'send every flag, money as integers, and texts within their maxima.',
      example: 'missingField',
    },
    'order discounts': {
      means: 'A field of an order discount is missing or mistyped, or its ID comes twice.',
      act: 'send money as integers.',
      example: 'wrongAmountType',
    },
    totals: { means: 'A total is missing or mistyped.', act: 'send all five.', example: 'missingTotal' },
  },
  arithmetic_mismatch: {
    lines: {
      means: 'A price is not quantity × unit price, or not what its discounts leave of it.',
      act: 'use a decimal type.',
      example: 'wrongLinePrice',
    },
    'order discounts': {
      means: '`amount` is not the sum of its allocations.',
      act: 'give the last share what is left.',
      example: 'wrongAllocation',
    },
    totals: { means: 'A total is not the sum of its lines.', act: 'add up the lines you send.', example: 'wrongTotal' },
  },
};

/** Why a signature does not verify, in the order in which it is worth looking. */
const SIGNATURE_TROUBLE = [
  ['the body was serialised twice', 'serialise once, sign and send those bytes'],
  ['the HTTP client rewrote it (charset, line ends)', 'compare its SHA-256 at a local echo server'],
  ["the key is the secret's text", 'decode hex or base64, without the line end'],
  ['another environment’s secret', 'ask the operator'],
  ['a gateway re-encoded the request', 'no `Content-Encoding`; pass the body as it is'],
] as const;

/** Renders the page. */
export function renderErrorPage(): string {
  const codes = (Object.keys(CODES) as ErrorCode[]).map((code) => renderCode(code));
  return `# Errors

<!-- Written by \`npm run errors\` from src/openapi/error-page.ts. -->

Whatever the error, a basket call ends with your own basket and \`failed\`, \`http_error\`, without a retry; an event is sent again only
after 429 and 5xx. With \`requestId\` the operator finds the call.

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
  return `| because | do |\n| --- | --- |\n${rows}`;
}

/** Every anchor that a `docUrl` may have. */
export const ERROR_ANCHORS: readonly string[] = (Object.keys(CODES) as ErrorCode[]).flatMap((code) => [
  anchorOf(code),
  ...Object.keys(code in FAMILIES ? FAMILIES[code as keyof typeof FAMILIES] : {}).map((family) =>
    anchorOf(code, family as Family),
  ),
]);
