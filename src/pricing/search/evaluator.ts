import { type OrderOffer, totalOrderDiscount } from '../order-discounts.ts';
import { settleParts } from '../settle.ts';
import { type LineTakes, splitLine } from '../split.ts';
import type { Problem } from './problem.ts';

/** A complete choice with its total. */
export interface Combination {
  /** Per line of the basket. */
  readonly takes: readonly LineTakes[];
  readonly orders: readonly OrderOffer[];
  /** What the evaluator's lines cost, in minor units, worth counted where no order-level benefit is applied. */
  readonly total: number;
  /** Limited uses of line-level benefits and groups, in the whole basket. */
  readonly uses: number;
}

/** Computes the total of combinations that differ in some lines only. */
export interface Evaluator {
  /** The combination with its total, or nothing when it is not permitted. `uses` are counted by the caller. */
  evaluate(takes: readonly LineTakes[], uses: number): Combination | undefined;
  /** What it costs when no line to be decided takes anything. */
  readonly totalWithoutEffects: number;
  /** Lines that an evaluation computes. */
  readonly size: number;
}

const NO_ORDERS: readonly OrderOffer[] = [];
const UNTOUCHED: LineTakes = { taken: [], rest: undefined };

/** Sums up what lines cost, each unit as much as it is worth after order-level benefits; whole when it is worth 1. */
export function evaluateLines(problem: Problem, active: readonly number[], worth: readonly number[]): Evaluator {
  const { lines, policy } = problem;
  let totalWithoutEffects = 0;
  for (const i of active) totalWithoutEffects += worth[i]! * lines[i]!.incoming;
  return {
    totalWithoutEffects,
    size: active.length,
    evaluate(takes, uses) {
      const parts = settleParts(
        active.flatMap((i) => splitLine(lines[i]!, takes[i]!)),
        policy,
      );
      if (!parts) return undefined;
      let total = 0;
      for (const { line, rest } of parts) total += worth[line.index]! * rest;
      return { takes, orders: NO_ORDERS, total, uses };
    },
  };
}

/** More order-level offers than this are all applied; fewer are tried in every selection where rounding may matter. */
const MAX_ORDERS_TRIED = 4;

/** Computes the whole basket with its order-level benefits. Lines that are not `active` are computed once. */
export function evaluateBasket(problem: Problem, active: readonly number[], base: readonly LineTakes[]): Evaluator {
  const { lines, policy, isRough } = problem;
  const isActive = new Set(active);
  const others = lines.filter(({ index }) => !isActive.has(index));
  const fixed = settleParts(
    others.flatMap((line) => splitLine(line, base[line.index]!)),
    policy,
  );
  if (!fixed) throw new Error('assertion failed: what was decided before is permitted');
  const selections = selectOrders(problem);

  const evaluate = (takes: readonly LineTakes[], uses: number): Combination | undefined => {
    const settled = settleParts(
      active.flatMap((i) => splitLine(lines[i]!, takes[i]!)),
      policy,
    );
    if (!settled) return undefined;
    const parts = [...fixed, ...settled];
    // The shares of order discounts go by the order of the lines.
    if (isRough) parts.sort((a, b) => a.line.index - b.line.index);
    const rests = parts.map(({ rest }) => rest);
    const lineOf = parts.map(({ line }) => line.index);
    const lineTotal = rests.reduce((sum, rest) => sum + rest, 0);
    let best: Combination | undefined;
    for (const orders of selections) {
      const total = lineTotal - totalOrderDiscount(orders, rests, lineOf, !isRough);
      if (!best || total < best.total) best = { takes, orders, total, uses };
    }
    return best;
  };
  // Every selection sums up the parts, and every order-level offer in it shares its discount out to them.
  const passes = selections.reduce((sum, orders) => sum + (1 + orders.length) / 2, 0);
  const untouched = lines.map(({ index }) => (isActive.has(index) ? UNTOUCHED : base[index]!));
  return { evaluate, totalWithoutEffects: evaluate(untouched, 0)!.total, size: Math.ceil(lines.length * passes) };
}

/** All of them; where rounding may make fewer the better choice, every selection, the largest first. */
function selectOrders({ orders, isRough }: Problem): (readonly OrderOffer[])[] {
  if (!isRough || orders.length > MAX_ORDERS_TRIED) return [orders];
  const selections: OrderOffer[][] = [];
  for (let bits = 2 ** orders.length - 1; bits >= 0; bits--) {
    selections.push(orders.filter((_, at) => (bits & (1 << at)) !== 0));
  }
  return selections.sort((a, b) => b.length - a.length);
}
