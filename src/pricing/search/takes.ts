import type { LineFacts } from '../lines.ts';
import type { Problem } from './problem.ts';

/** How many lines of the answer one line of the basket may become, so that an answer stays small enough to be sent. */

/** Entries that splitting lines may add to an answer. A part of a line counts for some, each share on it for one. */
const MAX_ADDED_ENTRIES = 10_000;
const ENTRIES_PER_PART = 5;
const MAX_TAKES_PER_LINE = 31;

/** So many benefits may be dealt units of the line, and so many groups may take some of it; one always may. */
export function maximumTakes({ lines, orders }: Problem, { allocations }: LineFacts): number {
  const entries = lines.length * (ENTRIES_PER_PART + allocations.length + orders.length);
  return Math.min(MAX_TAKES_PER_LINE, Math.max(1, Math.floor(MAX_ADDED_ENTRIES / entries)));
}
