import type { Slice } from '../generator/protocol.ts';

/** A slice of time is normal when nothing was refused or failed and nobody waited longer than the budget of p99. */
const BUDGET_US = 250_000;

/** Normal for this long means that it is over, and not a lucky moment. */
const CALM_MS = 1000;

/**
 * Milliseconds from `fromMs` to the beginning of the first full second in which everything was normal; infinite when none
 * came.
 */
export function recoveryMs(slices: readonly Slice[], sliceMs: number, fromMs: number): number {
  const needed = Math.ceil(CALM_MS / sliceMs);
  const first = Math.ceil(fromMs / sliceMs);
  // The last slice is cut off by the end of the schedule.
  for (let start = first; start + needed < slices.length; start += 1) {
    if (slices.slice(start, start + needed).every(isNormal)) return Math.max(0, start * sliceMs - fromMs);
  }
  return Number.POSITIVE_INFINITY;
}

function isNormal({ refused, failed, worstAcceptedUs }: Slice): boolean {
  return refused === 0 && failed === 0 && worstAcceptedUs <= BUDGET_US;
}
