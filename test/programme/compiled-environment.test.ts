/** What the service reads in a loaded configuration: times, venues, members, tiers, and what a file leaves out. */
import { describe, expect, it } from 'vitest';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
import { loadEnvironment } from '../../src/programme/load.ts';

const TEN = { benefitId: 'ten', kind: 'line_percent', percent: 10 };
const venueOf = (venueId: string, more: object = {}) => ({
  ...{ venueId, terminalSetups: [`${venueId}-1`, `${venueId}-2`], currencies: ['NOK'], timeZone: 'Europe/Oslo' },
  ...{ programmeId: 'club', ...more },
});
const memberOf = (programmeId: string, loyaltyId: string, more: object = {}) => ({
  ...{ programmeId, loyaltyId, status: 'active', ...more },
});
const fileOf = (more: object = {}) => ({
  environment: 'staging',
  venues: [venueOf('oslo'), venueOf('bergen')],
  programmes: [{ programmeId: 'club', benefits: [TEN] }],
  ...more,
});
const load = (more: object = {}) => loadEnvironment(JSON.stringify(fileOf(more)), 'x.yaml');

describe('a file that leaves out', () => {
  it('events has the lines in the events of sales, and so has one that says nothing of lines', () => {
    expect([load(), load({ events: {} })].map(({ hasEventLines }) => hasEventLines)).toEqual([true, true]);
    expect(load({ events: { lines: false } }).hasEventLines).toBe(false);
  });

  it('members, test members, grants, products and benefits has none', () => {
    const { members, testMembers, venues, programmes } = load({ programmes: [{ programmeId: 'club' }] });
    expect([members, testMembers, programmes[0]!.benefits]).toEqual([[], [], []]);
    expect(venues.map(({ products }) => products.size)).toEqual([0, 0]);
    expect(load({ members: [memberOf('club', 'ida')] }).members[0]!.grants).toEqual([]);
  });
});

describe('the times of a file', () => {
  it('are those of the window of requestedAt, which people can read as it is written', () => {
    const requestedAt = { pastHours: 2, aheadMinutes: 0.5 };
    const { clockWindow, wording } = load({ requestedAt });
    expect(clockWindow).toEqual({ pastMs: 7_200_000, aheadMs: 30_000 });
    expect(wording).toEqual({ venues: fileOf().venues, programmes: fileOf().programmes, requestedAt });
  });

  it('are whole milliseconds and at least one, which Redis takes as an expiry', () => {
    const { holdMs, idempotencyMs } = load({ calculation: { holdMinutes: 1e-9, idempotencyHours: 1e-6 } }).calculation;
    expect([holdMs, idempotencyMs]).toEqual([1, 4]);
  });

  it('keep a sale for as long as goods can be returned, or for the retention if it is longer', () => {
    const soldDays = (retentionDays: number, days: number) =>
      load({ calculation: { retentionDays }, returns: { days } }).calculation.soldMs / 86_400_000;
    expect([soldDays(7, 14), soldDays(60, 14)]).toEqual([14, 60]);
  });
});

describe('a venue', () => {
  it('is found by each of its terminal setups, with its products', () => {
    const cup = { productId: '1', name: 'Cup', unitPrice: 3900, noDiscount: false, noPercentageDiscount: true };
    const { findVenue } = load({ venues: [venueOf('oslo', { products: [cup] }), venueOf('bergen')] });
    const found = ['oslo-1', 'oslo-2', 'bergen-1'].map((baxId) => findVenue('oslo', baxId)?.venueId);
    expect(found).toEqual(['oslo', 'oslo', undefined]);
    expect(findVenue('oslo', 'nowhere')).toBeUndefined();
    expect(findVenue('oslo', 'oslo-1')!.products).toEqual(new Map([['1', cup]]));
  });
});

it('a member of the file is found by the programme and the loyalty ID together', () => {
  const programmes = [{ programmeId: 'club', benefits: [TEN] }, { programmeId: 'bistro' }];
  const members = [memberOf('club', 'ida', { grants: ['ten'] }), memberOf('bistro', 'ida'), memberOf('bistro', 'b ob')];
  const environment = load({ programmes, members, testMembers: ['ida'] });
  expect(environment.findMember('club', 'ida')).toMatchObject({ programmeId: 'club', grants: ['ten'] });
  expect(environment.findMember('bistro', 'ida')).toMatchObject({ programmeId: 'bistro', grants: [] });
  expect(environment.findMember('bistro', 'b ob')?.loyaltyId).toBe('b ob');
  expect(environment.findMember('club', 'b ob')).toBeUndefined();
  expect(environment.testMembers).toEqual(['ida']);
});

describe('what is said of a configuration', () => {
  const inspect = (...files: [name: string, text: string][]) =>
    inspectEnvironment({ path: 'f', files: files.map(([name, text]) => ({ name, text })) }, '2026-11-21');

  it('is in the order of the lines, also where a comment has cut a text', () => {
    const ended = '{ benefitId: a, kind: line_percent, percent: 10, when: { to: 2020-01-31 } }';
    const cut = '\n  - benefitId: b\n    kind: line_percent\n    percent: 10\n    text: Number #1';
    const text = `environment: staging\nvenues: []\nprogrammes:\n- programmeId: club\n  benefits:\n  - ${ended}${cut}`;
    const { faults, warnings } = inspect(['x.yaml', text]);
    expect(faults).toEqual([]);
    const lines = warnings.map(({ line }) => line!);
    expect(lines).toEqual(lines.toSorted((one, other) => one - other));
    expect([Math.min(...lines) < 10, Math.max(...lines)]).toEqual([true, 10]);
  });
});
