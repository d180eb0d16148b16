import { COST } from '../work.ts';
import type { Choice } from './choice.ts';
import type { Model, Multipliers } from './model.ts';
import type { Subproblem } from './roles.ts';

/**
 * Units for a sum of money, a knapsack: those first that cost others least for what they spend, or that gain most; then one more, one
 * less, or one in place of another, as long as that gains. What takes all that is left of a line takes it whole, but not in the
 * relaxation, where others may take some of it.
 */

const TOLERANCE = 1e-6;
const NOTHING = -1;

export function spendMoney(
  model: Model,
  choice: Choice,
  { roles, most, money }: Subproblem,
  multipliers: Multipliers,
  isRelaxed: boolean,
): void {
  const [role] = roles as [number];
  const { gain: net, gross, part, isOnce } = model.roles[role]!;
  const isWhole = part === 'rest';
  // What gives way to it is a cost as well.
  const cost = multipliers.unit.map((own, line) => (net[line]! > 0 ? own + gross[line]! - net[line]! : own));
  const rests = isWhole ? model.roles.flatMap(({ part: other }, at) => (other === 'rest' ? at : [])) : [];
  const { free } = choice;
  const open = [...free.keys()].filter(
    (line) =>
      free[line]! > 0 &&
      net[line]! > (isWhole ? 0 : multipliers.unit[line]!) &&
      !rests.some((own) => choice.taken[own]![line]! > 0),
  );
  const lot = (line: number): number => (line < 0 ? 0 : isWhole && !isRelaxed ? free[line]! : 1);
  const byRate = (a: number, b: number): number =>
    cost[a]! / gross[a]! - cost[b]! / gross[b]! || gross[b]! - gross[a]! || a - b;
  const byGain = (a: number, b: number): number => gross[b]! - cost[b]! - gross[a]! + cost[a]! || a - b;
  let best: { readonly value: number; readonly units: Int32Array } | undefined;
  for (const order of [byRate, byGain]) {
    const units = new Int32Array(free.length);
    let [taken, off, given, value] = [0, 0, 0, 0];
    const after = (more: number, less: number): number => {
      const [plus, minus] = [lot(more), lot(less)];
      const sum = off + (plus && plus * gross[more]!) - (minus && minus * gross[less]!);
      return Math.min(sum, money) - given - (plus && plus * cost[more]!) + (minus && minus * cost[less]!);
    };
    const move = (more: number, less: number): void => {
      value = after(more, less);
      for (const [line, sign] of [[more, 1] as const, [less, -1] as const]) {
        if (line < 0) continue;
        units[line]! += sign * lot(line);
        taken += sign;
        off += sign * lot(line) * gross[line]!;
        given += sign * lot(line) * cost[line]!;
      }
    };
    const mayTake = (line: number): boolean => units[line]! + lot(line) <= (isOnce ? 1 : free[line]!);
    if (!model.work.spend(open.length * COST.knapsackMove)) break;
    for (const line of open.toSorted(order))
      while (taken < most && mayTake(line) && after(line, NOTHING) > value + TOLERANCE) move(line, NOTHING);
    for (let isChanged = true; isChanged; ) {
      isChanged = false;
      const held = [NOTHING, ...open.filter((line) => units[line]! > 0)];
      if (!model.work.spend(open.length * held.length * COST.knapsackMove)) break;
      for (const more of [...open, NOTHING])
        for (const less of held) {
          if (more === less || (more >= 0 && !mayTake(more)) || (less >= 0 && units[less] === 0)) continue;
          if ((less < 0 && taken === most) || after(more, less) <= value + TOLERANCE) continue;
          move(more, less);
          isChanged = true;
        }
    }
    if (!best || value > best.value + TOLERANCE) best = { value, units };
  }
  // The money is spent in the order of the basket; nobody takes what then gets nothing.
  let left = money;
  for (const line of open.sort((a, b) => model.lines[a]!.index - model.lines[b]!.index)) {
    const units = best?.units[line] ?? 0;
    if (left > 0 && units > 0) choice.add(role, line, units);
    left -= units * gross[line]!;
  }
}
