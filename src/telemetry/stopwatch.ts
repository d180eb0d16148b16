/** Monotonic time and the phases of one call. The clock is the machine's, so that threads can compare its times. */

/**
 * The offset of this thread's clock from the machine's, read once, because each reading of the machine's clock makes a
 * BigInt.
 */
const offsetMs = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** Milliseconds, with fractions, of the machine's monotonic clock, which is the same in every thread. */
export function monotonicMs(): number {
  return performance.now() + offsetMs;
}

/** Milliseconds spent per phase, e.g. `{ signature: 0.031, commit: 0.4 }`. */
export type Phases = Partial<Record<Phase, number>>;

/** Every phase of a call, in the order of a basket call. */
export const ALL_PHASES = [
  'body',
  'signature',
  'parse',
  'lookup',
  'member',
  'replay',
  'price',
  'worker',
  'commit',
  'reply',
] as const;
export type Phase = (typeof ALL_PHASES)[number];

/** Splits the time of a call into phases, one after the other. */
export class Stopwatch {
  readonly phases: Phases = {};
  /** The phase that the call is in. */
  running: Phase = 'body';
  #sinceMs: number;

  constructor(startMs: number = monotonicMs()) {
    this.#sinceMs = startMs;
  }

  /** Ends the running phase and begins another one. Returns the present instant. */
  enter(phase: Phase): number {
    const nowMs = monotonicMs();
    this.phases[this.running] = roundMs((this.phases[this.running] ?? 0) + nowMs - this.#sinceMs);
    [this.running, this.#sinceMs] = [phase, nowMs];
    return nowMs;
  }
}

/** Rounds to three decimals, i.e. microseconds, as `Server-Timing` and the log show them. */
export function roundMs(durationMs: number): number {
  return Math.round(durationMs * 1000) / 1000;
}
