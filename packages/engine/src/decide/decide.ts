import { chooseCombination } from '../choose/choose.ts';
import { choosePlain, type PlainChoice } from '../choose/plain.ts';
import { isIndependent, type Problem, poseProblem } from '../choose/problem.ts';
import type { LineFacts } from '../lines/lines.ts';
import { joinUnits } from '../offers/modified-line.ts';
import { type LineOffer, mostOfOffer, type Offer } from '../offers/offers.ts';
import { collectGifts, placeGifts, worthOfGifts } from '../settle/gifts.ts';
import type { NetMinimums, OrderOffer } from '../settle/order-discounts.ts';
import { bestOrders } from '../settle/order-discounts.ts';
import { settleParts } from '../settle/settle.ts';
import { type LineTakes, NOTHING_BOUGHT, type Part, splitLines, wholeLine } from '../settle/split.ts';
import { withWholeCaps } from '../settle/whole-caps.ts';
import { COST } from '../work.ts';
import { withBestAlone } from './alone.ts';
import { chooseRestricted, isUnmet, type Unmet } from './benefit-groups.ts';
import { solveWithNetMinimums } from './net-minimums.ts';
import {
  countUses,
  effectiveOffers,
  isPreferred,
  type LowSaver,
  lowSavers,
  netCostOf,
  type Outcome,
} from './outcome.ts';
import type { DecisionInput, Selection } from './selection.ts';
import { beatsStaffDiscounts, possibleStandings, type Standing } from './standing.ts';
import { withoutWaste } from './waste.ts';

/** Chooses the best permitted combination of a set of offers (packages/engine/README.md, The rules). */

/** Offers that may all be had together, with one standing of the staff's discounts. */
interface Round extends Selection {
  /** A lower bound of the net cost with these offers, in minor units. */
  readonly least: number;
  /** Steps that this round leaves to others. */
  readonly reserved: number;
}

/** With minimum savings a choice has this part of the work, so that others may follow. */
const PART_WITH_MINIMUMS = 1 / 2;
/** So often a single benefit is left out; after that all that save too little are. */
const MOST_LEFT_OUT_SINGLY = 4;
/** After so many choices whatever has a minimum and does not reach it is left out. */
const MOST_CHOICES = 12;

/** The best outcome of all offers, and never a dearer one than a single benefit alone has. */
export function decide(offers: readonly Offer[], input: DecisionInput): Outcome {
  const placed = placeGifts(offers, input);
  return withBestAlone(decideTogether(placed, input), placed, input, decideTogether);
}

/**
 * The best outcome of the offers that the search meets. A benefit that saves less than it is meant to be spent on is left out,
 * the one that lacks most first, and the rest is chosen again.
 */
function decideTogether(offers: readonly Offer[], input: DecisionInput): Outcome {
  const { work } = input;
  const before = work.spent;
  let open = offers;
  const leftOut: LowSaver[] = [];
  let least = Number.NEGATIVE_INFINITY;
  let isProven = true;
  for (let choice = 1; ; choice++) {
    const hasMinimums = !input.ignoresMinimumSavings && open.some(({ benefit }) => benefit.minimumSaving > 0);
    const steps = hasMinimums ? work.left * PART_WITH_MINIMUMS : work.left;
    const outcome = work.within(steps, () => decideAmong(open, input));
    const { mostMissed } = outcome.search;
    isProven &&= mostMissed === 0;
    // To leave a benefit out makes no basket cheaper, so what is proven of all holds for fewer.
    least = Math.max(least, netCostOf(outcome) - mostMissed);
    const low = hasMinimums ? lowSavers(outcome) : [];
    if (low.length === 0) {
      const missed = isProven ? 0 : Math.max(1, netCostOf(outcome) - least);
      return { ...outcome, leftOut, search: { steps: Math.ceil(work.spent - before), mostMissed: missed } };
    }
    if (choice > MOST_LEFT_OUT_SINGLY) isProven = false;
    const left = choice > MOST_LEFT_OUT_SINGLY ? low : low.slice(0, 1);
    leftOut.push(...left);
    const isOut =
      choice < MOST_CHOICES && work.left > 0
        ? (offer: Offer): boolean => left.some((own) => own.offer.benefit === offer.benefit)
        : (offer: Offer): boolean => offer.benefit.minimumSaving > 0 && !isReached(offer, outcome, low);
    open = open.filter((offer) => !isOut(offer));
  }
}

