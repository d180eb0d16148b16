import type { Choice } from './choice.ts';
import { assignCoupons } from './coupons.ts';
import { everyChoice } from './enumeration.ts';
import { type ComponentInput, type Judged, Model, type Multipliers } from './model.ts';
import { type Block, relax, respondBlock } from './multipliers.ts';
import { isBefore } from './rank.ts';
import type { Subproblem } from './roles.ts';
import { labelsOf, MOST_LABELS } from './rows.ts';
import { type Answer, type Move, movesOf } from './ruin.ts';
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

/**
 * Tries moves in turn, again and again, until none has gained since the last one that did, or no more is to be gained. `isLast`: the
 * search ends with this one unless it gains.
 */
export function tryInTurn<Move>(
  moves: readonly Move[],
  attempt: (move: Move, isLast: boolean) => boolean,
  isOpen = (): boolean => true,
): void {
  let failed = 0;
  for (let at = 0; failed < moves.length && isOpen(); at++) {
    const hasGained = attempt(moves[at % moves.length]!, failed === moves.length - 1);
    failed = hasGained ? 0 : failed + 1;
  }
}

/** The search for a good choice of a component. */
export class ComponentSearch {
  #best: Judged | undefined;
  readonly #model: Model;
  readonly #seen = new Map<string, number>();
  #valueOfPlain = 0;
  #bound = Number.POSITIVE_INFINITY;

  constructor(input: ComponentInput) {
    this.#model = new Model(input);
  }

  /** Undefined where even to take nothing is not permitted, because of what was drawn first. */
  run(depth: Depth): Found | undefined {
    this.#valueOfPlain = this.#valueWithoutOffers();
    const gap = this.#improveFromStarts(depth);
    return this.#best && { best: this.#best, lines: this.#model.lines, gap };
  }

