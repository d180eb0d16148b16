import type { Offer, UnitOffer } from '../offers.ts';
import type { UnitCount, UnitPool } from '../unit-pool.ts';
import { COST } from '../work.ts';
import { maximumBundles, visitBundleUnits } from './bundle-units.ts';
import { maximumTimes, selectUnits } from './buy-get-units.ts';
import { type GroupPlan, MAX_TIMES, mostOfBundles, mostOfBuyGet } from './group-plan.ts';
import { bundleValue, givenValue } from './group-value.ts';
import type { Problem } from './problem.ts';

/** The part of the search that the walk over the groups uses. */
export interface GroupSearch {
  readonly problem: Problem;
  readonly pool: UnitPool;
  /** The worth of a minor unit saved on each line after order-level benefits, 0 to 1. */
  readonly worthOfLine: readonly number[];
  readonly maximumSteps: number;
  /** Counts steps; false when there are none left. */
  step(steps: number): boolean;
  /** Lets work have no more than this part of all steps. */
  within(part: number, run: () => void): void;
  /** The most that the lines can save with the units that groups have left them, worth counted. */
  linesValue(): number;
  /** The value that the lines lose when groups take these units, worth counted. */
  lossOf(units: readonly UnitCount[]): number;
  /** False when nothing below this choice of groups can be better than the best one known. */
  canImprove(groupSaving: number): boolean;
  /** False when one of these lines has been divided among as many benefits as an answer may show. */
  mayTake(units: readonly UnitCount[]): boolean;
  take(offer: UnitOffer, units: readonly UnitCount[]): void;
  putBack(offer: UnitOffer, units: readonly UnitCount[]): void;
  decideLines(groupSaving: number): void;
  /** Some permitted combinations will not be looked at. */
  giveUpCompleteness(): void;
}

/** The ways to draw the units of one number of bundles get at most this part of all steps. */
const DRAWS_PER_SEARCH = 8;

/**
 * Walks over every permitted choice of groups: bundles in any units, then the offers that buy and get one after the other,
 * each as often as it fits or less often. Nothing is lost by the order: a bundle that is drawn after a buy-get offer leaves
 * it the cheapest units, and the same bundle drawn before leaves them too.
 */
export function visitGroups(search: GroupSearch, plan: GroupPlan): void {
  const { problem, pool, worthOfLine } = search;
  const { bundles, buyGets } = plan;
  const { lines: facts } = problem;
  const groups = [...bundles, ...buyGets];

  // A bound that costs nothing: the saving of each group and of all groups after it, as if all units were left.
  const most = groups.map((group) => group.most);
  const mostFrom = [...most, 0];
  const stepsFrom = [...groups.map((group) => group.steps), 0];
  for (let at = most.length - 1; at >= 0; at--) {
    mostFrom[at]! += mostFrom[at + 1]!;
    stepsFrom[at]! += stepsFrom[at + 1]!;
  }

  /** True when the groups from there on, with the units that are left, could still make this the best. */
  const isWorthwhile = (from: number, saving: number): boolean => {
    if (!search.canImprove(saving + mostFrom[from]!)) return false;
    if (from === most.length) return true;
    if (!search.step(stepsFrom[from]!)) return false;
    let left = saving;
    for (let at = from; at < most.length; at++) {
      const bundle = bundles[at];
      left += bundle ? mostOfBundles(bundle, facts, pool) : mostOfBuyGet(buyGets[at - bundles.length]!, facts, pool);
    }
    return search.canImprove(left);
  };

  const visitBundle = (at: number, saving: number): void => {
    const bundle = bundles[at];
    if (!bundle) return visitBuyGet(0, saving);
    const { offer, rule, lines } = bundle;
    const perBundle = rule.quantities.reduce((sum, quantity) => sum + quantity, 0);
    if (!search.step(bundle.steps)) return;
    for (let n = timesAllowed(offer, perBundle, maximumBundles(rule, lines, pool), search); n >= 1; n--) {
      let steps = 0;
      const spend = (cost: number): boolean => {
        steps += cost;
        if (!search.step(cost)) return false;
        if (steps <= search.maximumSteps / DRAWS_PER_SEARCH) return true;
        search.giveUpCompleteness();
        return false;
      };
      const goesOn = visitBundleUnits(bundle, pool, n, spend, (units) => {
        if (!spend(units.length * COST.groupedLine)) return false;
        const value = bundleValue(bundle, units, n, problem, worthOfLine);
        if (value === undefined) return true;
        if (!search.canImprove(saving + value - search.lossOf(units) + mostFrom[at + 1]!)) return true;
        if (!search.mayTake(units)) return true;
        search.take(offer, units);
        if (isWorthwhile(at + 1, saving + value)) visitBundle(at + 1, saving + value);
        search.putBack(offer, units);
        return true;
      });
      if (!goesOn && !search.step(1)) return;
    }
    if (isWorthwhile(at + 1, saving)) visitBundle(at + 1, saving);
  };

  const visitBuyGet = (at: number, saving: number): void => {
    const buyGet = buyGets[at];
    if (!buyGet) return search.decideLines(saving);
    const { offer, rule, lines } = buyGet;
    if (!search.step(buyGet.steps)) return;
    for (const n of timesTried(offer, rule.getQuantity, maximumTimes(rule, lines, pool), search)) {
      if (!search.step(buyGet.steps)) return;
      const { bought, given } = selectUnits(rule, lines, pool, n);
      if (!search.step((bought.length + given.length) * COST.groupedLine)) return;
      const value = givenValue(buyGet, given, problem, worthOfLine);
      if (value === undefined) continue;
      if (!search.canImprove(saving + value - search.lossOf(given) + mostFrom[bundles.length + at + 1]!)) continue;
      if (!search.mayTake(given)) continue;
      pool.buy(bought);
      search.take(offer, given);
      if (isWorthwhile(bundles.length + at + 1, saving + value)) visitBuyGet(at + 1, saving + value);
      search.putBack(offer, given);
      pool.unbuy(bought);
    }
    if (isWorthwhile(bundles.length + at + 1, saving)) visitBuyGet(at + 1, saving);
  };

  visitBundle(0, 0);
}

/** How many bundles may be tried; at most `MAX_TIMES`. */
export function timesAllowed(offer: Offer, itemsPerTime: number, fitting: number, search: GroupSearch): number {
  const most = mostTimes(offer, itemsPerTime, fitting);
  if (most > MAX_TIMES) search.giveUpCompleteness();
  return Math.min(most, MAX_TIMES);
}

/** How often a buy-get offer may be applied, the most first; where it fits too often, numbers evenly spread. */
export function timesTried(offer: Offer, itemsPerTime: number, fitting: number, search: GroupSearch): number[] {
  const most = mostTimes(offer, itemsPerTime, fitting);
  if (most > MAX_TIMES) search.giveUpCompleteness();
  const count = Math.min(most, MAX_TIMES);
  return Array.from({ length: count }, (_, at) => Math.ceil((most * (count - at)) / count));
}

function mostTimes({ items }: Offer, itemsPerTime: number, fitting: number): number {
  return Math.min(fitting, Math.floor(items / itemsPerTime));
}
