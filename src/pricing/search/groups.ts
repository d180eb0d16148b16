import { percentOf } from '../../money/round.ts';
import { type BundleLines, maximumBundles, visitBundleUnits } from '../benefits/bundle-price.ts';
import { maximumTimes, selectUnits } from '../benefits/buy-x-get-y.ts';
import { buyXGetYLines } from '../groups.ts';
import { discountableLines, type Offer } from '../offers.ts';
import type { PlainChoice } from '../plain.ts';
import type { BundlePriceRule, BuyXGetYRule } from '../programme.ts';
import { bundleDiscount } from '../settle.ts';
import { type UnitCount, UnitPool } from '../unit-pool.ts';
import type { Problem } from './problem.ts';

/** What the walk over the groups needs of the search. */
export interface GroupSearch {
  readonly problem: Problem;
  readonly choice: PlainChoice;
  readonly pool: UnitPool;
  /** What a unit saved on a line is worth after order-level benefits, 0 to 1. */
  readonly worthOfLine: readonly number[];
  /** Takes one step; false when there are none left. */
  step(): boolean;
  /** False when nothing below this choice of groups can be better than the best one known. */
  canImprove(groupSaving: number): boolean;
  take(offer: Offer, units: readonly UnitCount[]): void;
  putBack(offer: Offer, units: readonly UnitCount[]): void;
  decideLines(groupSaving: number): void;
  /** Some permitted combinations will not be looked at. */
  giveUpCompleteness(): void;
}

/** More bundles or applications than this are not tried for one benefit in one basket. */
const MAX_TIMES = 200;
/** More ways to draw the units of so many bundles are not all looked at. */
const MAX_DRAWS = 400;

/**
 * Walks over every permitted choice of groups: bundles in any units, then `buy_x_get_y` one after the other, each as often
 * as it fits or less often. Bundles come first without loss: what a bundle takes after a `buy_x_get_y` has left the
 * cheapest units to that one, and taking the same units before leaves them too.
 */
export function visitGroups(search: GroupSearch): void {
  const { problem } = search;
  const bundleLines = problem.bundles.map((offer) => promisingLines(offer, search));
  const later = mostOfLaterGroups(problem);
  const buyGetLines = problem.buyGets.map((offer) => buyXGetYLines(offer, problem.lines, problem.policy));

  const visitBundle = (at: number, saving: number): void => {
    const offer = problem.bundles[at];
    if (!offer) return visitBuyGet(0, saving);
    const rule = offer.benefit.rule as BundlePriceRule;
    const lines = bundleLines[at]!;
    const perBundle = rule.quantities.reduce((sum, quantity) => sum + quantity, 0);
    const most = timesAllowed(offer, perBundle, maximumBundles(rule, lines, search.pool), search);
    for (let bundles = most; bundles >= 1; bundles--) {
      let draws = 0;
      const goesOn = visitBundleUnits(rule, lines, search.pool, bundles, (units) => {
        if (!search.step()) return false;
        if (++draws > MAX_DRAWS) {
          search.giveUpCompleteness();
          return false;
        }
        const discount = bundleDiscount(offer, priceOf(units, problem), bundles * perBundle);
        if (discount <= 0) return true;
        search.take(offer, units);
        const more = saving + discount * mostWorth(units, search);
        if (search.canImprove(more + later[at]!)) visitBundle(at + 1, more);
        search.putBack(offer, units);
        return true;
      });
      if (!goesOn && !search.step()) return;
    }
    visitBundle(at + 1, saving);
  };

  const visitBuyGet = (at: number, saving: number): void => {
    const offer = problem.buyGets[at];
    if (!offer) return search.decideLines(saving);
    const rule = offer.benefit.rule as BuyXGetYRule;
    const lines = buyGetLines[at]!;
    const most = timesAllowed(offer, rule.getQuantity, maximumTimes(rule, lines, search.pool), search);
    for (let times = most; times >= 1; times--) {
      if (!search.step()) return;
      const { bought, given } = selectUnits(rule, lines, search.pool, times);
      search.pool.buy(bought);
      search.take(offer, given);
      const more = saving + givenValue(offer, rule, given, search);
      if (search.canImprove(more + later[problem.bundles.length + at]!)) visitBuyGet(at + 1, more);
      search.putBack(offer, given);
      search.pool.unbuy(bought);
    }
    visitBuyGet(at + 1, saving);
  };

  visitBundle(0, 0);
}

