import type { HttpResponse } from 'uWebSockets.js';
import { MAX_BODY_BYTES } from '../contract/limits.ts';

/**
 * Collects a body into an ArrayBuffer of its own, so that it can be transferred to a thread. Every chunk is copied: the
 * parser takes its memory back when the callback returns. `onTooLarge` is called once, as soon as the count passes the
 * limit; nothing is collected after that.
 */
export function collectBody(
  response: HttpResponse,
  contentLength: number | undefined,
  onBody: (body: Uint8Array<ArrayBuffer>) => void,
  onTooLarge: () => void,
): void {
  let body = new Uint8Array(new ArrayBuffer(contentLength ?? 0));
  let received = 0;
  let isOver = false;
  response.onData((chunk, isLast) => {
    if (isOver) return;
    const needed = received + chunk.byteLength;
    if (needed > MAX_BODY_BYTES) {
      isOver = true;
      return onTooLarge();
    }
    if (needed > body.length) body = grow(body, received, needed, isLast);
    body.set(new Uint8Array(chunk), received);
    received = needed;
    if (!isLast) return;
    isOver = true;
    onBody(received === body.length ? body : body.slice(0, received));
  });
}

/** Doubles the room, so that a body in many small chunks is copied a bounded number of times. */
function grow(body: Uint8Array, received: number, needed: number, isLast: boolean): Uint8Array<ArrayBuffer> {
  const size = isLast ? needed : Math.min(MAX_BODY_BYTES, Math.max(needed, 2 * body.length));
  const larger = new Uint8Array(new ArrayBuffer(size));
  larger.set(body.subarray(0, received));
  return larger;
}