  /** What the lines are worth at the gains of their plain benefits, which the relaxation promises too. */
  #valueWithoutOffers(): number {
    const { nothing, plain, lines } = this.#model;
    let saved = 0;
    for (let line = 0; line < plain.length; line++) saved += plain[line]! * nothing.free[line]!;
    const value = this.#consider(nothing);
    // What was drawn first may only be permitted with something else.
    return (Number.isFinite(value) ? value : -priceOf(lines)) - saved;
  }

  /** Answers with the gap that is left. */
  #improveFromStarts(depth: Depth): number {
    const model = this.#model;
    const { subproblems, coupons, work } = model;
    const withCoupons = this.#build([], { partOfLimits: 1 });
    if (subproblems.length === 0) {
      // What a part of the staff's discount is rounded to may forbid what is assigned.
      if (!model.isEven || !Number.isFinite(withCoupons)) this.#considerAll();
      return 0;
    }
    const alone = this.#tryAlone();
    if (subproblems.length === 1 && coupons.length === 0 && alone.get(subproblems[0]!)! > Number.NEGATIVE_INFINITY) {
      if (!model.isEven) this.#considerAll();
      return 0;
    }
    const blocks = blocksOf(subproblems, alone);
    const orders = [blocks, [...blocks].reverse()].map((order) => order.map((block): Answer => ({ block })));
    for (const order of orders)
      for (const partOfLimits of [1, 0]) if (work.left > 0) this.#build(order, { partOfLimits });
    this.#bound = relax(model, blocks, ROUNDS[depth], (multipliers, round, bound) => {
      this.#bound = bound;
      if (!this.#isOpen) return undefined;
      this.#build(orders[round % 2]!, { multipliers, isRelaxed: round % 4 > 1 });
      return this.#saved;
    });
    if (depth === 'full' && this.#best) this.#improve(movesOf(model, blocks));
    if (this.#isOpen || !model.isEven) this.#considerAll();
    // Too little effort may have been left for a single round: no more can be saved than all lines cost.
    const bound = Number.isFinite(this.#bound) ? this.#bound : priceOf(model.lines);
    return Math.max(0, bound - this.#saved);
  }

  get #saved(): number {
    return (this.#best?.value ?? this.#valueOfPlain) - this.#valueOfPlain;
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
    const multipliers: Multipliers = { unit: plain, deal: new Float64Array(plain.length) };
    return new Map(
      subproblems.map((subproblem) => {
        const choice = nothing.copy();
        respondBlock(this.#model, choice, [subproblem], multipliers);
        return [subproblem, this.#consider(choice)];
      }),
    );
  }

  /** A choice from nothing, with what it is worth. */
  #build(answers: readonly Answer[], prices: Move['prices']): number {
    return this.#consider(recreate(this.#model, this.#model.nothing, { ruined: [], answers, prices }));
  }

  #considerAll(): void {
    for (const choice of everyChoice(this.#model)) {
      if (this.#model.work.left === 0) return;
      this.#consider(choice);
    }
  }

  /** Ruin and recreate, and then swaps, as long as that gains. */
  #improve(moves: readonly ((choice: Choice) => Move | undefined)[]): void {
    const attempt = (moveOf: (typeof moves)[number], isLast: boolean): boolean => {
      const { choice } = this.#best!;
      const move = moveOf(choice);
      if (move) this.#consider(recreate(this.#model, choice, move));
      if (isLast && this.#best!.choice === choice) this.#swap();
      return this.#best!.choice !== choice;
    };
    tryInTurn(moves, attempt, () => this.#isOpen);
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
function blocksOf(subproblems: readonly Subproblem[], alone: ReadonlyMap<Subproblem, number>): Block[] {
  const sorted = subproblems.toSorted((a, b) => alone.get(b)! - alone.get(a)!);
  const joint: Subproblem[] = [];
  let labels = 1;
  for (const subproblem of sorted) {
    if (subproblem.form !== 'row' || Number.isFinite(subproblem.money)) continue;
    if (labels * labelsOf(subproblem) > MOST_LABELS) continue;
    labels *= labelsOf(subproblem);
    joint.push(subproblem);
  }
  const blocks: Block[] = [];
  for (const subproblem of sorted) {
    if (subproblem === joint[0]) blocks.push(joint);
    else if (!joint.includes(subproblem)) blocks.push([subproblem]);
  }
  return blocks;
}

/** The choice after a move: coupons are assigned last, and formed bundles are filled anew with them. */
function recreate(model: Model, from: Choice, { ruined, answers, prices, without }: Move): Choice {
  const choice = from.copy();
  for (const { roles } of ruined) choice.clear(roles);
  choice.clear(model.coupons);
  const withheld = without === undefined ? 0 : choice.free[without]!;
  if (without !== undefined) choice.free[without] = 0;
  const multipliers = 'multipliers' in prices ? prices.multipliers : couponPrices(model, choice, prices.partOfLimits);
  const isRelaxed = 'multipliers' in prices && prices.isRelaxed;
  for (const { block, atMost } of answers) {
    for (const { roles } of block) choice.clear(roles);
    respondBlock(model, choice, block, multipliers, { atMost, isRelaxed });
  }
  assignCoupons(model, choice, { alongside: 'formed bundles' });
  if (without !== undefined) choice.free[without]! += withheld;
  return choice;
}

/** What coupons would give for a unit of each line. Where all of their limits are disregarded, they keep what they have, and a unit costs nothing more. */
function couponPrices(model: Model, choice: Choice, partOfLimits: number): Multipliers {
  const waiting = model.subproblems.filter(({ form, roles }) => form === 'money' && choice.unitsOf(roles) === 0);
  const prices = assignCoupons(model, choice, { alongside: 'unspent money', partOfLimits });
  for (const { roles } of waiting) choice.clear(roles);
  if (partOfLimits > 0) choice.clear(model.coupons);
  return { unit: partOfLimits > 0 ? prices : model.plain, deal: new Float64Array(prices.length) };
}
