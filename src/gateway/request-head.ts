import type { HttpRequest } from 'uWebSockets.js';
import { isUuid, REQUEST_HEADERS as NAMES } from '@loyalty/contract/headers';

/**
 * The parts of a request's head that we keep: the library's object is valid only during the handler's first synchronous
 * turn.
 */
export interface RequestHead {
  readonly signature: string | undefined;
  readonly authorization: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly requestId: string | undefined;
  readonly contentLength: number | undefined;
  readonly isChunked: boolean;
  /** The caller announced that this is its last request on the connection. */
  readonly closesConnection: boolean;
  /** The caller asks for the phases of its call beside the total time. */
  readonly wantsPhases: boolean;
  readonly traceparent: string | undefined;
  /** Names of our headers that were sent more than once. We do not guess which value counts. */
  readonly duplicated: ReadonlySet<string>;
  /** Set when the message's framing cannot be trusted: any bytes may follow on the connection. */
  readonly framingFault: FramingFault | undefined;
}

export interface FramingFault {
  readonly field: string;
  readonly expected: string;
}

/** The errors in the chunks of a body, as its caller is told. The library cannot read extensions. */
export const REQUEST_CHUNKS = {
  extended: { field: NAMES.transferEncoding, expected: 'chunks without extensions' },
  small: { field: NAMES.transferEncoding, expected: 'fewer and larger chunks' },
} as const satisfies Record<string, FramingFault>;

const CONTENT_LENGTH = /^\d{1,15}$/;

/** The option `close` of a Connection header (RFC 9112, 9.6). */
const CLOSE = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i;

const NONE_DUPLICATED: ReadonlySet<string> = new Set();

/** The headers that we read, as they come in one pass. */
class HeaderValues {
  signature: string | undefined;
  authorization: string | undefined;
  idempotencyKey: string | undefined;
  contentType: string | undefined;
  contentEncoding: string | undefined;
  contentLength: string | undefined;
  transferEncoding: string | undefined;
  requestId: string | undefined;
  connection: string | undefined;
  serverTiming: string | undefined;
  traceparent: string | undefined;
  duplicated: Set<string> | undefined;

  /** Of a header that must be single the first value counts, and a second one is noted; of others the last counts. */
  readonly take = (name: string, value: string): void => {
    switch (name) {
      case NAMES.signature:
        this.signature = this.#single(name, this.signature, value);
        break;
      case NAMES.authorization:
        this.authorization = this.#single(name, this.authorization, value);
        break;
      case NAMES.idempotencyKey:
        this.idempotencyKey = this.#single(name, this.idempotencyKey, value);
        break;
      case NAMES.contentType:
        this.contentType = this.#single(name, this.contentType, value);
        break;
      case NAMES.contentEncoding:
        this.contentEncoding = this.#single(name, this.contentEncoding, value);
        break;
      case NAMES.contentLength:
        this.contentLength = this.#single(name, this.contentLength, value);
        break;
      case NAMES.transferEncoding:
        this.transferEncoding = this.#single(name, this.transferEncoding, value);
        break;
      case NAMES.requestId:
        this.requestId = value;
        break;
      case NAMES.connection:
        this.connection = value;
        break;
      case NAMES.serverTiming:
        this.serverTiming = value;
        break;
      case NAMES.traceparent:
        this.traceparent = this.#single(name, this.traceparent, value);
        break;
    }
  };

  #single(name: string, before: string | undefined, value: string): string {
    if (before === undefined) return value;
    this.duplicated ??= new Set();
    this.duplicated.add(name);
    return before;
  }
}

/** Reads the head in one pass over its headers. A map of them and a set cost 2 µs more a call. */
export function readRequestHead(request: HttpRequest): RequestHead {
  const values = new HeaderValues();
  request.forEach(values.take);
  const { contentLength: length, transferEncoding: transfer, connection, duplicated = NONE_DUPLICATED } = values;
  return {
    signature: values.signature,
    authorization: values.authorization,
    idempotencyKey: values.idempotencyKey,
    contentType: values.contentType,
    contentEncoding: values.contentEncoding,
    requestId: values.requestId,
    contentLength: length === undefined ? undefined : Number(length),
    isChunked: transfer !== undefined,
    closesConnection: connection !== undefined && CLOSE.test(connection),
    wantsPhases: values.serverTiming === 'detail',
    // With two of them nobody knows which trace it is.
    traceparent: duplicated.has(NAMES.traceparent) ? undefined : values.traceparent,
    duplicated,
    framingFault: findFramingFault(length, transfer, duplicated),
  };
}

/**
 * The parser accepts framing that a proxy in front of us may read differently: two Content-Lengths (it takes the
 * first), an empty one (it takes 0), Transfer-Encoding of any spelling (it takes chunked). Each could smuggle a second
 * request.
 */
function findFramingFault(
  length: string | undefined,
  transfer: string | undefined,
  duplicated: ReadonlySet<string>,
): FramingFault | undefined {
  const { contentLength, transferEncoding } = NAMES;
  if (duplicated.has(contentLength)) return { field: contentLength, expected: 'one Content-Length' };
  if (duplicated.has(transferEncoding)) return { field: transferEncoding, expected: 'one Transfer-Encoding' };
  if (length !== undefined && !CONTENT_LENGTH.test(length)) return { field: contentLength, expected: 'decimal digits' };
  if (transfer !== undefined && transfer !== 'chunked') return { field: transferEncoding, expected: 'chunked' };
  if (length !== undefined && transfer !== undefined) {
    return { field: transferEncoding, expected: 'no Transfer-Encoding beside a Content-Length' };
  }
  return undefined;
}

/** The idempotency key if it is one lower-case UUID (interface, section 4), otherwise undefined. */
export function validIdempotencyKey(head: RequestHead): string | undefined {
  const { idempotencyKey, duplicated } = head;
  if (idempotencyKey === undefined || duplicated.has(NAMES.idempotencyKey)) return undefined;
  return isUuid(idempotencyKey) ? idempotencyKey : undefined;
}
