import type { BasketRequest } from '@loyalty/contract/basket-request';
import { parseDateTime, writeDateTime } from '@loyalty/contract/date-time';
import { limitedUses } from '@loyalty/engine/price';
import type { LimitedUse, Member, Venue } from '@loyalty/engine/types';
import { clockOffsetMs, isClockOff } from '../programme/clock-window.ts';
import type { Environment } from '../programme/environment.ts';
import { type CommonCounters, type CountersByKey, leftInCommon, readCommon } from '../store/common-limits.ts';
import { type MemberSnapshot, unitsLeft } from '../store/members.ts';
import type { Store } from '../store/store.ts';

/** The steps before the price that a basket call and its dry run share. */

/**
 * The member as stored in Redis. Members in the configuration file count even if Redis lost its data and has not been
 * reloaded.
 */
export function findMember(
  environment: Environment,
  venue: Venue,
  loyaltyId: string,
  snapshot: MemberSnapshot,
): Member | undefined {
  return snapshot.member ?? environment.findMember(venue.programme.programmeId, loyaltyId);
}

/**
 * Units left under every usage key. Holds of this calculation and of the one it supersedes do not reduce them. `common` are the
 * counters of limits over all members; without its counter nothing is left of such a limit.
 */
export function findAvailable(
  basket: Pick<BasketRequest, 'calculationId' | 'supersedesCalculationId'>,
  uses: readonly LimitedUse[],
  snapshot: MemberSnapshot,
  common: CountersByKey,
): Map<string, number> {
  const except = [basket.calculationId, basket.supersedesCalculationId];
  return new Map(
    uses.map(({ usageKey, limit, of }) => [
      usageKey,
      of === undefined ? unitsLeft(snapshot, usageKey, limit, except) : leftInCommon(common.get(usageKey), limit),
    ]),
  );
}

/** Reads the counters of limits over all members that a basket may need; a programme without any asks nothing of Redis. */
export async function readCommonOf(
  store: Store,
  venue: Venue,
  { requestedAt, calculationId, supersedesCalculationId }: BasketTimes,
): Promise<CommonCounters> {
  const { programmeId, hasCommonLimits } = venue.programme;
  if (!hasCommonLimits) return NO_COUNTERS;
  const wanted = supersedesCalculationId === undefined ? [calculationId] : [calculationId, supersedesCalculationId];
  return readCommon(store, { programmeId, venueId: venue.venueId }, limitedUses(venue, requestedAt), wanted);
}

type BasketTimes = Pick<BasketRequest, 'requestedAt' | 'calculationId' | 'supersedesCalculationId'>;

const NO_COUNTERS: CommonCounters = new Map();

/** A basket's time compared with Redis' clock. */
export interface ClockJudgement {
  /** Milliseconds, above 0 when the basket is ahead. */
  readonly offsetMs: number;
  /** True when the offset is outside the configured window. */
  readonly isOff: boolean;
}

/**
 * Compares `requestedAt` with Redis' clock in the member's snapshot: every process uses the same clock, and no extra
 * round trip is needed.
 */
export function judgeClock(
  { clockWindow }: Environment,
  { requestedAt }: Pick<BasketRequest, 'requestedAt'>,
  { nowMs }: MemberSnapshot,
): ClockJudgement {
  const offsetMs = clockOffsetMs(requestedAt, nowMs);
  return { offsetMs, isOff: isClockOff(offsetMs, clockWindow) };
}

/**
 * The time of a basket by the clock of its member: `requestedAt` itself, or for a test member whose clock was moved, as many
 * milliseconds later as the clock is ahead (earlier if it is behind).
 */
export function timeOfMember(requestedAt: string, { movedMs }: { readonly movedMs: number }): string {
  if (movedMs === 0) return requestedAt;
  return writeDateTime((parseDateTime(requestedAt) ?? 0) + movedMs);
}

/** The basket at its member's time. */
export function atTime(basket: BasketRequest, requestedAt: string): BasketRequest {
  return { ...basket, requestedAt };
}