function timesAllowed({ benefit, left }: Offer, itemsPerTime: number, fitting: number, search: GroupSearch): number {
  const allowed = benefit.limit?.counts === 'items' ? Math.floor(left / itemsPerTime) : Number.POSITIVE_INFINITY;
  const most = Math.min(fitting, allowed);
  if (most > MAX_TIMES) search.giveUpCompleteness();
  return Math.min(most, MAX_TIMES);
}

/** Lines per item of a bundle: those first whose units cost most beyond what another benefit would save on them. */
function promisingLines(offer: Offer, { problem, choice }: GroupSearch): BundleLines {
  const value = (i: number): number => problem.lines[i]!.unitPrice - choice.savings[i]! / problem.lines[i]!.units;
  return offer.benefit.selectors.map((_, item) =>
    discountableLines(offer, item, problem.lines).sort((a, b) => value(b) - value(a) || a - b),
  );
}

function priceOf(units: readonly UnitCount[], { lines }: Problem): number {
  let price = 0;
  for (const count of units) price += count.units * lines[count.line]!.unitPrice;
  return price;
}

function mostWorth(units: readonly UnitCount[], { worthOfLine }: GroupSearch): number {
  let most = 0;
  for (const { line } of units) most = Math.max(most, worthOfLine[line]!);
  return most;
}

/** What given units save at most, worth counted. */
function givenValue(offer: Offer, rule: BuyXGetYRule, given: readonly UnitCount[], search: GroupSearch): number {
  let value = 0;
  for (const { line, units } of given) {
    value +=
      search.worthOfLine[line]! * percentOf(units * search.problem.lines[line]!.unitPrice, rule.percentHundredths);
  }
  return Math.min(value, offer.benefit.maximumDiscount);
}

/** What all groups together save at most, in minor units. */
export function mostOfGroups(problem: Problem): number {
  let most = 0;
  for (const offer of [...problem.bundles, ...problem.buyGets]) most += mostOfGroup(offer, problem);
  return most;
}

/** Per group, in the order of the walk, what all groups after it save at most. */
function mostOfLaterGroups(problem: Problem): number[] {
  const most: number[] = [];
  let later = 0;
  for (const offer of [...problem.bundles, ...problem.buyGets].reverse()) {
    most.push(later);
    later += mostOfGroup(offer, problem);
  }
  return most.reverse();
}

/** What one group saves at most: the dearest units as often as it fits, and never more than its cap. */
function mostOfGroup(offer: Offer, problem: Problem): number {
  const { benefit } = offer;
  const pool = new UnitPool(problem.lines);
  const { rule } = benefit;
  let most = 0;
  if (rule.kind === 'bundle_price') {
    const lines = benefit.selectors.map((_, item) => discountableLines(offer, item, problem.lines));
    const bundles = Math.min(maximumBundles(rule, lines, pool), MAX_TIMES);
    for (let n = 1; n <= bundles; n++) {
      const price = rule.quantities.reduce(
        (sum, quantity, item) => sum + priceOfDearest(lines[item]!, n * quantity, problem),
        0,
      );
      most = Math.max(most, price - n * rule.bundlePrice);
    }
  } else if (rule.kind === 'buy_x_get_y') {
    const lines = buyXGetYLines(offer, problem.lines, problem.policy);
    const times = Math.min(maximumTimes(rule, lines, pool), MAX_TIMES);
    // Rounding adds less than a unit per line.
    const dearest = priceOfDearest(lines.get, times * rule.getQuantity, problem);
    most = percentOf(dearest, rule.percentHundredths) + lines.get.length;
  }
  return Math.min(most, benefit.maximumDiscount);
}

function priceOfDearest(lines: readonly number[], units: number, problem: Problem): number {
  let left = units;
  let price = 0;
  for (const i of [...lines].sort((a, b) => problem.lines[b]!.unitPrice - problem.lines[a]!.unitPrice)) {
    const taken = Math.min(left, problem.lines[i]!.units);
    price += taken * problem.lines[i]!.unitPrice;
    left -= taken;
  }
  return price;
}
