/** A small seeded generator (mulberry32): every round and every contestant gets the same requests. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 up to but not including 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to but not including `bound`. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  /** A whole number from `minimum` to `maximum`, both included. */
  between(minimum: number, maximum: number): number {
    return minimum + this.below(maximum - minimum + 1);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** The time to the next of events that come independently of each other, `perSecond` on average; seconds. */
  gap(perSecond: number): number {
    return -Math.log(1 - this.next()) / perSecond;
  }
}
