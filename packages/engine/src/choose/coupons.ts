import { isLimited } from '../offers/offers.ts';
import type { Pool } from '../offers/pools.ts';
import { COST } from '../work.ts';
import { assignUnits, mostOfGains } from './assignment.ts';
import type { Choice } from './choice.ts';
import { resourcesLeft, spentOf } from './limits.ts';
import type { Model } from './model.ts';

/** Units for offers that are limited by items: an assignment problem (assignment.ts). */

/** Gains in fractions of a minor unit are kept to this part of one. */
const PARTS = 100;

/** One that takes part in the assignment. */
interface Taker {
  readonly role: number;
  readonly capacity: number;
  readonly gain: ArrayLike<number>;
  /** A bundle that was formed has to stay full. */
  readonly isFull: boolean;
  readonly pool: Pool | undefined;
}

/** Units of a line as the assignment sees them. */
interface Row {
  readonly line: number;
  readonly units: number;
  /** No set has them either, so that bundles may take them. */
  readonly isOpen: boolean;
  /** What gains on one unit of each line alone may take it. */
  readonly isFirst: boolean;
}

/**
 * Assigns units to the coupons of a choice, so that all of them together gain as much as they can. Beside them, bundles that were formed
 * are filled anew; or sums of money that nobody has yet take part, so that others know what to leave them. Answers with the
 * dual prices: what one more unit of each line would be worth, at this part of what limits cost.
 */
export function assignCoupons(
  model: Model,
  choice: Choice,
  beside: 'bundles' | 'money' | 'nobody',
  share = 1,
  floor: Float64Array = model.plain,
): Float64Array {
  const takers = takersOf(model, choice, beside);
  const values = Float64Array.from(floor);
  if (takers.length === 0) return values;
  const { roles, work } = model;
  const before = takers.map(({ role }) => choice.taken[role]!.slice());
  choice.clear(takers.map(({ role }) => role));
  const rows = rowsOf(
    model,
    choice,
    takers.some(({ role }) => roles[role]!.isOnce),
  );
  let largest = 1;
  for (const { gain } of takers)
    for (let line = 0; line < gain.length; line++) largest = Math.max(largest, gain[line]!);
  const scale = Math.min(PARTS, mostOfGains(takers.length) / (takers.length + 2) ** 2 / (largest + 2));
  // Above all that a unit may gain elsewhere.
  const full = (Math.ceil(largest * scale) + 1) * (takers.length + 1) * 2;
  work.count(rows.length * takers.length * COST.assignedCell);
  const gains = new Float64Array(rows.length * takers.length);
  takers.forEach(({ role, gain, isFull }, number) => {
    rows.forEach(({ line, isOpen, isFirst }, at) => {
      if (gain[line] === Number.NEGATIVE_INFINITY || (isFull && !isOpen) || (!isFirst && roles[role]!.isOnce)) return;
      const own = Math.floor((gain[line]! - floor[line]!) * scale);
      // Of what saves the same, what spends nothing is taken: the least that a gain can be more.
      const spared = own === 0 && model.isRestLimited(line) && !isLimited(roles[role]!.offer) ? 1 : own;
      gains[at * takers.length + number] = isFull ? own + full : Math.max(0, spared);
    });
  });
  const pools = [...new Set(takers.flatMap(({ pool }) => pool ?? []))];
  // Of equal assignments the one that spends the fewest limited uses, then the higher priority and the lower benefitId.
  const perUse = 1 + takers.length * rows.reduce((sum, { units }) => sum + units, 0);
  const ranks = [...takers.keys()].sort((a, b) => priorityOf(takers[b]!) - priorityOf(takers[a]!) || a - b);
  const { amounts, offerPrices, poolPrices } = assignUnits(
    {
      units: rows.map(({ units }) => units),
      capacities: takers.map(({ capacity }) => capacity),
      poolOf: takers.map(({ pool }) => (pool ? pools.indexOf(pool) : undefined)),
      poolCapacities: pools.map((pool) => Math.max(0, pool.left - spentOf(model, choice, pool))),
      gains,
      tieCosts: takers.map(({ role }, at) => (roles[role]!.offer.uses.length > 0 ? perUse : 0) + ranks.indexOf(at)),
    },
    (operations) => work.spend(operations * COST.assignedCell),
  );
  takers.forEach(({ role }, number) => {
    rows.forEach(({ line }, at) => {
      const units = amounts[at * takers.length + number]!;
      if (units > 0) choice.add(role, line, units);
    });
  });
  if (takers.some(({ role, isFull, capacity }) => isFull && choice.unitsOf([role]) < capacity)) {
    // They cannot be full in another way, so they stay as they were, and the coupons are assigned alone.
    takers.forEach(({ role, isFull }, number) => {
      if (isFull) choice.set(role, before[number]!);
      else choice.clear([role]);
    });
    return assignCoupons(model, choice, 'money', share, floor);
  }
  takers.forEach(({ gain, isFull, pool }, number) => {
    const price = offerPrices[number]! + (pool ? poolPrices[pools.indexOf(pool)]! : 0) - (isFull ? full : 0);
    for (let line = 0; line < values.length; line++)
      values[line] = Math.max(values[line]!, gain[line]! - (share * price) / scale);
  });
  takeOne(model, choice);
  return values;

  function priorityOf({ role }: Taker): number {
    return roles[role]!.offer.benefit.priority;
  }
}

