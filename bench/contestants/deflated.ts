import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { MAX_ANSWER_BYTES } from '@loyalty/contract/limits';

/**
 * Large answers are deflated with the request's own body as dictionary, since an answer repeats most of it. A replay
 * always has that body: its fingerprint was compared first. Measured: a 20-line answer of 10.7 KB
 * becomes 0.48 KB in 21 µs; level 2 0.53 KB in 20 µs, level 4 is no smaller and takes 35 µs.
 */
const DEFLATE = { level: 3, windowBits: 14, memLevel: 7 } as const;

/** The deflate window. Deflate refers only to bytes inside it, so the dictionary is the body's last 16 KB. */
const WINDOW_BYTES = 2 ** DEFLATE.windowBits;

/**
 * The expected compression, which sizes the output buffer; allocating zlib's own 16 KB for every answer cost a quarter
 * of its time.
 */
const EXPECTED_RATIO = 8;
const MIN_CHUNK_BYTES = 1024;

/** Deflates an answer. Throws when it is larger than `unpackAnswer` accepts, because it could not be replayed. */
export function packAnswer(answer: Uint8Array, body: Uint8Array): Buffer {
  if (answer.length > MAX_ANSWER_BYTES) throw new Error(`assertion failed: an answer of ${answer.length} bytes`);
  const chunkSize = Math.max(MIN_CHUNK_BYTES, Math.ceil(answer.length / EXPECTED_RATIO));
  return deflateRawSync(answer, { ...DEFLATE, chunkSize, dictionary: dictionary(body) });
}

export function unpackAnswer(packed: Uint8Array, body: Uint8Array): Buffer {
  return inflateRawSync(packed, { dictionary: dictionary(body), maxOutputLength: MAX_ANSWER_BYTES });
}

function dictionary(body: Uint8Array): Uint8Array {
  return body.subarray(Math.max(0, body.length - WINDOW_BYTES));
}
