import { withBestAlone } from './alone.ts';
import { chooseRestricted, isUnmet, type Unmet } from './benefit-groups.ts';
import { collectGifts, worthOfGifts } from './gifts.ts';
import { placeGifts } from './gifts-in-basket.ts';
import type { LineFacts } from './lines.ts';
import { solveWithNetMinimums } from './net-minimums.ts';
import { isAt, type LineOffer, mostOfOffer, type Offer } from './offers.ts';
import type { NetMinimums, OrderOffer } from './order-discounts.ts';
import { countUses, isPreferred, netCostOf, type Outcome } from './outcome.ts';
import { choosePlain, isPlain, type PlainChoice } from './plain.ts';
import { isIndependent, type Problem, poseProblem } from './search/problem.ts';
import { searchCombination } from './search/search.ts';
import type { DecisionInput, Selection } from './selection.ts';
import { settleParts } from './settle.ts';
import { bestOrders } from './settled-orders.ts';
import { type LineTakes, NOTHING_BOUGHT, type Part, splitLines, wholeLine } from './split.ts';
import { beatsStaffDiscounts, possibleStandings, type Standing } from './standing.ts';
import { unitViews } from './unit-views.ts';
import { withoutWaste } from './waste.ts';
import { COST } from './work.ts';

/** Chooses the best permitted combination of a set of offers (src/pricing/README.md, The rules). */

/** Offers that may all be had together, with a round for each way to see their lines, which are not looked for before. */
interface Turn {
  readonly least: number;
  readonly reserved: number;
  readonly rounds: () => readonly Round[];
}

interface Round extends Selection {
  /** A lower bound of the net cost with these offers, in minor units. */
  readonly least: number;
  /** Steps that this round leaves to others. */
  readonly reserved: number;
  /** Some ways to see the lines are searched by no round. */
  readonly leavesOut?: boolean;
}

/** The best outcome of all offers, and never a dearer one than a single benefit alone has. */
export function decide(offers: readonly Offer[], input: DecisionInput): Outcome {
  const placed = placeGifts(offers, input);
  return withBestAlone(decideTogether(placed, input), placed, input, decideTogether);
}

/** Those that are not exclusive together, or one exclusive benefit alone, with the staff's order discounts or without. */
function decideTogether(offers: readonly Offer[], input: DecisionInput): Outcome {
  const { work } = input;
  const before = work.spent;
  const rounds: Round[] = [];
  let best: Outcome | undefined;
  /** Per round that is not decided, a lower bound of the net cost. */
  const leasts = new Map<Round, number>();
  const play = (round: Round, reserved: number): void => {
    const bestCost = best ? netCostOf(best) : Number.POSITIVE_INFINITY;
    if (round.least > bestCost) return;
    const steps = work.left - reserved;
    if (best && steps <= 0) {
      leasts.set(round, Math.max(round.least, leasts.get(round) ?? 0));
      return;
    }
    const outcome = work.within(steps, () => playRound(round, input, bestCost));
    leasts.delete(round);
    if (!outcome) return;
    if (isUnmet(outcome)) return void leasts.set(round, Math.max(round.least, outcome.least));
    // Of equals everything stays that the staff gave.
    if (round.standing.ofBasket === 'given up' && netCostOf(outcome) >= input.basket.totals.total) return;
    if (!best || isPreferred(outcome, best)) best = outcome;
    const least = netCostOf(outcome) - outcome.search.mostMissed;
    if (outcome.search.mostMissed > 0) leasts.set(round, Math.max(round.least, least));
  };
  const left: Turn[] = [];
  const take = (turn: Turn, reserves: boolean): void => {
    if (best && turn.least > netCostOf(best)) return;
    if (best && work.left - (reserves ? turn.reserved : 0) <= 0) return void left.push(turn);
    const own = turn.rounds();
    rounds.push(...own);
    for (const round of own) play(round, reserves ? round.reserved : 0);
  };
  for (const turn of planTurns(offers, input)) take(turn, true);
  // A round that had to leave steps to others may use up the steps that the others did not need.
  for (const round of rounds) if (leasts.has(round) && round.reserved > 0 && work.left > 0) play(round, 0);
  for (const turn of left.splice(0)) take(turn, false);
  if (!best) throw new Error('assertion failed: to keep what the staff gave is always possible');
  const cost = netCostOf(best);
  let least = cost;
  for (const own of leasts.values()) least = Math.min(least, own);
  for (const own of left) least = Math.min(least, own.least);
  for (const own of rounds) if (own.leavesOut) least = Math.min(least, own.least);
  return { ...best, search: { steps: Math.ceil(work.spent - before), mostMissed: cost - least } };
}