function takersOf(model: Model, choice: Choice, beside: 'bundles' | 'money' | 'nobody'): Taker[] {
  const { roles, coupons, subproblems } = model;
  const takers: Taker[] = [];
  const poolOf = (role: number): Pool | undefined => {
    const { pool } = roles[role]!.offer;
    return pool?.counts === 'items' ? pool : undefined;
  };
  const add = (role: number, capacity: number, isFull: boolean): void => {
    takers.push({ role, capacity, gain: roles[role]!.gain, isFull, pool: poolOf(role) });
  };
  for (const { form, roles: own } of beside === 'bundles' ? subproblems : []) {
    if (form !== 'bundle') continue;
    for (const role of own) if (choice.unitsOf([role]) > 0) add(role, choice.unitsOf([role]), true);
  }
  for (const role of coupons) add(role, roles[role]!.offer.items, false);
  for (const subproblem of beside === 'money' ? subproblems : []) {
    const [role] = subproblem.roles as [number];
    if (subproblem.form !== 'money' || choice.unitsOf([role]) > 0) continue;
    const { most, money } = resourcesLeft(model, choice, subproblem);
    const gain = roles[role]!.gain.map((own) => Math.min(own, money));
    const capacity = Math.min(most, Math.ceil(money / Math.max(1, ...roles[role]!.gain)));
    if (capacity > 0) takers.push({ role, capacity, gain, isFull: false, pool: undefined });
  }
  return takers;
}

function rowsOf({ lines }: Model, { free, freeOfDeals }: Choice, hasOnce: boolean): Row[] {
  const rows: Row[] = [];
  const add = (line: number, units: number, isOpen: boolean): void => {
    // What cannot be split gains by all of its units together, and as much by each of them.
    const isOnce = hasOnce && lines[line]!.isSplittable;
    if (isOnce && units > 1) rows.push({ line, units: units - 1, isOpen, isFirst: false });
    if (units > 0) rows.push({ line, units: isOnce ? 1 : units, isOpen, isFirst: true });
  };
  for (let line = 0; line < free.length; line++) {
    const open = Math.min(free[line]!, freeOfDeals[line]!);
    add(line, open, true);
    // Bought for sets that share them.
    add(line, free[line]! - open, false);
  }
  return rows;
}

/** A line that cannot be split takes one benefit: of several coupons the one that gains most by all units that it may take there. */
function takeOne(model: Model, choice: Choice): void {
  const { lines, roles, coupons } = model;
  lines.forEach(({ isSplittable, units }, line) => {
    if (isSplittable || units === 1) return;
    const held = [...roles.keys()].filter((role) => choice.taken[role]![line]! > 0 && roles[role]!.isExclusive);
    if (held.length < 2) return;
    const own = held.filter((role) => coupons.includes(role));
    const isDealt = own.length < held.length;
    const free = own.reduce((sum, role) => sum + choice.taken[role]![line]!, choice.free[line]!);
    const mostOf = (role: number): number => {
      const { items, pool } = roles[role]!.offer;
      const left = pool?.counts === 'items' ? pool.left - spentOf(model, choice, pool) : Number.POSITIVE_INFINITY;
      const more = Math.max(0, Math.min(items - choice.unitsOf([role]), left));
      return Math.min(free, choice.taken[role]![line]! + more);
    };
    const gainOf = (role: number): number => mostOf(role) * roles[role]!.gain[line]!;
    const first = own.reduce((most, role) => (gainOf(role) > gainOf(most) ? role : most), own[0]!);
    const taken = isDealt ? 0 : mostOf(first);
    for (const role of own) choice.add(role, line, -choice.taken[role]![line]!);
    if (taken > 0) choice.add(first, line, taken);
  });
}
