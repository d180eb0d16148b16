import { findRequestMismatch } from '../basket/identities.ts';
import type { BasketRequest } from '../contract/basket-request.ts';
import { type Refusal, refuse } from '../contract/errors.ts';
import type { LimitedUse, Member, Venue } from '../pricing/types.ts';
import { clockOffsetMs, isClockOff } from '../programme/clock-window.ts';
import type { Environment } from '../programme/environment.ts';
import { type MemberSnapshot, unitsLeft } from '../store/members.ts';

/** What a basket call and its dry run have to find out in the same way before they price. */

/** Venue, currency, identities: the last of the checks before the price, in their order (interface, section 4). */
export function findRefusal(basket: BasketRequest, venue: Venue | undefined): Refusal | undefined {
  if (!venue) {
    const details = { field: '/context/venueId', expected: 'a venue and terminal setup mapped here together' };
    return refuse('venue_not_configured', { details });
  }
  if (!venue.currencies.includes(basket.currency)) {
    const details = { field: '/currency', expected: venue.currencies.join(', '), received: basket.currency };
    return refuse('unknown_currency', { details });
  }
  const mismatch = findRequestMismatch(basket);
  if (!mismatch) return undefined;
  const message = `${mismatch.field}: expected ${mismatch.expected}, received ${mismatch.received}.`;
  return refuse('arithmetic_mismatch', { message, details: mismatch });
}

/**
 * The member as Redis knows it. One that the configuration names is a member even while a Redis that lost its data has not
 * been told again.
 */
export function findMember(
  environment: Environment,
  venue: Venue,
  loyaltyId: string,
  snapshot: MemberSnapshot,
): Member | undefined {
  return snapshot.member ?? environment.findMember(venue.programme.programmeId, loyaltyId);
}

/** Units left under every usage key; what this calculation and the one it supersedes hold themselves is theirs to use. */
export function findAvailable(
  basket: BasketRequest,
  uses: readonly LimitedUse[],
  snapshot: MemberSnapshot,
): Map<string, number> {
  const except = [basket.calculationId, basket.supersedesCalculationId];
  return new Map(uses.map(({ usageKey, limit }) => [usageKey, unitsLeft(snapshot, usageKey, limit, except)]));
}

/** A basket's time beside Redis' clock. */
export interface ClockJudgement {
  /** Milliseconds, above 0 when the basket is ahead. */
  readonly offsetMs: number;
  /** True when that is outside the configured window. */
  readonly isOff: boolean;
}

/** Compares `requestedAt` with Redis' clock as of the member's reading: one clock for all processes, and no trip of its own. */
export function judgeClock(
  { clockWindow }: Environment,
  { requestedAt }: BasketRequest,
  { nowMs }: MemberSnapshot,
): ClockJudgement {
  const offsetMs = clockOffsetMs(requestedAt, nowMs);
  return { offsetMs, isOff: isClockOff(offsetMs, clockWindow) };
}
