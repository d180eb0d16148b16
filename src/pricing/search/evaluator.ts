import type { Offer } from '../offers.ts';
import { type OrderOffer, totalOrderDiscount } from '../order-discounts.ts';
import { type SettledPart, settleParts } from '../settle.ts';
import { type LineTakes, splitLine } from '../split.ts';
import type { Problem } from './problem.ts';

/** A complete choice with its total. */
export interface Combination {
  /** Per line of the basket. */
  readonly takes: readonly LineTakes[];
  readonly orders: readonly OrderOffer[];
  /** In minor units, over the lines that the evaluator counts. */
  readonly total: number;
  /** Limited uses of line-level benefits and groups on those lines. */
  readonly uses: number;
}

/** More order-level offers than this are all applied; fewer are tried in every selection where rounding may matter. */
const MAX_ORDERS_TRIED = 4;

/**
 * Computes combinations to the unit. Only `active` lines differ between them. The others are computed once, and counted
 * only where order-level benefits tie all lines together.
 */
export class Evaluator {
  readonly #problem: Problem;
  readonly #active: readonly number[];
  readonly #fixed: readonly SettledPart[];
  readonly #orderSelections: readonly (readonly OrderOffer[])[];

  constructor(problem: Problem, active: readonly number[], base: readonly LineTakes[]) {
    this.#problem = problem;
    this.#active = active;
    this.#orderSelections = selectOrders(problem);
    const isActive = new Set(active);
    const others = problem.orders.length === 0 ? [] : problem.lines.filter(({ index }) => !isActive.has(index));
    const fixed = settleParts(
      others.flatMap((line) => splitLine(line, base[line.index]!)),
      problem.policy,
    );
    if (!fixed) throw new Error('assertion failed: what was decided before is permitted');
    this.#fixed = fixed;
  }

  /** The combination with its total, or nothing when it is not permitted. */
  evaluate(takes: readonly LineTakes[]): Combination | undefined {
    const { lines, policy } = this.#problem;
    const parts = settleParts(
      this.#active.flatMap((i) => splitLine(lines[i]!, takes[i]!)),
      policy,
    );
    return parts && this.#applyOrders(parts, takes);
  }

  /** What the counted lines cost when no active line takes anything. */
  totalWithoutEffects(): number {
    const { lines, policy } = this.#problem;
    const untouched = this.#active.flatMap((i) => splitLine(lines[i]!, { taken: [], rest: undefined }));
    return this.#applyOrders(settleParts(untouched, policy)!, []).total;
  }

  #applyOrders(active: readonly SettledPart[], takes: readonly LineTakes[]): Combination {
    const { orders, isRough } = this.#problem;
    const parts = this.#fixed.length === 0 ? active : [...this.#fixed, ...active];
    const uses = countUses(parts);
    let lineTotal = 0;
    for (const { rest } of parts) lineTotal += rest;
    if (orders.length === 0) return { takes, orders, total: lineTotal, uses };

    // The shares of order discounts go by the order of the lines.
    const sorted = isRough ? [...parts].sort((a, b) => a.line.index - b.line.index) : parts;
    const rests = sorted.map(({ rest }) => rest);
    const lineOf = sorted.map(({ line }) => line.index);
    let best: Combination | undefined;
    for (const selection of this.#orderSelections) {
      const total = lineTotal - totalOrderDiscount(selection, rests, lineOf, !isRough);
      if (!best || total < best.total) best = { takes, orders: selection, total, uses };
    }
    return best!;
  }
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

/** Limited uses of these parts: one per basket or one per item, as the limit counts. */
function countUses(parts: readonly SettledPart[]): number {
  const baskets = new Set<Offer>();
  let items = 0;
  for (const { offer, effectUnits } of parts) {
    const limit = offer?.benefit.limit;
    if (!limit) continue;
    if (limit.counts === 'items') items += effectUnits;
    else baskets.add(offer);
  }
  return items + baskets.size;
}
