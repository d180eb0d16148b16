/** Seven minutes at 50 calls a second, in four megabytes. */
const MOST = 20_000;

/**
 * The calculations of the last answered requests, by request ID, so that a request that a caller names is found at once. A
 * repeated request has an ID of its own, and so each attempt is found. Older ones are in the log.
 */
export class RecentCalls {
  readonly #most: number;
  /** In order of time. */
  readonly #calculations = new Map<string, string>();

  constructor(most = MOST) {
    this.#most = most;
  }

  add(requestId: string, calculationId: string): void {
    this.#calculations.set(requestId, calculationId);
    if (this.#calculations.size <= this.#most) return;
    for (const oldest of this.#calculations.keys()) {
      this.#calculations.delete(oldest);
      return;
    }
  }

  /** The calculation ID that a request named. */
  find(requestId: string): string | undefined {
    return this.#calculations.get(requestId);
  }
}
