import type { LineFacts } from '../lines.ts';
import type { Offer } from '../offers.ts';
import { type LineTakes, unitsOf } from '../split.ts';

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

/** Counts what a line takes of limited benefits. */
export function countLine(uses: UseCounter, { taken, bought, rest }: LineTakes, { units: all }: LineFacts): void {
  let left = all - unitsOf(bought);
  for (const { offer, units } of taken) {
    uses.add(offer, units);
    left -= units;
  }
  if (rest && left > 0) uses.add(rest, left);
}

/** The limited uses of a combination. */
export function countTakes(takes: readonly LineTakes[], lines: readonly LineFacts[]): number {
  const uses = new UseCounter();
  for (const [line, own] of takes.entries()) countLine(uses, own, lines[line]!);
  return uses.total;
}
