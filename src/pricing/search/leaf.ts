import type { Offer } from '../offers.ts';
import { type OrderOffer, totalOrderDiscount } from '../order-discounts.ts';
import { type SettledPart, settleParts } from '../settle.ts';
import { type LineTakes, splitLine } from '../split.ts';
import type { Problem } from './problem.ts';

/** A complete choice with its total, computed to the unit. */
export interface Combination {
  /** Per line of the basket. */
  readonly takes: readonly LineTakes[];
  readonly orders: readonly OrderOffer[];
  readonly total: number;
  /** Limited uses of line-level benefits and groups. */
  readonly uses: number;
}

/** More order-level offers than this are all applied; fewer are tried in every selection where rounding may matter. */
const MAX_ORDERS_TRIED = 4;

/** Evaluates combinations that differ in some lines only: the others are computed once. */
export class Evaluator {
  readonly #problem: Problem;
  readonly #fixed: readonly (SettledPart | undefined)[];
  readonly #fixedRest: number;
  readonly #orderSelections: readonly (readonly OrderOffer[])[];

  /** `isFixed` says which lines no combination changes; `takes` what they take. */
  constructor(problem: Problem, takes: readonly LineTakes[], isFixed: (line: number) => boolean) {
    this.#problem = problem;
    this.#fixed = problem.lines.map((line, i) =>
      // A whole line with a plain benefit or none is always permitted: that is how it was chosen.
      isFixed(i) ? settleParts(splitLine(line, takes[i]!), problem.policy)![0]! : undefined,
    );
    this.#fixedRest = this.#fixed.reduce((sum, part) => sum + (part?.rest ?? 0), 0);
    this.#orderSelections = selectOrders(problem);
  }

  /** The combination with its total and its order-level offers, or nothing when it is not permitted. */
  evaluate(takes: readonly LineTakes[]): Combination | undefined {
    const { lines, policy, orders } = this.#problem;
    const free = lines.filter((_, i) => !this.#fixed[i]);
    const parts = settleParts(
      free.flatMap((line) => splitLine(line, takes[line.index]!)),
      policy,
    );
    if (!parts) return undefined;
    const lineTotal = parts.reduce((sum, { rest }) => sum + rest, this.#fixedRest);
    const all = [...this.#fixed.filter((part) => part !== undefined), ...parts];
    const uses = countUses(all);
    if (orders.length === 0) return { takes, orders, total: lineTotal, uses };

    // The shares of order discounts go by the order of the lines.
    all.sort((a, b) => a.line.index - b.line.index);
    const rests = all.map(({ rest }) => rest);
    const lineOf = all.map(({ line }) => line.index);
    let best: Combination | undefined;
    for (const selection of this.#orderSelections) {
      const total = lineTotal - totalOrderDiscount(selection, rests, lineOf);
      if (!best || total < best.total) best = { takes, orders: selection, total, uses };
    }
    return best;
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
