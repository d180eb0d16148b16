import { effectOn } from '../modified-line.ts';
import { bundleDiscount } from '../settle.ts';
import type { UnitCount } from '../unit-pool.ts';
import { RELATIVE_ERROR } from './bounds.ts';
import type { BundlePlan, BuyGetPlan } from './group-plan.ts';
import type { Problem } from './problem.ts';
import { mostWorthOf, type SetPlan } from './set-plan.ts';

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
  let existing = 0;
  let worth = 0;
  for (const count of units) {
    const line = lines[count.line]!;
    price += count.units * line.unitPrice;
    // Under `stack` the discount that stays is already off the price. Otherwise the discount that gives way is lost.
    if (problem.policy === 'stack') price -= leastOfExisting(count, problem);
    else existing += leastOfExisting(count, problem);
    worth = Math.max(worth, worthOfLine[count.line]!);
  }
  const discount = bundleDiscount(offer, price, bundles * perBundle);
  if (discount <= 0) return undefined;
  if (existing === 0) return discount * worth;
  let replaced = 0;
  for (const count of units) {
    // A unit that is so cheap that its share is 0 keeps its discount.
    const hasShare = discount * ((count.units * lines[count.line]!.unitPrice) / price) >= 1 + RELATIVE_ERROR;
    if (hasShare) replaced += leastOfExisting(count, problem);
  }
  return discount <= replaced ? undefined : (discount - replaced) * worth;
}

/** Units that a buy-get offer gives. */
export function givenValue(
  { offer, rule, lines }: Pick<BuyGetPlan | SetPlan, 'offer' | 'rule' | 'lines'>,
  given: readonly UnitCount[],
  problem: Problem,
  worthOfLine: readonly number[],
): number | undefined {
  const mostWorth = rule.spreads ? mostWorthOf('buy' in lines ? [...lines.buy, ...lines.get] : lines, worthOfLine) : 0;
  let [value, effect, worthReplaced, replaced] = [0, 0, 0, 0];
  for (const count of given) {
    const worth = worthOfLine[count.line]!;
    const own = effectOn(rule, true, problem.lines[count.line]!, count.units);
    effect += own;
    value += Math.max(worth, mostWorth) * own;
    if (problem.policy === 'stack') continue;
    const least = leastOfExisting(count, problem);
    replaced += least;
    worthReplaced += worth * least;
  }
  const { mostDiscount } = offer;
  // Units that come so late under the cap that nothing is left for them keep their discounts.
  if (effect > mostDiscount) return Math.min(value, mostDiscount);
  // To be permitted has nothing to do with worth: sets that are worth nothing may leave other benefits fewer units to share a discount.
  return effect <= replaced ? undefined : value - worthReplaced;
}

/** The least of an existing discount that falls to these units: on a part its share by quantity, rounded down or up. */
function leastOfExisting({ line, units }: UnitCount, { lines }: Problem): number {
  const { existing, units: all, isSplittable } = lines[line]!;
  if (existing === 0) return 0;
  return isSplittable ? Math.floor((existing * units) / all) : Math.min(existing, units * lines[line]!.unitPrice);
}
