import { parseDateTime } from '../contract/date-time.ts';

/** How far `requestedAt` may be from the clock that it is compared with; both ends belong to the window. */
export interface ClockWindow {
  readonly pastMs: number;
  readonly aheadMs: number;
}

/**
 * How far a basket's time is from the clock at `nowMs`, in milliseconds: above 0 the basket is ahead. `requestedAt` is RFC 3339
 * and has been validated. The clock is an argument, and for a call it is Redis': one clock for all processes.
 */
export function clockOffsetMs(requestedAt: string, nowMs: number): number {
  const requestedMs = parseDateTime(requestedAt);
  if (requestedMs === undefined) throw new Error('assertion failed: requestedAt is an RFC 3339 time stamp');
  return requestedMs - nowMs;
}

/** True when a time so far from the clock must not decide about limits and windows in time; never without a window. */
export function isClockOff(offsetMs: number, window: ClockWindow | undefined): boolean {
  return window !== undefined && (offsetMs < -window.pastMs || offsetMs > window.aheadMs);
}
