import type { LineFacts } from '../lines/lines.ts';
import { type BuyGetOffer, isAt, type UnitOffer } from '../offers/offers.ts';
import { COST } from '../work.ts';
import type { Component } from './components.ts';
import type { Problem } from './problem.ts';
import { mostPerUnit } from './roles.ts';

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
  const perOffer = Math.max(COST.option * sharing, (COST.role + COST.bareOption + COST.bareRest) * lines.length);
  const affordable = (work.left * PART_OF_WORK) / perOffer;
  const mostAssigned = Math.min(MOST_ASSIGNED, Math.max(LEAST_ASSIGNED, Math.floor(affordable)));
  if (rest <= most && offers.length - rest <= mostAssigned) return { offers, leftAside: 0 };
  work.count(offers.length * lines.length * COST.comparedOffer);
  const linesOf = (offer: UnitOffer): LineFacts[] => {
    const { selectors } = offer.benefit;
    const own = isAt(offer, 'bundle')
      ? new Set(selectors.flatMap((_, n) => lists.eligible(offer, n)))
      : lists.eligible(offer, selectors.length - 1);
    return Array.from(own, (i) => all[i]!);
  };
  const promise = new Map(offers.map((offer) => [offer, mostOfUnits(offer, linesOf(offer))]));
  const sorted = offers.toSorted((a, b) => promise.get(b)! - promise.get(a)!);
  const kept = new Set([
    ...sorted.filter((offer) => !isAssigned(offer)).slice(0, most),
    ...sorted.filter(isAssigned).slice(0, mostAssigned),
  ]);
  const price = lines.reduce((sum, i) => sum + all[i]!.incoming, 0);
  let leftAside = 0;
  for (const offer of offers) {
    if (leftAside >= price) break;
    if (!kept.has(offer)) leftAside += mostAlone(offer, linesOf(offer));
  }
  return { offers: offers.filter((offer) => kept.has(offer)), leftAside: Math.min(leftAside, price) };
}

/**
 * No more than this is saved by the offer alone, in minor units, on lines that it discounts. A set gives a unit of them only where
 * enough others are bought: dearer ones, or some of `others` units that it cannot give.
 */
export function mostAlone(offer: UnitOffer, lines: readonly LineFacts[], others = Number.POSITIVE_INFINITY): number {
  const runs = lines.map((line) => ({
    units: line.units,
    // The units of a bundle pay for each other.
    most: isAt(offer, 'bundle') ? promiseOfUnit(offer, line) : mostPerUnit(line, offer, line.units),
  }));
  runs.sort((a, b) => b.most - a.most);
  let [sum, seen, taken] = [0, 0, 0];
  for (const { units, most } of runs) {
    seen += units;
    const open = isAt(offer, 'buyGet') && Number.isFinite(others) ? givenOf(offer, others + seen) : seen;
    const own = Math.max(0, Math.min(units, open - taken, offer.items - taken));
    sum += own * most;
    taken += own;
  }
  return Math.min(sum, offer.mostDiscount);
}

/** How many of the first units of a row are given. */
function givenOf({ benefit }: BuyGetOffer, units: number): number {
  const { buyQuantity, getQuantity } = benefit.rule;
  const size = buyQuantity + getQuantity;
  return Math.floor(units / size) * getQuantity + Math.max(0, (units % size) - buyQuantity);
}

function mostOfUnits(offer: UnitOffer, lines: readonly LineFacts[]): number {
  let [sum, best] = [0, 0];
  for (const line of lines) {
    const unit = promiseOfUnit(offer, line);
    sum += unit * line.units;
    best = Math.max(best, unit);
  }
  return Math.min(sum, offer.mostDiscount, best * offer.items);
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
