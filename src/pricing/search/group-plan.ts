import type { LineFacts } from '../lines.ts';
import type { BundleOffer, BuyGetOffer } from '../offers.ts';
import type { BuyGetRule } from '../rule.ts';
import { UnitPool } from '../unit-pool.ts';
import { COST } from '../work.ts';
import { type BundleDraw, type BundleLines, maximumBundles } from './bundle-units.ts';
import { type BuyGetLines, maximumTimes } from './buy-get-units.ts';
import type { LineList, LineOrders } from './line-lists.ts';
import type { Problem } from './problem.ts';
import { planSets, type SetPlan } from './set-plan.ts';

/** The facts of a bundle that the walk over the groups asks for often, prepared once. */
export interface BundlePlan extends BundleDraw {
  readonly offer: BundleOffer;
  /** Lines per item, those with the dearest units first. */
  readonly dearest: BundleLines;
  /** The most that it saves while no unit is taken, in minor units. */
  readonly most: number;
  /** To look at its lines once takes so many steps. */
  readonly steps: number;
}

export interface BuyGetPlan {
  readonly offer: BuyGetOffer;
  readonly rule: BuyGetRule;
  readonly lines: BuyGetLines;
  readonly dearest: readonly number[];
  readonly most: number;
  readonly steps: number;
}

export interface GroupPlan {
  readonly bundles: readonly BundlePlan[];
  readonly sets: readonly SetPlan[];
  /** Those that give the cheapest units, in the order in which they draw. */
  readonly buyGets: readonly BuyGetPlan[];
  readonly isComplete: boolean;
}

/** One benefit is tried with at most so many bundles, or numbers of applications, in one basket. */
export const MAX_TIMES = 200;

/** At most so many groups of one component are looked at: those that may save most. */
const MAX_GROUPS = 24;

const NO_GROUPS: GroupPlan = { bundles: [], sets: [], buyGets: [], isComplete: true };

export function planGroups(problem: Problem, orders: LineOrders): GroupPlan {
  const { lines, work } = problem;
  if (problem.bundles.length + problem.buyGets.length === 0) return NO_GROUPS;
  const pool = new UnitPool(lines);
  const bundles: BundlePlan[] = [];
  const sets: SetPlan[] = [];
  const buyGets: BuyGetPlan[] = [];
  let isComplete = true;
  for (const offer of problem.bundles) {
    const plan = work.spend(COST.offer) ? planBundle(offer, problem, orders, pool) : undefined;
    if (plan && work.spend(plan.steps)) bundles.push({ ...plan, most: mostOfBundles(plan, lines, pool) });
    else isComplete = false;
  }
  for (const offer of problem.buyGets) {
    if (offer.benefit.rule.pick === 'per_set') {
      const plan = work.spend(COST.offer) ? planSets(offer, problem, orders, pool) : undefined;
      if (plan && work.spend(COST.seenGroup + 5 * lines.length * COST.listedLine)) sets.push(plan);
      else isComplete = false;
      continue;
    }
    const plan = work.spend(COST.offer) ? planBuyGet(offer, problem, orders) : undefined;
    if (plan && work.spend(plan.steps)) buyGets.push({ ...plan, most: mostOfBuyGet(plan, lines, pool) });
    else isComplete = false;
  }
  const count = bundles.length + sets.length + buyGets.length;
  return count <= MAX_GROUPS ? { bundles, sets, buyGets, isComplete } : keepMostPromising({ bundles, sets, buyGets });
}

function planBundle(
  offer: BundleOffer,
  { lists, work }: Problem,
  orders: LineOrders,
  pool: UnitPool,
): Omit<BundlePlan, 'most'> {
  const { rule } = offer.benefit;
  const own = offer.benefit.selectors.map((_, item) => lists.discountable(offer, item));
  const { items, quantities } = mergeItems(own, rule.quantities);
  const lines = items.reduce((count, item) => count + item.length, 0);
  work.count(2 * lines * COST.listedLine);
  const times = Math.min(MAX_TIMES, maximumBundles({ ...rule, quantities }, items, pool));
  return {
    offer,
    rule: { ...rule, quantities },
    lines: items.map((item) => orders.promising(item)),
    dearest: items.map((item) => orders.dearest(item)),
    mayRepeat: items.length > 1 && new Set(items.flat()).size < lines,
    steps: COST.seenGroup + (lines + times * (1 + items.length)) * COST.listedLine,
  };
}

