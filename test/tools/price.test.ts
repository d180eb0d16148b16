/** What `price` makes of `--left`, and its explanation as a person reads it. */
import { limitedUses } from '@loyalty/engine/offers/limits';
import type { TracedBenefit } from '@loyalty/engine/types';
import { describe, expect, it } from 'vitest';
import { buildMember, buildVenue } from '../../packages/engine/test/support/programme.ts';
import { availableUnits } from '../../packages/tools/src/commands/price.ts';
import { renderExplanation } from '../../packages/tools/src/commands/price-tables.ts';

const TWENTY = { kind: 'line_percent', percent: 20 } as const;
const DAY = { quantity: 1, period: 'day', counts: 'baskets' } as const;
const venue = buildVenue([
  {
    ...{ ...TWENTY, benefitId: 'coffee' },
    limit: [DAY, { quantity: 9, period: 'lifetime', counts: 'items' }],
  },
  { ...TWENTY, benefitId: 'bun', limit: { quantity: 5_000, period: 'lifetime', counts: 'money' } },
  { ...TWENTY, benefitId: 'cake', audience: 'granted', limit: { ...DAY, period: 'lifetime', of: 'programme' } },
  { ...TWENTY, benefitId: 'tea', limit: { ...DAY, period: 'lifetime', limitId: 'hot' } },
  { ...TWENTY, benefitId: 'cocoa', limit: { ...DAY, period: 'lifetime', limitId: 'hot' } },
]);
const member = buildMember({ grants: [{ benefitId: 'cake', grantId: 'card-7', quantity: 3 }] });
const uses = limitedUses(venue, '2026-11-26T12:00:00+01:00', member);
const left = (...texts: string[]) => Object.fromEntries(availableUnits(uses, texts));

describe('what is left', () => {
  const all = {
    ...{ 'coffee:2026-11-26': 1, 'coffee#items:*': 9, 'bun$NOK:*': 5_000, 'cake~programme:*': 1, '@hot:*': 1 },
    'cake/card-7:*': 3,
  };

  it('is all of every limit, unless something is said', () => {
    expect(left()).toEqual(all);
  });

  it.each([
    ['coffee=0', { 'coffee:2026-11-26': 0, 'coffee#items:*': 0 }],
    ['coffee=4', { 'coffee:2026-11-26': 1, 'coffee#items:*': 4 }],
    ['coffee#items=4', { 'coffee#items:*': 4 }],
    ['coffee:2026-11-26=0', { 'coffee:2026-11-26': 0 }],
    ['bun=1200', { 'bun$NOK:*': 1_200 }],
    ['cake=0', { 'cake~programme:*': 0 }],
    ['cake/card-7=2', { 'cake/card-7:*': 2 }],
    ['hot=0', { '@hot:*': 0 }],
    ['cocoa=0', { '@hot:*': 0 }],
  ])('%s', (text, less) => {
    expect(left(text)).toEqual({ ...all, ...less });
  });

  it.each(['milk=1', 'coffee', 'coffee=-1', '=1'])('%s names no limit, or no units', (text) => {
    expect(() => left(text)).toThrow(
      `--left ${text}: benefitId=n is expected, with one of the limited benefits (bun, cake, hot, coffee, cake/card-7)`,
    );
  });
});

/** The last row of the explanation of a basket with this benefit alone. */
function rowOf(benefit: Partial<TracedBenefit>): string | undefined {
  const benefits = [{ benefitId: 'kit', applied: false, saved: 0, ...benefit } as TracedBenefit];
  const text = renderExplanation({ steps: 1, gap: 0, changes: [], bought: [], benefits }, 'NOK');
  return text.trimEnd().split('\n').at(-1);
}

it('a sentence that is followed by what is missing has no full stop before the semicolon', () => {
  const explanation = 'It requires 1 of machine in the basket.';
  expect(rowOf({ reason: 'goods_missing', explanation, change: '1 more of machine' })).toMatch(
    / It requires 1 of machine in the basket; 1 more of machine$/,
  );
  expect(rowOf({ reason: 'goods_missing', explanation })).toMatch(/ It requires 1 of machine in the basket\.$/);
});
