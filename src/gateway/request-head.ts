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

/** Of these the last one counts; of every other header the first, and a second one is noted. */
const MAY_BE_REPEATED: ReadonlySet<string> = new Set([NAMES.requestId, NAMES.connection, NAMES.serverTiming]);
const READ: ReadonlySet<string> = new Set(Object.values(NAMES));
const NONE_DUPLICATED: ReadonlySet<string> = new Set();

export function readRequestHead(request: HttpRequest): RequestHead {
  const values = new Map<string, string>();
  let noted: Set<string> | undefined;
  request.forEach((name, value) => {
    if (!READ.has(name)) return;
    if (!values.has(name) || MAY_BE_REPEATED.has(name)) values.set(name, value);
    else {
      noted ??= new Set();
      noted.add(name);
    }
  });
  const duplicated = noted ?? NONE_DUPLICATED;
  const [length, transfer] = [values.get(NAMES.contentLength), values.get(NAMES.transferEncoding)];
  return {
    signature: values.get(NAMES.signature),
    authorization: values.get(NAMES.authorization),
    idempotencyKey: values.get(NAMES.idempotencyKey),
    contentType: values.get(NAMES.contentType),
    contentEncoding: values.get(NAMES.contentEncoding),
    requestId: values.get(NAMES.requestId),
    contentLength: length === undefined ? undefined : Number(length),
    isChunked: transfer !== undefined,
    closesConnection: CLOSE.test(values.get(NAMES.connection) ?? ''),
    wantsPhases: values.get(NAMES.serverTiming) === 'detail',
    // With two of them nobody knows which trace it is.
    traceparent: duplicated.has(NAMES.traceparent) ? undefined : values.get(NAMES.traceparent),
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
