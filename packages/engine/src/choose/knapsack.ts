import { COST } from '../work.ts';
import type { Choice } from './choice.ts';
import type { Model, Multipliers } from './model.ts';
import type { Subproblem } from './roles.ts';

/**
 * Units for an offer with a sum of money (`maximumDiscount`, a limit by money): a knapsack. Two orders are tried, by what others lose for each minor unit that is spent,
 * and by what a unit gains; then one more, one less, or one in place of another is taken, as long as that gains. An offer that takes
 * all that is left of a line takes it whole, but not in the relaxation, where others may take some of it.
 */

const TOLERANCE = 1e-6;
/** In place of a line: nothing is taken, or nothing given back. */
const NOTHING = -1;

/** What may be taken, and at what. */
interface Items {
  /** The lines of which units may be taken. */
  readonly lines: readonly number[];
  /** Per line: units that are taken together; the most units; what each spends of the money, and what others lose by it. */
  readonly lot: (line: number) => number;
  readonly mostUnits: (line: number) => number;
  readonly spent: Float64Array;
  readonly cost: Float64Array;
  /** So many lots, and so much money. */
  readonly most: number;
  readonly money: number;
}

export function spendMoney(
  model: Model,
  choice: Choice,
  subproblem: Subproblem,
  multipliers: Multipliers,
  isRelaxed: boolean,
): void {
  const [role] = subproblem.roles as [number];
  const items = itemsOf(model, choice, subproblem, multipliers, isRelaxed);
  const { lines, spent, cost, money } = items;
  const byRate = (a: number, b: number): number =>
    cost[a]! / spent[a]! - cost[b]! / spent[b]! || spent[b]! - spent[a]! || a - b;
  const byGain = (a: number, b: number): number => spent[b]! - cost[b]! - spent[a]! + cost[a]! || a - b;
  let best: Knapsack | undefined;
  for (const order of [byRate, byGain]) {
    if (!model.work.spend(lines.length * COST.knapsackMove)) break;
    const knapsack = new Knapsack(items, choice.free.length);
    knapsack.fill(lines.toSorted(order));
    while (model.work.spend(lines.length * (knapsack.held.length + 1) * COST.knapsackMove) && knapsack.exchange());
    if (!best || knapsack.value > best.value + TOLERANCE) best = knapsack;
  }
  if (best) for (const line of paidLines(best.units, spent, money)) choice.add(role, line, best.units[line]!);
}

function itemsOf(
  model: Model,
  { free, taken }: Choice,
  { roles: [role], most, money }: Subproblem,
  { unit }: Multipliers,
  isRelaxed: boolean,
): Items {
  const { gain, gross, part, isOnce } = model.roles[role!]!;
  const isWhole = part === 'rest';
  const rests = isWhole ? model.roles.flatMap(({ part: other }, at) => (other === 'rest' ? at : [])) : [];
  const isTaken = (line: number): boolean => rests.some((rest) => taken[rest]![line]! > 0);
  return {
    lines: [...free.keys()].filter(
      (line) => free[line]! > 0 && gain[line]! > (isWhole ? 0 : unit[line]!) && !isTaken(line),
    ),
    lot: (line) => (isWhole && !isRelaxed ? free[line]! : 1),
    mostUnits: (line) => (isOnce ? 1 : free[line]!),
    spent: gross,
    // The existing discount that gives way to it is a cost as well.
    cost: unit.map((price, line) => (gain[line]! > 0 ? price + gross[line]! - gain[line]! : price)),
    most,
    money,
  };
}

class Knapsack {
  readonly units: Int32Array;
  value = 0;
  readonly #items: Items;
  #lots = 0;
  #spent = 0;
  #cost = 0;

  constructor(items: Items, lines: number) {
    this.#items = items;
    this.units = new Int32Array(lines);
  }

  /** The lines of which units have been taken. */
  get held(): readonly number[] {
    return this.#items.lines.filter((line) => this.units[line]! > 0);
  }

  /** Takes units in this order, as long as they gain. */
  fill(order: readonly number[]): void {
    for (const line of order)
      while (this.#lots < this.#items.most && this.#gains(line, NOTHING)) this.#move(line, NOTHING);
  }

  /** Takes one more, one less, or one in place of another wherever that gains. False where nothing does. */
  exchange(): boolean {
    let isChanged = false;
    const givenBack = [NOTHING, ...this.held];
    for (const more of [...this.#items.lines, NOTHING])
      for (const less of givenBack) {
        if (more === less || (less !== NOTHING && this.units[less] === 0)) continue;
        if ((less === NOTHING && this.#lots === this.#items.most) || !this.#gains(more, less)) continue;
        this.#move(more, less);
        isChanged = true;
      }
    return isChanged;
  }

  #gains(more: number, less: number): boolean {
    const { lot, mostUnits } = this.#items;
    if (more !== NOTHING && this.units[more]! + lot(more) > mostUnits(more)) return false;
    return this.#valueAfter(more, less) > this.value + TOLERANCE;
  }

  #valueAfter(more: number, less: number): number {
    const { lot, spent, cost, money } = this.#items;
    const [plus, minus] = [more === NOTHING ? 0 : lot(more), less === NOTHING ? 0 : lot(less)];
    const sum = this.#spent + (plus && plus * spent[more]!) - (minus && minus * spent[less]!);
    return Math.min(sum, money) - this.#cost - (plus && plus * cost[more]!) + (minus && minus * cost[less]!);
  }

  #move(more: number, less: number): void {
    const { lot, spent, cost } = this.#items;
    this.value = this.#valueAfter(more, less);
    const add = (line: number, sign: number): void => {
      if (line === NOTHING) return;
      this.units[line]! += sign * lot(line);
      this.#lots += sign;
      this.#spent += sign * lot(line) * spent[line]!;
      this.#cost += sign * lot(line) * cost[line]!;
    };
    add(more, 1);
    add(less, -1);
  }
}

/** The money is spent in the order of the basket, which says nothing: whom the others leave nothing in any order does without, the smallest first. */
function paidLines(units: Int32Array, gross: Float64Array, money: number): readonly number[] {
  const taking = [...units.keys()].filter((line) => units[line]! > 0);
  const spent = (line: number): number => units[line]! * gross[line]!;
  let left = taking.reduce((sum, line) => sum + spent(line), 0);
  return taking
    .sort((a, b) => spent(a) - spent(b) || a - b)
    .filter((line) => {
      if (left - spent(line) < money) return true;
      left -= spent(line);
      return false;
    });
}
