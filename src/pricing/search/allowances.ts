import type { LineFacts } from '../lines.ts';
import { COST } from '../work.ts';
import type { Problem } from './problem.ts';

/** Limits of what is tried for one line of the basket, and of the lines that it may become in the answer. */

/** Entries that splitting lines may add to an answer. A part of a line counts for some, each share on it for one. */
const MAX_ADDED_ENTRIES = 10_000;
const ENTRIES_PER_PART = 5;
const MAX_TAKES_PER_LINE = 31;

/**
 * The number of benefits that may be dealt units of the line, and of groups that may take some of it; at least 1. Each makes
 * a line of the answer, which has to stay small enough to be sent.
 */
export function maximumTakes({ lines, orders }: Problem, { allocations }: LineFacts): number {
  const entries = lines.length * (ENTRIES_PER_PART + allocations.length + orders.length);
  return Math.min(MAX_TAKES_PER_LINE, Math.max(1, Math.floor(MAX_ADDED_ENTRIES / entries)));
}

/** How many options are listed for a line: few at first, so that a good combination is found early; then more. */
export interface Listing {
  /** Listing the options of lines takes at most about this part of all steps. */
  readonly partOfSteps: number;
  readonly most: number;
}

export const SHORT_LISTING: Listing = { partOfSteps: 1 / 8, most: 48 };
export const LONG_LISTING: Listing = { partOfSteps: 1 / 2, most: 1_024 };
const MIN_OPTIONS_PER_LINE = 12;

/** Few lines may have many options, many lines few. */
export function maximumOptions({ partOfSteps, most }: Listing, steps: number, lines: number): number {
  const affordable = Math.floor((steps * partOfSteps) / (lines * COST.option));
  return Math.min(most, Math.max(MIN_OPTIONS_PER_LINE, affordable));
}
