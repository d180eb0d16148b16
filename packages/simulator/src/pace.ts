/**
 * Lets calls through at a rate that may change with time. Waiting calls are served in order and never early, so the
 * rate holds over any period, apart from the timer's lateness.
 */
export class Pace {
  readonly #perSecond: () => number;
  #nextMs = 0;

  /** `perSecond` is called before every call. */
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
