import type { UnitCount } from '../unit-pool.ts';
import { COST } from '../work.ts';
import { mostSetsOf, type SetPlan, type SetSearch, unitsOfPlan } from './set-plan.ts';
import { mayBuy, mayGive, type SetTable, type SetUnits, type SetUnitsTaken } from './set-task.ts';

/** Visits every way to form the sets of one offer that may still be better than what is known. */

export interface SetVisit {
  /** False when sets that gain no more than this, beside all that is decided, cannot be better. */
  mayGain(gain: number): boolean;
  /** Told of each way. */
  visit(units: SetUnitsTaken): void;
}

/** Units of one line that stand in one role each. */
interface Roles {
  bought: number;
  given: number;
}

/**
 * Along a row the roles follow from the units that take part. `table` says what can still be gained, so only
 * ways are visited that come close to the best. False when some were left out.
 */
export function walkRow(plan: SetPlan, table: SetTable, search: SetSearch, { mayGain, visit }: SetVisit): boolean {
  const { buyQuantity, getQuantity } = plan.rule;
  const { row, size, gains, price } = table;
  const mostSets = mostSetsOf(plan.offer, search.itemsLeft(plan.offer));
  const priceLeft = (sets: number): number => (price === 0 ? 0 : price * (mostSets - sets));
  const chosen: Roles[] = row.map(() => ({ bought: 0, given: 0 }));
  let isComplete = true;
  const walk = (at: number, place: number, sets: number, gain: number): void => {
    const own = row[at];
    if (!own) {
      if (place === 0) visit(unitsOfRoles(row, chosen));
      return;
    }
    for (let units = own.units; units >= 0; units--) {
      if (!search.step(COST.triedSet)) {
        isComplete = false;
        return;
      }
      const after = place + units;
      const moreSets = Math.floor(after / size);
      const to = after - moreSets * size;
      if (sets + moreSets > mostSets) continue;
      const given = moreSets * getQuantity + Math.max(0, to - buyQuantity) - Math.max(0, place - buyQuantity);
      const more = (units - given) * own.buys + (given === 0 ? 0 : given * own.gives);
      const next = gain + more;
      const rest = gains[(at + 1) * size + to]! + price * moreSets;
      if (!mayGain(next - price * moreSets + rest + priceLeft(sets + moreSets))) continue;
      chosen[at]!.bought = units - given;
      chosen[at]!.given = given;
      walk(at + 1, to, sets + moreSets, next);
    }
    chosen[at]!.bought = 0;
    chosen[at]!.given = 0;
  };
  walk(0, 0, 0, 0);
  return isComplete;
}

/**
 * Where units have one role each, or the role changes what a unit is worth, both are chosen. Units that may be bought and
 * given are cut into sets; beside units of one role, no more of them have been given at any place of their order than sets
 * were bought before it.
 */
