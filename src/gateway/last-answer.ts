import type { HttpResponse } from 'uWebSockets.js';
import { TRANSPORT_HEADERS } from '@loyalty/contract/headers';

/**
 * The last answer on a connection.
 *
 * The library closes a connection only after it has parsed all the bytes that it received at once. Requests
 * in the same TCP segment behind an answer with `Connection: close` are handed to us and answered, and the first of
 * them clears the mark to close. The library does refuse a request behind one that is still pending: it closes the
 * connection without an answer. So the last answer is written past the library's bookkeeping, as the value of its last
 * header. For the library its request stays pending, and later bytes on the connection are ignored.
 *
 * That was seen with 20.51.4. What callers see of it is tested with whichever version runs (test/e2e/last-answer.test.ts).
 */

/**
 * The library buffers our output while it parses, and drops the buffer when the connection is closed first (LoopData.h,
 * CORK_BUFFER_SIZE). A single write larger than this is sent at once, together with the buffer.
 */
const KEPT_BYTES = 16 * 1024;

/**
 * `writeHeader` ends every value with this. After the last header it is half of the blank line, or the end of the body.
 */
const LINE_END = '\r\n';

/** Writes everything below the other headers: for HEAD the body's length alone. The caller closes the connection. */
export function writeLastAnswer(response: HttpResponse, body: string, isBodyOmitted: boolean): void {
  response.writeHeader(TRANSPORT_HEADERS.date, new Date().toUTCString());
  response.writeHeader(TRANSPORT_HEADERS.connection, 'close');
  const bytes = Buffer.from(body + LINE_END);
  const length = `${bytes.length}${LINE_END}`;
  const value = isBodyOmitted ? length : Buffer.concat([Buffer.from(length + LINE_END), bytes.subarray(0, -2)]);
  response.writeHeader(TRANSPORT_HEADERS.contentLength, value);
}

/** Pads the JSON with blanks, so that the library sends it at once. */
export function padPastBuffer(json: string): string {
  return json.padEnd(KEPT_BYTES);
}
