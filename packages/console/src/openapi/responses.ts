import { ERRORS, type ErrorCode, HTTP_OK, TRANSPORT_STATUS } from '@loyalty/contract/errors';
import { INTERFACE_VERSION, RESPONSE_HEADERS } from '@loyalty/contract/headers';
import { MAX_BODY_BYTES } from '@loyalty/contract/limits';
import { ERROR_EXAMPLES } from './error-examples.ts';
import { type Json, schemaRef } from './schemas.ts';

/** Responses and their headers (interface, sections 4 and 7). */

export const HEADERS: Readonly<Record<string, Json>> = {
  [RESPONSE_HEADERS.requestId]: {
    description: 'Echo of the request’s when that was a UUID, else one of the server’s.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  [RESPONSE_HEADERS.serverTiming]: {
    description: 'Processing time in milliseconds, from the request’s last byte.',
    required: true,
    schema: { type: 'string', pattern: '^app;dur=\\d+(\\.\\d{1,3})?(, .+)?$' },
  },
  [RESPONSE_HEADERS.interfaceVersion]: {
    description: `The version of the interface that answers, such as \`${INTERFACE_VERSION}\`. For logs: it may grow while the path stays \`/v1\`.`,
    required: true,
    schema: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+(-[a-z]+)?$' },
  },
  [RESPONSE_HEADERS.replayed]: {
    description: 'Present when the answer comes from the idempotency store.',
    schema: { type: 'string', const: 'true' },
  },
  [RESPONSE_HEADERS.retryAfter]: {
    description: 'Whole seconds, at least 1.',
    required: true,
    schema: { type: 'string', pattern: '^[1-9]\\d*$' },
  },
  [RESPONSE_HEADERS.allow]: {
    description: 'The method this path takes.',
    required: true,
    schema: { type: 'string', const: 'POST' },
  },
  [RESPONSE_HEADERS.strictTransportSecurity]: {
    description: 'When the service itself speaks TLS.',
    schema: { type: 'string' },
  },
  [RESPONSE_HEADERS.traceResponse]: {
    description: 'When the request had a W3C `traceparent`: the trace and our own step of it.',
    schema: { type: 'string', pattern: '^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$' },
  },
};

const ALWAYS = [
  RESPONSE_HEADERS.requestId,
  RESPONSE_HEADERS.serverTiming,
  RESPONSE_HEADERS.interfaceVersion,
  RESPONSE_HEADERS.strictTransportSecurity,
  RESPONSE_HEADERS.traceResponse,
] as const;

/** The meaning of each status of an operation, by the name of its response. One status may carry several codes. */
const FAILURES = {
  InvalidRequest: failure(
    ['invalid_request'],
    'Malformed JSON, a field missing or of the wrong type, a broken reference, or a header that is not as it should be.',
  ),
  Unauthorized: failure(
    ['invalid_signature', 'stale_timestamp'],
    'The signature is missing or does not verify with any active secret, or its time is more than 300 seconds off.',
  ),
  NotFound: failure(['invalid_request'], 'Any path outside this document.', TRANSPORT_STATUS.notFound),
  MethodNotAllowed: failure(
    ['invalid_request'],
    'Any method but POST on a path of this document.',
    TRANSPORT_STATUS.methodNotAllowed,
  ),
  Conflict: failure(
    ['idempotency_conflict'],
    'The key was used with another body; on a sale event: another outcome was recorded. A fault of the caller, never transient.',
  ),
  BodyTooLarge: failure(
    ['invalid_request'],
    `More than ${MAX_BODY_BYTES} bytes. The connection is closed.`,
    TRANSPORT_STATUS.bodyTooLarge,
  ),
  Unprocessable: failure(
    ['arithmetic_mismatch', 'unknown_currency', 'venue_not_configured', 'too_many_lines'],
    'The request is well formed and cannot be priced.',
  ),
  RateLimited: failure(['rate_limited'], 'Too many requests in this environment.'),
  InternalError: failure(['internal_error'], 'A fault of the service.'),
  Unavailable: failure(
    ['unavailable'],
    'Overload, maintenance, or the deadline passed. No answer or outcome of the call is written later, and no reservation stays; the same key finds out whether something was before.',
  ),
};

/** The codes of a failure have one status, except where the transport refuses under a status of its own. */
function failure(codes: readonly [ErrorCode, ...ErrorCode[]], description: string, status?: number) {
  return { status: status ?? ERRORS[codes[0]].status, codes, description };
}

/** Builds `components.responses`. */
export function buildResponses(): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(FAILURES).map(([name, { status, codes, description }]) => [
      name,
      {
        description: `${codes.map((code) => `\`${code}\``).join(', ')}: ${description}`,
        headers: headerRefs(headersOf(status)),
        content: { 'application/json': { schema: schemaRef('Error'), examples: examplesOf(status, codes) } },
      },
    ]),
  );
}

/**
 * References to the failures of an operation, by status. Another path and another method are among them: a caller meets
 * them through a wrong base URL, and its generated client should read their body.
 */
export function failureRefs(codes: readonly ErrorCode[]): Record<string, Json> {
  const own = Object.entries(FAILURES).filter(([, failure]) => failure.codes.some((code) => codes.includes(code)));
  return Object.fromEntries(own.map(([name, { status }]) => [status, { $ref: `#/components/responses/${name}` }]));
}

/** Builds a `200` answer. */
export function successResponse(description: string, schema: string, examples: Json): Record<string, Json> {
  const headers = headerRefs([...ALWAYS, ...(schema === 'BasketResponse' ? [RESPONSE_HEADERS.replayed] : [])]);
  return {
    [String(HTTP_OK)]: {
      description,
      headers,
      content: { 'application/json': { schema: schemaRef(schema), examples } },
    },
  };
}

function headersOf(status: number): readonly string[] {
  const { rate_limited, unavailable } = ERRORS;
  if (status === rate_limited.status || status === unavailable.status) return [...ALWAYS, RESPONSE_HEADERS.retryAfter];
  return status === TRANSPORT_STATUS.methodNotAllowed ? [...ALWAYS, RESPONSE_HEADERS.allow] : ALWAYS;
}

function headerRefs(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function examplesOf(status: number, codes: readonly ErrorCode[]): Json {
  const matching = Object.entries(ERROR_EXAMPLES).filter(
    ([, example]) => example.status === status && codes.includes(example.body.error.code),
  );
  return Object.fromEntries(matching.map(([name, { summary, body }]) => [name, { summary, value: body }]));
}
