/** Seven minutes at 50 calls a second, in four megabytes. */
const MOST = 20_000;

/**
 * The calculations of the last answered requests, by request ID, so that a request that a caller names is found at once. A
 * repeated request has an ID of its own, and so each attempt is found. Older ones are in the log. Every call adds one and
 * hardly anybody looks one up, so they stand in a ring and are searched from the last to the first.
 */
export class RecentCalls {
  readonly #requestIds: string[];
  readonly #calculationIds: string[];
  #next = 0;

  constructor(most = MOST) {
    this.#requestIds = new Array<string>(most).fill('');
    this.#calculationIds = new Array<string>(most).fill('');
  }

  add(requestId: string, calculationId: string): void {
    this.#requestIds[this.#next] = requestId;
    this.#calculationIds[this.#next] = calculationId;
    this.#next = (this.#next + 1) % this.#requestIds.length;
  }

  /** The calculation ID that a request named, the latest if several did. */
  find(requestId: string): string | undefined {
    if (requestId === '') return undefined;
    const newer = this.#requestIds.lastIndexOf(requestId, this.#next - 1);
    const at = this.#next > 0 && newer >= 0 ? newer : this.#requestIds.lastIndexOf(requestId);
    return at < 0 ? undefined : this.#calculationIds[at];
  }
}
