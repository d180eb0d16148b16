import { ERRORS, type ErrorCode } from '@loyalty/contract/errors';
import { INTERFACE_VERSION } from '@loyalty/contract/headers';
import * as limits from '@loyalty/contract/limits';
import { BASKET_EXAMPLES, type Example, SALE_EXAMPLES } from './examples.ts';
import { buildResponses, failureRefs, HEADERS, successResponse } from './responses.ts';
import { buildSchemas, type Json, schemaRef } from './schemas.ts';

/** The OpenAPI 3.1 document of the interface. */

/** The limits that an environment may configure (interface, section 8). */
export interface ConfiguredLimits {
  readonly rateLimit: { readonly sustained: number; readonly burst: number };
  readonly calculation: { readonly holdMs: number; readonly idempotencyMs: number };
  readonly latencyBudget: { readonly p95Ms: number; readonly p99Ms: number };
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

function describe({ rateLimit, calculation }: ConfiguredLimits): string {
  return `Loyalty for a point-of-sale backend: one synchronous call that answers what a member's benefits make of
a basket, and one event that reports the outcome of the sale.

**Fail open.** When the call fails, times out or answers anything that does not validate, the caller keeps its basket, completes
the sale and reports \`failed\`. One retry, with the same key, and only when the connection failed before the request was
sent. 500 ms per attempt, 3 s from the first attempt to the decision.

**Signature.** \`POS-Signature: t=<unix seconds>,v1=<hex>\` with \`v1 = hex(HMAC_SHA256(secret, t + "." + body))\` over the
exact bytes of the body. \`t\` lies within ±${limits.CLOCK_WINDOW_SECONDS} seconds of the server's clock. Several \`v1\` are allowed.

**Idempotency.** The same key with the same body within ${inHours(calculation.idempotencyMs)} hours answers the stored bytes, with \`Idempotent-Replayed: true\`;
with another body \`409\`. Only \`200\` answers are stored.

**Limits.** ${limits.MAX_LINES} lines, ${limits.MAX_BODY_BYTES / 1024} KB, ${rateLimit.sustained} requests a second and bursts to ${rateLimit.burst} in this environment.
Texts count code points: ${limits.MAX_IDENTIFIER_CHARACTERS} in an identifier, ${limits.MAX_EAN_CHARACTERS} in \`ean\`, ${limits.MAX_NAME_CHARACTERS} in \`name\`, ${limits.MAX_TEXT_CHARACTERS} in a discount's
text. A longer one is \`400\` with its \`field\`. An answer has at most ${limits.MAX_ANSWER_BYTES / 1024 / 1024} MB.

**Versions.** Fields and \`reason\` values may be added under \`/v1\`; ignore what you do not know. Breaking changes come under \`/v2\`.

Every rule in words: the page \`docs/interface.md\` of the service's repository.`;
}

/** Lists the limits in machine-readable form (interface, section 8). */
function listLimits({ rateLimit, calculation, latencyBudget }: ConfiguredLimits): Json {
  return {
    lines: { minimum: 1, maximum: limits.MAX_LINES },
    bodyBytes: limits.MAX_BODY_BYTES,
    answerBytes: limits.MAX_ANSWER_BYTES,
    identifierCharacters: limits.MAX_IDENTIFIER_CHARACTERS,
    eanCharacters: limits.MAX_EAN_CHARACTERS,
    nameCharacters: limits.MAX_NAME_CHARACTERS,
    textCharacters: limits.MAX_TEXT_CHARACTERS,
    footerCharacters: limits.MAX_FOOTER_CHARACTERS,
    loyaltyIdCharacters: { minimum: 1, maximum: limits.MAX_LOYALTY_ID_CHARACTERS },
    signatureClockSeconds: limits.CLOCK_WINDOW_SECONDS,
    signaturesPerHeader: limits.MAX_SIGNATURES_PER_HEADER,
    requestsPerSecond: { sustained: rateLimit.sustained, burst: rateLimit.burst },
    idempotencyHours: inHours(calculation.idempotencyMs),
    calculationMinutes: calculation.holdMs / MINUTE_MS,
    callerTimeoutMs: { attempt: limits.CALLER_TIMEOUT_MS, hardCap: 3000 },
    latencyTargetMs: { p95: latencyBudget.p95Ms, p99: latencyBudget.p99Ms },
  };
}

function inHours(durationMs: number): number {
  return durationMs / HOUR_MS;
}

/** Builds the whole document, with the limits of the environment that serves it. */
export function openApiDocument(configured: ConfiguredLimits): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Loyalty basket calculation',
      version: INTERFACE_VERSION,
      description: describe(configured),
      'x-limits': listLimits(configured),
    },
    servers: [
      {
        url: '{baseUrl}',
        description: 'Production and staging have a host and a secret each. Both are handed over by the operator.',
        // Without a description of its own: validators that follow the schema of 3.1 to the letter refuse it there.
        variables: { baseUrl: { default: 'http://127.0.0.1:8080' } },
      },
    ],
    security: [{ signature: [] }, { bearer: [] }],
    paths: { '/v1/pos/basket': { post: operation(BASKET_CALL) }, '/v1/pos/sale': { post: operation(SALE_CALL) } },
    components: {
      schemas: buildSchemas(),
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: buildResponses(),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const BASKET_CALL = {
  operationId: 'calculateBasket',
  summary: 'Calculate a basket',
  description:
    'Once per basket calculation, after the card lookup and before the amount is authorised. Reserves nothing of the payment.',
  request: 'BasketRequest',
  answer: 'BasketResponse',
  answered: 'The basket was calculated.',
  examples: BASKET_EXAMPLES,
  codes: Object.keys(ERRORS) as ErrorCode[],
};

const SALE_CALL = {
  operationId: 'reportSale',
  summary: 'Report the outcome of a calculation',
  description:
    'Exactly once per calculation, after the sale is final or was abandoned, outside the checkout. A superseded calculation needs none. On 429, 5xx and network errors retry with exponential backoff for 24 hours; on any other 4xx stop.',
  request: 'SaleEvent',
  answer: 'SaleAnswer',
  answered: 'The event was taken.',
  examples: SALE_EXAMPLES,
  codes: [
    'invalid_request',
    'invalid_signature',
    'stale_timestamp',
    'idempotency_conflict',
    'rate_limited',
    'internal_error',
    'unavailable',
  ] satisfies ErrorCode[],
};

const PARAMETERS: Readonly<Record<string, Json>> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    description: 'The `calculationId` of the body.',
    schema: schemaRef('Uuid'),
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'Recommended: a fresh UUID per HTTP attempt, for log correlation.',
    schema: { type: 'string', format: 'uuid' },
  },
};

const SECURITY_SCHEMES: Json = {
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'POS-Signature',
    description: '`t=<unix seconds>,v1=<hex HMAC-SHA256>`, over the exact bytes of the body.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'Only where agreed, for a caller whose HTTP client cannot sign.',
  },
};

/** Describes an operation: `request` and `answer` are the names of the schemas of its bodies. */
function operation({ request, answer, answered, examples, codes, ...words }: typeof BASKET_CALL | typeof SALE_CALL) {
  return {
    ...words,
    parameters: Object.keys(PARAMETERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      description: `JSON in UTF-8, at most ${limits.MAX_BODY_BYTES} bytes. Content-Type: application/json; charset=utf-8.`,
      content: { 'application/json': { schema: schemaRef(request), examples: valuesOf(examples, 'request') } },
    },
    responses: { ...successResponse(answered, answer, valuesOf(examples, 'answer')), ...failureRefs(codes) },
  };
}

function valuesOf(examples: Readonly<Record<string, Example>>, side: 'request' | 'answer'): Json {
  const entries = Object.entries(examples);
  return Object.fromEntries(entries.map(([name, { summary, [side]: value }]) => [name, { summary, value }]));
}
