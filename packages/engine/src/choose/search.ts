import type { Choice } from './choice.ts';
import { assignCoupons } from './coupons.ts';
import { everyChoice } from './enumeration.ts';
import { type ComponentInput, type Judged, Model, type Multipliers } from './model.ts';
import { relax, respondTurn, type Turn } from './multipliers.ts';
import { isBefore } from './rank.ts';
import type { Subproblem } from './roles.ts';
import { labelsOf, MOST_LABELS } from './rows.ts';
import { type AtMultipliers, type Move, movesOf, type Step } from './ruin.ts';
import { swapUnits } from './swaps.ts';

/** `quick` for one of many choices that are looked at; `full` for the one that is taken. */
export type Depth = 'quick' | 'full';

export interface Found {
  readonly best: Judged;
  /** The lines of what it takes, in that order. */
  readonly lines: Model['lines'];
  /** What the relaxation promises beyond it, in minor units by their worth. */
  readonly gap: number;
}

const ROUNDS: Readonly<Record<Depth, number>> = { quick: 6, full: 30 };
/** A choice that lacks no more than this part of what can be saved is good enough. */
const RELATIVE_GAP = 0.0002;
const MOST_SWAPS = 20;
/** Values that differ by no more than this are equal. */
const TOLERANCE = 1e-6;

/** The search for a good choice of a component. */
export class ComponentSearch {
  #best: Judged | undefined;
  readonly #model: Model;
  readonly #seen = new Map<string, number>();
  /** What nothing but plain benefits is worth. */
  #offset = 0;
  #bound = Number.POSITIVE_INFINITY;

  constructor(input: ComponentInput) {
    this.#model = new Model(input);
  }

  /** Undefined where even to take nothing is not permitted, because of what was drawn first. */
  run(depth: Depth): Found | undefined {
    const gap = this.#improveFromStarts(depth);
    return this.#best && { best: this.#best, lines: this.#model.lines, gap };
  }

