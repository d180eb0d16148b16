/**
 * The clock of a test member (README.md). It is a field of the member's hash, which every call reads anyway: `offset end`,
 * both in milliseconds, the end by Redis' clock. member-clock.ts moves it.
 */

/** The clock of a member. */
export interface MovedClock {
  /** Milliseconds by which it is ahead, below 0 when it is behind; 0 when it is right. */
  readonly movedMs: number;
  /** At this instant of Redis' clock, in milliseconds, it is right again. */
  readonly clockEndsMs?: number;
}

const RIGHT: MovedClock = { movedMs: 0 };

/** Reads a member's clock from the field of its hash at an instant of Redis' clock. */
export function readClock(field: string | undefined, nowMs: number): MovedClock {
  if (field === undefined) return RIGHT;
  const [movedMs = 0, clockEndsMs = 0] = field.split(' ').map(Number);
  return nowMs < clockEndsMs ? { movedMs, clockEndsMs } : RIGHT;
}
