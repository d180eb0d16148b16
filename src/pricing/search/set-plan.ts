import type { LineFacts } from '../lines.ts';
import { extentOn } from '../modified-line.ts';
import type { BuyGetOffer, UnitOffer } from '../offers.ts';
import type { BuyGetRule } from '../rule.ts';
import type { UnitPool } from '../unit-pool.ts';
import { COST } from '../work.ts';
import type { Slope } from './line-bounds.ts';
import type { LineOrders } from './line-lists.ts';
import type { Problem } from './problem.ts';
import { findBestSets } from './set-table.ts';
import type { BestSets, SetUnits } from './set-task.ts';

/** The facts of an offer in sets that the search asks for often, prepared once. */
export interface SetPlan {
  readonly offer: BuyGetOffer;
  readonly rule: BuyGetRule;
  /** The lines in play in the order in which sets are cut. */
  readonly lines: readonly number[];
  /** Per line of `lines`: equal for lines of which none comes before the other. */
  readonly ranks: readonly number[];
  readonly isBuy: readonly boolean[];
  readonly isGive: readonly boolean[];
  /** Every unit may be bought and given, and the cut says which is which. */
  readonly isRow: boolean;
  /** The most that it saves while no unit is taken, before what other benefits lose, in minor units. */
  readonly most: number;
  /** To look at its lines once takes so many steps. */
  readonly steps: number;
}

/** Baskets of so many lines are decided to the unit where rounding hides which sets are best. */
export const MOST_LINES_TO_THE_UNIT = 12;

function hasDiscount({ existing, allocated, unit }: LineFacts): boolean {
  return existing > 0 || allocated > 0 || unit !== undefined;
}

export function planSets(
  offer: BuyGetOffer,
  { lines: facts, policy, lists, orders: orderOffers }: Problem,
  orders: LineOrders,
  pool: UnitPool,
): SetPlan {
  const { rule } = offer.benefit;
  const bought = lists.eligible(offer, 0);
  const given = lists.giveable(offer, policy);
  const isBuy = orders.isIn(bought);
  const isGive = orders.isIn(given);
  const { lines, ranks } = orders.inSetOrder(bought, given, rule);
  const isRoleFree = (): boolean =>
    lines.every((line, at) => {
      const isEqual = at > 0 && ranks[at] === ranks[at - 1];
      const pair = isEqual ? [facts[line]!, facts[lines[at - 1]!]!] : [];
      const isTouchedAlike = orderOffers.every(({ touches }) => !isEqual || touches[line] === touches[lines[at - 1]!]);
      return isTouchedAlike && !pair.some((own) => rule.extent(own).isRounded || hasDiscount(own));
    });
  const isRow =
    !rule.sharesBought &&
    (lines.length > MOST_LINES_TO_THE_UNIT || isRoleFree()) &&
    lines.every((line) => isBuy[line] && isGive[line]);
  const plan = { offer, rule, lines, ranks, isBuy, isGive, isRow };
  return { ...plan, most: mostOfSets(plan, facts, pool), steps: COST.seenGroup + lines.length * COST.groupedLine };
}

/** As if the dearest units were given; rounding adds less than a minor unit for each line. */
function mostOfSets(
  { offer, rule, lines, isBuy, isGive }: Pick<SetPlan, 'offer' | 'rule' | 'lines' | 'isBuy' | 'isGive'>,
  facts: Problem['lines'],
  pool: UnitPool,
): number {
  let [buyable, giveable, all] = [0, 0, 0];
  for (const line of lines) {
    const units = pool.spare[line]!;
    all += units;
    if (isBuy[line]) buyable += units;
    if (isGive[line]) giveable += units;
  }
  const { buyQuantity, getQuantity } = rule;
  const sets = Math.min(
    Math.floor(buyable / buyQuantity),
    Math.floor(giveable / getQuantity),
    Math.floor(all / (buyQuantity + getQuantity)),
    mostSetsOf(offer, offer.items),
  );
  let missing = sets * getQuantity;
  let price = 0;
  for (const line of lines) {
    if (!isGive[line]) continue;
    const units = Math.min(missing, pool.spare[line]!);
    price += units * facts[line]!.unitPrice;
    missing -= units;
  }
  return Math.min(rule.most(price) + lines.length, offer.mostDiscount);
}

