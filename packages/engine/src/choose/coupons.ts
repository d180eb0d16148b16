import { isLimited } from '../offers/offers.ts';
import type { Pool } from '../offers/pools.ts';
import { COST } from '../work.ts';
import { assignUnits, mostOfGains } from './assignment.ts';
import type { Choice } from './choice.ts';
import { resourcesLeft, spentOf } from './limits.ts';
import type { Model } from './model.ts';

/**
 * The offers that are limited by a number of items, coupons for short, share out the units of the lines: a transportation problem. Its supplies
 * are the lines, its demands the offers, and the sum of what the units gain is maximized. flow.ts solves it exactly. This file poses it for a
 * choice, writes the solution into the choice, and reads the dual prices of the lines off it.
 */

/** Gains are whole numbers, in this part of a minor unit. */
const PARTS = 100;

/** An offer that asks for units. */
interface Demand {
  readonly role: number;
  readonly capacity: number;
  /** What a unit of each line gains; −∞ where it may not be taken. */
  readonly gain: ArrayLike<number>;
  /** An item of bundles that are formed already, so it has to get as many units as it had. */
  readonly mustBeMet: boolean;
  readonly pool: Pool | undefined;
}

/** Units of a line that are alike for every demand. */
interface Supply {
  readonly line: number;
  readonly units: number;
  /** No set has bought them, so bundles may take them. */
  readonly fitsBundles: boolean;
  /** An offer that gains on one unit of each line alone may take them. */
  readonly fitsOncePerLine: boolean;
}

interface AssignmentOptions {
  /**
   * Who takes part alongside the coupons: the items of formed bundles, which then get the units that coupons miss least; or offers with a sum of
   * money that have no units yet, so that the dual prices say what to leave to them.
   */
  readonly alongside?: 'formed bundles' | 'unspent money';
  /** What a unit of each line gains where no demand takes it: that of the line's plain benefit, unless said. */
  readonly baseline?: Float64Array;
  /** The dual prices charge this part of what the limits of the demands are worth: all of it, unless said. */
  readonly partOfLimits?: number;
}

/**
 * Assigns units to the coupons of a choice, so that all of them together gain as much as they can. Answers with the dual prices: what one more
 * unit of each line would be worth to them, in minor units.
 */
export function assignCoupons(model: Model, choice: Choice, options: AssignmentOptions = {}): Float64Array {
  const { alongside, baseline = model.plain, partOfLimits = 1 } = options;
  const demands = demandsOf(model, choice, alongside);
  const dualPrices = Float64Array.from(baseline);
  if (demands.length === 0) return dualPrices;
  const before = demands.map(({ role }) => choice.taken[role]!.slice());
  choice.clear(demands.map(({ role }) => role));
  const limitPrices = solveTransport(model, choice, demands, baseline);
  if (demands.some(({ role, mustBeMet, capacity }) => mustBeMet && choice.unitsOf([role]) < capacity)) {
    // The bundles cannot be filled in another way, so they stay as they were.
    demands.forEach(({ role, mustBeMet }, number) => {
      if (mustBeMet) choice.set(role, before[number]!);
      else choice.clear([role]);
    });
    return assignCoupons(model, choice, { ...options, alongside: 'unspent money' });
  }
  demands.forEach(({ gain }, number) => {
    for (let line = 0; line < dualPrices.length; line++)
      dualPrices[line] = Math.max(dualPrices[line]!, gain[line]! - partOfLimits * limitPrices[number]!);
  });
  keepOneOnWholeLines(model, choice);
  return dualPrices;
}

function demandsOf(model: Model, choice: Choice, alongside: AssignmentOptions['alongside']): Demand[] {
  const { roles, coupons, subproblems } = model;
  const poolOf = (role: number): Pool | undefined => {
    const { pool } = roles[role]!.offer;
    return pool?.counts === 'items' ? pool : undefined;
  };
  const demandOf = (role: number, capacity: number, mustBeMet: boolean): Demand => ({
    role,
    capacity,
    gain: roles[role]!.gain,
    mustBeMet,
    pool: poolOf(role),
  });
  const bundles = alongside === 'formed bundles' ? subproblems.filter(({ form }) => form === 'bundle') : [];
  const formed = bundles.flatMap((bundle) => bundle.roles.filter((role) => choice.unitsOf([role]) > 0));
  const demands = [
    ...formed.map((role) => demandOf(role, choice.unitsOf([role]), true)),
    ...coupons.map((role) => demandOf(role, roles[role]!.offer.items, false)),
  ];
  for (const subproblem of alongside === 'unspent money' ? subproblems : []) {
    const [role] = subproblem.roles as [number];
    if (subproblem.form !== 'money' || choice.unitsOf([role]) > 0) continue;
    const { most, money } = resourcesLeft(model, choice, subproblem);
    const gain = roles[role]!.gain.map((unit) => Math.min(unit, money));
    const capacity = Math.min(most, Math.ceil(money / Math.max(1, ...roles[role]!.gain)));
    if (capacity > 0) demands.push({ role, capacity, gain, mustBeMet: false, pool: undefined });
  }
  return demands;
}

function suppliesOf({ lines }: Model, { free, freeOfDeals }: Choice, someGainOnce: boolean): Supply[] {
  const supplies: Supply[] = [];
  const add = (line: number, units: number, fitsBundles: boolean): void => {
    // A line that cannot be split gains by all of its units together, and as much by each of them.
    const isDivided = someGainOnce && lines[line]!.isSplittable;
    if (isDivided && units > 1) supplies.push({ line, units: units - 1, fitsBundles, fitsOncePerLine: false });
    if (units > 0) supplies.push({ line, units: isDivided ? 1 : units, fitsBundles, fitsOncePerLine: true });
  };
  for (let line = 0; line < free.length; line++) {
    const fitting = Math.min(free[line]!, freeOfDeals[line]!);
    add(line, fitting, true);
    // These are bought for sets that share them with coupons.
    add(line, free[line]! - fitting, false);
  }
  return supplies;
}