/** Items that draw from the same lines are one item of more units: otherwise each way would be walked many times. */
function mergeItems(
  own: readonly LineList[],
  quantities: readonly number[],
): { items: LineList[]; quantities: number[] } {
  const items: LineList[] = [];
  const merged: number[] = [];
  own.forEach((lines, item) => {
    // Lists of the same lines are one object.
    const same = items.indexOf(lines);
    if (same >= 0) merged[same]! += quantities[item]!;
    else {
      items.push(lines);
      merged.push(quantities[item]!);
    }
  });
  return { items, quantities: merged };
}

function planBuyGet(offer: BuyGetOffer, { policy, lists }: Problem, orders: LineOrders): Omit<BuyGetPlan, 'most'> {
  const { rule } = offer.benefit;
  const bought = lists.eligible(offer, 0);
  const given = lists.giveable(offer, policy);
  return {
    steps: COST.seenGroup + (bought.length + given.length) * COST.listedLine,
    offer,
    rule,
    lines: {
      isBuy: orders.isIn(bought),
      buy: orders.inSetOrder(bought, bought, rule).lines,
      get: orders.inSetOrder(given, given, rule).lines.toReversed(),
    },
    dearest: orders.dearest(given),
  };
}

function keepMostPromising({ bundles, sets, buyGets }: Omit<GroupPlan, 'isComplete'>): GroupPlan {
  const plans = [...bundles, ...sets, ...buyGets];
  plans.sort((a, b) => b.most - a.most || a.offer.benefit.ordinal - b.offer.benefit.ordinal);
  const kept = new Set<BundlePlan | SetPlan | BuyGetPlan>(plans.slice(0, MAX_GROUPS));
  return {
    bundles: bundles.filter((plan) => kept.has(plan)),
    sets: sets.filter((plan) => kept.has(plan)),
    buyGets: buyGets.filter((plan) => kept.has(plan)),
    isComplete: false,
  };
}

export function hasGroups({ bundles, sets, buyGets }: Pick<GroupPlan, 'bundles' | 'sets' | 'buyGets'>): boolean {
  return bundles.length + sets.length + buyGets.length > 0;
}

/** The most that all groups of a plan save while no unit is taken, in minor units. */
export function mostOfPlan({ bundles, sets, buyGets }: GroupPlan): number {
  let most = 0;
  for (const plan of bundles) most += plan.most;
  for (const plan of sets) most += plan.most;
  for (const plan of buyGets) most += plan.most;
  return most;
}

/** As many bundles as fit, each time of the dearest units that every item has, and never more than the cap. */
export function mostOfBundles(
  { offer, rule, dearest }: Pick<BundlePlan, 'offer' | 'rule' | 'dearest'>,
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
  for (let n = 1; n <= bundles; n++) most = Math.max(most, rule.discount(prices[n]!, n));
  return Math.min(most, offer.mostDiscount);
}

/**
 * The saving if the dearest units were given: bundles may take the cheap ones before. Rounding adds less than a minor unit
 * for each line.
 */
export function mostOfBuyGet(
  { offer, rule, lines: own, dearest }: Pick<BuyGetPlan, 'offer' | 'rule' | 'lines' | 'dearest'>,
  lines: readonly LineFacts[],
  pool: UnitPool,
): number {
  let missing = maximumTimes(rule, own, pool) * rule.getQuantity;
  if (missing === 0) return 0;
  let price = 0;
  for (let at = 0; at < dearest.length && missing > 0; at++) {
    const units = Math.min(missing, pool.takeable(dearest[at]!));
    price += units * lines[dearest[at]!]!.unitPrice;
    missing -= units;
  }
  return Math.min(rule.most(price) + dearest.length, offer.mostDiscount);
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
