/** What changed between two configurations, in sentences for whoever changed it. */
import { expect, test } from 'vitest';
import { findDifferences } from '../../src/programme/differences/differences.ts';
import { withoutMember } from '../../src/programme/without-member.ts';

const product = {
  productId: '4711',
  name: 'Filter coffee',
  unitPrice: 3_900,
  noDiscount: false,
  noPercentageDiscount: false,
};
const venue = {
  venueId: 'oslo',
  terminalSetups: ['1'],
  currencies: ['NOK'],
  timeZone: 'Europe/Oslo',
  programmeId: 'club',
  products: [product],
};
const happy = {
  benefitId: 'happy-coffee',
  kind: 'line_percent',
  text: 'Happy hour 20 %',
  percent: 20,
  appliesTo: { productGroupIds: ['coffee'] },
  when: { hours: '14:00-16:00', weekdays: ['mon', 'tue'] },
  limit: { quantity: 1, period: 'day', counts: 'baskets' },
};
const base = {
  environment: 'staging',
  venues: [venue],
  programmes: [{ programmeId: 'club', benefits: [happy] }],
  members: [{ programmeId: 'club', loyaltyId: 'anna', status: 'active' }],
};

const words = (after: object, before: object = base) => findDifferences(before, after).map(({ text }) => text);
const withBenefits = (...benefits: object[]) => ({ ...base, programmes: [{ programmeId: 'club', benefits }] });

test('of a benefit', () => {
  expect(words(withBenefits({ ...happy, percent: 25 }))).toEqual(['Happy coffee: 20 % → 25 %']);
  expect(words(withBenefits({ ...happy, text: 'Cheap coffee', percent: 25 }))).toEqual([
    'Cheap coffee: text "Happy hour 20 %" → "Cheap coffee"',
    'Cheap coffee: 20 % → 25 %',
  ]);
  expect(
    words(withBenefits({ ...happy, when: { hours: '15:00-16:00', weekdays: ['tue', 'wed'], to: '2026-12-31' } })),
  ).toEqual([
    'Happy coffee: hours 14:00-16:00 → 15:00-16:00',
    'Happy coffee: days + wed, − mon',
    'Happy coffee: last day none → 2026-12-31',
  ]);
  const { limit: _limit, ...free } = happy;
  expect(
    words(withBenefits({ ...free, minimumSpend: 10_000, appliesTo: { productGroupIds: ['coffee', 'tea'] } })),
  ).toEqual([
    'Happy coffee: product groups + tea',
    'Happy coffee: limit 1 → none',
    'Happy coffee: limit per day → none',
    'Happy coffee: limit counts baskets → none',
    'Happy coffee: minimum spend none → 100.00 NOK',
  ]);
  expect(words(withBenefits({ ...happy, enabled: false }))).toEqual(['Happy coffee: switched off']);
  expect(words(withBenefits())).toEqual(['Happy coffee: gone']);
  expect(words(withBenefits(happy, { benefitId: 'cake', kind: 'unit_price', unitPrice: 1_000 }))).toEqual([
    'Cake: new',
  ]);
});

test('of amounts by currency', () => {
  const money = (amount: object | number) => withBenefits({ benefitId: 'ten', kind: 'order_amount', amount });
  expect(words(money({ NOK: 6_000, SEK: 5_500 }), money({ NOK: 5_000 }))).toEqual([
    'Ten: 50.00 NOK → 60.00 NOK',
    'Ten: none → 55.00 SEK',
  ]);
});

test('of venues, prices, settings and members, who are counted and not named', () => {
  const after = {
    ...base,
    note: 'Dearer coffee',
    rateLimit: { sustained: 60 },
    venues: [
      { ...venue, terminalSetups: ['1', '2'], products: [{ ...product, unitPrice: 4_200 }] },
      { ...venue, venueId: 'bergen' },
    ],
    members: [{ programmeId: 'club', loyaltyId: 'berit', status: 'active' }],
  };
  expect(words(after)).toEqual([
    'note none → "Dearer coffee"',
    'rateLimit.sustained none → 60',
    'oslo: terminal setups + 2',
    'oslo, Filter coffee: 39.00 NOK → 42.00 NOK',
    'Venue bergen: new',
    'Members of the file: 1 new, 1 gone, 0 changed',
  ]);
  expect(words(base)).toEqual([]);
});

test('a file without one member is otherwise as it was written', () => {
  const text = `# a comment
programmes:
  - programmeId: "4711"  # also a number
members:
  - { programmeId: club, loyaltyId: "4711", status: active }
  - { programmeId: club, loyaltyId: berit, status: active } # stays
testMembers: [4711, berit]
`;
  const without = withoutMember(text, '4711');
  expect(without.replaceAll(/erased-\d+/g, 'erased')).toBe(
    text.replace('loyaltyId: "4711"', 'loyaltyId: erased').replace('[4711', '[erased'),
  );
  expect(withoutMember(text, 'nobody')).toBe(text);
});
