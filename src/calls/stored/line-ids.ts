import { hash } from 'node:crypto';
import { toText } from '../../contract/byte-text.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';
import { numberOf } from './known-texts.ts';

/**
 * The `lineId`s of a kept basket, by which a return names what comes back. Most are numbers, which take a byte or two, or UUIDs,
 * which take 17; of all others only what differs from the line before is written. Very long ones are kept as a hash, by which they
 * are found again.
 *
 *     head: 0 a UUID, then its 16 bytes; odd: a number, 2n + 1; other: 2 × (1 + characters shared with the ID before), then a text
 */

/** Writes the IDs, which are byte texts. */
export function writeLineIds(writer: ByteWriter, lines: readonly { readonly lineId: string }[]): void {
  writer.integer(lines.length);
  let previous = '';
  for (const { lineId: spelt } of lines) {
    const value = numberOf(spelt);
    if (value > 0) writer.integer(value * 2 + 1);
    if (value > 0 || writer.uuid(spelt)) {
      previous = spelt;
      continue;
    }
    const lineId = keptLineId(toText(spelt));
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
