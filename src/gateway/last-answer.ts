import type { HttpResponse } from 'uWebSockets.js';
import { TRANSPORT_HEADERS } from '../contract/headers.ts';

/**
 * The last answer on a connection.
 *
 * The library (20.51.4) closes a connection only when it has parsed all that it received at once: requests that stand in
 * the same TCP segment behind an answer with `Connection: close` are handed to us and answered, and the mark to close is
 * lost with the first of them. What it does refuse is a request behind one that is still pending: it closes the connection
 * without a word. So the last answer is written past the library's bookkeeping, as the value of its last header. To the
 * library its request stays pending for ever, and whatever follows on the connection is neither answered nor looked at.
 */

/**
 * The library keeps what is written while it parses until it has parsed everything, and drops it when the connection is
 * closed before (LoopData.h, CORK_BUFFER_SIZE). One write of more than that leaves at once, with all that was kept.
 */
const KEPT_BYTES = 16 * 1024;

/** `writeHeader` ends a value like this; after the last header it is the blank line's first half or the body's last bytes. */
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

/** The same JSON with blanks behind it, so long that the library sends it at once. */
export function padPastBuffer(json: string): string {
  return json.padEnd(KEPT_BYTES);
}