/** The best outcome of a round. Undefined when it plainly costs more than `bestCost` or than the staff's discounts. */
function playRound(round: Round, input: DecisionInput, bestCost: number): Outcome | Unmet | undefined {
  if (!beatsStaffDiscounts(round.standing, input.basket, round.selection, input.work)) return undefined;
  if (input.venue.programme.isRestricted && !isFree(round.selection)) {
    const chosen = chooseRestricted(round, input, bestCost, solve);
    if (!chosen || isUnmet(chosen)) return chosen;
    return withoutWaste(chosen.outcome, { ...round, selection: chosen.selection }, input, solve);
  }
  const outcome = solveMany(round, input, bestCost);
  return outcome && withoutWaste(outcome, round, input, solve);
}

/** True of one offer alone, which is never too many of a group. */
function isFree([offer, ...others]: readonly Offer[]): boolean {
  return offer?.benefit.minimumSaving === 0 && others.length === 0;
}

/** So many offers that compete for units are combined by themselves when the steps did not reach for all of them. */
const FEW: readonly number[] = [1, 4];
/** Steps kept for that, of fewer or more pairs of a competing offer and a line: one offer takes a thousand on 200 lines. */
const MANY_PAIRS = 4_000;
const PART_OF_FEW = { ofFewer: 1 / 4, ofMore: 1 / 2 };
/** A search compares so many pairs at most: of more, comparing them alone would take all steps. */
const MOST_PAIRS = 12_000;

/**
 * The best combination as far as the steps reach. Where many offers compete for units, they may end before a good combination
 * is met, and a guest must not get nothing because there is much to choose from: the offers that may save most are combined
 * by themselves as well.
 */
function solveMany(round: Round, input: DecisionInput, bestCost: number): Outcome | undefined {
  const { work } = input;
  const { selection, lines } = round;
  const competing = selection.filter(competes);
  if (competing.length <= Math.max(...FEW)) return solve(round, input, bestCost);
  work.count(competing.length * lines.length * COST.listedLine);
  const most = new Map(competing.map((offer) => [offer, mostOfOffer(offer, lines)]));
  const promising = competing.toSorted((a, b) => most.get(b)! - most.get(a)!);
  const solveFirst = (count: number): Outcome | undefined => {
    const few = new Set(promising.slice(0, count));
    const fewer = selection.filter((offer) => few.has(offer) || !most.has(offer));
    return solve({ ...round, selection: fewer }, input, bestCost);
  };
  const compared = Math.max(...FEW, Math.floor(MOST_PAIRS / lines.length));
  const isComplete = compared >= competing.length;
  const isLarge = competing.length * lines.length > MANY_PAIRS;
  const kept = work.left * (isLarge ? PART_OF_FEW.ofMore : PART_OF_FEW.ofFewer);
  let best = work.within(work.left - kept, () => solveFirst(compared));
  if (!best || (isComplete && best.search.mostMissed === 0)) return best;
  const least = isComplete ? netCostOf(best) - best.search.mostMissed : Number.NEGATIVE_INFINITY;
  for (const count of FEW) {
    const outcome = work.left > 0 ? solveFirst(count) : undefined;
    if (outcome && isPreferred(outcome, best)) best = outcome;
  }
  return { ...best, search: { ...best.search, mostMissed: netCostOf(best) - least } };
}

