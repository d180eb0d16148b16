import type { BasketRequest } from '@loyalty/contract/basket-request';
import type { AppliedResponse, BasketLineOut } from '@loyalty/contract/basket-response';
import type { AppliedContent, UnchangedContent } from './answer/content.ts';
import { describeOutcome } from './answer/describe.ts';
import { findOwnDiscounts, traceOwnDiscounts, withOwnRemoved, withoutOwnDiscounts } from './answer/own-discounts.ts';
import { renderAnswer } from './answer/render.ts';
import { localTime } from './compile/calendar.ts';
import { decide } from './decide/decide.ts';
import { changesBasket, givenBy } from './decide/outcome.ts';
import { readLines } from './lines/lines.ts';
import type { Situation } from './offers/conditions.ts';
import { grantSteps } from './offers/grants.ts';
import { withMinimumsMet } from './offers/minimums.ts';
import { findOffers } from './offers/offers.ts';
import { byPrecedence } from './offers/precedence.ts';
import { reasonForUnchanged } from './trace/reason.ts';
import { buildTrace, traceInactive } from './trace/trace.ts';
import type { Decision, GivenBenefit, Member, Trace, Use, Venue } from './types.ts';
import { Work } from './work.ts';

const NOTHING_GIVEN = (): readonly GivenBenefit[] => [];

/** A basket, validated and its identities checked (packages/contract/src/basket), with the venue and the member whom it is priced for. */
export interface BasketToPrice {
  readonly basket: BasketRequest;
  readonly venue: Venue;
  readonly member: Member;
  /** How much is left of every limited use, by `usageKey`. A missing key counts as 0. */
  readonly available: ReadonlyMap<string, number>;
  /**
   * True when `requestedAt` is too far from the right time: benefits that go by the clock are closed then. The caller
   * compares it with a clock, because pricing has none.
   */
  readonly isClockOff?: boolean;
  /** Adds the trace to the decision; without it none is built. */
  readonly trace?: boolean;
  /** Bounds the work of pricing, in steps (work.ts), in place of what the programme says. */
  readonly maximumSteps?: number;
  /** Pricing that takes more steps than this is given up with `OverBudget` (work.ts). Without one it never is. */
  readonly budget?: number;
}

/** Finding out why nothing applies takes at most this part of all steps, in addition to those that are left. */
const PART_FOR_REASON = 1 / 4;

/** A decision as an answer is made of it (answer/render.ts), and the limited uses that it takes. */
export interface Decided {
  readonly content: AppliedContent | UnchangedContent;
  readonly uses: readonly Use[];
  /** What each benefit gives, in the order of the benefitId; counted when it is asked for. */
  readonly given: () => readonly GivenBenefit[];
  readonly trace?: Trace;
  /**
   * What the relaxation of the choice promises beyond it, in minor units: an estimate of the most that another permitted combination could
   * still save. 0 where every line chooses for itself.
   */
  readonly gap: number;
  /** The steps that the choice took (work.ts). */
  readonly steps: number;
  /** Order discounts of the service itself that came back and were taken off. */
  readonly ownDiscounts: number;
}

/**
 * Prices a basket for a member of the venue's programme: (basket, member, venue, availability) → decision. Pure and
 * synchronous; the same input gives the same bytes. An `applied` decision changes the basket in at least one way
 * (interface, section 2); whether the member exists is the caller's question. Throws `OverBudget`: the work of a basket is known only by
 * doing it.
 */
export function decideBasket(input: BasketToPrice): Decided {
  const sent = input.basket;
  const venue = venueIn(sent.currency, input.venue);
  const { discountCode } = venue.programme;
  const own = findOwnDiscounts(sent, discountCode);
  if (own.length === 0) return decideOn({ ...input, venue }, sent);
  const decided = decideOn({ ...input, venue }, withoutOwnDiscounts(sent, own));
  const content = withOwnRemoved(decided.content, discountCode, sent, own);
  const { trace } = decided;
  if (!trace) return { ...decided, content, ownDiscounts: own.length };
  const returned = traceOwnDiscounts(sent, own, answeredLines(sent, content));
  const changes = [...trace.changes, ...returned];
  return { ...decided, content, ownDiscounts: own.length, trace: { ...trace, changes } };
}

/** The decision with the lines, order discounts and totals of its answer. */
export function priceBasket(input: BasketToPrice): Decision {
  const { content, uses, trace } = decideBasket(input);
  const answer = renderAnswer(input.basket, content);
  const { calculationId: _known, ...shown } = answer;
  const traced = trace ? { trace } : {};
  return (content.status === 'applied' ? { ...shown, uses, ...traced } : { ...shown, ...traced }) as Decision;
}

/** The venue with the amounts of its programme in the currency of the basket. */
function venueIn(currency: string, venue: Venue): Venue {
  const programme = venue.programme.inCurrency.get(currency);
  return programme ? { ...venue, programme } : venue;
}

/** The decision on a basket that holds no discount of the service itself. */
function decideOn(input: BasketToPrice, basket: BasketRequest): Decided {
  const { member, venue, available } = input;
  const { programme } = venue;
  const common = { given: NOTHING_GIVEN, uses: [], gap: 0, steps: 0, ownDiscounts: 0 };
  if (member.status !== 'active') {
    const trace = input.trace && { trace: traceInactive(programme) };
    return { ...common, content: { status: 'unchanged', reason: 'member_inactive', memberLabel: undefined }, ...trace };
  }
  const memberLabel = member.memberLabel ?? programme.memberLabel;
  const time = localTime(basket.requestedAt, venue.timeZone);
  const situation: Situation = { basket, member, venue, time, isClockOff: input.isClockOff ?? false };
  const maximumSteps = input.maximumSteps ?? programme.maximumSteps;
  // Grants count for the budget alone: they must not shorten the choice that a guest with many of them gets.
  const budget = (input.budget ?? Number.POSITIVE_INFINITY) - grantSteps(member);
  const work = new Work(maximumSteps, budget);
  const offers = findOffers(situation, available, work);
  const lines = readLines(basket.lines, programme.existingLineDiscounts, programme.selectorIndex.weighed);
  const decisionInput = { basket, lines, venue, work };
  const { open, beaten } = byPrecedence(withMinimumsMet(offers, lines, work), lines, work);
  const outcome = decide(open, decisionInput);
  const { steps, gap } = outcome.search;
  const applied = changesBasket(outcome) ? describeOutcome(basket, outcome, programme, memberLabel) : undefined;
  const explain = (): Pick<Decided, 'trace'> => {
    const tracing = { situation, offers, open, beaten, lines, outcome, available };
    const input = { ...decisionInput, work: new Work(maximumSteps) };
    return { trace: buildTrace({ ...tracing, input }, applied && answeredLines(basket, applied)) };
  };
  const trace = input.trace && explain();
  if (!applied) {
    const more = new Work(work.left + maximumSteps * PART_FOR_REASON, budget - work.spent);
    const reason = reasonForUnchanged(offers, lines, { ...decisionInput, work: more });
    return { ...common, content: { status: 'unchanged', reason, memberLabel }, gap, steps, ...trace };
  }
  return { ...common, content: applied, uses: outcome.uses, given: () => givenBy(outcome), gap, steps, ...trace };
}

/** The lines of the answer. */
function answeredLines(basket: BasketRequest, content: AppliedContent): readonly BasketLineOut[] {
  return (renderAnswer(basket, content) as AppliedResponse).lines;
}