/** The sets that a limit by items permits which has so many left. */
export function mostSetsOf({ benefit }: BuyGetOffer, items: number): number {
  return Math.floor(items / benefit.rule.getQuantity);
}

/** What is known of the units of a search, from which sets are formed. */
export interface SetSearch {
  readonly problem: Problem;
  readonly pool: UnitPool;
  readonly worthOfLine: readonly number[];
  step(steps: number): boolean;
  /** A line above what any number of units of a line may save with other benefits, worth counted. */
  slopeOf(line: number): Slope;
  mayTakeOf(line: number): boolean;
  /** Units that an offer may still take, by its own limit and by one that it shares. */
  itemsLeft(offer: UnitOffer): number;
}

/** Units of a line that may be bought. A line that cannot be split and has been taken by a benefit has none to itself. */
export function buyableUnits({ sharesBought }: BuyGetRule, pool: UnitPool, line: number): number {
  return sharesBought ? pool.spare[line]! : pool.takeable(line);
}

/** The units of the plan that are left, with their gains in each role, in the order of the plan. */
export function unitsOfPlan(plan: SetPlan, search: SetSearch): SetUnits[] {
  const { rule, lines, isBuy, isGive } = plan;
  const { problem, pool, worthOfLine } = search;
  const mostWorth = rule.spreads ? mostWorthOf(lines, worthOfLine) : 0;
  const units = lines.map((line): SetUnits => {
    const facts = problem.lines[line]!;
    const worth = worthOfLine[line]!;
    const loss = pool.open[line]! > 0 ? search.slopeOf(line).perUnit : 0;
    const { perUnit } = extentOn(rule, true, facts);
    const effect =
      Math.max(worth, mostWorth) * (facts.isSplittable ? Math.min(perUnit, facts.room / facts.units) : perUnit);
    const replaced = problem.policy === 'replace_if_larger' ? (worth * facts.existing) / facts.units : 0;
    const mayGive = isGive[line] && pool.open[line]! > 0 && search.mayTakeOf(line);
    return {
      line,
      units: buyableUnits(rule, pool, line),
      buys: !isBuy[line] ? Number.NEGATIVE_INFINITY : rule.sharesBought ? 0 : -loss,
      gives: mayGive ? effect - replaced - loss : Number.NEGATIVE_INFINITY,
      effect,
    };
  });
  if (!rule.sharesBought) return units;
  // Of units with one rank any may be given, so each is bounded by the best of them.
  const best = new Map<number, number>();
  for (const [at, rank] of plan.ranks.entries()) {
    best.set(rank, Math.max(best.get(rank) ?? Number.NEGATIVE_INFINITY, units[at]!.gives));
  }
  return units.map((own, at) =>
    own.gives > Number.NEGATIVE_INFINITY ? { ...own, gives: best.get(plan.ranks[at]!)! } : own,
  );
}

/** What units of these lines share is worth no more than where it is worth most. */
export function mostWorthOf(lines: readonly number[], worthOfLine: readonly number[]): number {
  return lines.reduce((most, line) => Math.max(most, worthOfLine[line]!), 0);
}

/** The best sets of the units that are left. Undefined when too few steps are left to find them. */
export function bestSetsOf(plan: SetPlan, search: SetSearch): BestSets | undefined {
  if (!search.step(plan.steps)) return undefined;
  const units = unitsOfPlan(plan, search).filter((own) => own.units > 0);
  const task = {
    rule: plan.rule,
    units,
    mostSets: mostSetsOf(plan.offer, search.itemsLeft(plan.offer)),
    mostEffect: plan.offer.mostDiscount,
  };
  return findBestSets(task, (steps) => search.step(steps));
}

/** Rounding may make what the sets save larger than their gains by so much, in minor units. */
export function roundingOf(plan: SetPlan, { problem, worthOfLine }: SetSearch): number {
  const { rule, lines, isGive } = plan;
  const mostWorth = rule.spreads ? mostWorthOf(lines, worthOfLine) : 0;
  let rounding = 0;
  for (const line of lines) {
    if (!isGive[line]) continue;
    const facts = problem.lines[line]!;
    const worth = Math.max(worthOfLine[line]!, mostWorth);
    if (extentOn(rule, true, facts).isRounded) rounding += worth / 2;
    // Each discount is shared by the parts, rounded down or up.
    if (hasDiscount(facts)) rounding += worth * (1 + facts.allocations.length);
  }
  return rounding;
}
