import { crc32 } from 'node:zlib';
import { parseJson } from '@loyalty/contract/basket/parse-json';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import { MAX_ANSWER_BYTES } from '@loyalty/contract/limits';
import type { AnswerContent } from '@loyalty/engine/answer/content';
import { renderAnswer } from '@loyalty/engine/answer/render';
import { decodeContent } from './answer-content.ts';
import { ByteReader, ByteWriter, integer } from './bytes.ts';

/**
 * The stored form of an answer of any size: the digest of its decision, from which it is rendered again with the request. A
 * replay always has the request: its fingerprint was compared first. An answer of 270 KB takes some kilobytes that way, where
 * deflating it took 164 KB for a day, because random names cannot be deflated.
 *
 *     format byte, CRC-32 of the answer (4 bytes), its length, then the content (answer-content.ts)
 */

/** The oldest form that is read, and the one that is written. A number of a form is never used for anything else. */
const [FIRST_FORM, FORM] = [14, 22];
/** Since this form a lower unit price has its text in the answer. */
const NOTES_SINCE = 22;

function isKnown(form: number | undefined): form is number {
  return form !== undefined && form >= FIRST_FORM && form <= FORM;
}

const CHECKSUM_BYTES = 4;
const LENGTH_AT = 1 + CHECKSUM_BYTES;

/**
 * A request and an answer up to these sizes are rendered again by whoever asks. That takes as long as pricing the largest
 * basket that the event loop prices (`INLINE_BYTES`); a larger one would hold up all other calls there.
 */
const MAX_LIGHT_REQUEST_BYTES = 16 * 1024;
const MAX_LIGHT_ANSWER_BYTES = 64 * 1024;

/** The answer that was given, or why the stored bytes and the request do not make it. */
export type Replayed = { readonly answer: Uint8Array } | { readonly fault: string };

const lengths = new ByteWriter();

/** The bytes to store for an answer with its digest. Throws when the answer is larger than any that is given. */
export function storedForm(digest: Buffer, answer: Uint8Array): Buffer {
  if (answer.length > MAX_ANSWER_BYTES) throw new Error(`assertion failed: an answer of ${answer.length} bytes`);
  const length = lengths.encode(integer, answer.length);
  const form = Buffer.allocUnsafe(LENGTH_AT + length.length + digest.length);
  form[0] = FORM;
  form.writeUInt32LE(crc32(answer), 1);
  length.copy(form, LENGTH_AT);
  digest.copy(form, LENGTH_AT + length.length);
  return form;
}

/** True when a replay takes so long that a thread has to do it. */
export function isHeavyReplay(stored: Buffer, request: Uint8Array): boolean {
  if (!isKnown(stored[0]) || stored.length <= LENGTH_AT) return false;
  if (request.length > MAX_LIGHT_REQUEST_BYTES) return true;
  return new ByteReader(stored, LENGTH_AT).integer() > MAX_LIGHT_ANSWER_BYTES;
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
  if (!isKnown(stored[0])) return undefined;
  try {
    const reader = new ByteReader(stored, LENGTH_AT);
    reader.integer();
    return decodeContent(reader);
  } catch {
    return undefined;
  }
}

/** The request was judged when it was answered, so it is only parsed here. */
function restore(stored: Buffer, request: Uint8Array): Uint8Array {
  const form = stored[0];
  if (!isKnown(form)) throw new Error(`its format byte is ${form}`);
  const reader = new ByteReader(stored, LENGTH_AT);
  const length = reader.integer();
  const content = decodeContent(reader);
  const parsed = parseJson(request);
  if (!parsed.ok) throw new Error('its request is not JSON');
  const rendered = renderAnswer(parsed.value as BasketRequest, content, form >= NOTES_SINCE);
  const answer = Buffer.from(JSON.stringify(rendered));
  if (!reader.isAtEnd || answer.length !== length || crc32(answer) !== stored.readUInt32LE(1))
    throw new Error('it gives other bytes');
  return answer;
}
