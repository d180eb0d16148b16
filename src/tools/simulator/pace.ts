/**
 * Lets calls through at a rate that may change with time. Calls that wait are served in order; none is let through early,
 * so the rate holds over any stretch of time, but for what a timer is late by.
 */
export class Pace {
  readonly #perSecond: () => number;
  #nextMs = 0;

  /** `perSecond` is asked before every call. */
  constructor(perSecond: () => number) {
    this.#perSecond = perSecond;
  }

  /** Resolves when the next call may start. */
  async wait(): Promise<void> {
    const nowMs = performance.now();
    const startMs = Math.max(nowMs, this.#nextMs);
    this.#nextMs = startMs + 1000 / this.#perSecond();
    if (startMs > nowMs) await new Promise((resolve) => setTimeout(resolve, startMs - nowMs));
  }
}
