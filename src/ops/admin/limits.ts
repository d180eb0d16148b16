import type { Programme } from '../../pricing/compile/programme.ts';
import type { LimitCounts } from '../../pricing/compile/words.ts';
import { grantUsageKey, limitedUses } from '../../pricing/price.ts';
import type { Environment } from '../../programme/environment.ts';
import type { Hold } from '../../store/hold.ts';
import { type MemberSnapshot, type StoredMember, unitsConsumed, unitsHeld, unitsLeft } from '../../store/members.ts';
import { readUsageKey } from './uses.ts';

/** One limited benefit of a member in the current period. Units are baskets, items or minor units, as `counts` says. */
export interface LimitState {
  readonly benefitId: string;
  /** Of a limit that several benefits share; `benefitId` is one of them. */
  readonly limitId?: string;
  /** `2026-11-21`, `2026-W47`, `2026-11`, `2026`, or `*` for the member's lifetime. */
  readonly period: string;
  readonly counts: LimitCounts;
  /** Of a limit that counts money, whose units are minor units. */
  readonly currency?: string;
  readonly limit: number;
  readonly consumed: number;
  readonly held: number;
  /** Units consumed past the limit, by sales that came after the end of their hold. */
  readonly overRedeemed: number;
  readonly left: number;
  /** The venues whose time zone is in this period now. */
  readonly venues: readonly string[];
}

/**
 * Describes every limit of a programme's benefits that is the member's own, as of the snapshot's instant. A period depends on the venue's time
 * zone, so venues in several zones may be in two periods at once; each period is listed.
 */
export function describeLimits(environment: Environment, programme: Programme, snapshot: MemberSnapshot): LimitState[] {
  const now = new Date(snapshot.nowMs + snapshot.movedMs).toISOString();
  const states = new Map<string, LimitState>();
  for (const venue of environment.venues.filter((other) => other.programme.programmeId === programme.programmeId)) {
    for (const { benefitId, usageKey, limit, counts, of } of limitedUses(venue, now)) {
      // The counters of limits over all members are no member's (common-limits.ts).
      if (of !== undefined) continue;
      const { limitId, currency, period } = readUsageKey(usageKey);
      const known = states.get(usageKey);
      states.set(usageKey, {
        benefitId: known?.benefitId ?? benefitId,
        ...(limitId !== undefined && { limitId }),
        ...{ period, counts },
        ...(currency !== undefined && { currency }),
        limit,
        ...unitsConsumed(snapshot, usageKey),
        held: unitsHeld(snapshot, usageKey, []),
        left: unitsLeft(snapshot, usageKey, limit, []),
        venues: [...new Set([...(known?.venues ?? []), venue.venueId])],
      });
    }
  }
  return [...states.values()];
}

/** A grant with a quantity, whatever its dates. Units are baskets. */
export interface GrantState {
  readonly benefitId: string;
  readonly grantId: string;
  readonly quantity: number;
  readonly consumed: number;
  readonly held: number;
  readonly overRedeemed: number;
  readonly left: number;
}

/** Describes the counters of a member's grants. */
export function describeGrants(grants: StoredMember['grants'], snapshot: MemberSnapshot): GrantState[] {
  return grants.flatMap((grant) => {
    if (typeof grant === 'string' || grant.quantity === undefined) return [];
    const { benefitId, grantId, quantity } = grant;
    const usageKey = grantUsageKey(grant);
    const [held, left] = [unitsHeld(snapshot, usageKey, []), unitsLeft(snapshot, usageKey, quantity, [])];
    return { benefitId, grantId, quantity, ...unitsConsumed(snapshot, usageKey), held, left };
  });
}

/** Describes the live holds, ordered by their end. */
export function describeHolds(holds: readonly Hold[], nowMs: number) {
  const live = holds.filter(({ deadlineMs }) => deadlineMs > nowMs).sort((a, b) => a.deadlineMs - b.deadlineMs);
  return live.map(({ calculationId, deadlineMs, units }) => ({
    calculationId,
    until: new Date(deadlineMs).toISOString(),
    units: Object.fromEntries(units),
  }));
}
