/** What changed between two configurations, in sentences for whoever changed it. */
import { expect, test } from 'vitest';
import { findDifferences } from '../../src/programme/differences/differences.ts';

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
    'Ten: not given in SEK → 55.00 SEK',
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
    'rateLimit.sustained 50 → 60',
    'oslo: terminal setups + 2',
    'oslo, Filter coffee: 39.00 NOK → 42.00 NOK',
    'Venue bergen: new',
    'Members of the file: 1 new, 1 gone, 0 changed',
  ]);
  expect(words(base)).toEqual([]);
});

test('of whole programmes, with their benefits and places', () => {
  const bistro = { programmeId: 'bistro', memberLabel: 'Guest', benefits: [{ ...happy, enabled: false }] };
  const both = { ...base, programmes: [...base.programmes, bistro] };
  expect(findDifferences(base, both)).toEqual([
    { path: 'programmes.bistro', text: 'Programme bistro: new' },
    { path: 'programmes.bistro.memberLabel', text: 'bistro: label none → "Guest"' },
    { path: 'programmes.bistro.happy-coffee', text: 'Happy coffee: new, switched off' },
  ]);
  expect(findDifferences(both, base)).toEqual([{ path: 'programmes.bistro', text: 'Programme bistro: gone' }]);
  const relabelled = { ...base, programmes: [{ ...base.programmes[0], memberLabel: { nb: 'Gjest', sv: 'Gäst' } }] };
  expect(findDifferences(base, relabelled)).toEqual([
    { path: 'programmes.club.memberLabel.nb', text: 'club: label in nb none → "Gjest"' },
    { path: 'programmes.club.memberLabel.sv', text: 'club: label in sv none → "Gäst"' },
  ]);
  const [percent] = findDifferences(base, withBenefits({ ...happy, percent: 25 }));
  expect(percent!.path).toBe('programmes.club.happy-coffee.percent');
  const off = withBenefits({ ...happy, enabled: false });
  expect(findDifferences(base, off)[0]!.path).toBe('programmes.club.happy-coffee.enabled');
  expect([words(base, off), words(withBenefits({ ...happy, enabled: true }))]).toEqual([
    ['Happy coffee: switched on'],
    [],
  ]);
});

test('a benefit is called by its text, unless that has figures, or else by its ID', () => {
  const nameOf = (text: unknown, benefitId = 'morning_coffee-to.go') =>
    words(withBenefits({ benefitId, text }), withBenefits())[0];
  expect(
    ['Coffee', 'Coffee 20 %', undefined, { nb: 'Kaffe', en: 'Coffee' }, { nb: 'Kaffe 2' }].map((text) => nameOf(text)),
  ).toEqual([
    ...[
      'Coffee: new',
      'Morning coffee to go: new',
      'Morning coffee to go: new',
      'Kaffe: new',
      'Morning coffee to go: new',
    ],
  ]);
  expect(nameOf(undefined, '-ice--tea--')).toBe('Ice tea: new');
});

test('of products that come, go, and get another name or price', () => {
  const tea = { ...product, productId: '12', name: 'Tea', unitPrice: 2_500 };
  const sells = (...products: object[]) => ({ ...base, venues: [{ ...venue, products }] });
  expect(findDifferences(base, sells(product, tea))).toEqual([
    { path: 'venues.oslo.12', text: 'oslo, Tea: new, 25.00 NOK' },
  ]);
  expect(findDifferences(sells(product, tea), base)).toEqual([{ path: 'venues.oslo.12', text: 'oslo, Tea: gone' }]);
  expect(findDifferences(base, sells({ ...product, name: undefined, noDiscount: true }))).toEqual([
    { path: 'venues.oslo.4711.name', text: 'oslo, 4711: name Filter coffee → none' },
    { path: 'venues.oslo.4711.noDiscount', text: 'oslo, 4711: noDiscount no → yes' },
  ]);
  const { venues: _venues, ...nowhere } = base;
  expect(findDifferences(base, nowhere)).toEqual([{ path: 'venues.oslo', text: 'Venue oslo: gone' }]);
  const gulf = { ...venue, currencies: undefined };
  expect(
    words({ ...base, venues: [{ ...gulf, products: [tea] }] }, { ...base, venues: [{ ...gulf, products: [] }] }),
  ).toEqual(['oslo, Tea: new, 2500']);
});