export function walkRoles(plan: SetPlan, search: SetSearch, { mayGain, visit }: SetVisit): boolean {
  const { buyQuantity, getQuantity } = plan.rule;
  const all = unitsOfPlan(plan, search).map((own, at) => ({ ...own, rank: plan.ranks[at]! }));
  const left = all.filter(({ units }) => units > 0);
  const onlyBought = left.filter((own) => mayBuy(own) && !mayGive(own)).map((own) => ({ ...own, rank: -1 }));
  const both = left.filter((own) => mayBuy(own) && mayGive(own));
  const onlyGiven = left.filter((own) => !mayBuy(own) && mayGive(own));
  const row = [...onlyBought.sort((a, b) => b.buys - a.buys), ...both, ...onlyGiven.sort((a, b) => b.gives - a.gives)];
  const firstGiven = onlyBought.length + both.length;
  const mostBuys = suffixMaxima(row.map(({ buys }) => buys));
  const mostGives = suffixMaxima(row.map(({ gives }) => gives));
  const buyable = suffixSums(row.map((own) => (mayBuy(own) ? own.units : 0)));
  const giveable = suffixSums(row.map((own) => (mayGive(own) ? own.units : 0)));
  const chosen: Roles[] = row.map(() => ({ bought: 0, given: 0 }));
  let isComplete = true;

  const walk = (at: number, toBuy: number, toGive: number, bought: number, given: number, gain: number): void => {
    if (toBuy > buyable[at]! || toGive > giveable[at]!) return;
    const rest = (toBuy === 0 ? 0 : toBuy * mostBuys[at]!) + (toGive === 0 ? 0 : toGive * mostGives[at]!);
    if (!mayGain(gain + rest)) return;
    // At the end of a rank, what was given has to stand behind what was bought for it.
    const isRankEnd = at > 0 && at <= firstGiven && (at === firstGiven || row[at]!.rank !== row[at - 1]!.rank);
    if (isRankEnd && given > getQuantity * Math.floor(bought / buyQuantity)) return;
    const own = row[at];
    if (!own) {
      if (!isRowAlone(row, chosen) || isCut(plan, row, chosen)) visit(unitsOfRoles(row, chosen));
      return;
    }
    const mostBought = mayBuy(own) ? Math.min(own.units, toBuy) : 0;
    for (let buys = mostBought; buys >= 0; buys--) {
      const mostGiven = mayGive(own) ? Math.min(own.units - buys, toGive) : 0;
      for (let gives = mostGiven; gives >= 0; gives--) {
        if (!search.step(COST.triedSet)) {
          isComplete = false;
          return;
        }
        chosen[at]!.bought = buys;
        chosen[at]!.given = gives;
        const more = (buys === 0 ? 0 : buys * own.buys) + (gives === 0 ? 0 : gives * own.gives);
        walk(at + 1, toBuy - buys, toGive - gives, bought + buys, given + gives, gain + more);
      }
    }
    chosen[at]!.bought = 0;
    chosen[at]!.given = 0;
  };
  const fitting = Math.min(
    Math.floor(buyable[0]! / buyQuantity),
    Math.floor(giveable[0]! / getQuantity),
    mostSetsOf(plan.offer, search.itemsLeft(plan.offer)),
  );
  for (let sets = fitting; sets >= 1 && isComplete; sets--) walk(0, sets * buyQuantity, sets * getQuantity, 0, 0, 0);
  if (isComplete) visit({ bought: [], given: [] });
  return isComplete;
}

type RankedUnits = SetUnits & { readonly rank: number };

/** True where every unit that takes part may be bought and given. */
function isRowAlone(row: readonly RankedUnits[], chosen: readonly Roles[]): boolean {
  return row.every((own, at) => {
    const { bought, given } = chosen[at]!;
    return bought + given === 0 || (mayBuy(own) && mayGive(own));
  });
}

/** True where exactly the last units of each set are given. Units of one rank may change places. */
function isCut(
  { rule: { buyQuantity, getQuantity } }: SetPlan,
  row: readonly RankedUnits[],
  chosen: readonly Roles[],
): boolean {
  const size = buyQuantity + getQuantity;
  let [units, given] = [0, 0];
  return row.every(({ rank }, at) => {
    units += chosen[at]!.bought + chosen[at]!.given;
    given += chosen[at]!.given;
    if (row[at + 1]?.rank === rank) return true;
    return given === Math.floor(units / size) * getQuantity + Math.max(0, (units % size) - buyQuantity);
  });
}

function unitsOfRoles(row: readonly SetUnits[], chosen: readonly Roles[]): SetUnitsTaken {
  const bought: UnitCount[] = [];
  const given: UnitCount[] = [];
  row.forEach(({ line }, at) => {
    const roles = chosen[at]!;
    if (roles.bought > 0) bought.push({ line, units: roles.bought });
    if (roles.given > 0) given.push({ line, units: roles.given });
  });
  return { bought, given };
}

/** Per place the largest value from there on; 0 behind the last. */
function suffixMaxima(values: readonly number[]): number[] {
  const maxima = [...values, 0];
  for (let at = values.length - 2; at >= 0; at--) maxima[at] = Math.max(values[at]!, maxima[at + 1]!);
  return maxima;
}

function suffixSums(values: readonly number[]): number[] {
  const sums = [...values, 0];
  for (let at = values.length - 1; at >= 0; at--) sums[at]! += sums[at + 1]!;
  return sums;
}
