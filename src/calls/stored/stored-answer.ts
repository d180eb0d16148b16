import { crc32 } from 'node:zlib';
import { parseJson } from '@loyalty/contract/basket/parse-json';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import { MAX_ANSWER_BYTES } from '@loyalty/contract/limits';
import type { AnswerContent } from '@loyalty/engine/answer/content';
import { renderAnswer } from '@loyalty/engine/answer/render';
import { answerContent } from './answer-content.ts';
import { ByteReader, fail } from './bytes.ts';
import { decodeIfWhole, encode, integer, type Kind, record } from './kinds.ts';

/**
 * The stored form of an answer of any size: its decision, from which it is rendered again with the request. A
 * replay always has the request: its fingerprint was compared first. An answer of 270 KB takes some kilobytes that way, where
 * deflating it took 164 KB for a day, because random names cannot be deflated.
 */

/** The form that is written, in which a lower unit price has its text in the answer. A number of a form is never used for anything else. */
const FORM = 22;
/** The form of version 0.2.0. */
const FORM_WITHOUT_NOTES = 14;

/** Throws where the bytes are of no form that is read. */
const formByte: Kind<number> = (bytes, it) => {
  const form = bytes.fixed(1, it);
  return form === FORM || form === FORM_WITHOUT_NOTES ? form : fail(`its format byte is ${form}`);
};
const checksum: Kind<number> = (bytes, it) => bytes.fixed(4, it);

/** The CRC-32 of the answer and its length in bytes. */
const HEAD = [
  ['form', formByte],
  ['checksum', checksum],
  ['length', integer],
] as const;
const answerHead = record(...HEAD);
const storedAnswer = record(...HEAD, ['content', answerContent]);

/**
 * A request and an answer up to these sizes are rendered again by whoever asks. That takes as long as pricing the largest
 * basket that the event loop prices (`INLINE_BYTES`); a larger one would hold up all other calls there.
 */
const MAX_LIGHT_REQUEST_BYTES = 16 * 1024;
const MAX_LIGHT_ANSWER_BYTES = 64 * 1024;

/** The answer that was given, or why the stored bytes and the request do not make it. */
export type Replayed = { readonly answer: Uint8Array } | { readonly fault: string };

/** The bytes to store for a decision and its answer. Throws when the answer is larger than any that is given. */
export function storedForm(content: AnswerContent, answer: Uint8Array): Buffer {
  const { length } = answer;
  if (length > MAX_ANSWER_BYTES) throw new Error(`assertion failed: an answer of ${length} bytes`);
  return encode(storedAnswer, { form: FORM, checksum: crc32(answer), length, content });
}

/** True when a replay takes so long that a thread has to do it. */
export function isHeavyReplay(stored: Buffer, request: Uint8Array): boolean {
  const head = decodeIfWhole(answerHead, stored);
  return head !== undefined && (request.length > MAX_LIGHT_REQUEST_BYTES || head.length > MAX_LIGHT_ANSWER_BYTES);
}

/** The answer that was given to this request, byte for byte; a fault, but never other bytes. */
export function replayAnswer(stored: Buffer, request: Uint8Array): Replayed {
  try {
    return { answer: restore(stored, request) };
  } catch (error) {
    return { fault: `A stored answer cannot be replayed: ${(error as Error).message}` };
  }
}

/** The decision in a stored answer; undefined for bytes that are none. */
export function readStoredContent(stored: Buffer): AnswerContent | undefined {
  return decodeIfWhole(storedAnswer, stored)?.content;
}

/** The request was judged when it was answered, so it is only parsed here. */
function restore(stored: Buffer, request: Uint8Array): Uint8Array {
  const reader = new ByteReader(stored);
  const { form, checksum, length, content } = storedAnswer(reader, undefined);
  const parsed = parseJson(request);
  if (!parsed.ok) throw new Error('its request is not JSON');
  const rendered = renderAnswer(parsed.value as BasketRequest, content, form !== FORM_WITHOUT_NOTES);
  const answer = Buffer.from(JSON.stringify(rendered));
  if (reader.left > 0 || answer.length !== length || crc32(answer) !== checksum)
    throw new Error('it gives other bytes');
  return answer;
}
