import { isLimited, spendsItems, type UnitOffer } from '../offers/offers.ts';
import type { LineTakes } from '../settle/split.ts';

/** Of choices that save the same: the limited uses, the highest priority and the lowest benefitId (README.md, rule 26). */
export type Rank = readonly [uses: number, priority: number, ordinal: number];

export function rankOf(takes: readonly LineTakes[]): Rank {
  const baskets = new Set<UnitOffer>();
  let [items, priority, ordinal] = [0, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const count = (offer: UnitOffer, units: number): void => {
    priority = Math.max(priority, offer.benefit.priority);
    ordinal = Math.min(ordinal, offer.benefit.ordinal);
    if (!isLimited(offer)) return;
    if (spendsItems(offer)) items += units;
    if (!spendsItems(offer) || offer.grant) baskets.add(offer);
  };
  for (const { taken, rest } of takes) {
    for (const { offer, units } of taken) count(offer, units);
    if (rest) count(rest, 0);
  }
  return [items + baskets.size, priority, ordinal];
}

/** True where the one comes before the other. */
export function isBefore(one: Rank, other: Rank): boolean {
  return (one[0] - other[0] || other[1] - one[1] || one[2] - other[2]) < 0;
}