/** True for an offer that competes with others for units, or shares out its own cap or limit. */
function competes(offer: Offer): boolean {
  if (isAt(offer, 'line')) return !isPlain(offer);
  return isAt(offer, 'bundle') || isAt(offer, 'buyGet');
}

/** Exclusive benefits get at most this part of all steps while there are other benefits. */
const PART_OF_EXCLUSIVES = 1 / 4;

/**
 * All turns: the exclusive offers, which seldom take long alone, those first that may save most; then all others together
 * with whatever steps are left.
 */
function planTurns(offers: readonly Offer[], { basket, lines, venue, work }: DecisionInput): Turn[] {
  const shared = offers.filter(({ benefit }) => !benefit.exclusive);
  const exclusive = offers.filter(({ benefit }) => benefit.exclusive);
  const standings = possibleStandings(basket, lines, venue.programme, offers);
  work.count(exclusive.length * standings.length * lines.length * COST.listedLine);
  /** The rounds of these offers together leave so many steps to others. */
  const turnOf = (own: readonly Offer[], standing: Standing, reserved: number, cost: number): Turn => {
    const gifts = collectGifts(own, venue, basket);
    const least = cost - worthOfGifts(gifts);
    const rounds = (): Round[] => {
      const { views, isComplete } = unitViews(own, standing.lines, venue.programme.existingLineDiscounts, work);
      const steps = Math.max(0, work.left - reserved);
      return views.map((view, n): Round => {
        const ofViews = (steps * (views.length - n - 1)) / views.length;
        // What a gift gives of the basket and what it adds belong to one offer, as this view has it.
        const added = gifts.length === 0 ? gifts : collectGifts(view.selection, venue, basket);
        return {
          ...view,
          standing,
          gifts: added,
          least,
          reserved: reserved + ofViews,
          leavesOut: n === 0 && !isComplete,
        };
      });
    };
    return { least, reserved, rounds };
  };
  return standings.flatMap((standing, at) => {
    if (standing.ofBasket === 'kept') {
      const kept = {
        standing,
        selection: [],
        lines: standing.lines,
        gifts: [],
        least: basket.totals.total,
        reserved: 0,
      };
      return [{ ...kept, rounds: () => [kept] }];
    }
    // Each way for the staff's discounts to stand gets its share.
    const later = (work.left * (standings.length - at - 1)) / standings.length;
    const reserved = shared.length === 0 ? later : later + (1 - PART_OF_EXCLUSIVES) * (work.left / standings.length);
    const total = exclusive.length === 0 ? 0 : standing.lines.reduce((sum, { incoming }) => sum + incoming, 0);
    const alone = exclusive.map((offer) =>
      turnOf([offer], standing, reserved, total - mostOfOffer(offer, standing.lines)),
    );
    alone.sort((a, b) => a.least - b.least);
    return [...alone, turnOf(shared, standing, later, 0)];
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
  { venue, work, withBounds }: DecisionInput,
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
    return settleOutcome({ pieces, bought: NOTHING_BOUGHT, orders: problem.orders }, standing, problem, gifts, missed);
  }
  const { takes, orders, mostMissed } = searchCombination(problem, choice, withBounds);
  const pieces = splitLines(problem.lines, problem.lines.map(indexOf), takes);
  const bought = takes.flatMap((own) => own.bought);
  return settleOutcome({ pieces, bought, orders }, standing, problem, gifts, mostMissed);
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
): Outcome {
  work.count(pieces.length * (COST.evaluatedLine + (1 + orderOffers.length) * shareSteps));
  const parts = settleParts(pieces, policy);
  if (!parts) throw new Error('assertion failed: the chosen combination is permitted');
  // The parts of a unit with modifiers stood together until now.
  if (hasUnits) parts.sort((a, b) => a.line.index - b.line.index);
  const orders = orderOffers.length === 0 ? [] : bestOrders(orderOffers, parts);
  let total = 0;
  for (const { rest } of parts) total += rest;
  for (const { amount } of orders) total -= amount;
  const uses = countUses(parts, orders, gifts);
  return { standing, parts, bought, orders, gifts, total, uses, search: { steps: 0, mostMissed } };
}
