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
  #nextMs = FIRST_MS;

  /** The pause in milliseconds before the process starts again; `livedMs` is how long it ran. */
  take(livedMs: number): number {
    const delayMs = livedMs >= STABLE_MS ? FIRST_MS : this.#nextMs;
    this.#nextMs = Math.min(delayMs * 2, LONGEST_MS);
    return delayMs;
  }
}
