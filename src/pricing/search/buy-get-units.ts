import type { BuyGetRule } from '../rule.ts';
import type { UnitCount, UnitPool } from '../unit-pool.ts';
import { buyableUnits } from './set-plan.ts';

/** Chooses the units that an offer has bought and given, from what other groups have left. */

/** The lines of an offer. To select units, `buy` comes with the dearest first and `get` with the cheapest first. */
export interface BuyGetLines {
  readonly buy: readonly number[];
  readonly get: readonly number[];
  readonly isBuy: readonly boolean[];
}

export interface BuyGetUnits {
  readonly bought: readonly UnitCount[];
  readonly given: readonly UnitCount[];
}

/** How often the offer fits into what the pool holds: bought and given units are different units. */
export function maximumTimes(rule: BuyGetRule, lines: BuyGetLines, pool: UnitPool): number {
  const { buyQuantity, getQuantity } = rule;
  let buy = 0;
  for (const i of lines.buy) buy += buyableUnits(rule, pool, i);
  let get = 0;
  let getOnly = 0;
  for (const i of lines.get) {
    const units = pool.takeable(i);
    get += units;
    if (!lines.isBuy[i]) getOnly += units;
  }
  return Math.min(
    Math.floor(buy / buyQuantity),
    Math.floor(get / getQuantity),
    Math.floor((buy + getOnly) / (buyQuantity + getQuantity)),
  );
}

/**
 * The units of `times` applications, `times` at most `maximumTimes`: the given ones are the cheapest that leave enough to
 * buy, the bought ones the dearest of the rest.
 */
export function selectUnits(rule: BuyGetRule, lines: BuyGetLines, pool: UnitPool, times: number): BuyGetUnits {
  let buyable = -times * rule.buyQuantity;
  for (const i of lines.buy) buyable += buyableUnits(rule, pool, i);
  const given: UnitCount[] = [];
  const givenOf = new Map<number, number>();
  let wanted = times * rule.getQuantity;
  for (const line of lines.get) {
    if (wanted === 0) break;
    let units = Math.min(pool.takeable(line), wanted);
    if (lines.isBuy[line]) {
      units = Math.min(units, buyable);
      buyable -= units;
    }
    if (units === 0) continue;
    given.push({ line, units });
    givenOf.set(line, units);
    wanted -= units;
  }
  const bought: UnitCount[] = [];
  let missing = times * rule.buyQuantity;
  for (const line of lines.buy) {
    if (missing === 0) break;
    const units = Math.min(buyableUnits(rule, pool, line) - (givenOf.get(line) ?? 0), missing);
    if (units === 0) continue;
    bought.push({ line, units });
    missing -= units;
  }
  return { bought, given };
}
