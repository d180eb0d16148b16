import { effectOn } from '../modified-line.ts';
import { type LineOffer, takesPercentage } from '../offers.ts';
import type { Pool } from '../pools.ts';
import type { LineTakes, Take } from '../split.ts';
import { COST } from '../work.ts';
import type { Budgets } from './budgets.ts';
import type { LineOptions } from './line-options.ts';
import { sortTakes } from './options.ts';
import type { Problem } from './problem.ts';

/** Lines to be decided, and all that is known of them. */
export interface FillTask {
  readonly problem: Problem;
  readonly lines: readonly number[];
  /** Per line the units that no group has taken, and what groups have. */
  readonly open: readonly number[];
  readonly grouped: readonly (readonly Take[])[];
  readonly bought: readonly LineTakes['bought'][];
  /** The takes of all other lines. */
  readonly base: readonly LineTakes[];
  readonly options: LineOptions;
  readonly budgets: Budgets;
}

interface Gain {
  readonly line: number;
  readonly offer: LineOffer;
  readonly slot: number;
  readonly perUnit: number;
}

/**
 * One good way to decide lines of many units: item by item where it gains most. A listing of the ways to deal out hundreds
 * of units would end before the number that matters, which is all that is left of a limit. Undefined when too few steps
 * are left.
 */
export function fillLines({
  problem,
  lines,
  open,
  grouped,
  bought,
  base,
  options,
  budgets,
}: FillTask): LineTakes[] | undefined {
  const { work } = problem;
  const gains: Gain[] = [];
  const rests = new Map<number, LineOffer | undefined>();
  for (const line of lines) {
    const units = open[line]!;
    const { isWeighed, isSplittable, existing } = problem.lines[line]!;
    if (units === 0) continue;
    const offers = options.byItemsOf(line);
    if (!work.spend((1 + offers.length) * (isWeighed ? COST.weighedEffect : COST.rankedOffer))) return undefined;
    const rest = options.restOf(line, units);
    rests.set(line, rest);
    // A part must beat its share of an existing discount, which is known later.
    if (!isSplittable || existing > 0) continue;
    const before = rest ? effectOf(problem, line, rest, units) / units : 0;
    for (const { offer, slot } of offers) {
      const perUnit = effectOf(problem, line, offer, units) / units - before;
      if (perUnit > 0 && offer.mostDiscount === Number.POSITIVE_INFINITY) {
        gains.push({ line, offer, slot, perUnit });
      }
    }
  }
  gains.sort((a, b) => b.perUnit - a.perUnit || a.line - b.line || a.slot - b.slot);
  const left = new Map<number, number>();
  const pooled = new Map<Pool | undefined, number>();
  const openLeft = [...open];
  const taken = new Map<number, Take[]>();
  for (const { line, offer, slot } of gains) {
    const own = taken.get(line) ?? [];
    const limit = left.get(slot) ?? budgets.itemsLeftOf(slot);
    const { pool } = offer;
    const inPool = pooled.get(pool) ?? budgets.itemsLeftIn(pool);
    const units = Math.min(openLeft[line]!, limit, inPool);
    if (units <= 0 || own.length >= options.maximumTakesOf(line)) continue;
    taken.set(line, [...own, { line, units, offer }]);
    openLeft[line]! -= units;
    left.set(slot, limit - units);
    pooled.set(pool, inPool - units);
  }
  const takes = [...base];
  for (const line of lines) {
    const rest = openLeft[line]! === open[line]! ? rests.get(line) : options.restOf(line, openLeft[line]!);
    takes[line] = {
      taken: sortTakes([...grouped[line]!, ...(taken.get(line) ?? [])]),
      bought: [...bought[line]!],
      rest,
    };
  }
  return takes;
}

function effectOf(problem: Problem, line: number, offer: LineOffer, units: number): number {
  return effectOn(offer.benefit.rule, takesPercentage(offer), problem.lines[line]!, units);
}
