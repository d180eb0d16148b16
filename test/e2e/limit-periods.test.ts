/** Limited benefits count baskets per day, week, month, year and lifetime, in the venue's own time (requestedAt decides). */
import { expect, test } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { resultOf } from '../support/caller.ts';
import { type Benefit, configurationOf, memberOf, TWENTY } from '../support/configuration.ts';
import { useSharedService } from '../support/shared-service.ts';
import type { ContextBody } from '../support/wire.ts';

const PERIODS = ['day', 'week', 'month', 'year', 'lifetime'] as const;
type Period = (typeof PERIODS)[number];
const ZONES = { oslo: 'Europe/Oslo', auckland: 'Pacific/Auckland' } as const;
type Zone = keyof typeof ZONES;

const benefitOf = (period: Period): Benefit => ({
  ...TWENTY,
  benefitId: period,
  limit: { quantity: 1, period, counts: 'baskets' },
});

const contextOf = (zone: Zone): ContextBody => ({
  venueId: zone,
  cashRegisterId: 'till-1',
  baxId: `bax-${zone}`,
  channel: 'mpos',
});

/**
 * Instants as a till may write them, in any offset. `first` and `same` lie in one period of the venue's calendar, at its
 * very edges; `next` begins the following one; none has a limit of its own left after one basket.
 */
const calendar: [period: Period, zone: Zone, first: string, same: string, next: string | undefined][] = [
  ['day', 'oslo', '2026-03-29T00:00:00+01:00', '2026-03-29T23:59:59.999+02:00', '2026-03-30T00:00:00+02:00'],
  ['day', 'oslo', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z', '2026-03-29T22:00:00Z'],
  ['day', 'oslo', '2026-10-25T00:00:00+02:00', '2026-10-25T23:59:59+01:00', '2026-10-26T00:00:00+01:00'],
  ['day', 'auckland', '2026-06-30T12:00:00Z', '2026-07-01T11:59:59Z', '2026-07-01T12:00:00Z'],
  ['week', 'oslo', '2026-03-30T00:00:00+02:00', '2026-04-05T23:59:59+02:00', '2026-04-06T00:00:00+02:00'],
  ['week', 'oslo', '2026-12-28T00:00:00+01:00', '2027-01-03T23:59:59+01:00', '2027-01-04T00:00:00+01:00'],
  ['month', 'oslo', '2026-01-31T23:00:00Z', '2026-02-28T22:59:59Z', '2026-02-28T23:00:00Z'],
  ['month', 'auckland', '2026-02-01T00:00:00+13:00', '2026-02-28T10:59:59Z', '2026-02-28T11:00:00Z'],
  ['year', 'oslo', '2025-12-31T23:00:00Z', '2026-12-31T22:59:59Z', '2026-12-31T23:00:00Z'],
  ['year', 'auckland', '2026-01-01T00:00:00+13:00', '2026-12-31T23:59:59+13:00', '2026-12-31T11:00:00Z'],
  ['lifetime', 'oslo', '2026-01-01T00:00:00Z', '2056-01-01T00:00:00Z', undefined],
];

const stage = useSharedService(
  configurationOf({
    venues: (Object.keys(ZONES) as Zone[]).map((zone) => ({
      venueId: zone,
      terminalSetups: [`bax-${zone}`],
      currencies: ['NOK'],
      timeZone: ZONES[zone],
      programmeId: 'coffee-club',
      products: [],
    })),
    programme: { benefits: PERIODS.map(benefitOf) },
    members: calendar.map(([period], index) => memberOf(`guest-${index}`, [period])),
  }),
);

/** Sends a basket at this time and answers its status; a sold one uses the limit up for good. */
async function buy(loyaltyId: string, zone: Zone, requestedAt: string, isSold: boolean): Promise<unknown> {
  const basket = basketOf([{}], { loyaltyId, requestedAt, context: contextOf(zone) });
  const answer = await stage.caller.basket(basket);
  if (isSold) expect(resultOf(await stage.caller.sale(saleOf(basket.calculationId)))).toBe('recorded');
  return answer.json().status;
}

test.each(calendar.map((row, index) => [index, ...row] as const))(
  '%d: once a %s in %s, from %s to %s',
  async (index, _, zone, first, same, next) => {
    // What is held counts as what is sold; the kit and test/corpus have holds.
    const isSold = index % 2 === 0;
    const member = `guest-${index}`;
    expect(await buy(member, zone, first, isSold)).toBe('applied');
    expect(await buy(member, zone, same, isSold)).toBe('unchanged');
    if (next !== undefined) expect(await buy(member, zone, next, isSold)).toBe('applied');
    expect(await buy(member, zone, first, isSold)).toBe('unchanged');
  },
);
