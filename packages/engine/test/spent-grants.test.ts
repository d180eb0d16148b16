/** What staff read when they grant what can give nothing now. */
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { describeSpentGrant, limitedUses } from '../src/offers/limits.ts';
import type { Grant, Venue } from '../src/types.ts';
import { buildMember, buildVenue } from './support/programme.ts';

const NOON = '2026-11-21T12:00:00Z';
const ten: BenefitDefinition = { benefitId: 'ten', kind: 'line_percent', percent: 10 };
const card: Grant = { benefitId: 'ten', grantId: 'card' };

type Limit = Exclude<BenefitDefinition['limit'], undefined>;

function venueWith(limit?: Limit, more: Partial<Venue> = {}): Venue {
  const others: BenefitDefinition[] = [{ ...ten, benefitId: 'other', limit: { ...DAILY, quantity: 9 } }];
  return { ...buildVenue([{ ...ten, ...(limit && { limit }) }, ...others]), ...more };
}

const DAILY = { quantity: 2, period: 'day', counts: 'baskets' } as const;

/** `spent` has the counters of which nothing is left; all others are untouched. */
function said(venues: Venue[], grant: string | Grant, spent: readonly string[] = [], consumed = 0, at = NOON) {
  return describeSpentGrant(venues, grant, {
    at,
    left: (usageKey, limit) => (spent.includes(usageKey) ? 0 : limit),
    consumed: () => consumed,
  });
}

describe('a grant that can give nothing now', () => {
  it('has ended where its last day is over at every venue', () => {
    const oslo = venueWith();
    const auckland = venueWith(undefined, { timeZone: 'Pacific/Auckland' });
    const until = (to: string) => ({ ...card, to });
    expect(said([oslo], until('2026-11-20'))).toBe('The grant card ended on 2026-11-20, so it gives nothing.');
    expect(said([oslo], until('2026-11-21'))).toBeUndefined();
    // In Auckland it is the next day already.
    expect(said([auckland], until('2026-11-21'))).toBe('The grant card ended on 2026-11-21, so it gives nothing.');
    expect(said([auckland, oslo], until('2026-11-21'))).toBeUndefined();
    expect(said([], until('2026-11-20'))).toBeUndefined();
  });

  it('has been used as often as it may be, or an open calculation holds it', () => {
    const of = (quantity: number, consumed: number, spent = ['ten/card:*']) =>
      said([venueWith()], { ...card, quantity }, spent, consumed);
    const end = 'so it gives nothing more: another voucher needs another grantId.';
    expect(of(1, 1)).toBe(`The grant card has been used once, ${end}`);
    expect(of(3, 3)).toBe(`The grant card has been used 3 times, ${end}`);
    expect(of(3, 2)).toBe(`The grant card is held by an open calculation, ${end}`);
    expect(of(3, 3, [])).toBeUndefined();
    expect(said([venueWith()], card, ['ten/card:*'])).toBeUndefined();
  });

  it.each<[string, Limit, string[], string | undefined]>([
    [
      'a day',
      DAILY,
      ['ten:2026-11-21'],
      '2 of ten is used up for 2026-11-21, so the grant gives nothing before the next period.',
    ],
    [
      'a life',
      { ...DAILY, period: 'lifetime' },
      ['ten:*'],
      '2 of ten is used up for good, so the grant gives nothing.',
    ],
    ['another benefit', DAILY, ['other:2026-11-21'], undefined],
    ['nobody', DAILY, [], undefined],
    ['all members', { ...DAILY, of: 'programme' }, ['ten~programme:2026-11-21'], undefined],
    [
      'money in the only currency',
      { ...DAILY, counts: 'money', quantity: { NOK: 500 } },
      ['ten$NOK:2026-11-21'],
      '500 of ten is used up for 2026-11-21, so the grant gives nothing before the next period.',
    ],
    [
      'money in one of two currencies',
      { ...DAILY, counts: 'money', quantity: { NOK: 500, SEK: 500 } },
      ['ten$NOK:2026-11-21'],
      undefined,
    ],
    [
      'money in both',
      { ...DAILY, counts: 'money', quantity: { NOK: 500, SEK: 600 } },
      ['ten$NOK:2026-11-21', 'ten$SEK:2026-11-21'],
      '500 of ten is used up for 2026-11-21, so the grant gives nothing before the next period.',
    ],
    [
      'money beside visits that are left',
      [DAILY, { quantity: { NOK: 500 }, period: 'month', counts: 'money' }],
      ['ten$NOK:2026-11'],
      '500 of ten is used up for 2026-11, so the grant gives nothing before the next period.',
    ],
    [
      'one of several limits',
      [DAILY, { quantity: 7, period: 'month', counts: 'items' }],
      ['ten#items:2026-11'],
      '7 of ten is used up for 2026-11, so the grant gives nothing before the next period.',
    ],
  ])('meets a limit of %s', (_whose, limit, spent, sentence) => {
    const venue = venueWith(limit, { currencies: ['NOK', 'SEK'] });
    const expected = sentence && `The limit of ${sentence}`;
    expect(said([venue], card, spent)).toBe(expected);
    expect(said([venue], 'ten', spent)).toBe(expected);
    // Another venue of the programme may have no limit.
    expect(said([venue, venueWith()], 'ten', spent)).toBeUndefined();
  });
});

describe('the counters that a basket needs', () => {
  const keysOf = (venue: Venue, grants: (string | Grant)[] = []) =>
    limitedUses(venue, NOON, buildMember({ grants })).map(({ usageKey, limit }) => `${usageKey} ${limit}`);

  it('are those of money in each currency that has an amount', () => {
    const venue = buildVenue([{ ...ten, limit: { ...DAILY, counts: 'money', quantity: { NOK: 500, SEK: 600 } } }]);
    expect(keysOf({ ...venue, currencies: ['NOK', 'DKK', 'SEK'] })).toEqual([
      'ten$NOK:2026-11-21 500',
      'ten$SEK:2026-11-21 600',
    ]);
  });

  it('are those of grants that are there, of benefits that are granted', () => {
    const granted = buildVenue([
      { ...ten, audience: 'granted' },
      { ...ten, benefitId: 'all' },
    ]);
    const grant = (grantId: string, more: object) => ({ benefitId: 'ten', grantId, quantity: 2, ...more });
    const grants = [
      ...['ten', grant('a', {}), grant('b', { from: '2026-11-21', to: '2026-11-21' })],
      ...[grant('c', { from: '2026-11-22' }), grant('d', { to: '2026-11-20' }), { benefitId: 'ten', grantId: 'e' }],
      { benefitId: 'all', grantId: 'f', quantity: 1 },
    ];
    expect(keysOf(granted, grants)).toEqual(['ten/a:* 2', 'ten/b:* 2']);
    expect(keysOf(granted, ['ten'])).toEqual([]);
    expect(keysOf(granted)).toEqual([]);
  });
});
