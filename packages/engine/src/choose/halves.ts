import { isAt } from '../offers/offers.ts';
import { COST } from '../work.ts';
import type { Choice } from './choice.ts';
import { cut } from './cut.ts';
import type { Model, Multipliers } from './model.ts';
import type { Subproblem } from './roles.ts';
import { mostGiven } from './sets.ts';

/**
 * Sets of which some units can only be bought or only be given, by label setting over the units that may be both, the dearest first. A label
 * is how many units have been bought, and how many may be given for full `buy.quantity`. Those only bought come before, the cheapest by
 * their multipliers first; those only given after, those first that gain most. The last set may give fewer, unless it has to be complete.
 */

/** So many sets at once. */
const MOST_SETS = 24;
const TOLERANCE = 1e-9;
const NEVER = Number.NEGATIVE_INFINITY;

export function respondHalves(model: Model, choice: Choice, subproblem: Subproblem, multipliers: Multipliers): void {
  const { roles, row, size, offer } = subproblem;
  const { rule } = (isAt(offer, 'buyGet') ? offer.benefit : undefined)!;
  const { buyQuantity, getQuantity, leastGiven, sharesBought } = rule;
  const [buy, give] = roles as [number, number];
  const gain = model.roles[give]!.gain;
  const mayBuy = model.roles[buy]!.gain;
  const price = (line: number): number => multipliers.unit[line]! + multipliers.deal[line]!;
  const cost = (line: number): number => (sharesBought ? multipliers.deal[line]! : price(line));
  const reduced = (line: number): number => gain[line]! - price(line);
  const { free, freeOfDeals } = choice;
  const unitsOf = (line: number, isBought: boolean): number[] => {
    const units = isBought && sharesBought ? freeOfDeals[line]! : Math.min(freeOfDeals[line]!, free[line]!);
    return new Array<number>(Math.max(0, Math.min(units, MOST_SETS * size))).fill(line);
  };
  const isInRow = new Set(row);
  const outside = [...model.lines.keys()].filter((line) => !isInRow.has(line));
  const onlyBought = outside.filter((line) => mayBuy[line] === 0).sort((a, b) => cost(a) - cost(b) || a - b);
  const onlyGiven = outside.filter((line) => gain[line]! > NEVER).sort((a, b) => reduced(b) - reduced(a) || a - b);
  const before = onlyBought.flatMap((line) => unitsOf(line, true));
  const within = row.flatMap((line) => unitsOf(line, false));
  const after = onlyGiven.flatMap((line) => unitsOf(line, false));
  const most = Math.min(
    MOST_SETS,
    Math.floor((before.length + within.length) / buyQuantity),
    Math.ceil(mostGiven(rule, Math.min(subproblem.most, within.length + after.length)) / getQuantity),
  );
  if (most <= 0) return;
  // Where no limit is near, it does not matter how many full sets have been bought.
  const bought = subproblem.most > most * getQuantity ? buyQuantity : most * buyQuantity + 1;
  const open = most * getQuantity + 1;
  const labels = bought * open;
  if (!model.work.spend((within.length + 1) * labels * COST.label)) return;
  const labelOf = (count: number, owed: number): number =>
    owed * bought + (bought === buyQuantity ? count % bought : count);
  const ofBefore = (count: number): number => labelOf(count, Math.floor(count / buyQuantity) * getQuantity);
  const first = new Float64Array(labels).fill(NEVER);
  const mostBefore = Math.min(before.length, most * buyQuantity);
  let paid = 0;
  for (let count = 0; count <= mostBefore; count++) {
    if (count > 0) paid -= cost(before[count - 1]!);
    first[ofBefore(count)] = Math.max(first[ofBefore(count)]!, paid);
  }
  let best: Float64Array = first;
  const layers = within.map((line) => {
    const next = best.slice();
    const from = new Int32Array(labels).fill(-1);
    const reach = (to: number, own: number, label: number): void => {
      if (own > next[to]! + TOLERANCE) [next[to], from[to]] = [own, label];
    };
    for (let label = 0; label < labels; label++) {
      const value = best[label]!;
      if (value === NEVER) continue;
      const [count, owed] = [label % bought, Math.floor(label / bought)];
      const more = (count + 1) % buyQuantity === 0 ? getQuantity : 0;
      if (owed + more < open && (bought === buyQuantity || count + 1 < bought))
        reach(labelOf(count + 1, owed + more), value - cost(line), label);
      if (owed > 0) reach(labelOf(count, owed - 1), value + reduced(line), label);
    }
    best = next;
    return from;
  });
  /** So many units less than a full one the last set may give. */
  const mayLack = getQuantity - leastGiven;
  const added = [0];
  for (const line of after) added.push(added.at(-1)! + reduced(line));
  const gaining = after.filter((line) => reduced(line) > 0).length;
  let [label, left, top] = [0, 0, TOLERANCE];
  for (let owed = 0; owed < open && owed - mayLack <= after.length; owed++) {
    for (let count = 0; count < bought; count += buyQuantity) {
      // Where labels do not say how many sets there are, no limit is near.
      const over = bought === buyQuantity ? 0 : (count / buyQuantity) * getQuantity - subproblem.most;
      const [least, most] = [Math.max(0, owed - mayLack), Math.min(after.length, owed - Math.max(0, over))];
      if (least > most) continue;
      const units = Math.min(most, Math.max(least, gaining));
      const value = best[owed * bought + count]! + added[units]!;
      if (value > top) [label, left, top] = [owed * bought + count, units, value];
    }
  }
  if (top <= TOLERANCE) return;
  for (const line of after.slice(0, left)) choice.add(give, line, 1);
  for (let at = layers.length - 1; at >= 0; at--) {
    const from = layers[at]![label]!;
    if (from < 0) continue;
    const isGiven = Math.floor(from / bought) - 1 === Math.floor(label / bought) && from % bought === label % bought;
    choice.add(isGiven ? give : buy, within[at]!, 1);
    label = from;
  }
  for (let count = 0; count <= mostBefore; count++) {
    if (ofBefore(count) !== label) continue;
    for (const line of before.slice(0, count)) choice.add(buy, line, 1);
    break;
  }
  cut(model, subproblem, choice);
}