  /** Answers with the gap that is left. */
  #improveFromStarts(depth: Depth): number {
    const model = this.#model;
    const { subproblems, coupons, nothing, plain, work, lines } = model;
    let ofPlain = 0;
    for (let line = 0; line < plain.length; line++) ofPlain += plain[line]! * nothing.free[line]!;
    const ofNothing = this.#consider(nothing);
    // What was drawn first may only be permitted with something else.
    this.#offset = (Number.isFinite(ofNothing) ? ofNothing : -priceOf(lines)) - ofPlain;
    const ofCoupons = this.#build([], 1);
    if (subproblems.length === 0) {
      // What a part of the staff's discount is rounded to may forbid what is assigned.
      if (!model.isEven || !Number.isFinite(ofCoupons)) this.#considerAll();
      return 0;
    }
    const alone = this.#tryAlone();
    if (subproblems.length === 1 && coupons.length === 0 && alone.get(subproblems[0]!)! > Number.NEGATIVE_INFINITY) {
      if (!model.isEven) this.#considerAll();
      return 0;
    }
    const turns = turnsOf(subproblems, alone);
    const orders = [turns, [...turns].reverse()].map((order) => order.map((turn): Step => ({ turn })));
    for (const order of orders) for (const share of [1, 0]) if (work.left > 0) this.#build(order, share);
    this.#bound = relax(model, turns, ROUNDS[depth], (multipliers, round, bound) => {
      this.#bound = bound;
      if (!this.#isOpen) return undefined;
      this.#build(orders[round % 2]!, multipliers, round % 4 > 1);
      return this.#saved;
    });
    if (depth === 'full' && this.#best) this.#improve(movesOf(model, turns));
    if (this.#isOpen || !model.isEven) this.#considerAll();
    if (!Number.isFinite(this.#bound)) {
      // Too little effort was left for a single round: no more can be saved than all lines cost.
      this.#bound = priceOf(lines);
    }
    return Math.max(0, this.#bound - this.#saved);
  }

  get #saved(): number {
    return (this.#best?.value ?? this.#offset) - this.#offset;
  }

  get #isOpen(): boolean {
    const saved = this.#saved;
    return this.#model.work.left > 0 && this.#bound - saved > Math.max(1, RELATIVE_GAP * saved);
  }

  /** What a choice is worth; −∞ where it is not permitted. */
  #consider(choice: Choice): number {
    const { key } = choice;
    const known = this.#seen.get(key);
    if (known !== undefined) return known;
    const judged = this.#model.judge(choice);
    const value = judged?.value ?? Number.NEGATIVE_INFINITY;
    this.#seen.set(key, value);
    if (judged && isBetter(judged, this.#best)) this.#best = judged;
    return value;
  }

  /** No choice saves less than one of the offers alone. */
  #tryAlone(): ReadonlyMap<Subproblem, number> {
    const { subproblems, nothing, plain } = this.#model;
    const ofPlain: Multipliers = { unit: plain, deal: new Float64Array(plain.length) };
    return new Map(
      subproblems.map((subproblem) => {
        const own = nothing.copy();
        respondTurn(this.#model, own, [subproblem], ofPlain);
        return [subproblem, this.#consider(own)];
      }),
    );
  }

  #build(order: readonly Step[], at: AtMultipliers, isRelaxed = false): number {
    return this.#consider(rebuild(this.#model, this.#model.nothing, [], order, at, isRelaxed));
  }

  #considerAll(): void {
    for (const choice of everyChoice(this.#model)) {
      if (this.#model.work.left === 0) return;
      this.#consider(choice);
    }
  }

  /** Ruin and recreate, and then swaps, as long as that gains. */
  #improve(moves: readonly ((choice: Choice) => Move | undefined)[]): void {
    for (let [at, left] = [0, moves.length]; left > 0 && this.#isOpen; at++, left--) {
      const { choice } = this.#best!;
      const move = moves[at % moves.length]!(choice);
      if (move) this.#consider(rebuildMoved(this.#model, choice, move));
      if (left === 1 && this.#best!.choice === choice) this.#swap();
      if (this.#best!.choice !== choice) left = moves.length + 1;
    }
    if (!this.#isOpen) this.#swap();
  }

  /** Units of two lines change places. */
  #swap(): void {
    for (let swaps = 0; swaps < MOST_SWAPS; swaps++) {
      const swapped = swapUnits(this.#model, this.#best!.choice, ({ key }) => this.#seen.has(key));
      if (!swapped) break;
      this.#consider(swapped);
    }
  }
}

function priceOf(lines: Model['lines']): number {
  return lines.reduce((sum, { incoming }) => sum + incoming, 0);
}

function isBetter(one: Judged, other: Judged | undefined): boolean {
  if (!other) return true;
  if (Math.abs(one.value - other.value) > TOLERANCE) return one.value > other.value;
  return isBefore(one.rank, other.rank);
}

/** Those that save most alone answer first; sets that are cut from rows answer together, as far as their labels are few enough. */
function turnsOf(subproblems: readonly Subproblem[], alone: ReadonlyMap<Subproblem, number>): Turn[] {
  const sorted = subproblems.toSorted((a, b) => alone.get(b)! - alone.get(a)!);
  const joint: Subproblem[] = [];
  let labels = 1;
  for (const subproblem of sorted) {
    if (subproblem.form !== 'row' || Number.isFinite(subproblem.money)) continue;
    if (labels * labelsOf(subproblem) > MOST_LABELS) continue;
    labels *= labelsOf(subproblem);
    joint.push(subproblem);
  }
  const turns: Turn[] = [];
  for (const subproblem of sorted) {
    if (subproblem === joint[0]) turns.push(joint);
    else if (!joint.includes(subproblem)) turns.push([subproblem]);
  }
  return turns;
}

function rebuildMoved(model: Model, from: Choice, { released, order, at = 1, without }: Move): Choice {
  if (without === undefined) return rebuild(model, from, released, order, at, typeof at !== 'number');
  const own = from.copy();
  own.clear(released.flatMap(({ roles }) => roles));
  own.clear(model.coupons);
  const units = own.free[without]!;
  own.free[without] = 0;
  const built = rebuild(model, own, [], order, at);
  built.free[without]! += units;
  return built;
}

/** The choice without some offers, and what they answer in this order. Then coupons and formed bundles are assigned anew. */
function rebuild(
  model: Model,
  from: Choice,
  released: readonly Subproblem[],
  order: readonly Step[],
  at: AtMultipliers,
  isRelaxed = false,
): Choice {
  const choice = from.copy();
  for (const { roles } of released) choice.clear(roles);
  choice.clear(model.coupons);
  let multipliers: Multipliers;
  if (typeof at === 'number') {
    const waiting = model.subproblems.filter(({ form, roles }) => form === 'money' && choice.unitsOf(roles) === 0);
    const unit = assignCoupons(model, choice, 'money', at);
    for (const { roles } of waiting) choice.clear(roles);
    if (at > 0) choice.clear(model.coupons);
    multipliers = { unit: at > 0 ? unit : model.plain, deal: new Float64Array(unit.length) };
  } else multipliers = at;
  for (const { turn, most } of order) {
    for (const { roles } of turn) choice.clear(roles);
    respondTurn(model, choice, turn, multipliers, { atMost: most, isRelaxed });
  }
  assignCoupons(model, choice, 'bundles');
  return choice;
}
