import type { BasketRequest } from '@loyalty/contract/basket-request';
import { parseDateTime, writeDateTime } from '@loyalty/contract/date-time';
import { limitedUses } from '@loyalty/engine/offers/limits';
import type { LimitedUse, Member, Venue } from '@loyalty/engine/types';
import { clockOffsetMs, isClockOff } from '../programme/clock-window.ts';
import type { Environment } from '../programme/environment.ts';
import { type CountersByKey, leftInCommon } from '../store/common-limits.ts';
import { requireData } from '../store/data-guard.ts';
import { readCounters } from '../store/holds.ts';
import { type MemberSnapshot, unitsLeft } from '../store/members.ts';
import type { Store } from '../store/store.ts';
import { type LookedUp, readCommonOf } from './lookup.ts';
import type { ReadCall } from './read-call.ts';

/** By what a basket is priced beside itself and the configuration. Plain data. */
export interface Circumstances {
  /** Undefined where the programme does not know the loyalty ID. */
  readonly member: Member | undefined;
  /** The basket's time by its member's clock, RFC 3339. */
  readonly requestedAt: string;
  /** Milliseconds by which that clock is ahead; 0 for everybody but test members. */
  readonly movedMs: number;
  /** Milliseconds by which the basket's time is ahead of Redis' clock, and whether that is outside the configured window. */
  readonly clockOffsetMs: number;
  readonly isClockOff: boolean;
  /** The limits that the basket may draw on. */
  readonly uses: readonly LimitedUse[];
  /** Units left of each by usage key. */
  readonly available: ReadonlyMap<string, number>;
}

/** Finds the circumstances of a call in what was read of it. Throws `StoreUnavailable`. */
export async function findCircumstances(
  { environment, store }: { readonly environment: Environment; readonly store: Store },
  { basket, venue }: ReadCall,
  { memberKey, snapshot, common }: LookedUp,
): Promise<Circumstances> {
  const member = findMember(environment, venue, basket.loyaltyId, snapshot);
  if (!member) await requireData(store, memberKey);
  const { movedMs } = snapshot;
  const requestedAt = timeOfMember(basket.requestedAt, snapshot);
  const uses = limitedUses(venue, requestedAt, member);
  const usageKeys = () => uses.map(({ usageKey }) => usageKey);
  const whole = snapshot.isPartial ? await readCounters(store, memberKey, snapshot, usageKeys()) : snapshot;
  // The counters of a moved clock's period are others than those that were read with the member.
  const counters = movedMs === 0 ? common : await readCommonOf(store, venue, { ...basket, requestedAt });
  const { offsetMs: clockOffsetMs, isOff: isClockOff } = judgeClock(environment, basket, snapshot);
  const available = findAvailable(basket, uses, whole, counters);
  return { member, requestedAt, movedMs, clockOffsetMs, isClockOff, uses, available };
}

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
