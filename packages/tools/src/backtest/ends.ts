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
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const IS_UUID = new RegExp(`^${UUID}$`);
const SUPERSEDED = new RegExp(`"supersedesCalculationId"\\s*:\\s*"(${UUID})"`);
const FATE_BITS = 7n;

/** True when a line of a recording is the end of a calculation and no basket. */
export function isEndLine(line: string): boolean {
  return END_LINE.test(line);
}

interface End {
  readonly calculationId: string;
  readonly fate: Fate;
}

/** Parses the end of a calculation; undefined when it is malformed. */
export function readEndLine(line: string): End | undefined {
  try {
    const { calculationId, ...end } = (JSON.parse(line) as EndRecord).end;
    const fate = end.kind === 'sale' ? FATE_OF_STATUS[end.status] : 'superseded';
    return fate !== undefined && IS_UUID.test(calculationId) ? { calculationId, fate } : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the ends in files: those recorded, and the calculations that a basket in them supersedes. */
export async function readEnds(files: readonly string[]): Promise<EndTable> {
  const keys: bigint[] = [];
  for (const file of files) {
    for await (const lines of readLines(createReadStream(file, { highWaterMark: 256 * 1024 }))) {
      for (const { bytes } of lines) {
        const end = bytes && findEnd(bytes);
        if (end) keys.push(keyOf(end.calculationId) | BigInt(FATES.indexOf(end.fate)));
      }
    }
  }
  const table = new BigUint64Array(new SharedArrayBuffer(BigUint64Array.BYTES_PER_ELEMENT * keys.length));
  table.set(keys);
  return table.sort();
}

/** Most lines are baskets that supersede nothing; to decode or parse each would take longer than all the rest. */
function findEnd(bytes: Buffer): End | undefined {
  if (!bytes.includes('"end"') && !bytes.includes('"supersedesCalculationId"')) return undefined;
  const line = decodeLine(bytes) ?? '';
  if (isEndLine(line)) return readEndLine(line);
  const [, calculationId] = SUPERSEDED.exec(line) ?? [];
  return calculationId === undefined ? undefined : { calculationId, fate: 'superseded' };
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
