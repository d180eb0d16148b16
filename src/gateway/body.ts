import { ByteSlab, releaseLarge } from '@loyalty/contract/byte-slab';
import { MAX_BODY_BYTES } from '@loyalty/contract/limits';
import { ChunkWatch } from './chunk-watch.ts';
import type { FramingFault } from './request-head.ts';
import type { Upload, Uploads } from './uploads.ts';

/** The smallest buffer for a body that arrives in pieces. */
const MIN_ROOM_BYTES = 4096;

const EMPTY = new Uint8Array(new ArrayBuffer(0));
const slab = new ByteSlab();

export interface BodyOutcomes {
  /** Called with the whole body, once; the upload is finished then. */
  readonly onBody: (body: Uint8Array<ArrayBuffer>) => void;
  /** Called once, as soon as the body exceeds the limit; later bytes are ignored. */
  readonly onTooLarge: () => void;
  /** Called once, when chunks cannot be read or are too small; later bytes are ignored. */
  readonly onChunkFault: (fault: FramingFault) => void;
}

/** Takes the next piece of a body from the parser. */
type TakePiece = (piece: ArrayBuffer, isLast: boolean) => void;

/**
 * Collects a body from its pieces. Every piece is copied, because the parser takes its memory back when the callback returns.
 * A body in one piece, as nearly all are, is copied once into a slab. The buffer of any other one grows with the bytes received
 * and ignores the announced length, which costs its sender nothing.
 */
export function collectBody(uploads: Uploads, upload: Upload, isChunked: boolean, outcomes: BodyOutcomes): TakePiece {
  let body = EMPTY;
  let received = 0;
  upload.release = () => releaseLarge(body);
  const onChunkFault = (fault: FramingFault): void => {
    uploads.giveUp(upload);
    outcomes.onChunkFault(fault);
  };
  const watch = isChunked ? new ChunkWatch(uploads, upload, onChunkFault) : undefined;
  return (piece, isLast) => {
    if (upload.isOver) return;
    const needed = received + piece.byteLength;
    if (needed > MAX_BODY_BYTES) {
      uploads.giveUp(upload);
      return outcomes.onTooLarge();
    }
    if (isLast && received === 0) {
      body = slab.take(needed);
    } else if (needed > body.length) {
      body = grow(body, needed, isLast);
      if (!isLast) uploads.hold(upload, body.length);
      if (upload.isOver) return;
    }
    body.set(new Uint8Array(piece), received);
    received = needed;
    if (!isLast) return watch?.look(body.subarray(0, received));
    uploads.finish(upload);
    outcomes.onBody(received === body.length ? body : new Uint8Array(body.buffer.transfer(received)));
  };
}

/**
 * How long a refused call's body may take to its end before it is answered without that. Most bodies arrive with their head;
 * a connection whose body is read to its end can be kept, and a new one would cost more than these bytes.
 */
const REST_MS = 25;

/**
 * Reads a body only to find its end, for a call that is refused whatever it contains: nothing is kept or copied. `onEnd` is
 * called once, not before the library has parsed what it has received; `isWhole` is false when the body is still on its way.
 */
export function dropBody(onEnd: (isWhole: boolean) => void): TakePiece {
  let isWhole = false;
  let timer: NodeJS.Timeout | undefined;
  setImmediate(() => {
    if (isWhole) return onEnd(true);
    timer = setTimeout(onEnd, REST_MS, false);
  });
  return (_, isLast) => {
    if (!isLast) return;
    isWhole = true;
    if (timer === undefined) return;
    clearTimeout(timer);
    setImmediate(onEnd, true);
  };
}

/** Doubles the buffer, so that a body in many small chunks is copied a bounded number of times. The old one is released. */
function grow(body: Uint8Array<ArrayBuffer>, needed: number, isLast: boolean): Uint8Array<ArrayBuffer> {
  const size = isLast ? needed : Math.min(MAX_BODY_BYTES, Math.max(needed, 2 * body.length, MIN_ROOM_BYTES));
  // All calls begin with the same empty bytes, which must stay as they are.
  return new Uint8Array(body.length > 0 ? body.buffer.transfer(size) : new ArrayBuffer(size));
}
