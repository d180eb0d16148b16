import type { UnitCount } from '../unit-pool.ts';
import type { BestSets, SetTask, SetUnits } from './set-task.ts';

/** Sets of units that have one role each: the best units of each role stand first in a heap of their own. */

export function byGain(units: readonly SetUnits[], role: 'buys' | 'gives'): SetUnits[] {
  return [...units].sort((a, b) => b[role] - a[role] || b.effect - a.effect);
}

/** The best sets where no unit has two roles: the best units of each. The bound holds where some have both. */
export function inTwoHeaps(task: SetTask, buyable: readonly SetUnits[], giveable: readonly SetUnits[]): BestSets {
  const { rule, mostEffect } = task;
  const { buyQuantity, getQuantity } = rule;
  const bought = byGain(buyable, 'buys');
  const given = byGain(giveable, 'gives');
  const fitting = Math.min(
    Math.floor(unitsIn(bought) / buyQuantity),
    Math.floor(unitsIn(given) / getQuantity),
    task.mostSets,
  );
  const gainOf = (sets: number): number =>
    gainOfFirst(bought, 'buys', sets * buyQuantity) + gainOfFirst(given, 'gives', sets * getQuantity);
  // Each further set gains no more than the one before it.
  const sets = lastTrue(fitting, (count) => gainOf(count) > gainOf(count - 1));
  const bound = Math.min(gainOf(sets), mostEffect);
  if (sets === 0) return { bound: 0, best: undefined, table: undefined };
  const effectOf = (count: number): number => gainOfFirst(given, 'effect', count * getQuantity);
  const cappedGainOf = (count: number): number => gainOf(count) - Math.max(0, effectOf(count) - mostEffect);
  const untilFull = 1 + lastTrue(sets, (count) => effectOf(count) < mostEffect);
  const count = [sets, Math.min(sets, untilFull), Math.min(sets, untilFull - 1)].reduce((a, b) =>
    cappedGainOf(b) > cappedGainOf(a) ? b : a,
  );
  const gain = count === 0 ? 0 : cappedGainOf(count);
  if (gain <= 0) return { bound, best: undefined, table: undefined };
  const units = { bought: firstOf(bought, count * buyQuantity), given: firstOf(given, count * getQuantity) };
  return { bound, best: { ...units, gain }, table: undefined };
}

/** The largest count up to `most` that the test is true for; it is true up to some count and false after it. */
function lastTrue(most: number, isTrue: (count: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isTrue(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function unitsIn(heap: readonly SetUnits[]): number {
  return heap.reduce((sum, { units }) => sum + units, 0);
}

function gainOfFirst(heap: readonly SetUnits[], of: 'buys' | 'gives' | 'effect', count: number): number {
  let [left, gain] = [count, 0];
  for (let at = 0; at < heap.length && left > 0; at++) {
    const own = heap[at]!;
    const units = Math.min(left, own.units);
    gain += units * own[of];
    left -= units;
  }
  return gain;
}

function firstOf(heap: readonly SetUnits[], count: number): UnitCount[] {
  let left = count;
  const taken: UnitCount[] = [];
  for (const { line, units } of heap) {
    if (left === 0) break;
    taken.push({ line, units: Math.min(left, units) });
    left -= Math.min(left, units);
  }
  return taken;
}
