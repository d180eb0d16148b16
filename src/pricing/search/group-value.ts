import { bundleDiscount } from '../settle.ts';
import type { UnitCount } from '../unit-pool.ts';
import type { BundlePlan, BuyGetPlan } from './group-plan.ts';
import type { Problem } from './problem.ts';

/**
 * The most that the units of a group save before they are settled, worth counted. Undefined where settling could never
 * permit them. Most choices that end as not permitted are left out of the walk by this.
 */

/** `bundles` bundles of these units. */
export function bundleValue(
  { offer, rule }: BundlePlan,
  units: readonly UnitCount[],
  bundles: number,
  problem: Problem,
  worthOfLine: readonly number[],
): number | undefined {
  const { lines } = problem;
  const perBundle = rule.quantities.reduce((sum, quantity) => sum + quantity, 0);
  let price = 0;
  let replaced = 0;
  let worth = 0;
  let isShareKnown = true;
  for (const count of units) {
    const line = lines[count.line]!;
    price += count.units * line.unitPrice;
    // Under `stack` the discount that stays is already off the price. Otherwise the discount that gives way is lost.
    if (problem.policy === 'stack') price -= leastOfExisting(count, problem);
    else replaced += leastOfExisting(count, problem);
    worth = Math.max(worth, worthOfLine[count.line]!);
    if (line.allocated > 0) isShareKnown = false;
  }
  const discount = bundleDiscount(offer, price, bundles * perBundle);
  if (discount <= 0 || discount <= replaced) return undefined;
  if (replaced > 0 && isShareKnown) {
    for (const count of units) {
      const least = leastOfExisting(count, problem);
      const product = discount * count.units * lines[count.line]!.unitPrice;
      // The share is this quotient rounded down or up, since no staff order discount stands in its way.
      const isKnown = least > 0 && product <= Number.MAX_SAFE_INTEGER;
      if (isKnown && Math.ceil(product / price) <= least) return undefined;
    }
  }
  return (discount - replaced) * worth;
}

/** Units that a buy-get offer gives. */
export function givenValue(
  { offer, rule }: BuyGetPlan,
  given: readonly UnitCount[],
  problem: Problem,
  worthOfLine: readonly number[],
): number | undefined {
  let value = 0;
  let replaced = 0;
  for (const count of given) {
    const effect = rule.effect(problem.lines[count.line]!, count.units);
    const least = problem.policy === 'stack' ? 0 : leastOfExisting(count, problem);
    if (least > 0 && effect <= least) return undefined;
    value += worthOfLine[count.line]! * effect;
    replaced += worthOfLine[count.line]! * least;
  }
  return Math.min(value, offer.benefit.maximumDiscount) - replaced;
}

/** The least of an existing discount that falls to these units: on a part its share by quantity, rounded down or up. */
function leastOfExisting({ line, units }: UnitCount, { lines }: Problem): number {
  const { existing, units: all, isSplittable } = lines[line]!;
  if (existing === 0) return 0;
  return isSplittable ? Math.floor((existing * units) / all) : Math.min(existing, units * lines[line]!.unitPrice);
}
