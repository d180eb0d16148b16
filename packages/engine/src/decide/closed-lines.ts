import { drawsFirst } from '../choose/components.ts';
import type { LineFacts } from '../lines/lines.ts';
import type { NetMinimums, OrderOffer } from '../settle/order-discounts.ts';
import type { SettledPart } from '../settle/settled-part.ts';
import type { Outcome } from './outcome.ts';
import type { DecisionInput, Selection } from './selection.ts';
import { smallestSum, stepsOfSmallestSum } from './subset-sum.ts';

/** Lines that keep their price, so that all lines together cost enough for a discount on the order. */

export type SolveAs = (
  round: Selection,
  input: DecisionInput,
  bestCost: number,
  netMinimums: NetMinimums,
) => Outcome | undefined;

/** The best combination, whatever it costs. */
export function solveAny(round: Selection, input: DecisionInput, netMinimums: NetMinimums, solveAs: SolveAs): Outcome {
  return solveAs(round, input, Number.POSITIVE_INFINITY, netMinimums)!;
}

interface Unmet {
  readonly order: OrderOffer;
  /** Minor units that its lines cost too little. */
  readonly short: number;
}

/** The discounts of the outcome whose lines cost too little for them. */
export function unmetIn({ parts, orders }: Outcome, orderOffers: readonly OrderOffer[]): Unmet[] {
  const given = new Set(orders.map(({ offer }) => offer));
  return orderOffers.flatMap((order) => {
    const short = order.netMinimum - costOfCounted(parts, order.counted);
    return given.has(order.offer) && short > 0 ? { order, short } : [];
  });
}

function costOfCounted(parts: readonly SettledPart[], counted: readonly boolean[]): number {
  return parts.reduce((sum, { line, rest }) => (counted[line.index] ? sum + rest : sum), 0);
}

/** So often lines are closed, because what others leave may be taken by further benefits. */
const MOST_CLOSINGS = 3;

/** Lets lines keep their price that save little, until all lines cost enough for the discounts on the order: as it was where they do not. */
export function closeLines(
  round: Selection,
  input: DecisionInput,
  ifMet: Outcome,
  orderOffers: readonly OrderOffer[],
  solveAs: SolveAs,
): Outcome {
  const closed = new Set<number>();
  let outcome = ifMet;
  for (let closing = 0; closing < MOST_CLOSINGS && input.work.left > 0; closing++) {
    const [unmet] = unmetIn(outcome, orderOffers);
    if (!unmet) break;
    const chosen = cheapestToClose(savingsOn(outcome.parts, unmet.order.counted), unmet.short, input);
    if (chosen.length === 0) break;
    for (const line of chosen) closed.add(line);
    const isClosed = (line: LineFacts): boolean =>
      closed.has(line.index) || (line.unit?.lines.some((own) => isClosed(own.line)) ?? false);
    outcome = solveClosed(round, isClosed, input, solveAs);
  }
  return outcome;
}

/**
 * The best combination without some lines, with the minimums taken to be met. Their units are not bought for sets either, because sets are
 * cut by all units that may be given. What draws the cheapest units of all lines draws none.
 */
export function solveClosed(
  round: Selection,
  isClosed: (line: LineFacts) => boolean,
  input: DecisionInput,
  solveAs: SolveAs,
): Outcome {
  const lines = round.lines.map((line) =>
    isClosed(line) ? { ...line, isOpen: false, isOpenToLineBenefits: false } : line,
  );
  const selection = round.selection.filter((offer) => !drawsFirst(offer));
  return solveAny({ ...round, lines, selection }, input, 'ignored', solveAs);
}

/** What each of the lines saves by line-level benefits, the most first. */
function savingsOn(parts: readonly SettledPart[], counted: readonly boolean[]): [line: number, saving: number][] {
  const savings = new Map<number, number>();
  for (const { line, original, existing, allocated, rest } of parts) {
    if (!counted[line.index]) continue;
    const saving = original - existing - allocated - rest;
    savings.set(line.index, (savings.get(line.index) ?? 0) + saving);
  }
  return [...savings].filter(([, saving]) => saving > 0).sort((a, b) => b[1] - a[1]);
}

/** The lines that save `short` together, or as little more as may be; all but those not needed where there are too many ways. */
function cheapestToClose(
  savings: readonly [line: number, saving: number][],
  short: number,
  { work }: DecisionInput,
): readonly number[] {
  const values = savings.map(([, saving]) => saving);
  let sum = values.reduce((all, saving) => all + saving, 0);
  if (sum < short) return [];
  const steps = stepsOfSmallestSum(values, short);
  if (steps <= work.left) {
    work.count(steps);
    const chosen = smallestSum(values, short);
    if (chosen) return chosen.map((at) => savings[at]![0]);
  }
  const kept = savings.filter(([, saving]) => {
    if (sum - saving < short) return true;
    sum -= saving;
    return false;
  });
  return kept.map(([line]) => line);
}
