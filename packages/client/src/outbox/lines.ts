import zlib from 'node:zlib';
import type { OutboxRecord } from './store.ts';

/** One record as a line of the outbox file: a checksum, a space, JSON. */

const CHECKSUM_DIGITS = 8;
const KINDS: readonly string[] = ['called', 'due', 'settled', 'stopped', 'superseded'] satisfies OutboxRecord['kind'][];

/** With its line end. */
export function renderLine(record: OutboxRecord): string {
  const json = JSON.stringify(record);
  return `${checksum(json)} ${json}\n`;
}

/** Undefined for a line that is not whole, or that no version of this package wrote. */
export function parseLine(line: string): OutboxRecord | undefined {
  const json = line.slice(CHECKSUM_DIGITS + 1);
  if (line.slice(0, CHECKSUM_DIGITS) !== checksum(json)) return undefined;
  try {
    const record = JSON.parse(json) as Partial<OutboxRecord> | null;
    const isKnown = typeof record?.calculationId === 'string' && KINDS.includes(record.kind as string);
    return isKnown ? (record as OutboxRecord) : undefined;
  } catch {
    return undefined;
  }
}

/** The calculation IDs that can still be read in damaged lines. */
export function namedIn(lines: readonly string[]): string[] {
  const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
  return [...new Set(lines.flatMap((line) => line.match(uuid) ?? []))];
}

function checksum(text: string): string {
  return zlib.crc32(text).toString(16).padStart(CHECKSUM_DIGITS, '0');
}
