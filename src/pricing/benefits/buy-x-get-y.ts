import { toHundredths } from '../../money/round.ts';
import type { BuyXGetYRule } from '../programme.ts';
import type { UnitCount, UnitPool } from '../unit-pool.ts';
import type { Kind } from './kind.ts';

/** `buy_x_get_y`: for every X units bought, the cheapest Y qualifying units at a percentage off. */
export const buyXGetY: Kind<'buy_x_get_y'> = {
  level: 'group',
  isPercentage: true,
  namesMoney: false,
  compile: ({ kind, buy, get }) => ({
    kind,
    buyQuantity: buy.quantity,
    getQuantity: get.quantity,
    percentHundredths: toHundredths(get.percent ?? 100)!,
  }),
  selectors: ({ buy, get }) => [buy.appliesTo, get.appliesTo],
};

/** The lines of an offer. To select units, `buy` comes with the dearest first and `get` with the cheapest first. */
export interface BuyXGetYLines {
  readonly buy: readonly number[];
  readonly get: readonly number[];
  readonly isBuy: readonly boolean[];
}

export interface BuyXGetYUnits {
  readonly bought: readonly UnitCount[];
  readonly given: readonly UnitCount[];
}

/** How often the offer fits into what the pool holds: bought and given units are different units. */
export function maximumTimes(rule: BuyXGetYRule, lines: BuyXGetYLines, pool: UnitPool): number {
  const { buyQuantity, getQuantity } = rule;
  let buy = 0;
  for (const i of lines.buy) buy += pool.spare[i]!;
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
 * buy, the bought ones the dearest of the rest. Of equal prices the earlier line comes first.
 */
export function selectUnits(rule: BuyXGetYRule, lines: BuyXGetYLines, pool: UnitPool, times: number): BuyXGetYUnits {
  let buyable = -times * rule.buyQuantity;
  for (const i of lines.buy) buyable += pool.spare[i]!;
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
    const units = Math.min(pool.spare[line]! - (givenOf.get(line) ?? 0), missing);
    if (units === 0) continue;
    bought.push({ line, units });
    missing -= units;
  }
  return { bought, given };
}
