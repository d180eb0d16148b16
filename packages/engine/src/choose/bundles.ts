import { isAt } from '../offers/offers.ts';
import { COST } from '../work.ts';
import type { Choice } from './choice.ts';
import type { Model, Multipliers } from './model.ts';
import type { Role, Subproblem } from './roles.ts';

/**
 * Bundles of the units that gain most, one more at a time, as long as that gains. The units that fit the items of full bundles are the independent sets of a
 * transversal matroid, so the greedy is exact for each number of bundles: a unit changes its item to make room for another.
 */

const TOLERANCE = 1e-9;
/** After so many bundles more that gain nothing none is tried. */
const MOST_WORSE = 2;
/** Beyond so many bundles several are added at a time. */
const MOST_SINGLE = 64;

export function respondBundle(model: Model, choice: Choice, subproblem: Subproblem, multipliers: Multipliers): void {
  const bundles = new Bundles(model, choice, subproblem, multipliers);
  const { most, size, roles, money } = subproblem;
  if (!model.work.spend((bundles.lines + size) * roles.length * COST.bundledUnit)) return;
  bundles.sortByGain();
  let [worse, gained] = [0, 0];
  let best: readonly Int32Array[] | undefined;
  for (let times = 0, step = 1; times + step <= most && worse < MOST_WORSE; ) {
    times += step;
    if (!bundles.form(step)) break;
    const own = bundles.gained(money);
    if (own > gained + TOLERANCE) [best, gained, worse] = [bundles.copy(), own, 0];
    else worse += 1;
    step = times < MOST_SINGLE ? 1 : Math.ceil(times / 8);
  }
  if (best) for (const [item, role] of roles.entries()) choice.set(role, best[item]!);
}

/** Bundles of one offer that are being formed. Units are taken by what they gain less their multipliers. */
class Bundles {
  readonly #model: Model;
  readonly #subproblem: Subproblem;
  readonly #roles: readonly Role[];
  readonly #multipliers: Multipliers;
  readonly #quantities: readonly number[];
  /** Units by item and line, units that lines have left, and units that each item still asks for. */
  readonly #held: readonly Int32Array[];
  readonly #free: Int32Array;
  readonly #room: number[];
  /** The lines of which units fit an item; from `sortByGain` on those first whose units gain most. */
  readonly #order: number[];
  #byGain: readonly number[] = [];
  /** What the units cost others, and what comes off the bundles. */
  #cost = 0;
  #off = 0;

  constructor(model: Model, { free, freeOfDeals }: Choice, subproblem: Subproblem, multipliers: Multipliers) {
    this.#model = model;
    this.#subproblem = subproblem;
    this.#roles = subproblem.roles.map((role) => model.roles[role]!);
    this.#multipliers = multipliers;
    this.#quantities = (isAt(subproblem.offer, 'bundle') ? subproblem.offer.benefit.rule : undefined)!.quantities;
    this.#free = free.map((units, line) => Math.min(units, freeOfDeals[line]!));
    this.#held = this.#roles.map(() => new Int32Array(free.length));
    this.#room = this.#quantities.map(() => 0);
    const fitting = (line: number): boolean => this.#roles.some((_, item) => this.#fits(item, line));
    this.#order = [...free.keys()].filter((line) => this.#free[line]! > 0 && fitting(line));
  }

  get lines(): number {
    return this.#order.length;
  }

  sortByGain(): void {
    const reduced = new Map(
      this.#order.map((line) => [line, Math.max(...this.#roles.map(({ gross }) => gross[line]!)) - this.#price(line)]),
    );
    this.#byGain = this.#order.toSorted((a, b) => reduced.get(b)! - reduced.get(a)! || a - b);
  }

  /** Forms so many bundles more. False where units or effort are too few. */
  form(bundles: number): boolean {
    const { size, perBundle } = this.#subproblem;
    for (const [item, quantity] of this.#quantities.entries()) this.#room[item]! += quantity * bundles;
    this.#off += bundles * perBundle;
    let missing = bundles * size;
    const { work } = this.#model;
    if (!work.spend(this.#order.length * this.#roles.length * COST.bundledUnit)) return false;
    for (const line of this.#byGain) {
      while (missing > 0 && this.#free[line]! > 0) {
        if (!work.spend(this.#roles.length * COST.bundledUnit)) return false;
        const item = this.#roles.findIndex((_, own) => this.#fits(own, line) && this.#makeRoom(own, 1 << own));
        if (item < 0) break;
        missing -= this.#take(item, line);
      }
      if (missing === 0) return true;
    }
    return false;
  }

  gained(money: number): number {
    return Math.min(this.#off, money) - this.#cost;
  }

  copy(): readonly Int32Array[] {
    return this.#held.map((units) => units.slice());
  }

  #fits(item: number, line: number): boolean {
    return this.#roles[item]!.gain[line]! > Number.NEGATIVE_INFINITY;
  }

  /** What others would give for a unit. The existing discount that gives way is a cost as well, and none of the sum of money. */
  #price(line: number): number {
    const { gain, gross } = this.#roles.find((role) => role.gain[line]! > Number.NEGATIVE_INFINITY)!;
    return this.#multipliers.unit[line]! + this.#multipliers.deal[line]! + gross[line]! - gain[line]!;
  }

  /** True where the item asks for a unit, if need be because units of it have moved to others; `seen` has the items that were asked, as bits. */
  #makeRoom(item: number, seen: number): boolean {
    if (this.#room[item]! > 0) return true;
    this.#model.work.count(this.#order.length * COST.listedLine);
    for (const line of this.#order) {
      if (this.#held[item]![line] === 0) continue;
      for (let other = 0; other < this.#roles.length; other++) {
        const isAsked = (seen & (1 << other)) !== 0;
        if (isAsked || !this.#fits(other, line) || !this.#makeRoom(other, seen | (1 << other))) continue;
        this.#move(item, line, -1);
        this.#move(other, line, 1);
        return true;
      }
    }
    return false;
  }

  #take(item: number, line: number): number {
    const units = Math.max(1, Math.min(this.#free[line]!, this.#room[item]!));
    this.#move(item, line, units);
    this.#free[line]! -= units;
    this.#cost += units * this.#price(line);
    this.#off += units * this.#roles[item]!.gross[line]!;
    return units;
  }

  #move(item: number, line: number, units: number): void {
    this.#held[item]![line]! += units;
    this.#room[item]! -= units;
  }
}
