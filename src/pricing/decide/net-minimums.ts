import { drawsFirst } from '../choose/components.ts';
import { MAX_LINES_DECIDED_WITH_ORDERS } from '../choose/problem.ts';
import type { LineFacts } from '../lines/lines.ts';
import { eligibleLines, isAt, type Offer } from '../offers/offers.ts';
import { worthOfGifts } from '../settle/gifts.ts';
import {
  applyOrderOffers,
  bestOrders,
  type NetMinimums,
  type OrderOffer,
  sortOrderOffers,
  sumOfOrders,
} from '../settle/order-discounts.ts';
import type { SettledPart } from '../settle/settled-part.ts';
import { COST } from '../work.ts';
import { countUses, isPreferred, netCostOf, type Outcome } from './outcome.ts';
import type { DecisionInput, Selection } from './selection.ts';
import { beatsStaffDiscounts } from './standing.ts';
import { smallestSum, stepsOfSmallestSum } from './subset-sum.ts';

/**
 * Minimums on what lines cost after line-level benefits. A cheaper line may then make the basket dearer, so line by line
 * nothing can be decided. First the minimums are taken to be met: no combination costs less than the best one of that, and
 * where its lines cost enough it is the best. Otherwise few lines are decided to the last unit with every choice on them. Of
 * many the benefits that ask too much are left out, or lines keep their price until they cost enough; the best of these is not proven.
 */

type SolveAs = (
  round: Selection,
  input: DecisionInput,
  bestCost: number,
  netMinimums: NetMinimums,
) => Outcome | undefined;

/** The part of the steps for the best combination with the minimums taken to be met, and for deciding few lines. */
const PART_OF_STEPS = { ifMet: 1 / 2, ofFewLines: 3 / 4 };

/** So many benefits with such a minimum are left out in every combination; of more all, or those that are not met. */
const MOST_LEFT_OUT = 3;

export function solveWithNetMinimums(
  round: Selection,
  input: DecisionInput,
  bestCost: number,
  solveAs: SolveAs,
): Outcome | undefined {
  const { work } = input;
  const { lines, withLoyaltyOrderDiscounts } = round.standing;
  const selection = withLoyaltyOrderDiscounts
    ? round.selection.filter((offer) => isReachable(offer, lines, input))
    : round.selection;
  const asking = withLoyaltyOrderDiscounts ? selection.filter(({ benefit }) => benefit.netMinimum > 0) : [];
  const own = { ...round, selection };
  if (asking.length === 0) return solveAs(own, input, bestCost, 'heeded');

  const ifMet = work.within(work.left * PART_OF_STEPS.ifMet, () => solveAs(own, input, bestCost, 'ignored'));
  if (!ifMet) return undefined;
  const orderLevel = selection.filter((offer) => isAt(offer, 'order'));
  // Also where no steps are left: a discount whose lines cost too little is never given.
  const orderOffers = work.beyond(Number.POSITIVE_INFINITY, () => sortOrderOffers(orderLevel, lines, work));
  const unmet = unmetIn(ifMet, orderOffers);
  if (unmet.length === 0) return ifMet;

  let least = leastOf(ifMet);
  let best: Outcome | undefined;
  const consider = (outcome: Outcome): void => {
    if (isAllowed(outcome, own, input) && (!best || isPreferred(outcome, best))) best = outcome;
  };
  if (lines.length <= MAX_LINES_DECIDED_WITH_ORDERS) {
    const steps = work.left * PART_OF_STEPS.ofFewLines;
    const decided = work.within(steps, () => solveAny(own, input, 'heeded', solveAs));
    consider(decided);
    least = Math.max(least, leastOf(decided));
    if (best && netCostOf(best) <= least) return withMissed(best, least);
  }
  consider(settledWith(ifMet, orderOffers));
  const without = waysToLeaveOut(
    asking,
    unmet.map(({ order }) => order.offer),
  );
  for (const [at, left] of without.entries()) {
    if (work.left === 0) break;
    const others = { ...own, selection: selection.filter((offer) => !left.has(offer)) };
    const steps = work.left / (without.length - at + 1);
    const outcome = work.within(steps, () => solveAny(others, input, 'ignored', solveAs));
    const rest = orderOffers.filter(({ offer }) => !left.has(offer));
    consider(settledWith(outcome, rest));
    // A single minimum is met, or its benefit is left out.
    if (asking.length === 1) least = Math.max(least, Math.min(leastOf(outcome), leastWithMinimum(own, orderOffers)));
  }
  consider(settledWith(closeLines(own, input, ifMet, orderOffers, solveAs), orderOffers));
  // In place of the staff's discounts those of all lines as they came are larger: that was asked before.
  if (!best)
    consider(
      settledWith(
        solveClosed(own, () => true, input, solveAs),
        orderOffers,
      ),
    );
  return best && withMissed(best, least);
}

