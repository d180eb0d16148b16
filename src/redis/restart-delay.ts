/** The pause before the first restart. */
const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** A process that ran for this long had started well, so its end says nothing about the next start. */
const STABLE_MS = 30_000;

/**
 * The pauses between restarts of one process: a service process or a Redis server. Each end soon after a start doubles the
 * pause, so that a process that fails at once takes no processor time from the others.
 */
export class RestartDelay {
  readonly #afterStableMs: number;
  #nextMs = FIRST_MS;

  /** `afterStableMs` is the pause after the end of a process that had started well. */
  constructor(afterStableMs = FIRST_MS) {
    this.#afterStableMs = afterStableMs;
  }

  /** The pause in milliseconds before the process starts again; `livedMs` is how long it ran. */
  take(livedMs: number): number {
    const delayMs = livedMs >= STABLE_MS ? this.#afterStableMs : this.#nextMs;
    this.#nextMs = Math.min(Math.max(delayMs * 2, FIRST_MS), LONGEST_MS);
    return delayMs;
  }
}
