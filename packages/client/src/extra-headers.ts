import { REQUEST_HEADERS } from '@loyalty/contract/headers';

/** Headers of the caller's own: a gateway's key, `traceparent` of a trace. The interface's own cannot be replaced. */

/** What an attempt is, for headers that depend on it. */
export interface AttemptNames {
  /** POS: that of the basket or the sale event. */
  readonly calculationId: string;
  /** Client: `X-Request-Id` of this attempt. */
  readonly requestId: string;
  /** Client: path of the endpoint. */
  readonly path: string;
}

/** Values by name. */
export type HeaderValues = Readonly<Record<string, string>>;

/** The same headers for every attempt, or a function that gives them for each, called where the call was made. */
export type ExtraHeaders = HeaderValues | ((attempt: AttemptNames) => HeaderValues);

/** The interface's, and those that describe the message on its connection. */
const RESERVED: readonly string[] = [
  REQUEST_HEADERS.signature,
  REQUEST_HEADERS.idempotencyKey,
  REQUEST_HEADERS.requestId,
  REQUEST_HEADERS.contentType,
  REQUEST_HEADERS.contentEncoding,
  REQUEST_HEADERS.contentLength,
  REQUEST_HEADERS.transferEncoding,
  'accept',
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'upgrade',
];
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Visible ASCII, blanks and tabs: other bytes arrive as something else, or end the header. */
const VALUE = /^[\t\x20-\x7e]*$/;

/** The headers as they go out. Throws a TypeError that names a header which cannot be sent, and never its value. */
export function readHeaders(headers: unknown): HeaderValues {
  if (typeof headers !== 'object' || headers === null || typeof (headers as { then?: unknown }).then === 'function') {
    throw new TypeError('headers: an object of names and values is expected');
  }
  const entries: [string, unknown][] = Object.entries(headers);
  for (const [name, value] of entries) {
    if (!NAME.test(name)) throw new TypeError(`headers: ${JSON.stringify(name)} is no name of a header`);
    if (RESERVED.includes(name.toLowerCase())) throw new TypeError(`headers: ${name} belongs to the client`);
    if (typeof value !== 'string' || !VALUE.test(value)) {
      throw new TypeError(`headers: the value of ${name} is not a string of visible ASCII`);
    }
  }
  return Object.fromEntries(entries) as HeaderValues;
}
