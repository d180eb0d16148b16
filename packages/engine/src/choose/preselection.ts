import type { LineFacts } from '../lines/lines.ts';
import { isAt, type UnitOffer } from '../offers/offers.ts';
import { COST } from '../work.ts';
import type { Problem } from './problem.ts';

/** Of very many offers on the same lines those that may save most take part. */

/** So many subproblems; fewer on many lines, of which each has to be looked at for each. */
const MOST_SUBPROBLEMS = 64;
const MOST_PAIRS = 800;
const LEAST_SUBPROBLEMS = 4;
const MOST_COUPONS = 100;
const MOST_COUPON_PAIRS = 2_000;
const LEAST_COUPONS = 16;

/** The offers of a component, in their order. */
export function preselect(
  offers: readonly UnitOffer[],
  lines: readonly number[],
  problem: Problem,
): readonly UnitOffer[] {
  const isCoupon = (offer: UnitOffer): boolean =>
    isAt(offer, 'line') && offer.mostDiscount === Number.POSITIVE_INFINITY && offer.items !== Number.POSITIVE_INFINITY;
  const coupons = offers.filter(isCoupon);
  const others = offers.filter((offer) => !isCoupon(offer));
  const most = Math.max(LEAST_SUBPROBLEMS, Math.min(MOST_SUBPROBLEMS, Math.floor(MOST_PAIRS / lines.length)));
  const mostCoupons = Math.max(LEAST_COUPONS, Math.min(MOST_COUPONS, Math.floor(MOST_COUPON_PAIRS / lines.length)));
  if (others.length <= most && coupons.length <= mostCoupons) return offers;
  const expected = new Map(offers.map((offer) => [offer, expectedOf(offer, problem)]));
  const best = (own: readonly UnitOffer[], count: number): UnitOffer[] =>
    own.toSorted((a, b) => expected.get(b)! - expected.get(a)!).slice(0, count);
  const kept = new Set([...best(others, most), ...best(coupons, mostCoupons)]);
  return offers.filter((offer) => kept.has(offer));
}

/** What an offer may be expected to save alone, in minor units. */
function expectedOf(offer: UnitOffer, { lines, lists, work }: Problem): number {
  const { selectors } = offer.benefit;
  const named = isAt(offer, 'bundle') ? selectors.keys() : [selectors.length - 1];
  const own = new Set([...named].flatMap((selector) => lists.discountable(offer, selector)));
  if (!work.spend(own.size * COST.effect)) return 0;
  let [sum, dearest, units] = [0, 0, 0];
  for (const index of own) {
    const line = lines[index]!;
    const unit = savedByUnit(offer, line);
    sum += unit * line.units;
    dearest = Math.max(dearest, unit);
    units += line.units;
  }
  return Math.min(sum, dearest * Math.min(offer.items, units), offer.mostDiscount);
}

/** With its part of what a bundle costs, or of what a set gives. */
function savedByUnit(offer: UnitOffer, line: LineFacts): number {
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
