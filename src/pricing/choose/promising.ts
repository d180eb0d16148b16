import type { LineFacts } from '../lines/lines.ts';
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
  { lines: all, lists, work }: Problem,
): { readonly offers: readonly UnitOffer[]; readonly leftAside: number } {
  const most = Math.max(4, Math.min(MOST_OFFERS, Math.floor(MOST_PAIRS / lines.length)));
  // What is limited by items alone is assigned, however many offers there are.
  const isAssigned = (offer: UnitOffer): boolean =>
    isAt(offer, 'line') && offer.mostDiscount === Number.POSITIVE_INFINITY;
  const rest = offers.filter((offer) => !isAssigned(offer)).length;
  const sharing = lines.filter((i) => all[i]!.unit || all[i]!.existing > 0 || all[i]!.allocated > 0).length;
  const perOffer = Math.max(COST.option * sharing, (COST.role + COST.bareOption) * lines.length);
  const affordable = (work.left * PART_OF_WORK) / perOffer;
  const mostAssigned = Math.min(MOST_ASSIGNED, Math.max(LEAST_ASSIGNED, Math.floor(affordable)));
  if (rest <= most && offers.length - rest <= mostAssigned) return { offers, leftAside: 0 };
  work.count(offers.length * lines.length * COST.comparedOffer);
  const mostOf = (offer: UnitOffer, ofUnit: (line: LineFacts) => number): number => {
    let [sum, best] = [0, 0];
    for (const i of lists.eligible(offer, offer.benefit.selectors.length - 1)) {
      const line = all[i]!;
      const unit = ofUnit(line);
      sum += unit * line.units;
      best = Math.max(best, unit);
    }
    return Math.min(sum, offer.mostDiscount, best * offer.items);
  };
  const promise = new Map(offers.map((offer) => [offer, mostOf(offer, (line) => promiseOfUnit(offer, line))]));
  const sorted = offers.toSorted((a, b) => promise.get(b)! - promise.get(a)!);
  const kept = new Set([
    ...sorted.filter((offer) => !isAssigned(offer)).slice(0, most),
    ...sorted.filter(isAssigned).slice(0, mostAssigned),
  ]);
  let leftAside = 0;
  for (const offer of offers)
    if (!kept.has(offer))
      leftAside += mostOf(offer, (line) =>
        isAt(offer, 'bundle') ? line.unitPrice : offer.benefit.rule.effect(line, 1),
      );
  const price = lines.reduce((sum, i) => sum + all[i]!.incoming, 0);
  return { offers: offers.filter((offer) => kept.has(offer)), leftAside: Math.min(leftAside, price) };
}

/** What a unit of the line saves, with its part of what a bundle costs, or of what a set gives. */
function promiseOfUnit(offer: UnitOffer, line: LineFacts): number {
  if (isAt(offer, 'bundle')) {
    const { estimate, quantities } = offer.benefit.rule;
    const size = quantities.reduce((sum, quantity) => sum + quantity, 0);
    return Math.max(0, estimate.ofPrice * line.unitPrice + estimate.perBundle / size);
  }
  const effect = offer.benefit.rule.effect(line, 1);
  if (!isAt(offer, 'buyGet')) return effect;
  const { buyQuantity, getQuantity } = offer.benefit.rule;
  return (effect * getQuantity) / (buyQuantity + getQuantity);
}
