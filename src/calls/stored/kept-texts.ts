import { hash } from 'node:crypto';
import type { ByteReader, ByteWriter } from './bytes.ts';

/** Most identifiers are numbers, which take fewer bytes as such. */
const MAX_NUMERIC_DIGITS = 15;
const [ZERO, NINE] = [0x30, 0x39];

/** The number that a text of digits alone, without a leading zero, stands for; 0 for any other text. */
function numberOf(text: string): number {
  if (text.length > MAX_NUMERIC_DIGITS || text.charCodeAt(0) === ZERO) return 0;
  let value = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < ZERO || code > NINE) return 0;
    value = value * 10 + (code - ZERO);
  }
  return value;
}

/** Texts. Those that were written already are written as their number. */
export class KnownTexts {
  readonly #writer: ByteWriter;
  readonly #numbers = new Map<string, number>();

  constructor(writer: ByteWriter) {
    this.#writer = writer;
  }

  write(text: string): void {
    const value = numberOf(text);
    if (value > 0) return this.#writer.integer(value * 2 + 1);
    const number = this.#numbers.get(text);
    this.#writer.integer(2 * (number ?? this.#numbers.size));
    if (number !== undefined) return;
    this.#numbers.set(text, this.#numbers.size);
    this.#writer.text(text);
  }
}

/**
 * The `lineId`s of a kept basket, by which a return names what comes back. Most are numbers, which take a byte or two, or UUIDs,
 * which take 17; of all others only what differs from the line before is written. Very long ones are kept as a hash, by which they
 * are found again.
 *
 *     head: 0 a UUID, then its 16 bytes; odd: a number, 2n + 1; other: 2 × (1 + characters shared with the ID before), then a text
 */

/** Writes the IDs. */
export function writeLineIds(writer: ByteWriter, lines: readonly { readonly lineId: string }[]): void {
  writer.integer(lines.length);
  let previous = '';
  for (const line of lines) {
    const value = numberOf(line.lineId);
    if (value > 0) writer.integer(value * 2 + 1);
    if (value > 0 || writer.uuid(line.lineId)) {
      previous = line.lineId;
      continue;
    }
    const lineId = keptLineId(line.lineId);
    const shared = countShared(previous, lineId);
    writer.integer(2 * (1 + shared));
    writer.text(lineId.slice(shared));
    previous = lineId;
  }
}

const MAX_KEPT_CHARACTERS = 40;
const HASH_CHARACTERS = 22;

/** The form in which the ID of a line is kept: itself, or 132 bits of its SHA-256 where it is very long. */
export function keptLineId(lineId: string): string {
  if (lineId.length <= MAX_KEPT_CHARACTERS) return lineId;
  const hashed = hash('sha256', Buffer.from(lineId, 'utf16le'), 'base64url');
  return `sha256:${hashed.slice(0, HASH_CHARACTERS)}`;
}

function countShared(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let shared = 0;
  while (shared < most && one.charCodeAt(shared) === other.charCodeAt(shared)) shared += 1;
  return shared;
}

export function readLineIds(reader: ByteReader): string[] {
  let previous = '';
  return reader.list(() => {
    const head = reader.integer();
    if (head === 0) previous = reader.uuid();
    else if (head % 2 === 1) previous = String((head - 1) / 2);
    else previous = previous.slice(0, head / 2 - 1) + reader.text();
    return previous;
  });
}
