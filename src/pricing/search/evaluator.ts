import { type OrderOffer, totalOrderDiscount } from '../order-discounts.ts';
import { settleParts } from '../settle.ts';
import { type LineTakes, NOTHING_BOUGHT, splitLines } from '../split.ts';
import { COST } from '../work.ts';
import type { Problem } from './problem.ts';

/** A complete choice with its total. */
export interface Combination {
  /** Per line of the basket. */
  readonly takes: readonly LineTakes[];
  readonly orders: readonly OrderOffer[];
  /** The price of the evaluator's lines, in minor units, worth counted where no order-level benefit is applied. */
  readonly total: number;
  /** Limited uses of line-level benefits and groups, in the whole basket. */
  readonly uses: number;
}

/** Computes the total of combinations that differ in some lines only. */
export interface Evaluator {
  /** The combination with its total. Undefined when it is not permitted. `uses` are counted by the caller. */
  evaluate(takes: readonly LineTakes[], uses: number): Combination | undefined;
  /** The total when no line to be decided takes anything. */
  readonly totalWithoutEffects: number;
  /** How many lines are computed. */
  readonly lines: number;
  /** Steps that an evaluation of these takes. */
  stepsOf(takes: readonly LineTakes[]): number;
  /** Computes some of the lines without the others; absent where a cap or an order discount ties them together. */
  readonly some?: PartEvaluator;
}

export interface PartEvaluator {
  totalOf(lines: readonly number[], takes: readonly LineTakes[]): number | undefined;
  stepsOf(lines: readonly number[], takes: readonly LineTakes[]): number;
}

const NO_ORDERS: readonly OrderOffer[] = [];
const UNTOUCHED: LineTakes = { taken: [], bought: NOTHING_BOUGHT, rest: undefined };

/** Sums up what lines cost, each unit as much as it is worth after order-level benefits; whole when it is worth 1. */
export function evaluateLines(problem: Problem, active: readonly number[], worth: readonly number[]): Evaluator {
  const { lines, policy, budgeted } = problem;
  let totalWithoutEffects = 0;
  for (const i of active) totalWithoutEffects += worth[i]! * lines[i]!.incoming;
  const totalOf = (some: readonly number[], takes: readonly LineTakes[]): number | undefined => {
    const parts = settleParts(splitLines(lines, some, takes), policy);
    if (!parts) return undefined;
    let total = 0;
    for (const { line, joined, rest } of parts) total += worth[(joined ?? line).index]! * rest;
    return total;
  };
  const stepsOf = (some: readonly number[], takes: readonly LineTakes[]): number =>
    countParts(problem, some, takes).steps;
  // A cap per basket ties all lines together on which its benefit has an effect.
  const hasCaps = budgeted.some(({ mostDiscount }) => mostDiscount !== Number.POSITIVE_INFINITY);
  return {
    totalWithoutEffects,
    lines: active.length,
    stepsOf: (takes) => stepsOf(active, takes),
    evaluate(takes, uses) {
      const total = totalOf(active, takes);
      return total === undefined ? undefined : { takes, orders: NO_ORDERS, total, uses };
    },
    ...(!hasCaps && { some: { totalOf, stepsOf } }),
  };
}

/** More order-level offers than this are all applied; fewer are tried in every selection where rounding may matter. */
const MAX_ORDERS_TRIED = 4;

/** Computes the whole basket with its order-level benefits. Lines that are not `active` are computed once. */
export function evaluateBasket(problem: Problem, active: readonly number[], base: readonly LineTakes[]): Evaluator {
  const { lines, policy, isRough, orders } = problem;
  const isActive = new Set(active);
  const others = lines.filter(({ index }) => !isActive.has(index));
  problem.work.count(
    countParts(
      problem,
      others.map(({ index }) => index),
      base,
    ).steps,
  );
  const fixed = settleParts(
    splitLines(
      lines,
      others.map(({ index }) => index),
      base,
    ),
    policy,
  );
  if (!fixed) throw new Error('assertion failed: what was decided before is permitted');
  const selections = selectOrders(problem);

  const evaluateWith = (
    selections: readonly (readonly OrderOffer[])[],
    takes: readonly LineTakes[],
    uses: number,
  ): Combination | undefined => {
    const settled = settleParts(splitLines(lines, active, takes), policy);
    if (!settled) return undefined;
    const parts = [...fixed, ...settled];
    // The shares of order discounts go by the order of the lines.
    if (isRough) parts.sort((a, b) => a.line.index - b.line.index);
    const rests = parts.map(({ rest }) => rest);
    const lineOf = parts.map(({ line }) => line.index);
    const lineTotal = rests.reduce((sum, rest) => sum + rest, 0);
    let best: Combination | undefined;
    for (const selected of selections) {
      const total = lineTotal - totalOrderDiscount(selected, rests, lineOf, !isRough);
      if (!best || total < best.total) best = { takes, orders: selected, total, uses };
    }
    return best;
  };
  const evaluate = (takes: readonly LineTakes[], uses: number) => evaluateWith(selections, takes, uses);
  // Every selection sums up the parts; where the offers touch different lines, each shares its discount out to them.
  let steps = orders.length * (problem.hasNetMinimum ? 2 : 1) * COST.listedLine;
  for (const selected of selections) steps += COST.listedLine + (isRough ? selected.length * problem.shareSteps : 0);
  const stepsOf = (takes: readonly LineTakes[]): number => {
    const own = countParts(problem, active, takes);
    return own.steps + (fixed.length + own.parts) * steps;
  };
  const untouched = lines.map(({ index }) => (isActive.has(index) ? UNTOUCHED : base[index]!));
  problem.work.count(stepsOf(untouched));
  // Bounds are counted from a total that no minimum makes dearer.
  const unasked = problem.hasNetMinimum
    ? selections.map((orders) => orders.map((order) => ({ ...order, netMinimum: 0 })))
    : selections;
  const totalWithoutEffects = evaluateWith(unasked, untouched, 0)!.total;
  return { evaluate, totalWithoutEffects, lines: active.length, stepsOf };
}

/** How many parts the lines are split into, and the steps that it takes to split and settle them. */
function countParts(
  { lines, shareSteps }: Problem,
  active: readonly number[],
  takes: readonly LineTakes[],
): { readonly parts: number; readonly steps: number } {
  let parts = 0;
  let steps = 0;
  for (const i of active) {
    const { taken, bought } = takes[i]!;
    const modifiers = (lines[i]!.unit?.lines.length ?? 1) - 1;
    const length = taken.length + Math.min(1, bought.length) + modifiers;
    parts += 1 + length;
    // A part of a bundle has a share of its price, and every part of a split line a share of each discount on the line.
    const shares = length === 0 ? 1 : 2 + lines[i]!.allocations.length;
    steps += (1 + length) * (COST.evaluatedLine + shares * shareSteps);
  }
  return { parts, steps };
}

/** All of them; where rounding or a shared limit may make fewer the better choice, every selection, the largest first. */
function selectOrders({ orders, isRough, sharesMoney }: Problem): (readonly OrderOffer[])[] {
  if (!(isRough || (sharesMoney && orders.some(({ offer }) => offer.pool))) || orders.length > MAX_ORDERS_TRIED)
    return [orders];
  const selections: OrderOffer[][] = [];
  for (let bits = 2 ** orders.length - 1; bits >= 0; bits--) {
    selections.push(orders.filter((_, at) => (bits & (1 << at)) !== 0));
  }
  return selections.sort((a, b) => b.length - a.length);
}
