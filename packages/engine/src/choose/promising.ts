import { isAt, type UnitOffer } from '../offers/offers.ts';
import { COST } from '../work.ts';
import type { Component } from './components.ts';
import type { Problem } from './problem.ts';

/** So many offers are walked with at once; of more the most promising. */
const MOST_OFFERS = 32;
const MOST_PAIRS = 1_600;
const MOST_ASSIGNED = 100;
/**
 * To find the roles of the offers takes this part of the work at most, and so does what a unit gains in each of them where it has
 * modifiers or a discount to share out.
 */
const PART_OF_WORK = 1 / 4;
const LEAST_ASSIGNED = 8;

/** The offers that may save most, where there are more than can be walked with; in their order. */
export function mostPromising(
  { lines, offers }: Component,
  { lines: all, promises, work }: Problem,
): { readonly offers: readonly UnitOffer[]; readonly leftAside: number } {
  const most = Math.max(4, Math.min(MOST_OFFERS, Math.floor(MOST_PAIRS / lines.length)));
  // What is limited by items alone is assigned, however many offers there are.
  const isAssigned = (offer: UnitOffer): boolean =>
    isAt(offer, 'line') && offer.mostDiscount === Number.POSITIVE_INFINITY;
  const rest = offers.filter((offer) => !isAssigned(offer)).length;
  const sharing = lines.filter((i) => all[i]!.unit || all[i]!.existing > 0 || all[i]!.allocated > 0).length;
  const perOffer = Math.max(COST.option * sharing, (COST.role + COST.bareOption + COST.bareRest) * lines.length);
  const affordable = (work.left * PART_OF_WORK) / perOffer;
  const mostAssigned = Math.min(MOST_ASSIGNED, Math.max(LEAST_ASSIGNED, Math.floor(affordable)));
  if (rest <= most && offers.length - rest <= mostAssigned) return { offers, leftAside: 0 };
  const sorted = offers.toSorted((a, b) => promises.of(b).expected - promises.of(a).expected);
  const kept = new Set([
    ...sorted.filter((offer) => !isAssigned(offer)).slice(0, most),
    ...sorted.filter(isAssigned).slice(0, mostAssigned),
  ]);
  const price = lines.reduce((sum, i) => sum + all[i]!.incoming, 0);
  let leftAside = 0;
  for (const offer of sorted) {
    if (leftAside >= price) break;
    if (!kept.has(offer)) leftAside += promises.of(offer).most;
  }
  return { offers: offers.filter((offer) => kept.has(offer)), leftAside: Math.min(leftAside, price) };
}
