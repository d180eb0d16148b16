import type { Slice } from '../generator/protocol.ts';

/** In a normal slice of time every request is accepted within this p99 budget. */
const BUDGET_US = 250_000;

/** Recovery needs normal slices for this long, to exclude a lucky moment. */
const CALM_MS = 1000;

/**
 * Milliseconds from `fromMs` to the beginning of the first full second of normal slices; infinite when there is none.
 */
export function recoveryMs(slices: readonly Slice[], sliceMs: number, fromMs: number): number {
  const needed = Math.ceil(CALM_MS / sliceMs);
  const first = Math.ceil(fromMs / sliceMs);
  // The end of the schedule cuts off the last slice.
  for (let start = first; start + needed < slices.length; start += 1) {
    if (slices.slice(start, start + needed).every(isNormal)) return Math.max(0, start * sliceMs - fromMs);
  }
  return Number.POSITIVE_INFINITY;
}

function isNormal({ refused, failed, worstAcceptedUs }: Slice): boolean {
  return refused === 0 && failed === 0 && worstAcceptedUs <= BUDGET_US;
}
