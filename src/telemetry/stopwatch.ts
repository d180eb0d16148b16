/** Monotonic time and the phases of one call. The clock is the machine's, so threads can compare what they read. */

/** What a thread's own clock is behind the machine's: read once, because the machine's costs a BigInt every time. */
const offsetMs = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** Milliseconds, with fractions, of the machine's monotonic clock: the same in every thread of this machine. */
export function monotonicMs(): number {
  return performance.now() + offsetMs;
}

/** Milliseconds spent per phase, e.g. `{ signature: 0.031, commit: 0.4 }`. */
export type Phases = Record<string, number>;

/** Splits a call into phases: each `lap` books the time since the last one. */
export class Stopwatch {
  readonly phases: Phases = {};
  #lastMs: number;

  constructor(startMs: number = monotonicMs()) {
    this.#lastMs = startMs;
  }

  /** Books the time since the previous lap under `phase`; a phase entered twice adds up. */
  lap(phase: string): void {
    const nowMs = monotonicMs();
    this.phases[phase] = roundMs((this.phases[phase] ?? 0) + nowMs - this.#lastMs);
    this.#lastMs = nowMs;
  }
}

/** Three decimals are microseconds: what `Server-Timing` and the log show. */
export function roundMs(durationMs: number): number {
  return Math.round(durationMs * 1000) / 1000;
}
