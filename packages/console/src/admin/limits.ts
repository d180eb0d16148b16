import type { Programme } from '@loyalty/engine/compile/programme';
import { grantUsageKey } from '@loyalty/engine/offers/grants';
import type { Environment } from '../../../../src/programme/environment.ts';
import {
  type MemberSnapshot,
  type StoredMember,
  unitsConsumed,
  unitsHeld,
  unitsLeft,
} from '../../../../src/store/members.ts';
import type { Hold } from '../../../../src/store/uses.ts';
import { type AskedPeriod, isIdle, readAskedPeriod, usesIn } from '../asked-period.ts';
import { readCommonLimits } from '../common-limit-states.ts';
import type { GrantState, LimitState } from './member-schemas.ts';
import { type AdminRoute, answered } from './route.ts';
import { readUsageKey } from './uses.ts';

export const PERIOD_WORDS =
  'A period whose limits are meant: `2026-10`, `2026-10-31`, `2026-W44` or `2026`, until `calculation.retentionDays` after its end. Without it, the periods that are running.';

export const readCommonLimitsRoute: AdminRoute = {
  method: 'GET',
  path: '/admin/limits',
  role: 'read',
  operationId: 'readLimits',
  summary: 'What is left of the limits over all members',
  description:
    'Every limit with `of: programme` or `of: venue`, in the period that is running now at its venues: `quantity` of the configuration in force, `consumed` by sales, `held` by open calculations, and `left`. `runsOutOn` is the day on which nothing is left if it goes on at the pace since the first unit of the period; it is absent where that is not within the period, after the end of the campaign (`endsOn`), or more than three years ahead. The quantity can be changed by a reload while the limit is running. Units are baskets, items, or minor units of `currency`. With `period` it is an earlier period of the same limits, by the configuration in force; the days of a month or a week, and the months of a year, are listed where something was used.',
  query: { period: PERIOD_WORDS },
  answerSchema: 'CommonLimits',
  failures: { invalid: 'No period, or one whose counters are no longer kept.' },
  async handle(administration, { query }) {
    const { store, environment } = administration.current();
    const asked = readAskedPeriod(query.get('period'), store.periods.retentionMs, Date.now());
    return answered({ limits: await readCommonLimits(store, environment, asked) });
  },
};

/**
 * Describes every limit of a programme's benefits that is the member's own, as of the snapshot's instant. A period depends on the venue's time
 * zone, so venues in several zones may be in two periods at once; each period is listed. With an asked period, it is that one and its parts.
 */
export function describeLimits(
  environment: Environment,
  programme: Programme,
  snapshot: MemberSnapshot,
  asked?: AskedPeriod,
): LimitState[] {
  const now = new Date(snapshot.nowMs + snapshot.movedMs).toISOString();
  const states = new Map<string, LimitState>();
  for (const venue of environment.venues.filter((other) => other.programme.programmeId === programme.programmeId)) {
    for (const { benefitId, usageKey, limit, counts, of } of usesIn(venue, asked, now)) {
      // The counters of limits over all members are no member's.
      if (of !== undefined) continue;
      const { limitId, currency, period } = readUsageKey(usageKey);
      const known = states.get(usageKey);
      states.set(usageKey, {
        benefitId: known?.benefitId ?? benefitId,
        ...(limitId !== undefined && { limitId }),
        period,
        counts,
        ...(currency !== undefined && { currency }),
        limit,
        ...unitsConsumed(snapshot, usageKey),
        held: unitsHeld(snapshot, usageKey),
        left: unitsLeft(snapshot, usageKey, limit),
        venues: [...new Set([...(known?.venues ?? []), venue.venueId])],
      });
    }
  }
  return [...states.values()].filter(({ period, consumed, held }) => !isIdle(period, asked, consumed + held));
}

/** Describes the counters of a member's grants, and of those that were used before they were taken. */
export function describeGrants(grants: StoredMember['grants'], snapshot: MemberSnapshot): GrantState[] {
  return [...describePresent(grants, snapshot), ...describeRevoked(grants, snapshot)];
}

function describeRevoked(grants: StoredMember['grants'], snapshot: MemberSnapshot): GrantState[] {
  const present = new Set(grants.flatMap((grant) => (typeof grant === 'string' ? [] : [grantUsageKey(grant)])));
  return [...snapshot.consumed].flatMap(([usageKey, units]) => {
    const { benefitId = '', grantId } = readUsageKey(usageKey);
    if (grantId === undefined || usageKey.includes('!') || units === 0 || present.has(usageKey)) return [];
    const held = unitsHeld(snapshot, usageKey);
    return { benefitId, grantId, ...unitsConsumed(snapshot, usageKey), held, left: 0, isRevoked: true };
  });
}

function describePresent(grants: StoredMember['grants'], snapshot: MemberSnapshot): GrantState[] {
  return grants.flatMap((grant) => {
    if (typeof grant === 'string' || grant.quantity === undefined) return [];
    const { benefitId, grantId, quantity } = grant;
    const usageKey = grantUsageKey(grant);
    const [held, left] = [unitsHeld(snapshot, usageKey), unitsLeft(snapshot, usageKey, quantity)];
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
