import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { MAX_BODY_BYTES } from '../contract/limits.ts';

/**
 * Stored answers are deflated with the request's own body as dictionary, since an answer repeats most of it. A replay
 * always has that body at hand: it proved so with its fingerprint. Level 1: the dictionary does the work.
 */
const LEVEL = 1;

/** The deflate window: only the dictionary's last 32 KB can be referred to. */
const WINDOW_BYTES = 32 * 1024;

/** An answer is larger than its request (own fields, split and added lines), but never without bound. */
const MAX_ANSWER_BYTES = 16 * MAX_BODY_BYTES;

export function packAnswer(answer: Uint8Array, body: Uint8Array): Buffer {
  return deflateRawSync(answer, { level: LEVEL, dictionary: dictionary(body) });
}

export function unpackAnswer(packed: Uint8Array, body: Uint8Array): Buffer {
  return inflateRawSync(packed, { dictionary: dictionary(body), maxOutputLength: MAX_ANSWER_BYTES });
}

function dictionary(body: Uint8Array): Uint8Array {
  return body.subarray(Math.max(0, body.length - WINDOW_BYTES));
}
