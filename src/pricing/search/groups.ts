import { percentOf } from '../../money/round.ts';
import { maximumBundles, visitBundleUnits } from '../benefits/bundle-price.ts';
import { maximumTimes, selectUnits } from '../benefits/buy-x-get-y.ts';
import type { Offer } from '../offers.ts';
import { bundleDiscount } from '../settle.ts';
import type { UnitCount, UnitPool } from '../unit-pool.ts';
import { type BuyXGetYPlan, type GroupPlan, MAX_TIMES, mostOfBundles, mostOfBuyXGetY } from './group-plan.ts';
import type { Problem } from './problem.ts';

/** What the walk over the groups needs of the search. */
export interface GroupSearch {
  readonly problem: Problem;
  readonly pool: UnitPool;
  /** What a unit saved on a line is worth after order-level benefits, 0 to 1. */
  readonly worthOfLine: readonly number[];
  readonly maximumSteps: number;
  /** Counts steps; false when there are none left. */
  step(steps: number): boolean;
  /** What the lines can save at most with the units that groups have left them, worth counted. */
  linesValue(): number;
  /** False when nothing below this choice of groups can be better than the best one known. */
  canImprove(groupSaving: number): boolean;
  take(offer: Offer, units: readonly UnitCount[]): void;
  putBack(offer: Offer, units: readonly UnitCount[]): void;
  decideLines(groupSaving: number): void;
  /** Some permitted combinations will not be looked at. */
  giveUpCompleteness(): void;
}

/** The ways to draw the units of one number of bundles get at most this part of all steps. */
const DRAWS_PER_SEARCH = 8;

/**
 * Walks over every permitted choice of groups: bundles in any units, then `buy_x_get_y` one after the other, each as often
 * as it fits or less often. Bundles come first without loss: what a bundle takes after a `buy_x_get_y` has left the
 * cheapest units to that one, and taking the same units before leaves them too.
 */
export function visitGroups(search: GroupSearch, plan: GroupPlan): void {
  const { problem, pool } = search;
  const { bundles, buyGets } = plan;
  const { lines: facts } = problem;

  /** True when groups from there on, with the units that are left, could still make this the best. */
  const isWorthwhile = (fromBundle: number, fromBuyGet: number, saving: number): boolean => {
    let most = saving;
    for (let b = fromBundle; b < bundles.length; b++) most += mostOfBundles(bundles[b]!, facts, pool);
    for (let b = fromBuyGet; b < buyGets.length; b++) most += mostOfBuyXGetY(buyGets[b]!, facts, pool);
    return search.canImprove(most);
  };

  const visitBundle = (at: number, saving: number): void => {
    const bundle = bundles[at];
    if (!bundle) return visitBuyGet(0, saving);
    const { offer, rule, lines } = bundle;
    const perBundle = rule.quantities.reduce((sum, quantity) => sum + quantity, 0);
    for (let n = timesAllowed(offer, perBundle, maximumBundles(rule, lines, pool), search); n >= 1; n--) {
      let steps = 0;
      const spend = (cost: number): boolean => {
        steps += cost;
        if (!search.step(cost)) return false;
        if (steps <= search.maximumSteps / DRAWS_PER_SEARCH) return true;
        search.giveUpCompleteness();
        return false;
      };
      const goesOn = visitBundleUnits(rule, lines, pool, n, spend, (units) => {
        const discount = bundleDiscount(offer, priceOf(units, problem), n * perBundle);
        if (discount <= 0) return true;
        search.take(offer, units);
        const more = saving + discount * mostWorth(units, search);
        if (isWorthwhile(at + 1, 0, more)) visitBundle(at + 1, more);
        search.putBack(offer, units);
        return true;
      });
      if (!goesOn && !search.step(1)) return;
    }
    if (isWorthwhile(at + 1, 0, saving)) visitBundle(at + 1, saving);
  };

  const visitBuyGet = (at: number, saving: number): void => {
    const buyGet = buyGets[at];
    if (!buyGet) return search.decideLines(saving);
    const { offer, rule, lines } = buyGet;
    for (let n = timesAllowed(offer, rule.getQuantity, maximumTimes(rule, lines, pool), search); n >= 1; n--) {
      if (!search.step(lines.buy.length + lines.get.length)) return;
      const { bought, given } = selectUnits(rule, lines, pool, n);
      pool.buy(bought);
      search.take(offer, given);
      const more = saving + givenValue(buyGet, given, search);
      if (isWorthwhile(bundles.length, at + 1, more)) visitBuyGet(at + 1, more);
      search.putBack(offer, given);
      pool.unbuy(bought);
    }
    if (isWorthwhile(bundles.length, at + 1, saving)) visitBuyGet(at + 1, saving);
  };

  visitBundle(0, 0);
}

export function timesAllowed(
  { benefit, left }: Offer,
  itemsPerTime: number,
  fitting: number,
  search: GroupSearch,
): number {
  const allowed = benefit.limit?.counts === 'items' ? Math.floor(left / itemsPerTime) : Number.POSITIVE_INFINITY;
  const most = Math.min(fitting, allowed);
  if (most > MAX_TIMES) search.giveUpCompleteness();
  return Math.min(most, MAX_TIMES);
}

export function priceOf(units: readonly UnitCount[], { lines }: Problem): number {
  let price = 0;
  for (const count of units) price += count.units * lines[count.line]!.unitPrice;
  return price;
}

export function mostWorth(units: readonly UnitCount[], { worthOfLine }: GroupSearch): number {
  let most = 0;
  for (const { line } of units) most = Math.max(most, worthOfLine[line]!);
  return most;
}

/** What given units save at most, worth counted. */
export function givenValue({ offer, rule }: BuyXGetYPlan, given: readonly UnitCount[], search: GroupSearch): number {
  const { lines } = search.problem;
  let value = 0;
  for (const { line, units } of given) {
    value += search.worthOfLine[line]! * percentOf(units * lines[line]!.unitPrice, rule.percentHundredths);
  }
  return Math.min(value, offer.benefit.maximumDiscount);
}
