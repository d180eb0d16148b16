/** What the service reads in a loaded configuration: times, venues, members, texts by language, and what a file leaves out. */
import { describe, expect, it } from 'vitest';
import { isClockOff } from '../../src/programme/clock-window.ts';
import { ConfigurationError } from '../../src/programme/configuration-error.ts';
import { loadEnvironment } from '../../src/programme/load.ts';

const TEN = { benefitId: 'ten', kind: 'line_percent', percent: 10 };
const venueOf = (venueId: string, more: object = {}) => {
  const terminalSetups = [`${venueId}-1`, `${venueId}-2`];
  return { venueId, terminalSetups, currencies: ['NOK'], timeZone: 'Europe/Oslo', programmeId: 'club', ...more };
};
const memberOf = (programmeId: string, loyaltyId: string, more: object = {}) => {
  return { programmeId, loyaltyId, status: 'active', ...more };
};
const fileOf = (more: object = {}) => ({
  environment: 'staging',
  venues: [venueOf('oslo'), venueOf('bergen')],
  programmes: [{ programmeId: 'club', benefits: [TEN] }],
  ...more,
});
const load = (more: object = {}) => loadEnvironment(JSON.stringify(fileOf(more)), 'x.yaml');

it('what a file leaves out has its default, or is nothing', () => {
  const environment = load({ programmes: [{ programmeId: 'club' }], members: [memberOf('club', 'ida')] });
  expect(environment).toMatchObject({
    name: 'staging',
    version: expect.stringMatching(/^[0-9a-f]{12}$/),
    rateLimit: { sustained: 50, burst: 200 },
    calculation: { holdMs: 1_800_000, idempotencyMs: 86_400_000, retentionMs: 604_800_000, soldMs: 2_592_000_000 },
    latencyBudget: { p95Ms: 150, p99Ms: 250, deadlineMs: 400 },
    hasEventLines: true,
    testMembers: [],
    members: [{ grants: [] }],
    programmes: [{ benefits: [] }],
  });
  expect(environment.venues.map(({ products }) => products.size)).toEqual([0, 0]);
  expect([load({ events: {} }), load({ events: { lines: false } })].map((own) => own.hasEventLines)).toEqual([
    true,
    false,
  ]);
});

it.each([
  ['a: [', /^file\.yaml: line 1: found a \[ that is never closed, allowed: .+$/],
  ['', /^file\.yaml: found an empty file, allowed: a mapping$/],
  ['a: 1\na: 2', /line 2/],
])('a file is refused that is no YAML, or nothing: %j', (text, message) => {
  expect(() => loadEnvironment(text, 'file.yaml')).toThrow(ConfigurationError);
  expect(() => loadEnvironment(text, 'file.yaml')).toThrow(message);
});

describe('the times of a file', () => {
  it('are those of the window of requestedAt, which people can read as it is written', () => {
    const requestedAt = { pastHours: 2, aheadMinutes: 10 };
    const { clockWindow, wording } = load({ requestedAt });
    expect(wording).toEqual({ venues: fileOf().venues, programmes: fileOf().programmes, requestedAt });
    const offsets = [0, -7_200_000, -7_200_001, 600_000, 600_001];
    expect(offsets.map((offset) => isClockOff(offset, clockWindow))).toEqual([false, false, true, false, true]);
    expect(isClockOff(1e15, load().clockWindow)).toBe(false);
  });

  it('are whole milliseconds and at least one, which Redis takes as an expiry', () => {
    const { holdMs, idempotencyMs } = load({ calculation: { holdMinutes: 1e-9, idempotencyHours: 1e-6 } }).calculation;
    expect([holdMs, idempotencyMs]).toEqual([1, 4]);
  });

  it('are equal where they are written as equal, whatever a fraction of an hour or a day loses', () => {
    for (let ms = 1; ms < 100_000_000; ms = Math.ceil(ms * 1.1) + 7) {
      const hours = ms / 3_600_000;
      const calculation = { holdMinutes: ms / 60_000, idempotencyHours: hours, retentionDays: ms / 86_400_000 };
      expect(load({ calculation }).calculation.holdMs, `${ms} ms`).toBe(ms);
    }
  });

  it('keep a sale for as long as goods can be returned, or for the retention if it is longer', () => {
    const soldDays = (retentionDays: number, days: number) =>
      load({ calculation: { retentionDays }, returns: { days } }).calculation.soldMs / 86_400_000;
    expect([soldDays(7, 14), soldDays(60, 14)]).toEqual([14, 60]);
  });
});

it('a venue is found by each of its terminal setups, with its products', () => {
  const cup = { productId: '1', name: 'Cup', unitPrice: 3900, noDiscount: false, noPercentageDiscount: true };
  const { findVenue } = load({ venues: [venueOf('oslo', { products: [cup] }), venueOf('bergen')] });
  const found = ['oslo-1', 'oslo-2', 'bergen-1', 'nowhere'].map((baxId) => findVenue('oslo', baxId)?.venueId);
  expect(found).toEqual(['oslo', 'oslo', undefined, undefined]);
  expect(findVenue('oslo', 'oslo-1')!.products).toEqual(new Map([['1', cup]]));
});

it('a member of the file is found by the programme and the loyalty ID together', () => {
  const programmes = [{ programmeId: 'club', benefits: [TEN] }, { programmeId: 'bistro' }];
  const members = [memberOf('club', 'ida', { grants: ['ten'] }), memberOf('bistro', 'ida'), memberOf('bistro', 'b ob')];
  const { findMember } = load({ programmes, members });
  expect(findMember('club', 'ida')).toMatchObject({ programmeId: 'club', grants: ['ten'] });
  expect(findMember('bistro', 'ida')).toMatchObject({ programmeId: 'bistro', grants: [] });
  expect([findMember('bistro', 'b ob')?.loyaltyId, findMember('club', 'b ob')]).toEqual(['b ob', undefined]);
});

describe('texts by language', () => {
  const CAKE = { nb: 'Bursdagskake', sv: 'Födelsedagstårta', en: 'Birthday cake', 'en-GB': 'Birthday sponge' };
  const amount = { benefitId: 'voucher', kind: 'order_amount', amount: { NOK: 500, SEK: 550 }, text: CAKE };
  const venuesOf = (...languages: (string | undefined)[]) =>
    languages.map((language, at) => venueOf(`${at}`, { currencies: ['NOK', 'SEK'], language }));
  const memberLabel = { nb: 'Klubben', sv: 'Klubb' };

  it('are those of the venue, then without its region, and else the first, in every currency', () => {
    const venues = venuesOf('nb', 'sv', 'en-GB', 'en-US', 'fi', undefined);
    const loaded = load({ venues, programmes: [{ programmeId: 'club', memberLabel, benefits: [amount] }] });
    const read = loaded.venues.map(({ programme }) => [
      programme.memberLabel,
      ...['NOK', 'SEK'].map((currency) => programme.inCurrency.get(currency)!.benefits[0]!.text),
    ]);
    expect(read).toEqual([
      ['Klubben', CAKE.nb, CAKE.nb],
      ['Klubb', CAKE.sv, CAKE.sv],
      ['Klubben', CAKE['en-GB'], CAKE['en-GB']],
      ['Klubben', CAKE.en, CAKE.en],
      ['Klubben', CAKE.nb, CAKE.nb],
      ['Klubben', CAKE.nb, CAKE.nb],
    ]);
  });

  it('where there are none, venues share the programme, whatever their languages', () => {
    const { venues } = load({ venues: venuesOf('nb', 'sv') });
    expect(venues[0]!.programme).toBe(venues[1]!.programme);
  });
});
