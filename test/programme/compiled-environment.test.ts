/** What the service reads in a loaded configuration: times, venues, members, tiers, and what a file leaves out. */
import { describe, expect, it } from 'vitest';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
import { knownTiers } from '../../src/programme/known-tiers.ts';
import { loadEnvironment } from '../../src/programme/load.ts';
import { sourceOf } from '../../src/programme/source.ts';

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

  it('the window of requestedAt accepts every time', () => {
    const { clockWindow, wording } = load();
    expect([clockWindow, 'requestedAt' in wording]).toEqual([undefined, false]);
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

  it('has the same programme in memory as the others, if no text of it differs by language', () => {
    const venues = [venueOf('oslo', { language: 'nb' }), venueOf('lund', { language: 'sv' }), venueOf('bergen')];
    const benefits = [TEN, { ...TEN, benefitId: 'more', text: 'More' }];
    const plain = load({ venues, programmes: [{ programmeId: 'club', memberLabel: 'Club', benefits }] });
    expect(new Set([...plain.programmes, ...plain.venues.map(({ programme }) => programme)]).size).toBe(1);
    const label = load({ venues, programmes: [{ programmeId: 'club', memberLabel: { nb: 'Klubben', sv: 'Klubb' } }] });
    expect(label.venues.map(({ programme }) => programme.memberLabel)).toEqual(['Klubben', 'Klubb', 'Klubben']);
    const text = { nb: 'Kaffe', en: 'Coffee' };
    const one = load({
      venues,
      programmes: [{ programmeId: 'club', memberLabel: 'Club', benefits: [{ ...TEN, text }] }],
    });
    expect(one.venues.map(({ programme }) => programme.benefits[0]!.text)).toEqual(['Kaffe', 'Kaffe', 'Kaffe']);
    const english = load({
      venues: [venueOf('york', { language: 'en' })],
      programmes: [{ programmeId: 'club', benefits: [{ ...TEN, text }] }],
    });
    expect(english.venues[0]!.programme.benefits[0]!.text).toBe('Coffee');
    expect(label.programmes[0]).toBe(label.venues[2]!.programme);
  });

  it('has its own programme, also where two are named alike in one language', () => {
    const programmes = ['club', 'bistro'].map((programmeId) => ({ programmeId, memberLabel: { nb: programmeId } }));
    const venues = ['club', 'bistro'].map((programmeId) => venueOf(programmeId, { programmeId, language: 'nb' }));
    const labels = load({ programmes, venues }).venues.map(({ programme }) => programme.memberLabel);
    expect(labels).toEqual(['club', 'bistro']);
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

it('the tiers of a programme are those that its benefits name, and those that its members have', () => {
  const tiered = (benefitId: string, ...tiers: string[]) => ({ ...TEN, benefitId, when: { tiers } });
  const programmes = [
    {
      programmeId: 'club',
      benefits: [
        tiered('a', 'gold', 'silver'),
        tiered('b', 'gold'),
        TEN,
        { ...TEN, benefitId: 'c', when: { weekdays: ['mon'] } },
      ],
    },
    { programmeId: 'bistro' },
  ];
  const members = [
    ...[memberOf('club', 'ida', { tier: 'bronze' }), memberOf('club', 'ola')],
    memberOf('bistro', 'ida', { tier: 'regular' }),
  ];
  const tiers = knownTiers(load({ programmes, members }));
  expect(Object.fromEntries([...tiers].map(([programmeId, own]) => [programmeId, [...own].sort()]))).toEqual({
    ...{ club: ['bronze', 'gold', 'silver'], bistro: ['regular'] },
  });
});

it('a test member is refused where real guests are served, which is everywhere but in staging', () => {
  const paths = (environment: string) =>
    inspectEnvironment(
      sourceOf(JSON.stringify(fileOf({ environment, testMembers: ['ida'] })), 'x.yaml'),
      '2026-11-21',
    ).faults.map(({ path }) => path);
  expect(['staging', 'staging-team-b'].flatMap(paths)).toEqual([]);
  expect(['production', 'oslo-staging', 'pre-staging-b'].flatMap(paths)).toEqual(Array(3).fill('testMembers'));
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
