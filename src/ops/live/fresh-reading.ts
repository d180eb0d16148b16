/** Pages ask every ten seconds, several may be open, and nobody needs a newer answer. */
const FRESH_MS = 2000;

/** What is read from Redis for the live page, at most once in two seconds, however many pages ask. */
export class FreshReading<T> {
  readonly #read: () => Promise<T>;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #last: Promise<T> | undefined;

  constructor(read: () => Promise<T>) {
    this.#read = read;
  }

  /** Rejects as the reading does; the next one is tried at once. */
  read(): Promise<T> {
    const nowMs = performance.now();
    if (this.#last && nowMs - this.#readAtMs < FRESH_MS) return this.#last;
    const reading = this.#read();
    [this.#last, this.#readAtMs] = [reading, nowMs];
    reading.catch(() => {
      if (this.#last === reading) this.#last = undefined;
    });
    return reading;
  }
}