test('of amounts without a currency, which is that of the venues of the programme', () => {
  const minimum = (...venues: object[]) => {
    const programmesOf = (minimumSpend: number) => ({
      programmes: [{ programmeId: 'club', benefits: [{ benefitId: 'ten', minimumSpend }] }],
    });
    return words({ venues, ...programmesOf(200) }, { venues, ...programmesOf(100) });
  };
  const swedish = { ...venue, venueId: 'malmo', currencies: ['SEK'] };
  expect(minimum(venue, { ...swedish, programmeId: 'other' })).toEqual(['Ten: minimum spend 1.00 NOK → 2.00 NOK']);
  expect(minimum(venue, swedish)).toEqual(['Ten: minimum spend 100 → 200']);
  expect(minimum(venue, { ...swedish, currencies: undefined })).toEqual(['Ten: minimum spend 1.00 NOK → 2.00 NOK']);
  expect(minimum()).toEqual(['Ten: minimum spend 100 → 200']);
  // A programme that loses its last venue is told in the currency that it had.
  const before = withBenefits({ benefitId: 'ten', minimumSpend: 100 });
  const after = { ...withBenefits({ benefitId: 'ten', minimumSpend: 200 }), venues: [] };
  expect(words(after, before)[0]).toBe('Ten: minimum spend 1.00 NOK → 2.00 NOK');
});

test('of a limit, whose quantity is an amount where it counts money', () => {
  const limited = (counts: string, quantity: unknown) => {
    return withBenefits({ benefitId: 'ten', limit: { quantity, period: 'year', counts } });
  };
  const [budget, items] = [limited('money', 5_000_000), limited('items', 5)];
  expect(words(limited('money', 6_000_000), budget)).toEqual(['Ten: limit 50000.00 NOK → 60000.00 NOK']);
  expect(words(limited('items', 6), items)).toEqual(['Ten: limit 5 → 6']);
  expect(words(budget, items)).toEqual(['Ten: limit 5 → 50000.00 NOK', 'Ten: limit counts items → money']);
  expect(words(items, budget)[0]).toBe('Ten: limit 50000.00 NOK → 5');
  expect(words(budget, withBenefits({ benefitId: 'ten' }))[0]).toBe('Ten: limit none → 50000.00 NOK');
});

test.each([[['kr']], ['kr'], ['NOK'], [[]], [[7]], [7], [null]])(
  'of amounts in a mistyped currency, %j',
  (currencies) => {
    const sells = (unitPrice: number) => ({
      venues: [{ ...venue, currencies, products: [{ ...product, unitPrice }] }],
      programmes: [{ programmeId: 'club', benefits: [{ ...happy, minimumSpend: unitPrice }] }],
    });
    const [minimum, price] = words(sells(200), sells(100));
    // A list without brackets is the name of the currency all the same.
    const amounts = currencies === 'NOK' ? '1.00 NOK → 2.00 NOK' : '100 → 200';
    expect([minimum, price]).toEqual([`Happy coffee: minimum spend ${amounts}`, 'oslo, Filter coffee: 100 → 200']);
  },
);

test('of members, who are counted', () => {
  const [anna, berit] = ['anna', 'berit'].map((loyaltyId) => ({ programmeId: 'club', loyaltyId, status: 'active' }));
  const of = (...members: unknown[]) => ({ ...base, members });
  expect(
    findDifferences(of(anna, berit), of({ ...anna, status: 'paused' }, { ...berit, programmeId: 'other' })),
  ).toEqual([{ path: 'members', text: 'Members of the file: 1 new, 1 gone, 1 changed' }]);
  expect(words(of(anna, berit), of(berit, anna, 7))).toEqual([]);
  expect(words(of(anna, berit), of(anna))).toEqual(['Members of the file: 1 new, 0 gone, 0 changed']);
  expect(words(of({ ...anna, tier: 'gold' }, berit), of(anna))).toEqual([
    'Members of the file: 1 new, 0 gone, 1 changed',
  ]);
});

