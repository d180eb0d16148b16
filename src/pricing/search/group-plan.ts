import { percentOf } from '../../money/round.ts';
import { type BundleLines, maximumBundles } from '../benefits/bundle-price.ts';
import { type BuyXGetYLines, maximumTimes } from '../benefits/buy-x-get-y.ts';
import { buyXGetYLines } from '../groups.ts';
import type { LineFacts } from '../lines.ts';
import { discountableLines, type Offer } from '../offers.ts';
import type { PlainChoice } from '../plain.ts';
import type { BundlePriceRule, BuyXGetYRule } from '../programme.ts';
import type { UnitPool } from '../unit-pool.ts';
import type { Problem } from './problem.ts';

/** What the walk over the groups asks again and again, prepared once. */
export interface BundlePlan {
  readonly offer: Offer;
  readonly rule: BundlePriceRule;
  /** Lines per item: those first whose units cost most beyond what another benefit would save on them. */
  readonly lines: BundleLines;
  /** Lines per item, those with the dearest units first. */
  readonly dearest: BundleLines;
}

export interface BuyXGetYPlan {
  readonly offer: Offer;
  readonly rule: BuyXGetYRule;
  readonly lines: BuyXGetYLines;
  readonly dearest: readonly number[];
}

export interface GroupPlan {
  readonly bundles: readonly BundlePlan[];
  readonly buyGets: readonly BuyXGetYPlan[];
}

/** More bundles or applications than this are not tried for one benefit in one basket. */
export const MAX_TIMES = 200;

export function planGroups({ lines, policy, bundles, buyGets }: Problem, choice: PlainChoice): GroupPlan {
  const promise = (i: number): number => lines[i]!.unitPrice - choice.savings[i]! / lines[i]!.units;
  const byPrice = (a: number, b: number): number => lines[b]!.unitPrice - lines[a]!.unitPrice;
  return {
    bundles: bundles.map((offer) => {
      const own = offer.benefit.selectors.map((_, item) => discountableLines(offer, item, lines));
      return {
        offer,
        rule: offer.benefit.rule as BundlePriceRule,
        lines: own.map((ofItem) => [...ofItem].sort((a, b) => promise(b) - promise(a) || a - b)),
        dearest: own.map((ofItem) => ofItem.sort(byPrice)),
      };
    }),
    buyGets: buyGets.map((offer) => {
      const own = buyXGetYLines(offer, lines, policy);
      return { offer, rule: offer.benefit.rule as BuyXGetYRule, lines: own, dearest: [...own.get].sort(byPrice) };
    }),
  };
}

/** What all groups of a plan save at most, in minor units, with the units that are in the pool. */
export function mostOfPlan({ bundles, buyGets }: GroupPlan, lines: readonly LineFacts[], pool: UnitPool): number {
  let most = 0;
  for (const plan of bundles) most += mostOfBundles(plan, lines, pool);
  for (const plan of buyGets) most += mostOfBuyXGetY(plan, lines, pool);
  return most;
}

/** As many bundles as fit, each time of the dearest units that every item has, and never more than the cap. */
export function mostOfBundles(
  { offer, rule, dearest }: BundlePlan,
  lines: readonly LineFacts[],
  pool: UnitPool,
): number {
  const bundles = Math.min(maximumBundles(rule, dearest, pool), MAX_TIMES);
  if (bundles === 0) return 0;
  const prices = new Array<number>(bundles + 1).fill(0);
  rule.quantities.forEach((quantity, item) => {
    addPricesOfDearest(prices, dearest[item]!, quantity, lines, pool);
  });
  let most = 0;
  for (let n = 1; n <= bundles; n++) most = Math.max(most, prices[n]! - n * rule.bundlePrice);
  return Math.min(most, offer.benefit.maximumDiscount);
}

/** Bundles may take the cheap units before, so the dearest bound what is given; rounding adds less than a unit per line. */
export function mostOfBuyXGetY(
  { offer, rule, lines: own, dearest }: BuyXGetYPlan,
  lines: readonly LineFacts[],
  pool: UnitPool,
): number {
  const times = Math.min(maximumTimes(rule, own, pool), MAX_TIMES);
  if (times === 0) return 0;
  const prices = new Array<number>(times + 1).fill(0);
  addPricesOfDearest(prices, dearest, rule.getQuantity, lines, pool);
  const most = percentOf(prices[times]!, rule.percentHundredths) + dearest.length;
  return Math.min(most, offer.benefit.maximumDiscount);
}

/** Adds to each `prices[n]` what the dearest `quantity × n` units of some lines cost. */
function addPricesOfDearest(
  prices: number[],
  dearest: readonly number[],
  quantity: number,
  lines: readonly LineFacts[],
  pool: UnitPool,
): void {
  let price = 0;
  let at = 0;
  let taken = 0;
  for (let n = 1; n < prices.length; n++) {
    let missing = quantity;
    while (missing > 0 && at < dearest.length) {
      const units = pool.takeable(dearest[at]!);
      const more = Math.min(missing, units - taken);
      price += more * lines[dearest[at]!]!.unitPrice;
      missing -= more;
      taken += more;
      if (taken < units) continue;
      at += 1;
      taken = 0;
    }
    prices[n]! += price;
  }
}
