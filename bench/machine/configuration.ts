import { HOT_MEMBER, loyaltyIdOf, MEMBER_COUNT, PAUSED_MEMBER, TERMINAL_SETUP, VENUE } from '../generator/mix.ts';

/** Calls per second, and at once. */
export interface RateLimit {
  readonly sustained: number;
  readonly burst: number;
}

const UNLIMITED: RateLimit = { sustained: 1_000_000, burst: 1_000_000 };

/**
 * The environment of every contestant: a venue with a small programme and a thousand members. One member in ten has a
 * grant with a limit, so uses are read for every call and held for some. The hot member has only benefits with limits
 * that run out, except for one. The rate limit is asked on every call and never reached.
 */
export function benchConfiguration(rateLimit = UNLIMITED): object {
  const limited = { limit: { quantity: 1, period: 'day', counts: 'baskets' }, audience: 'granted' };
  return {
    environment: 'staging',
    rateLimit,
    calculation: { holdMinutes: 30, idempotencyHours: 24, retentionDays: 7 },
    latencyBudget: { p95: 150, p99: 250, deadline: 400 },
    venues: [
      {
        venueId: VENUE,
        terminalSetups: [TERMINAL_SETUP],
        currencies: ['NOK'],
        timeZone: 'Europe/Oslo',
        programmeId: 'bench-club',
        products: [],
      },
    ],
    programmes: [
      {
        programmeId: 'bench-club',
        memberLabel: 'Bench Club',
        discountCode: 'loyalty',
        existingLineDiscounts: 'replace_if_larger',
        existingOrderDiscounts: 'keep',
        benefits: [
          { benefitId: 'everything-10', kind: 'line_percent', text: 'Member 10 %', percent: 10 },
          {
            benefitId: 'coffee-20',
            kind: 'line_percent',
            text: 'Coffee 20 %',
            percent: 20,
            appliesTo: { productGroupIds: ['coffee', 'pastry'] },
          },
          {
            benefitId: 'large-basket-15',
            kind: 'line_percent',
            text: 'Large basket 15 %',
            percent: 15,
            minimumSpend: 100_000,
            when: { channels: ['pos'] },
          },
          { benefitId: 'once-a-day-30', kind: 'line_percent', text: 'Daily 30 %', percent: 30, ...limited },
          {
            benefitId: 'fifty-a-day-25',
            kind: 'line_percent',
            text: 'Crew 25 %',
            percent: 25,
            ...limited,
            limit: { quantity: 50, period: 'day', counts: 'baskets' },
          },
        ],
      },
    ],
    members: [
      ...Array.from({ length: MEMBER_COUNT }, (_, member) =>
        memberOf(member, member % 10 === 0 ? ['once-a-day-30'] : []),
      ),
      memberOf(HOT_MEMBER, ['once-a-day-30', 'fifty-a-day-25']),
      { ...memberOf(PAUSED_MEMBER, []), status: 'paused' },
    ],
  };
}

function memberOf(member: number, grants: readonly string[]): object {
  return { programmeId: 'bench-club', loyaltyId: loyaltyIdOf(member), status: 'active', grants };
}
