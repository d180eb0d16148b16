import { MAX_LINES_DECIDED_WITH_ORDERS } from '../choose/problem.ts';
import type { LineFacts } from '../lines/lines.ts';
import { eligibleLines, isAt, type Offer } from '../offers/offers.ts';
import { worthOfGifts } from '../settle/gifts.ts';
import {
  applyOrderOffers,
  bestOrders,
  type OrderOffer,
  sortOrderOffers,
  sumOfOrders,
} from '../settle/order-discounts.ts';
import { COST } from '../work.ts';
import { closeLines, type SolveAs, solveAny, solveClosed, unmetIn } from './closed-lines.ts';
import { countUses, isPreferred, netCostOf, type Outcome, savingsOf } from './outcome.ts';
import type { DecisionInput, Selection } from './selection.ts';
import { beatsStaffDiscounts } from './standing.ts';

/**
 * Minimums on what lines cost after line-level benefits. A cheaper line may then make the basket dearer, so line by line
 * nothing can be decided. First the minimums are taken to be met: no combination costs less than the best one of that, and
 * where its lines cost enough it is the best. Otherwise few lines are decided to the last unit with every choice on them. Of
 * many the benefits that ask too much are left out, or lines keep their price until they cost enough; the best of these is not proven.
 */

/** The part of the steps for the best combination with the minimums taken to be met, for deciding few lines, and for leaving one benefit of lines out. */
const PART_OF_STEPS = { ifMet: 1 / 2, ofFewLines: 3 / 4, ofOneLeftOut: 1 / 3 };

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
  /** Ways in which a minimum that is left is not met either. */
  const open: { readonly others: Selection; readonly outcome: Outcome; readonly rest: readonly OrderOffer[] }[] = [];
  for (const [at, left] of without.entries()) {
    if (work.left === 0) break;
    const others = { ...own, selection: selection.filter((offer) => !left.has(offer)) };
    const steps = work.left / (without.length - at + 1);
    const outcome = work.within(steps, () => solveAny(others, input, 'ignored', solveAs));
    const rest = orderOffers.filter(({ offer }) => !left.has(offer));
    consider(settledWith(outcome, rest));
    if (unmetIn(outcome, rest).length > 0) open.push({ others, outcome, rest });
    // A single minimum is met, or its benefit is left out.
    if (asking.length === 1) least = Math.max(least, Math.min(leastOf(outcome), leastWithMinimum(own, orderOffers)));
  }
  consider(settledWith(closeLines(own, input, ifMet, orderOffers, solveAs), orderOffers));
  // What is limited moves to another line where one is closed, so it is left out on all of them.
  for (const left of leastOfLines(ifMet, unmet[0]!.short)) {
    if (work.left === 0) break;
    const others = { ...own, selection: selection.filter((offer) => offer !== left) };
    const outcome = work.within(work.left * PART_OF_STEPS.ofOneLeftOut, () =>
      solveAny(others, input, 'ignored', solveAs),
    );
    consider(settledWith(outcome, orderOffers));
  }
  for (const [at, { others, outcome, rest }] of open.entries()) {
    if (work.left === 0) break;
    const steps = work.left / (open.length - at);
    consider(
      settledWith(
        work.within(steps, () => closeLines(others, input, outcome, rest, solveAs)),
        rest,
      ),
    );
  }
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

/** So many benefits of lines are left out, one at a time. */
const MOST_OF_LINES = 3;

/** The benefits of lines that save `short` or more, those first that save least. */
function leastOfLines(outcome: Outcome, short: number): Offer[] {
  const own = [...savingsOf(outcome)].filter(
    ([offer, saved]) => saved >= short && !isAt(offer, 'order') && !isAt(offer, 'gift'),
  );
  const sorted = own.sort(([, one], [, other]) => one - other);
  return sorted.slice(0, MOST_OF_LINES).map(([offer]) => offer);
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
