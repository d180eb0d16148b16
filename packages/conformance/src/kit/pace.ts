import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Keeps the kit below the environment's rate limit (interface, section 8), so that a refused call is a finding and
 * not the kit's own doing. A second's worth may go out at once; after that the calls are spread.
 */
export class Pace {
  readonly #perSecond: number;
  #tokens: number;
  #atMs = performance.now();

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#tokens = perSecond;
  }

  /** Resolves when the next request may go out. */
  async next(): Promise<void> {
    const nowMs = performance.now();
    this.#tokens = Math.min(this.#perSecond, this.#tokens + ((nowMs - this.#atMs) / 1000) * this.#perSecond);
    this.#atMs = nowMs;
    // Taken before waiting, so that callers in parallel queue behind each other.
    this.#tokens -= 1;
    if (this.#tokens < 0) await sleep((-this.#tokens / this.#perSecond) * 1000);
  }
}
