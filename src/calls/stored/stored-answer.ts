import { crc32 } from 'node:zlib';
import { parseInBytes } from '../../basket/basket-in-bytes.ts';
import { parseJson } from '../../basket/parse-json.ts';
import type { BasketRequest } from '../../contract/basket-request.ts';
import type { InBytes } from '../../contract/byte-text.ts';
import { MAX_ANSWER_BYTES } from '../../contract/limits.ts';
import type { AnswerContent } from '../../pricing/answer/content.ts';
import { renderStored } from '../rendition.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { decodeContent } from './decode.ts';
import { unpackAnswer } from './deflated.ts';

/**
 * The stored form of an answer: the digest of its decision, from which it is rendered again with the request. A replay always
 * has the request: its fingerprint was compared first. An answer of 270 KB takes some kilobytes that way, where deflating it
 * took 164 KB for a day, because random names cannot be deflated (docs/measurements/service.md).
 *
 *     digest:            format byte, CRC-32 of the answer (4 bytes), its length, then the content (layout.ts), then the
 *                        fields that the content does not know, deflated, if there are any (added-fields.ts)
 *     large, until 0.1:  the same with deflate in place of the content
 *     before the digest: raw deflate alone (deflated.ts)
 */

/**
 * The lowest three bits of a format byte say "not the last block, type 3", and deflate has no blocks of type 3: no form is
 * ever taken for another. The bits above are the number of the format. A number is never used for anything else.
 */
const DIGEST = 0b00001_110;
const DEFLATED = 0b00010_110;
const FORMAT_MARK = 0b110;
const FORMAT_MASK = 0b111;

const CHECKSUM_BYTES = 4;
const LENGTH_AT = 1 + CHECKSUM_BYTES;

/**
 * A request and an answer up to these sizes are rendered again by whoever asks. That takes as long as pricing the largest
 * basket that the front end prices by itself (`INLINE_BYTES`); a larger one would hold up all other calls there.
 */
const MAX_LIGHT_REQUEST_BYTES = 16 * 1024;
const MAX_LIGHT_ANSWER_BYTES = 64 * 1024;

/** The answer that was given, or why the stored bytes and the request do not make it. */
export type Replayed = { readonly answer: Uint8Array } | { readonly fault: string };

const lengths = new ByteWriter();

/**
 * The bytes to store for an answer with the digest of its decision (`digestOf`). Throws when the answer is larger than
 * any that is given.
 */
export function storedForm(digest: Buffer, answer: Uint8Array): Buffer {
  if (answer.length > MAX_ANSWER_BYTES) throw new Error(`assertion failed: an answer of ${answer.length} bytes`);
  lengths.integer(answer.length);
  const length = lengths.take();
  const form = Buffer.allocUnsafe(LENGTH_AT + length.length + digest.length);
  form[0] = DIGEST;
  form.writeUInt32LE(crc32(answer), 1);
  length.copy(form, LENGTH_AT);
  digest.copy(form, LENGTH_AT + length.length);
  return form;
}

/** True when a replay takes so long that a thread has to do it. */
export function isHeavyReplay(stored: Buffer, request: Uint8Array): boolean {
  if (stored[0] !== DIGEST || stored.length <= LENGTH_AT) return false;
  if (request.length > MAX_LIGHT_REQUEST_BYTES) return true;
  return new ByteReader(stored, LENGTH_AT, 'utf8').integer() > MAX_LIGHT_ANSWER_BYTES;
}

/** The answer that was given to this request, byte for byte; a fault, but never other bytes. */
export function replayAnswer(stored: Buffer, request: Uint8Array): Replayed {
  try {
    const hasFormat = ((stored[0] ?? 0) & FORMAT_MASK) === FORMAT_MARK;
    return { answer: hasFormat ? restore(stored, request) : unpackAnswer(stored, request) };
  } catch (error) {
    return { fault: `A stored answer cannot be replayed: ${(error as Error).message}` };
  }
}

/** The decision in a stored answer; undefined for a form that has none, and for damaged bytes. */
export function readStoredContent(stored: Buffer): AnswerContent | undefined {
  if (stored[0] !== DIGEST) return undefined;
  try {
    const reader = new ByteReader(stored, LENGTH_AT, 'utf8');
    reader.integer();
    return decodeContent(stored, reader.at);
  } catch {
    return undefined;
  }
}

function restore(stored: Buffer, request: Uint8Array): Uint8Array {
  const checksum = stored.readUInt32LE(1);
  const reader = new ByteReader(stored, LENGTH_AT, 'utf8');
  const length = reader.integer();
  const answer = restoreFrom(stored, reader.at, request);
  if (answer.length !== length || crc32(answer) !== checksum) throw new Error('it gives other bytes');
  return answer;
}

function restoreFrom(stored: Buffer, at: number, request: Uint8Array): Uint8Array {
  switch (stored[0]) {
    case DIGEST:
      return renderAgain(stored, at, request);
    case DEFLATED:
      return unpackAnswer(stored.subarray(at), request);
    default:
      throw new Error(`its format byte is ${stored[0]}`);
  }
}

/**
 * The answer to a request with the content that stands in `stored` from `at` on. The request was judged when it was answered,
 * so it is only parsed here: into byte texts where that is possible, which takes four fifths of the time.
 */
function renderAgain(stored: Buffer, at: number, request: Uint8Array): Buffer {
  const inBytes = parseInBytes(request) as InBytes<BasketRequest> | undefined;
  if (inBytes) return renderStored({ isInBytes: true, basket: inBytes }, stored, at);
  const parsed = parseJson(request);
  if (!parsed.ok) throw new Error('its request is not JSON');
  return renderStored({ basket: parsed.value as BasketRequest }, stored, at);
}
