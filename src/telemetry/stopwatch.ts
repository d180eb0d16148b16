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

/** The phases of a call in the gateway thread, in their order; one that a call does not need is left out. */
export const FRONT_PHASES = ['body', 'signature', 'lookup', 'replay', 'worker'] as const;

/** The phases of whoever prices or settles a call, inside `worker`. */
export const WORKER_PHASES = { basket: ['parse', 'member', 'price', 'commit'], sale: ['parse', 'commit'] } as const;

/** In a thread: its phases are not seen from the gateway thread. */
const THREAD_PHASES = ['worker'] as const;

/** Every phase in which a call can be when its time runs out; `queue`: no thread had begun it. */
export const ALL_PHASES: readonly string[] = [...FRONT_PHASES, ...WORKER_PHASES.basket, 'queue'];

/** Splits a call into phases; each `lap` records the time since the last one. */
export class Stopwatch {
  readonly phases: Phases;
  /** The stopwatch of whoever prices the call in the gateway thread, while it does so. */
  nested: Stopwatch | undefined;
  #order: readonly string[];
  #lastPhase = '';
  #lastMs: number;

  /** `spent`: what phases of the same call took before. */
  constructor(startMs: number = monotonicMs(), order: readonly string[] = FRONT_PHASES, spent: Phases = {}) {
    this.phases = { ...spent };
    this.#lastMs = startMs;
    this.#order = order;
  }

  /** The phase that is running now: the one after the last lap. */
  get runningPhase(): string {
    if (this.nested) return this.nested.runningPhase;
    const next = this.#order.indexOf(this.#lastPhase) + 1;
    return this.#order[Math.min(next, this.#order.length - 1)] as string;
  }

  /** Adds the time since the previous lap to `phase`. */
  lap(phase: string): void {
    const nowMs = monotonicMs();
    this.phases[phase] = roundMs((this.phases[phase] ?? 0) + nowMs - this.#lastMs);
    this.#lastMs = nowMs;
    this.#lastPhase = phase;
  }

  /** From now on a thread has the call. */
  handOver(): void {
    this.#order = THREAD_PHASES;
  }
}

/** Rounds to three decimals, i.e. microseconds, as `Server-Timing` and the log show them. */
export function roundMs(durationMs: number): number {
  return Math.round(durationMs * 1000) / 1000;
}
