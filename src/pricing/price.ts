import type { BasketRequest } from '../contract/basket-request.ts';
import { localTime } from './calendar.ts';
import type { Situation } from './conditions.ts';
import { decide } from './decide.ts';
import { readLines } from './lines.ts';
import { findOffers, isMinimumMet } from './offers.ts';
import { changesBasket } from './outcome.ts';
import { reasonForUnchanged } from './reason.ts';
import { renderBasket } from './render.ts';
import { buildTrace, traceInactive } from './trace/trace.ts';
import type { Decision, Member, Venue } from './types.ts';

export { limitedUses } from './limits.ts';
export type { AppliedDecision, Decision, LimitedUse, Member, Trace, UnchangedDecision, Use, Venue } from './types.ts';

export interface PriceInput {
  /** Validated, its identities checked (src/basket). */
  readonly basket: BasketRequest;
  readonly member: Member;
  readonly venue: Venue;
  /** What is left of every limited use, by `usageKey`; a missing key counts as nothing left. */
  readonly available: ReadonlyMap<string, number>;
  /**
   * True when `requestedAt` is too far from the right time: benefits that go by the clock are closed then. Whoever asks has
   * compared it with a clock; here there is none.
   */
  readonly isClockOff?: boolean;
  /** Adds the trace to the decision; without it none is built. */
  readonly trace?: boolean;
  /** Bounds the search for the best combination, in choices looked at. */
  readonly maximumSteps?: number;
}

/** Enough for every basket that people fill, and below 5 ms where it is used up (docs/benefits.md). */
export const DEFAULT_MAXIMUM_STEPS = 8_000;

/**
 * Prices a basket for a member of the venue's programme: (basket, member, venue, availability) → decision. Pure and
 * synchronous; the same input gives the same bytes. An `applied` decision changes the basket in at least one way
 * (interface, section 2); whether the member exists is the caller's question.
 */
export function priceBasket(input: PriceInput): Decision {
  const { basket, member, venue, available, maximumSteps = DEFAULT_MAXIMUM_STEPS } = input;
  const { programme } = venue;
  if (member.status !== 'active') {
    const trace = input.trace ? { trace: traceInactive(programme) } : {};
    return { status: 'unchanged', reason: 'member_inactive', ...trace };
  }
  const label = member.memberLabel ?? programme.memberLabel;
  const memberLabel = label === undefined ? {} : { memberLabel: label };

  const time = localTime(basket.requestedAt, venue.timeZone);
  const situation: Situation = { basket, member, venue, time, isClockOff: input.isClockOff ?? false };
  const offers = findOffers(situation, available);
  const lines = readLines(basket.lines, programme.existingLineDiscounts);
  const decisionInput = { basket, lines, venue, maximumSteps, withBounds: input.trace === true };
  const outcome = decide(
    offers.filter((offer) => isMinimumMet(offer, lines)),
    decisionInput,
  );
  const rendered = changesBasket(outcome) ? renderBasket(basket, outcome, programme.discountCode) : undefined;
  const trace = input.trace
    ? { trace: buildTrace({ situation, offers, lines, outcome, input: decisionInput }, rendered?.lines ?? []) }
    : {};
  if (!rendered) {
    const reason = reasonForUnchanged(offers, lines, decisionInput);
    return { status: 'unchanged', reason, ...memberLabel, ...trace };
  }
  return { status: 'applied', ...rendered, ...memberLabel, uses: [...outcome.uses], ...trace };
}