/** Gives the demands their units, and answers with what one more unit of each demand would gain, in minor units. */
function solveTransport(
  model: Model,
  choice: Choice,
  demands: readonly Demand[],
  baseline: Float64Array,
): readonly number[] {
  const { roles, work } = model;
  const gainsOnce = demands.some(({ role }) => roles[role]!.isOnce);
  const supplies = suppliesOf(model, choice, gainsOnce);
  let largest = 1;
  for (const { gain } of demands)
    for (let line = 0; line < gain.length; line++) largest = Math.max(largest, gain[line]!);
  const scale = Math.min(PARTS, mostOfGains(demands.length) / (demands.length + 2) ** 2 / (largest + 2));
  // A "big M", above all that a unit may gain elsewhere: what has to be met is met first.
  const bonus = (Math.ceil(largest * scale) + 1) * (demands.length + 1) * 2;
  work.count(supplies.length * demands.length * COST.assignedCell);
  const pools = [...new Set(demands.flatMap(({ pool }) => pool ?? []))];
  const { amounts, offerPrices, poolPrices } = assignUnits(
    {
      units: supplies.map(({ units }) => units),
      capacities: demands.map(({ capacity }) => capacity),
      poolOf: demands.map(({ pool }) => (pool ? pools.indexOf(pool) : undefined)),
      poolCapacities: pools.map((pool) => Math.max(0, pool.left - spentOf(model, choice, pool))),
      gains: gainsOf(model, demands, supplies, { baseline, scale, bonus }),
      tieCosts: tieCostsOf(model, demands, supplies),
    },
    (operations) => work.spend(operations * COST.assignedCell),
  );
  demands.forEach(({ role }, number) => {
    supplies.forEach(({ line }, at) => {
      const units = amounts[at * demands.length + number]!;
      if (units > 0) choice.add(role, line, units);
    });
  });
  return demands.map(({ pool, mustBeMet }, number) => {
    const price = offerPrices[number]! + (pool ? poolPrices[pools.indexOf(pool)]! : 0);
    return (mustBeMet ? price - bonus : price) / scale;
  });
}

/** By supply and demand what a unit gains beyond the baseline, as a whole number; 0 where it is not to be taken. */
function gainsOf(
  model: Model,
  demands: readonly Demand[],
  supplies: readonly Supply[],
  { baseline, scale, bonus }: { readonly baseline: Float64Array; readonly scale: number; readonly bonus: number },
): Float64Array {
  const gains = new Float64Array(supplies.length * demands.length);
  demands.forEach(({ role, gain, mustBeMet }, number) => {
    const { offer, isOnce } = model.roles[role]!;
    supplies.forEach(({ line, fitsBundles, fitsOncePerLine }, at) => {
      if (gain[line] === Number.NEGATIVE_INFINITY) return;
      if ((mustBeMet && !fitsBundles) || (isOnce && !fitsOncePerLine)) return;
      const more = Math.floor((gain[line]! - baseline[line]!) * scale);
      // An unlimited offer that saves as much as the limited one of the baseline is better by the least that a gain can be.
      const isSparing = more === 0 && model.isRestLimited(line) && !isLimited(offer);
      gains[at * demands.length + number] = mustBeMet ? more + bonus : Math.max(0, isSparing ? 1 : more);
    });
  });
  return gains;
}

/** Of equal assignments the one that spends the fewest limited uses, then the higher priority and the lower benefitId (README.md, rule 26). */
function tieCostsOf({ roles }: Model, demands: readonly Demand[], supplies: readonly Supply[]): number[] {
  const offers = demands.map(({ role }) => roles[role]!.offer);
  const perUse = 1 + demands.length * supplies.reduce((sum, { units }) => sum + units, 0);
  const ranked = [...offers.keys()].sort((a, b) => offers[b]!.benefit.priority - offers[a]!.benefit.priority || a - b);
  return offers.map(({ uses }, number) => (uses.length > 0 ? perUse : 0) + ranked.indexOf(number));
}

/** A line that cannot be split takes one benefit: of several coupons the one that gains most by all units that it may take there. */
function keepOneOnWholeLines(model: Model, choice: Choice): void {
  const { lines, roles, coupons } = model;
  lines.forEach(({ isSplittable, units }, line) => {
    if (isSplittable || units === 1) return;
    const held = [...roles.keys()].filter((role) => choice.taken[role]![line]! > 0 && roles[role]!.isExclusive);
    if (held.length < 2) return;
    const rivals = held.filter((role) => coupons.includes(role));
    const hasDeal = rivals.length < held.length;
    const free = rivals.reduce((sum, role) => sum + choice.taken[role]![line]!, choice.free[line]!);
    const mostOf = (role: number): number => {
      const { items, pool } = roles[role]!.offer;
      const left = pool?.counts === 'items' ? pool.left - spentOf(model, choice, pool) : Number.POSITIVE_INFINITY;
      const more = Math.max(0, Math.min(items - choice.unitsOf([role]), left));
      return Math.min(free, choice.taken[role]![line]! + more);
    };
    const gainOf = (role: number): number => mostOf(role) * roles[role]!.gain[line]!;
    const best = rivals.reduce((most, role) => (gainOf(role) > gainOf(most) ? role : most), rivals[0]!);
    const taken = hasDeal ? 0 : mostOf(best);
    for (const role of rivals) choice.add(role, line, -choice.taken[role]![line]!);
    if (taken > 0) choice.add(best, line, taken);
  });
}
