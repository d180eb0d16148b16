import type { Offer } from '../offers.ts';

/** Counts limited uses along a branch: one per basket or one per item, as each limit counts. */
export class UseCounter {
  readonly #counts = new Map<Offer, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  /** Counts `units` discounted units under the limit of an offer, if it has one. */
  add(offer: Offer, units: number): void {
    const { limit } = offer.benefit;
    if (!limit) return;
    const before = this.#counts.get(offer) ?? 0;
    this.#counts.set(offer, before + units);
    this.#total += limit.counts === 'items' ? units : before === 0 ? 1 : 0;
  }

  remove(offer: Offer, units: number): void {
    const { limit } = offer.benefit;
    if (!limit) return;
    const after = this.#counts.get(offer)! - units;
    this.#counts.set(offer, after);
    this.#total -= limit.counts === 'items' ? units : after === 0 ? 1 : 0;
  }
}
