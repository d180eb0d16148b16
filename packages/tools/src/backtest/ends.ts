import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { EndRecord } from '../../../../src/recording/record.ts';
import { decodeLine, readLines } from '../ndjson/read-lines.ts';

/**
 * How calculations ended. A calculation is a sale only where its sale event says so: a till asks again whenever its basket
 * changes, and guests leave.
 */

/** In ascending order of what counts when a calculation has several ends: a late sale is one although it was superseded. */
const FATES = ['superseded', 'cancelled', 'failed', 'sold'] as const;
export type Fate = (typeof FATES)[number];

/**
 * Ends by calculation, sorted: 61 bits of the ID's hash and three of the fate. A recording may have millions of them, and
 * every thread reads the same memory.
 */
export type EndTable = BigUint64Array<SharedArrayBuffer>;

/** `failed`, `not_applicable`: sold, but the till kept its own basket, so no benefit was given. */
const FATE_OF_STATUS: Readonly<Record<string, Fate>> = {
  applied: 'sold',
  unchanged: 'sold',
  member_not_found: 'sold',
  failed: 'failed',
  not_applicable: 'failed',
  cancelled: 'cancelled',
};

/** White space may stand between tokens, as most programs write it that make JSON. */
const END_LINE = /^\s*\{\s*"end"\s*:/;
const SUPERSEDES = '"supersedesCalculationId"';
const SUPERSEDED = /^\s*:\s*"([^"]*)"/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const FATE_BITS = 7n;

/** True when a line of a recording is the end of a calculation and no basket. */
export function isEndLine(line: string): boolean {
  return END_LINE.test(line);
}

/** Parses the end of a calculation; undefined when it is malformed. */
export function readEndLine(line: string): { readonly calculationId: string; readonly fate: Fate } | undefined {
  try {
    const { calculationId, ...end } = (JSON.parse(line) as EndRecord).end;
    const fate = end.kind === 'sale' ? FATE_OF_STATUS[end.status] : 'superseded';
    return fate !== undefined && UUID.test(calculationId) ? { calculationId, fate } : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the ends in files: those recorded, and the calculations that a basket in them supersedes. */
export async function readEnds(files: readonly string[]): Promise<EndTable> {
  const ends = new GrowingTable();
  for (const file of files) {
    for await (const lines of readLines(createReadStream(file, { highWaterMark: 256 * 1024 }))) {
      for (const { bytes } of lines) if (bytes) noteEnd(ends, bytes);
    }
  }
  return ends.sorted();
}

/** Most lines are baskets that supersede nothing; to decode or parse each would take longer than all the rest. */
function noteEnd(ends: GrowingTable, bytes: Buffer): void {
  const line = bytes.includes('"end"') ? decodeLine(bytes) : undefined;
  if (line !== undefined && isEndLine(line)) {
    const end = readEndLine(line);
    if (end) ends.add(end.calculationId, end.fate);
    return;
  }
  const at = bytes.indexOf(SUPERSEDES);
  if (at < 0) return;
  const superseded = SUPERSEDED.exec(bytes.toString('latin1', at + SUPERSEDES.length))?.[1];
  if (superseded !== undefined && UUID.test(superseded)) ends.add(superseded, 'superseded');
}

export function findFate(table: EndTable, calculationId: string): Fate | undefined {
  const least = keyOf(calculationId);
  const most = least | FATE_BITS;
  let [low, high] = [0, table.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (table[middle]! <= most) low = middle + 1;
    else high = middle;
  }
  const found = table[low - 1];
  return found !== undefined && found >= least ? FATES[Number(found & FATE_BITS)] : undefined;
}

function keyOf(calculationId: string): bigint {
  return createHash('sha256').update(calculationId).digest().readBigUInt64BE(0) & ~FATE_BITS;
}

class GrowingTable {
  #keys = new BigUint64Array(1024);
  #count = 0;

  add(calculationId: string, fate: Fate): void {
    if (this.#count === this.#keys.length) {
      const larger = new BigUint64Array(2 * this.#count);
      larger.set(this.#keys);
      this.#keys = larger;
    }
    this.#keys[this.#count] = keyOf(calculationId) | BigInt(FATES.indexOf(fate));
    this.#count += 1;
  }

  sorted(): EndTable {
    const table = new BigUint64Array(new SharedArrayBuffer(8 * this.#count));
    table.set(this.#keys.subarray(0, this.#count).sort());
    return table;
  }
}