test('in words: values of every form', () => {
  const change = (before: object, after: object) =>
    words(withBenefits({ benefitId: 'b', ...after }), withBenefits({ benefitId: 'b', ...before }));
  expect(change({ get: { percent: 5 } }, { get: { percent: 10 } })).toEqual(['B: off the given units 5 % → 10 %']);
  expect(change({ exclusive: true }, { exclusive: false })).toEqual(['B: alone in a basket yes → no']);
  expect(change({ priority: 1 }, { priority: null })).toEqual(['B: priority 1 → none']);
  expect(change({ when: { tiers: ['a', 'b'] } }, { when: { tiers: ['b', 'a'] } })).toEqual(['B: tiers [a,b] → [b,a]']);
  expect(change({}, { when: { tiers: ['a'] } })).toEqual(['B: tiers: every member → a']);
  expect(change({ odd: [1] }, { odd: [1, 2] })).toEqual(['B: odd + 2']);
  expect(change({ items: [{ quantity: 1 }] }, { items: [{ quantity: 2 }] })).toEqual([
    'B: items [{quantity:1}] → [{quantity:2}]',
  ]);
  expect(change({ limit: { quantity: 1 } }, { limit: [{ quantity: 1 }] })).toEqual([
    'B: limit {quantity:1} → [{quantity:1}]',
  ]);
  expect(change({ text: 'Soup' }, { text: { nb: 'Suppe', sv: 'Soppa' } })).toEqual([
    'Suppe: text "Soup" → nb "Suppe", sv "Soppa"',
  ]);
  expect(change({ text: { nb: 'Suppe' } }, { text: { nb: 'Suppa' } })).toEqual(['Suppa: text in nb "Suppe" → "Suppa"']);
  expect(change({ amount: { NOK: 1 } }, { amount: 100 })).toEqual(['B: {NOK:1} → 1.00 NOK']);
  expect(change({ minimumSpend: { SEK: 1 } }, { minimumSpend: { SEK: 2 } })).toEqual([
    'B: minimum spend 0.01 SEK → 0.02 SEK',
  ]);
  expect(change({ limit: { quantity: { NOK: 100 } } }, { limit: { quantity: { NOK: 200 } } })).toEqual([
    'B: limit 1.00 NOK → 2.00 NOK',
  ]);
  expect(change({ odd: { xNOK: 1, NOKx: 1, N: 1 } }, { odd: { xNOK: 2, NOKx: 2, N: 2 } })).toEqual([
    ...['B: odd.xNOK 1 → 2', 'B: odd.NOKx 1 → 2', 'B: odd.N 1 → 2'],
  ]);
  // What a check would refuse is shown as it is written.
  expect(change({ percent: 5 }, { percent: [5] })).toEqual(['B: 5 % → [5]']);
  expect(change({ kind: 'a "b"' }, {})).toEqual(['B: kind a "b" → none']);
  expect(change({ appliesTo: { productIds: ['a'] } }, { appliesTo: { productIds: [], eans: ['1'] } })).toEqual([
    ...['B: products − a', 'B: appliesTo.eans + 1'],
  ]);
  const long = (length: number) => [
    change({}, { kind: 'x'.repeat(length) })[0],
    change({ x: [] }, { x: ['y'.repeat(length - 4)] })[0],
  ];
  expect(long(120)).toEqual([`B: kind none → ${'x'.repeat(120)}`, `B: x + ${'y'.repeat(116)}`]);
  expect(long(121)).toEqual([`B: kind none → ${'x'.repeat(120)}…`, `B: x + ${'y'.repeat(116)}…`]);
});

test('of long values, each from a little before what has changed', () => {
  const change = (before: object, after: object) =>
    words(withBenefits({ benefitId: 'b', ...after }), withBenefits({ benefitId: 'b', ...before }))[0]!;
  const windows = (last: string) =>
    ['08:00-09:00', '11:00-12:00', last].map((hours) => ({ weekdays: ['mon', 'tue', 'wed', 'thu'], hours }));
  expect(change({ when: windows('14:00-16:00') }, { when: windows('15:00-16:00') })).toBe(
    'B: when …days:[mon,tue,wed,thu],hours:14:00-16:00}] → …days:[mon,tue,wed,thu],hours:15:00-16:00}]',
  );
  const items = (...names: string[]) => ({ items: names.map((name) => ({ appliesTo: { productIds: [name] } })) });
  const names = Array.from({ length: 8 }, (_, at) => `product-${at}`);
  expect(change(items(...names), items(...names, 'cake'))).toMatch(/^B: items ….*product-7\]}}\] → ….*cake\]}}\]$/);
  // The last character that is shown without what comes before.
  const [x, y] = ['x', 'y'].map((end) => 'a'.repeat(119) + end);
  expect(change({ kind: x }, { kind: y })).toBe(`B: kind ${x} → ${y}`);
  expect(change({ kind: `a${x}` }, { kind: `a${y}` })).toBe(`B: kind …${x!.slice(-31)} → …${y!.slice(-31)}`);
  // Texts are shown whole.
  const long = 'Soup '.repeat(40);
  expect(change({ text: `${long}a` }, { text: `${long}b` })).toContain(`text "${long}a" → "${long}b"`);
});

test('of anything else that is written: the first five hundred, and no pieces for other places', () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`field${at}`, at]));
  expect(words({ 'x-piece': 1 }, { 'x-other': 2, 'x-piece': 3 })).toEqual([]);
  expect(words({ rateLimit: { 'x-piece': 1, venues: 2 } }, { 'x-piece': 3 })).toEqual([
    ...['rateLimit.x-piece none → 1', 'rateLimit.venues none → 2'],
  ]);
  expect(words(many(500), {})).toHaveLength(500);
  expect(findDifferences({}, many(501))[500]).toEqual({
    path: '',
    text: 'And more: the first 500 differences are told.',
  });
  expect(findDifferences({}, many(501))).toHaveLength(501);
  for (const nothing of [null, undefined, 7, []])
    expect(findDifferences(nothing, { a: 1 }).map(({ text }) => text)).toEqual(['a none → 1']);
  expect(words({ venues: 7, programmes: { a: 1 }, members: 'x' }, {})).toEqual([]);
});
