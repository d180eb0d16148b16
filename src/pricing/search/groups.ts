import type { BuyGetOffer, Offer, UnitOffer } from '../offers.ts';
import type { BuyGetRule } from '../rule.ts';
import type { UnitCount } from '../unit-pool.ts';
import { COST } from '../work.ts';
import { maximumBundles, visitBundleUnits } from './bundle-units.ts';
import { type BuyGetUnits, maximumTimes, selectUnits } from './buy-get-units.ts';
import { type BuyGetPlan, type GroupPlan, MAX_TIMES, mostOfBundles, mostOfBuyGet } from './group-plan.ts';
import { bundleValue, givenValue } from './group-value.ts';
import { bestSetsOf, roundingOf, type SetPlan, type SetSearch } from './set-plan.ts';
import type { SetUnitsTaken } from './set-task.ts';
import { walkRoles, walkRow } from './set-walk.ts';

/** The part of the search that the walk over the groups uses. */
export interface GroupSearch extends SetSearch {
  /** The worth of a minor unit saved on each line after order-level benefits, 0 to 1. */
  readonly worthOfLine: readonly number[];
  readonly maximumSteps: number;
  /** Counts steps; false when there are none left. */
  step(steps: number): boolean;
  /** Lets work have no more than this part of all steps. */
  within(part: number, run: () => void): void;
  /** Walks over the sets of one offer, for a part of all steps. */
  walkSets(run: () => void): void;
  /** The most that the lines can save with the units that groups have left them, worth counted. */
  linesValue(): number;
  /** The value that the lines lose when groups take these units, worth counted. */
  lossOf(units: readonly UnitCount[]): number;
  /** False when nothing below this choice of groups can be better than the best one known. */
  canImprove(groupSaving: number): boolean;
  /** False when a shared limit has too little left, or one of the lines has been divided as often as an answer may show. */
  mayTake(offer: UnitOffer, units: readonly UnitCount[]): boolean;
  /** By how much `slopeOf` may be above `linesValue` for the lines of sets, with the units that are left. */
  readonly slopeSlack: number;
  /** Buys units for an offer. */
  buy(offer: BuyGetOffer, units: readonly UnitCount[]): void;
  unbuy(offer: BuyGetOffer, units: readonly UnitCount[]): void;
  take(offer: UnitOffer, units: readonly UnitCount[]): void;
  putBack(offer: UnitOffer, units: readonly UnitCount[]): void;
  decideLines(groupSaving: number): void;
  /** Some permitted combinations will not be looked at. */
  giveUpCompleteness(): void;
}

/** The ways to draw the units of one number of bundles get at most this part of all steps. */
const DRAWS_PER_SEARCH = 8;

/** Sets of more lines are not walked: only the best sets that are known are tried. */
const MAX_WALKED_LINES = 40;

/**
 * Walks over every permitted choice of groups: bundles in any units, sets of any units, then the offers that give the cheapest
 * units one after the other, each as often as it fits or not at all. `netOfSets` is the most that the sets of each offer gain
 * beyond what their lines lose.
 */