/** True where the offer has an effect, and as much as it is meant to be spent on. */
function isReached({ benefit }: Offer, outcome: Outcome, low: readonly LowSaver[]): boolean {
  if (low.some(({ offer }) => offer.benefit === benefit)) return false;
  return effectiveOffers(outcome).some((offer) => offer.benefit === benefit);
}

/**
 * The best outcome without regard to minimum savings: of the offers that are not exclusive together, or of one exclusive
 * benefit alone, with each standing of the staff's discounts.
 */
function decideAmong(offers: readonly Offer[], input: DecisionInput): Outcome {
  const { work } = input;
  let best: Outcome | undefined;
  /** Per round that is not decided, a lower bound of the net cost. */
  const leasts = new Map<Round, number>();
  const play = (round: Round, reserved: number): void => {
    const bestCost = best ? netCostOf(best) : Number.POSITIVE_INFINITY;
    if (round.least > bestCost) return void leasts.delete(round);
    const steps = work.left - reserved;
    if (best && steps <= 0) return void leasts.set(round, round.least);
    const outcome = work.within(steps, () => playRound(round, input, bestCost));
    leasts.delete(round);
    if (!outcome) return;
    if (isUnmet(outcome)) return void leasts.set(round, Math.max(round.least, outcome.least));
    const least = netCostOf(outcome) - outcome.search.mostMissed;
    if (outcome.search.mostMissed > 0) leasts.set(round, Math.max(round.least, least));
    // Of equals everything stays that the staff gave.
    const isKeptInstead = round.standing.ofBasket === 'given up' && netCostOf(outcome) >= input.basket.totals.total;
    if (isKeptInstead && !input.givesUpStaffDiscounts) return;
    if (!best || isPreferred(outcome, best)) best = outcome;
  };
  const rounds = planRounds(offers, input);
  for (const round of rounds) play(round, round.reserved);
  // A round that had to leave steps to others may use up the steps that the others did not need.
  for (const round of rounds) if (leasts.has(round) && round.reserved > 0 && work.left > 0) play(round, 0);
  if (!best) throw new Error('assertion failed: to keep what the staff gave is always possible');
  const cost = netCostOf(best);
  let least = cost;
  for (const own of leasts.values()) least = Math.min(least, own);
  return { ...best, search: { steps: 0, mostMissed: cost - least } };
}

/** The best outcome of a round. Undefined when it plainly costs more than `bestCost` or than the staff's discounts. */
function playRound(round: Round, input: DecisionInput, bestCost: number): Outcome | Unmet | undefined {
  if (!beatsStaffDiscounts(round.standing, input.basket, round.selection, input.work)) return undefined;
  if (input.venue.programme.isRestricted && round.selection.length > 1) {
    const chosen = chooseRestricted(round, input, bestCost, solve);
    if (!chosen || isUnmet(chosen)) return chosen;
    return withoutWaste(chosen.outcome, { ...round, selection: chosen.selection }, input, solve);
  }
  const outcome = solve(round, input, bestCost);
  return outcome && withoutWaste(outcome, round, input, solve);
}

/** Exclusive benefits get at most this part of all steps while there are other benefits. */
const PART_OF_EXCLUSIVES = 1 / 4;

/**
 * All rounds: the exclusive offers, which seldom take long alone, those first that may save most; then all others together
 * with whatever steps are left.
 */
function planRounds(offers: readonly Offer[], input: DecisionInput): Round[] {
  const { basket, lines, venue, work } = input;
  const shared = offers.filter(({ benefit }) => !benefit.exclusive);
  const exclusive = offers.filter(({ benefit }) => benefit.exclusive);
  const all = possibleStandings(basket, lines, venue.programme, offers);
  const isOpen = ({ ofBasket }: Standing): boolean => !input.givesUpStaffDiscounts || ofBasket !== 'kept';
  const standings = all.length === 1 ? all : all.filter(isOpen);
  work.count(exclusive.length * standings.length * lines.length * COST.listedLine);
  const modified = offers[0]?.matches.modified;
  return standings.flatMap((standing, at): Round[] => {
    if (standing.ofBasket === 'kept')
      return [{ standing, selection: [], lines: standing.lines, gifts: [], least: basket.totals.total, reserved: 0 }];
    const seen = joinUnits(standing.lines, modified, venue.programme.existingLineDiscounts);
    const roundOf = (selection: readonly Offer[], reserved: number, cost: number): Round => {
      const gifts = collectGifts(selection, venue, basket);
      return { standing, selection, lines: seen, gifts, least: cost - worthOfGifts(gifts), reserved };
    };
    // Each way for the staff's discounts to stand gets its share.
    const later = (work.left * (standings.length - at - 1)) / standings.length;
    const reserved = shared.length === 0 ? later : later + (1 - PART_OF_EXCLUSIVES) * (work.left / standings.length);
    const total = standing.lines.reduce((sum, { incoming }) => sum + incoming, 0);
    const alone = exclusive.map((offer) => roundOf([offer], reserved, total - mostOfOffer(offer, standing.lines)));
    alone.sort((a, b) => a.least - b.least);
    return [...alone, roundOf(shared, later, shared.length === 0 ? total : 0)];
  });
}

