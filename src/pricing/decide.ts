import type { BasketRequest } from '../contract/basket-request.ts';
import { collectGifts } from './gifts.ts';
import type { LineFacts } from './lines.ts';
import { eligibleLines, type Offer } from './offers.ts';
import { applyOrderOffers, type OrderEffect, type OrderOffer } from './order-discounts.ts';
import { countUses, effectiveOffers, isPreferred, type Outcome, unitsOf, worthOf } from './outcome.ts';
import { choosePlain, type PlainChoice } from './plain.ts';
import { isIndependent, type Problem, poseProblem } from './search/problem.ts';
import { searchCombination } from './search/search.ts';
import { type SettledPart, settleParts } from './settle.ts';
import { type Part, splitLine, wholeLine } from './split.ts';
import { beatsStaffDiscounts, possibleStandings, type Standing } from './standing.ts';
import type { Venue } from './types.ts';

/** Chooses the best permitted combination of a set of offers (docs/benefits.md, The rules). */

export interface DecisionInput {
  readonly basket: BasketRequest;
  /** The lines of the basket as they came. */
  readonly lines: readonly LineFacts[];
  readonly venue: Venue;
  /** Bounds the search, in choices looked at; where it is reached the outcome says so. */
  readonly maximumSteps: number;
  /** Asks how much an outcome that is not proven best may miss. */
  readonly withBounds: boolean;
}

/** Each of many exclusive benefits gets at least so many steps. */
const MIN_STEPS_PER_SELECTION = 100;

/**
 * The best outcome of all offers: those that are not exclusive together, or one exclusive benefit alone, with the staff's
 * order discounts or without.
 */
export function decide(offers: readonly Offer[], input: DecisionInput): Outcome {
  const { basket, lines, venue, maximumSteps } = input;
  const shared = offers.filter(({ benefit }) => !benefit.exclusive);
  const selections: (readonly Offer[])[] = [shared];
  if (shared.length < offers.length) for (const offer of offers) if (offer.benefit.exclusive) selections.push([offer]);

  const standings = possibleStandings(basket, lines, venue.programme, offers);
  let rounds = standings.length * selections.length;
  let steps = 0;
  let best: Outcome | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const standing of standings) {
    for (const selection of selections) {
      const allowed = Math.max(MIN_STEPS_PER_SELECTION, (maximumSteps - steps) / rounds--);
      if (!beatsStaffDiscounts(standing, basket, selection)) continue;
      const own = { ...input, maximumSteps: allowed };
      const found = solve(selection, standing, own, best?.total ?? Number.POSITIVE_INFINITY);
      if (!found) continue;
      const outcome = withoutWaste(found, selection, standing, own);
      if (!best || isPreferred(outcome, best)) best = outcome;
      steps += outcome.search.steps;
      least = Math.min(least, outcome.total - outcome.search.mostMissed);
    }
  }
  if (!best) throw new Error('assertion failed: to keep what the staff gave is always possible');
  return { ...best, search: { steps, mostMissed: best.total - least } };
}

/** The best combination of offers that may all be had together; nothing when it plainly costs more than `bestTotal`. */
function solve(
  offers: readonly Offer[],
  standing: Standing,
  { basket, venue, maximumSteps, withBounds }: DecisionInput,
  bestTotal: number,
): Outcome | undefined {
  const policy = venue.programme.existingLineDiscounts;
  const problem = poseProblem(offers, standing.lines, policy, standing.withLoyaltyOrderDiscounts);
  const choice = choosePlain(problem.plain, problem.lines, policy);
  const gifts = collectGifts(offers, venue, basket);
  if (isIndependent(problem, choice)) {
    if (problem.orders.length === 0 && plainTotal(problem, choice) > bestTotal) return undefined;
    const pieces = problem.lines.map((line) => wholeLine(line, choice.offers[line.index], line.units));
    return settleOutcome(pieces, standing, problem, problem.orders, gifts);
  }
  const { takes, orders, steps, mostMissed } = searchCombination(problem, choice, { maximumSteps, withBounds });
  const pieces = problem.lines.flatMap((line) => splitLine(line, takes[line.index]!));
  return { ...settleOutcome(pieces, standing, problem, orders, gifts), search: { steps, mostMissed } };
}

/** What the basket costs when every line chooses for itself and no order-level benefit follows. */
function plainTotal({ lines }: Problem, { savings }: PlainChoice): number {
  let total = 0;
  for (const { index, incoming } of lines) total += incoming - savings[index]!;
  return total;
}

function settleOutcome(
  pieces: readonly Part[],
  standing: Standing,
  { policy }: Problem,
  orderOffers: readonly OrderOffer[],
  gifts: Outcome['gifts'],
): Outcome {
  const parts = settleParts(pieces, policy);
  if (!parts) throw new Error('assertion failed: the chosen combination is permitted');
  const orders = orderOffers.length === 0 ? [] : applyOrders(orderOffers, parts);
  let total = 0;
  for (const { rest } of parts) total += rest;
  for (const { amount } of orders) total -= amount;
  const uses = countUses(parts, orders, gifts);
  return { standing, parts, orders, gifts, total, uses, search: { steps: 0, mostMissed: 0 } };
}

function applyOrders(orderOffers: readonly OrderOffer[], parts: readonly SettledPart[]): OrderEffect[] {
  return applyOrderOffers(
    orderOffers,
    parts.map(({ rest }) => rest),
    parts.map(({ line }) => line.index),
  );
}

/** Of more limited benefits that may be spent in vain, the rest stay spent. */
const MAX_WASTE_TRIALS = 8;

/**
 * Gives back limited uses that save nothing: where order-level benefits take all that is left on their lines, a limited
 * benefit may have been spent in vain. The one with the lowest priority, then the highest benefitId, is left out first.
 */
function withoutWaste(outcome: Outcome, offers: readonly Offer[], standing: Standing, input: DecisionInput): Outcome {
  if (outcome.uses.length === 0 || !mayHoldWaste(outcome, offers, standing)) return outcome;
  const limited = effectiveOffers(outcome).filter(({ use }) => use);
  limited.sort((a, b) => a.benefit.priority - b.benefit.priority || b.benefit.ordinal - a.benefit.ordinal);
  let best = outcome;
  let kept = offers;
  for (const offer of limited.slice(0, MAX_WASTE_TRIALS)) {
    const fewer = kept.filter((other) => other !== offer);
    if (!beatsStaffDiscounts(standing, input.basket, fewer)) continue;
    const candidate = solve(fewer, standing, input, best.total);
    if (!candidate) continue;
    const isAsGood = candidate.total === best.total && worthOf(candidate) === worthOf(best);
    if (!isAsGood || unitsOf(candidate) >= unitsOf(best)) continue;
    best = { ...candidate, search: outcome.search };
    kept = fewer;
  }
  return best;
}

/** True where an order-level benefit takes all that its lines cost, or where nothing is left for it to take. */
function mayHoldWaste({ parts, orders }: Outcome, offers: readonly Offer[], standing: Standing): boolean {
  const { lines, withLoyaltyOrderDiscounts } = standing;
  if (!withLoyaltyOrderDiscounts) return false;
  const isIdle = (offer: Offer): boolean =>
    offer.benefit.level === 'order' &&
    !orders.some((effect) => effect.offer === offer) &&
    eligibleLines(offer, 0, lines).some((i) => lines[i]!.incoming > 0);
  if (offers.some(isIdle)) return true;
  const left = parts.map(({ rest }, part) => orders.reduce((sum, { shares }) => sum - shares[part]!, rest));
  return orders.some(({ shares }) => shares.every((share, part) => share === 0 || left[part] === 0));
}
