/** Spreads what is done over the time, at a rate that may change. Whoever waits is served in order and never early. */
export class Pace {
  #freeMs = Number.NEGATIVE_INFINITY;

  /** Takes the next place for so many; returns how long they must wait, in milliseconds of the clock of `nowMs`. */
  take(count: number, perSecond: number, nowMs = performance.now()): number {
    const startMs = Math.max(nowMs, this.#freeMs);
    // Lost time is not caught up, because that would make the burst which the rate prevents.
    this.#freeMs = startMs + (count / perSecond) * 1000;
    return startMs - nowMs;
  }
}
