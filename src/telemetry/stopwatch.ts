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
export type Phases = Record<string, number>;

/** Splits a call into phases; each `lap` records the time since the last one. */
export class Stopwatch {
  readonly phases: Phases = {};
  #lastMs: number;

  constructor(startMs: number = monotonicMs()) {
    this.#lastMs = startMs;
  }

  /** Adds the time since the previous lap to `phase`. */
  lap(phase: string): void {
    const nowMs = monotonicMs();
    this.phases[phase] = roundMs((this.phases[phase] ?? 0) + nowMs - this.#lastMs);
    this.#lastMs = nowMs;
  }
}

/** Rounds to three decimals, i.e. microseconds, as `Server-Timing` and the log show them. */
export function roundMs(durationMs: number): number {
  return Math.round(durationMs * 1000) / 1000;
}