/** The best combination, whatever it costs. */
function solveAny(round: Selection, input: DecisionInput, netMinimums: NetMinimums, solveAs: SolveAs): Outcome {
  return solveAs(round, input, Number.POSITIVE_INFINITY, netMinimums)!;
}

function leastOf(outcome: Outcome): number {
  return netCostOf(outcome) - outcome.search.mostMissed;
}

/**
 * The least that a basket costs that meets the only minimum, where all discounts on the order lie on all lines that any
 * benefit may touch: then the basket costs less only where those lines do.
 */
function leastWithMinimum({ standing, gifts }: Selection, orderOffers: readonly OrderOffer[]): number {
  const { lines } = standing;
  const isEven = orderOffers.every(
    ({ offer, touches }) =>
      offer.pool?.counts !== 'money' && lines.every((line) => touches[line.index] === line.isOpen),
  );
  const { netMinimum, counted } = orderOffers.find((order) => order.netMinimum > 0)!;
  if (!isEven) return Number.NEGATIVE_INFINITY;
  let fixed = 0;
  let fixedCounted = 0;
  for (const { isOpen, incoming, index } of lines) {
    if (isOpen) continue;
    fixed += incoming;
    if (counted[index]) fixedCounted += incoming;
  }
  const rest = netMinimum - fixedCounted;
  // A discount whose lines cost too little was given, so there is one that it lies on.
  const first = lines.find(({ isOpen }) => isOpen)!;
  const unasked = orderOffers.map((order) => ({ ...order, netMinimum: 0 }));
  return fixed + rest - sumOfOrders(applyOrderOffers(unasked, [rest], [first.index])) - worthOfGifts(gifts);
}

function withMissed(outcome: Outcome, least: number): Outcome {
  const mostMissed = Math.max(0, netCostOf(outcome) - least);
  return { ...outcome, search: { ...outcome.search, mostMissed } };
}

/** False where the lines that count cost too little whatever is taken off them. */
function isReachable(offer: Offer, lines: readonly LineFacts[], { work, venue }: DecisionInput): boolean {
  const { netMinimum, minimumSpendOn } = offer.benefit;
  if (netMinimum === 0) return true;
  work.count(COST.list + lines.length * COST.listedLine);
  const counted = minimumSpendOn === 'basket' ? lines.map(({ index }) => index) : eligibleLines(offer, 0, lines);
  const replaces = venue.programme.existingLineDiscounts === 'replace_if_larger';
  let most = 0;
  for (const i of counted) {
    const { original, existing, allocated } = lines[i]!;
    most += original - allocated - (replaces ? 0 : existing);
  }
  return most >= netMinimum;
}

/** In place of the staff's discounts the loyalty ones that are given have to be larger. */
function isAllowed(outcome: Outcome, { standing }: Selection, { basket, work }: DecisionInput): boolean {
  const given = outcome.orders.map(({ offer }) => offer);
  return beatsStaffDiscounts(standing, basket, given, work);
}

interface Unmet {
  readonly order: OrderOffer;
  /** Minor units that its lines cost too little. */
  readonly short: number;
}

/** The discounts of the outcome whose lines cost too little for them. */
function unmetIn({ parts, orders }: Outcome, orderOffers: readonly OrderOffer[]): Unmet[] {
  const given = new Set(orders.map(({ offer }) => offer));
  return orderOffers.flatMap((order) => {
    const short = order.netMinimum - costOfCounted(parts, order.counted);
    return given.has(order.offer) && short > 0 ? { order, short } : [];
  });
}

function costOfCounted(parts: readonly SettledPart[], counted: readonly boolean[]): number {
  return parts.reduce((sum, { line, rest }) => (counted[line.index] ? sum + rest : sum), 0);
}

/** The same line-level effects with the discounts on the order whose minimums they meet. */
function settledWith(outcome: Outcome, orderOffers: readonly OrderOffer[]): Outcome {
  const { parts, gifts } = outcome;
  const orders = bestOrders(orderOffers, parts);
  let total = 0;
  for (const { rest } of parts) total += rest;
  for (const { amount } of orders) total -= amount;
  return { ...outcome, orders, total, uses: countUses(parts, orders, gifts) };
}

/** Every way to leave some of the benefits out, but for none; of many all of them, or those that are not met. */
function waysToLeaveOut(asking: readonly Offer[], unmet: readonly Offer[]): ReadonlySet<Offer>[] {
  if (asking.length > MOST_LEFT_OUT) return [new Set(asking), new Set(unmet)];
  const ways: ReadonlySet<Offer>[] = [];
  for (let bits = 2 ** asking.length - 1; bits > 0; bits--) {
    ways.push(new Set(asking.filter((_, at) => (bits & (1 << at)) !== 0)));
  }
  return ways;
}

/** So often lines are closed, because what others leave may be taken by further benefits. */
const MOST_CLOSINGS = 3;

/** Lets lines keep their price that save little, until all lines cost enough for the discounts on the order: as it was where they do not. */
function closeLines(
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
function solveClosed(
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
  if (work.spend(stepsOfSmallestSum(values, short))) {
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
