/** Header names and fixed header values of the interface (interface, section 4). Request names are lower-case. */

export const REQUEST_HEADERS = {
  signature: 'pos-signature',
  idempotencyKey: 'idempotency-key',
  requestId: 'x-request-id',
  contentType: 'content-type',
  contentEncoding: 'content-encoding',
  contentLength: 'content-length',
  transferEncoding: 'transfer-encoding',
  authorization: 'authorization',
  connection: 'connection',
  serverTiming: 'server-timing',
  traceparent: 'traceparent',
} as const;

export const RESPONSE_HEADERS = {
  requestId: 'X-Request-Id',
  serverTiming: 'Server-Timing',
  retryAfter: 'Retry-After',
  replayed: 'Idempotent-Replayed',
  contentType: 'Content-Type',
  allow: 'Allow',
  strictTransportSecurity: 'Strict-Transport-Security',
  traceResponse: 'traceresponse',
  interfaceVersion: 'Loyalty-Interface',
} as const;

/** The version of the interface that is spoken here (interface, section 9), on every answer. */
export const INTERFACE_VERSION = '0.1.0-draft';

/** HTTP's own headers, which the server library writes unless we do. */
export const TRANSPORT_HEADERS = { contentLength: 'Content-Length', connection: 'Connection', date: 'Date' } as const;

export const JSON_CONTENT_TYPE = 'application/json; charset=utf-8';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UUID_ANY_CASE = new RegExp(UUID.source, 'i');

/** True for the interface's `Uuid`: lower case, hyphens, 36 characters. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** True for a UUID in either case, which is echoed as `X-Request-Id`. */
export function isUuidInAnyCase(text: string): boolean {
  return UUID_ANY_CASE.test(text);
}

/** True for `application/json`, with no charset or with utf-8 (RFC 9110, 8.3: names are case-insensitive). */
export function isJsonContentType(value: string): boolean {
  return /^application\/json[ \t]*(;[ \t]*charset=("?)utf-8\2[ \t]*)?$/i.test(value.trim());
}