export function visitGroups(search: GroupSearch, plan: GroupPlan, netOfSets: readonly number[]): void {
  const { problem, pool, worthOfLine } = search;
  const { bundles, sets, buyGets } = plan;
  const { lines: facts } = problem;
  const groups = [...bundles, ...sets, ...buyGets];
  const firstBuyGet = bundles.length + sets.length;

  // Bounds that cost nothing: the saving of each group and of all groups after it, as if all units were left.
  const most = groups.map((group) => group.most);
  const grossFrom = sumsFrom(most);
  const netFrom = sumsFrom(most.map((gross, at) => netOfSets[at - bundles.length] ?? gross));
  const stepsFrom = sumsFrom(groups.map((group) => group.steps));

  const mayImprove = (from: number, saving: number): boolean =>
    search.canImprove(saving + grossFrom[from]!) &&
    (from >= firstBuyGet || search.canImprove(saving + netFrom[from]! + search.slopeSlack));

  /** True when the groups from there on, with the units that are left, could still make this the best. */
  const isWorthwhile = (from: number, saving: number): boolean => {
    if (!mayImprove(from, saving)) return false;
    if (from === most.length) return true;
    if (!search.step(stepsFrom[from]!)) return false;
    let left = saving;
    for (let at = from; at < most.length; at++) {
      const bundle = bundles[at];
      if (bundle) left += mostOfBundles(bundle, facts, pool);
      else left += at < firstBuyGet ? most[at]! : mostOfBuyGet(buyGets[at - firstBuyGet]!, facts, pool);
    }
    return search.canImprove(left);
  };

  const visitBundle = (at: number, saving: number): void => {
    const bundle = bundles[at];
    if (!bundle) return visitSets(0, saving);
    const { offer, rule, lines } = bundle;
    const perBundle = rule.quantities.reduce((sum, quantity) => sum + quantity, 0);
    if (!search.step(bundle.steps)) return;
    const fitting = Math.min(maximumBundles(rule, lines, pool), Math.floor(search.itemsLeft(offer) / perBundle));
    for (let n = timesAllowed(offer, perBundle, fitting, search); n >= 1; n--) {
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
        if (!search.canImprove(saving + value - search.lossOf(units) + grossFrom[at + 1]!)) return true;
        if (!search.mayTake(offer, units)) return true;
        search.take(offer, units);
        if (isWorthwhile(at + 1, saving + value)) visitBundle(at + 1, saving + value);
        search.putBack(offer, units);
        return true;
      });
      if (!goesOn && !search.step(1)) return;
    }
    if (isWorthwhile(at + 1, saving)) visitBundle(at + 1, saving);
  };

  const visitSets = (at: number, saving: number): void => {
    const own = sets[at];
    if (!own) return visitBuyGet(0, saving);
    const next = bundles.length + at + 1;
    const visit = (units: SetUnitsTaken): void => {
      if (!search.step((units.bought.length + units.given.length) * COST.formedLine)) return;
      if (units.given.length === 0) {
        if (isWorthwhile(next, saving)) visitSets(at + 1, saving);
        return;
      }
      const value = givenValue(own, units.given, problem, worthOfLine);
      if (value === undefined || !search.mayTake(own.offer, units.given)) return;
      takeSets(search, own, units);
      if (isWorthwhile(next, saving + value)) visitSets(at + 1, saving + value);
      putBackSets(search, own, units);
    };
    const best = bestSetsOf(own, search);
    if (!best || own.lines.length > MAX_WALKED_LINES) {
      search.giveUpCompleteness();
      if (best?.best) visit(best.best);
      visit(NO_SETS);
      return;
    }
    const others = saving + search.slopeSlack + roundingOf(own, search) + netFrom[next]!;
    const setVisit = { mayGain: (gain: number) => search.canImprove(others + gain), visit };
    search.walkSets(() => {
      if (own.isRow && best.table) walkRow(own, best.table, search, setVisit);
      else walkRoles(own, search, setVisit);
    });
  };

  const visitBuyGet = (at: number, saving: number): void => {
    const buyGet = buyGets[at];
    if (!buyGet) return search.decideLines(saving);
    const next = firstBuyGet + at + 1;
    const units = cheapestUnits(search, buyGet);
    if (units) {
      const value = givenValue(buyGet, units.given, problem, worthOfLine);
      const isGood =
        value !== undefined &&
        search.canImprove(saving + value - search.lossOf(goneUnits(buyGet.rule, units)) + grossFrom[next]!) &&
        search.mayTake(buyGet.offer, units.given);
      if (isGood) {
        takeSets(search, buyGet, units);
        if (isWorthwhile(next, saving + value)) visitBuyGet(at + 1, saving + value);
        putBackSets(search, buyGet, units);
      }
    }
    if (isWorthwhile(next, saving)) visitBuyGet(at + 1, saving);
  };

  if (sets.length === 0 || mayImprove(0, 0)) visitBundle(0, 0);
}

const NO_SETS: SetUnitsTaken = { bought: [], given: [] };

type SetOffer = Pick<SetPlan, 'offer' | 'rule'>;

export function takeSets(search: GroupSearch, { offer }: SetOffer, { bought, given }: SetUnitsTaken): void {
  search.buy(offer, bought);
  search.take(offer, given);
}

export function putBackSets(search: GroupSearch, { offer }: SetOffer, { bought, given }: SetUnitsTaken): void {
  search.putBack(offer, given);
  search.unbuy(offer, bought);
}

/** The units that no other benefit may discount any more. */
export function goneUnits({ sharesBought }: BuyGetRule, { bought, given }: SetUnitsTaken): readonly UnitCount[] {
  return sharesBought ? given : mergeCounts(bought, given);
}

/** The units of two lists added up per line. */
export function mergeCounts(a: readonly UnitCount[], b: readonly UnitCount[]): UnitCount[] {
  const units = new Map<number, number>();
  for (const { line, units: count } of a) units.set(line, (units.get(line) ?? 0) + count);
  for (const { line, units: count } of b) units.set(line, (units.get(line) ?? 0) + count);
  return [...units].map(([line, count]) => ({ line, units: count }));
}

/** The units of an offer that gives the cheapest, with as many sets as there are. Undefined when there is none. */
export function cheapestUnits(search: GroupSearch, { offer, rule, lines, steps }: BuyGetPlan): BuyGetUnits | undefined {
  if (!search.step(2 * steps)) return undefined;
  const fitting = Math.min(
    maximumTimes(rule, lines, search.pool),
    Math.floor(search.itemsLeft(offer) / rule.getQuantity),
  );
  const sets = mostTimes(offer, rule.getQuantity, fitting);
  if (sets < 1) return undefined;
  const units = selectUnits(rule, lines, search.pool, sets);
  return search.step((units.bought.length + units.given.length) * COST.formedLine) ? units : undefined;
}

/** How many bundles may be tried; at most `MAX_TIMES`. */
export function timesAllowed(offer: Offer, itemsPerTime: number, fitting: number, search: GroupSearch): number {
  const most = mostTimes(offer, itemsPerTime, fitting);
  if (most > MAX_TIMES) search.giveUpCompleteness();
  return Math.min(most, MAX_TIMES);
}

function mostTimes({ items }: Offer, itemsPerTime: number, fitting: number): number {
  return Math.min(fitting, Math.floor(items / itemsPerTime));
}

/** Per place the sum of all values from there on; 0 behind the last. */
function sumsFrom(values: readonly number[]): number[] {
  const sums = [...values, 0];
  for (let at = values.length - 1; at >= 0; at--) sums[at]! += sums[at + 1]!;
  return sums;
}