/** The best combination of offers that may all be had together. Undefined when it plainly costs more than `bestCost`. */
function solve(round: Selection, input: DecisionInput, bestCost: number): Outcome | undefined {
  if (!input.venue.programme.hasNetMinimums) return solveAs(round, input, bestCost, 'heeded');
  if (input.ignoresMinimumSavings) return solveAs(round, input, bestCost, 'ignored');
  return solveWithNetMinimums(round, input, bestCost, solveAs);
}

function solveAs(
  { selection, standing, lines, gifts }: Selection,
  { venue, work }: DecisionInput,
  bestCost: number,
  netMinimums: NetMinimums,
): Outcome | undefined {
  const policy = venue.programme.existingLineDiscounts;
  const asked = { withLoyaltyOrderDiscounts: standing.withLoyaltyOrderDiscounts, netMinimums };
  const problem = poseProblem(selection, lines, standing.lines, policy, asked, work);
  const choice = choosePlain(problem.plain, problem.lines, policy, work);
  if (isIndependent(problem, choice)) {
    const isComplete = problem.isComplete && choice.isComplete;
    const isCheap = () => plainTotal(problem, choice) - worthOfGifts(gifts) <= bestCost;
    if (isComplete && problem.orders.length === 0 && !isCheap()) return undefined;
    const pieces = problem.hasUnits
      ? splitLines(problem.lines, problem.lines.map(indexOf), choice.offers.map(restOnly))
      : problem.lines.map((line) => wholeLine(line, choice.offers[line.index], line.units));
    const missed = isComplete ? 0 : Number.POSITIVE_INFINITY;
    return settleOutcome({ pieces, bought: NOTHING_BOUGHT, orders: problem.orders }, standing, problem, gifts, missed)!;
  }
  const { takes, mostMissed } = chooseCombination(problem, choice);
  const { orders } = problem;
  const settle = (own: readonly LineTakes[]): Outcome | undefined => {
    const pieces = splitLines(problem.lines, problem.lines.map(indexOf), own);
    return settleOutcome(
      { pieces, bought: own.flatMap((each) => each.bought), orders },
      standing,
      problem,
      gifts,
      mostMissed,
    );
  };
  const outcome = settle(takes);
  if (!outcome) throw new Error('assertion failed: the chosen combination is permitted');
  const whole = withWholeCaps(takes, problem.budgeted, problem.lines);
  const shared = whole && settle(whole);
  return shared && shared.total <= outcome.total ? shared : outcome;
}

function indexOf({ index }: LineFacts): number {
  return index;
}

function restOnly(rest: LineOffer | undefined): LineTakes {
  return { taken: [], bought: NOTHING_BOUGHT, rest };
}

/** The price of the basket when every line chooses for itself and no order-level benefit follows. */
function plainTotal({ lines }: Problem, { savings }: PlainChoice): number {
  let total = 0;
  for (const { index, incoming } of lines) total += incoming - savings[index]!;
  return total;
}

interface Chosen {
  readonly pieces: readonly Part[];
  readonly bought: Outcome['bought'];
  readonly orders: readonly OrderOffer[];
}

function settleOutcome(
  { pieces, bought, orders: orderOffers }: Chosen,
  standing: Standing,
  { policy, work, shareSteps, hasUnits }: Problem,
  gifts: Outcome['gifts'],
  mostMissed: number,
): Outcome | undefined {
  work.count(pieces.length * (COST.evaluatedLine + (1 + orderOffers.length) * shareSteps));
  const parts = settleParts(pieces, policy);
  if (!parts) return undefined;
  // The parts of a unit with modifiers stood together until now.
  if (hasUnits) parts.sort((a, b) => a.line.index - b.line.index);
  const orders = orderOffers.length === 0 ? [] : bestOrders(orderOffers, parts);
  let total = 0;
  for (const { rest } of parts) total += rest;
  for (const { amount } of orders) total -= amount;
  const uses = countUses(parts, orders, gifts);
  return { standing, parts, bought, orders, gifts, total, uses, search: { steps: 0, mostMissed }, leftOut: [] };
}
