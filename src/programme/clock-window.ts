import { parseDateTime } from '@loyalty/contract/date-time';

/** The accepted distance of `requestedAt` from the clock; both ends belong to the window. */
export interface ClockWindow {
  readonly pastMs: number;
  readonly aheadMs: number;
}

/**
 * Offset of a basket's time from the clock at `nowMs`, in milliseconds, above 0 when the basket is ahead. `requestedAt`
 * is a validated RFC 3339 time. A call passes Redis' clock, which is the same for all processes.
 */
export function clockOffsetMs(requestedAt: string, nowMs: number): number {
  const requestedMs = parseDateTime(requestedAt);
  if (requestedMs === undefined) throw new Error('assertion failed: requestedAt is an RFC 3339 time stamp');
  return requestedMs - nowMs;
}

/**
 * True when a time with this offset must not decide limits and time windows. Without a window every time is accepted.
 */
export function isClockOff(offsetMs: number, window: ClockWindow | undefined): boolean {
  return window !== undefined && (offsetMs < -window.pastMs || offsetMs > window.aheadMs);
}
