/** Warnings: a configuration that can be used, and is probably not what was meant. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
import { sourceOf } from '../../src/programme/source.ts';
import type { KnownMember } from '../../src/programme/warnings/surroundings.ts';

const product = { productId: '4711', productGroupId: 'coffee', name: 'Coffee', unitPrice: 3_900 };
const flags = { noDiscount: false, noPercentageDiscount: false };
const products = [
  { ...product, ...flags },
  { ...product, ...flags, productId: '4712', productGroupId: 'pastry', name: 'Bun', unitPrice: 4_500 },
  { ...product, ...flags, productId: '9', productGroupId: 'tobacco', name: 'Snus', unitPrice: 100, noDiscount: true },
];
const venue = {
  venueId: 'oslo',
  terminalSetups: ['1'],
  currencies: ['NOK'],
  timeZone: 'Europe/Oslo',
  programmeId: 'club',
  products,
};
const gold = { programmeId: 'club', loyaltyId: 'anna', status: 'active', tier: 'gold', grants: ['granted-one'] };
const grantedOne = { benefitId: 'granted-one', kind: 'line_percent', percent: 10, audience: 'granted' };
const coffee = { appliesTo: { productGroupIds: ['coffee'] } };

interface Words {
  readonly venues?: readonly object[];
  readonly members?: readonly object[];
  readonly more?: readonly object[];
  readonly known?: readonly KnownMember[];
}

/** The warnings about a benefit beside `granted-one`, as `path: text`; the path from the benefit on. */
function warningsOf(
  benefit: object,
  { venues = [venue], members = [gold], more = [], known = [] }: Words = {},
): string[] {
  const benefits = [{ benefitId: 'b', ...benefit }, grantedOne, ...more];
  const programmes = [{ programmeId: 'club', benefits }];
  const text = JSON.stringify({ environment: 'staging', venues, programmes, members });
  const { faults, warnings } = inspectEnvironment(sourceOf(text, 'x.yaml'), '2026-11-21', known);
  expect(faults).toEqual([]);
  return warnings.map(({ path, text: words }) => `${path.replace('programmes[0].benefits[0]', '')}: ${words}`);
}

describe('a benefit that nobody can get', () => {
  const ten = { kind: 'line_percent', percent: 10 };
  it.each<[object, string, Words?]>([
    [{ when: { to: '2026-11-20' } }, '.when.to: nobody can get it: it ended on 2026-11-20'],
    [
      { when: { tiers: ['gld'] } },
      '.when.tiers[0]: nobody can get it: no member and no other benefit has the tier gld; did you mean gold?',
    ],
    [{ when: { tiers: ['gold', 'pearl'] } }, '.when.tiers[1]: no member and no other benefit has the tier pearl'],
    [
      { appliesTo: { productGroupIds: ['cofee'] } },
      '.appliesTo.productGroupIds[0]: nobody can get it: no product of a venue and no other benefit has this name, cofee; did you mean coffee?',
    ],
    [
      { appliesTo: { productIds: ['4710'] } },
      '.appliesTo.productIds[0]: nobody can get it: no product of a venue and no other benefit has this name, 4710; did you mean 4711?',
    ],
    [
      { appliesTo: { productGroupIds: ['coffee', 'pasty'] } },
      '.appliesTo.productGroupIds[1]: no product of a venue and no other benefit has this name, pasty; did you mean pastry?',
    ],
    [{ audience: 'granted' }, '.audience: nobody can get it: no known member has a grant of it'],
    [
      { when: { venueIds: ['bergen'] } },
      '.when: nobody can get it: none of its venueIds runs this programme',
      { venues: [venue, { ...venue, venueId: 'bergen', terminalSetups: ['2'], programmeId: 'empty' }] },
    ],
  ])('%j', (change, warning, words = {}) => {
    const venues = words.venues ?? [venue];
    const benefits = [{ benefitId: 'b', ...ten, ...change }, grantedOne];
    const programmes = [{ programmeId: 'club', benefits }, { programmeId: 'empty' }];
    const text = JSON.stringify({ environment: 'staging', venues, programmes, members: [gold] });
    const { warnings } = inspectEnvironment(sourceOf(text, 'x.yaml'), '2026-11-21');
    expect(warnings.map(({ path, text: t }) => `${path.slice('programmes[0].benefits[0]'.length)}: ${t}`)).toEqual([
      warning,
    ]);
  });

  it.each<[string, object, Words?]>([
    ['ends today', { when: { to: '2026-11-21' } }],
    ['names a tier that another benefit names too', { when: { tiers: ['pearl'] } }, { more: [pearl()] }],
    ['names a product that another benefit names too', tea(), { more: [{ benefitId: 'c', ...ten, ...tea() }] }],
    ['names one product that is known', { appliesTo: { productGroupIds: ['coffee', 'cake'] } }],
    ['names products where no list says which there are', tea(), { venues: [{ ...venue, products: [] }] }],
    ['is for members who are in no file', { audience: 'granted', when: { tiers: ['pearl'] } }, { members: [] }],
    [
      'is for members of an export',
      { audience: 'granted', when: { tiers: ['pearl'] } },
      { known: [{ programmeId: 'club', tier: 'pearl', grants: ['b'] }] },
    ],
  ])('not one that %s', (_, change, words) => {
    expect(warningsOf({ ...ten, ...change }, words)).toEqual([]);
  });

  function pearl() {
    return { benefitId: 'c', ...ten, when: { tiers: ['pearl'] } };
  }
  function tea() {
    return { appliesTo: { productGroupIds: ['tea'] } };
  }

  it('a programme that no venue runs', () => {
    expect(warningsOf(ten, { venues: [] })).toContain(
      'programmes[0].programmeId: nobody can get its benefits: no venue runs this programme',
    );
  });
});

describe('a benefit that takes over 90 % off a product', () => {
  it.each<[object, string]>([
    [{ kind: 'line_percent', percent: 91, ...coffee }, 'can take over 90 % off: 3549 of 3900, 4711 Coffee at oslo'],
    [{ kind: 'order_percent', percent: 95 }, 'can take over 90 % off: 3705 of 3900, 4711 Coffee at oslo'],
    [{ kind: 'line_amount', amount: 4_200, per: 'unit' }, 'can take over 90 % off: 3900 of 3900, 4711 Coffee at oslo'],
    [{ kind: 'unit_price', unitPrice: 389, ...coffee }, 'can take over 90 % off: 3511 of 3900, 4711 Coffee at oslo'],
    [
      { kind: 'order_amount', amount: 4_800, minimumSpend: 5_000 },
      'can take over 90 % off: 4800 of 5000, 4711 Coffee at oslo',
    ],
    [
      { kind: 'buy_x_get_y', buy: { quantity: 1, ...coffee }, get: { quantity: 19, ...coffee } },
      'can take over 90 % off: 74100 of 78000, 4711 Coffee at oslo',
    ],
  ])('%j', (benefit, warning) => {
    expect(warningsOf(benefit)).toEqual([`: ${warning}`]);
  });

  it.each<[object, string]>([
    [
      { kind: 'bundle_price', items: [{ quantity: 1, ...coffee }, { quantity: 1 }], amount: 8_000 },
      'can take over 90 % off: 7800 of 7800, 4711 Coffee at oslo',
    ],
    [
      { kind: 'bundle_price', items: [{ quantity: 2, ...coffee }], percent: 95 },
      'can take over 90 % off: 7410 of 7800, 4711 Coffee at oslo',
    ],
    [
      { kind: 'order_amount', amount: 9_900, perSpend: 10_000 },
      'can take over 90 % off: 9900 of 10000, 4711 Coffee at oslo',
    ],
  ])('with a bundle or for every part of the spend: %j', (benefit, warning) => {
    expect(warningsOf(benefit)).toEqual([`: ${warning}`]);
  });

  it.each<[object]>([
    [{ kind: 'bundle_price', items: [{ quantity: 2, ...coffee }], percent: 50 }],
    [{ kind: 'order_amount', amount: 1_000, perSpend: 10_000 }],
    [{ kind: 'line_percent', percent: 90 }],
    [{ kind: 'line_percent', percent: 100, maximumDiscount: 3_500 }],
    [{ kind: 'line_percent', percent: 100, appliesTo: { productGroupIds: ['tobacco'] } }],
    [{ kind: 'buy_x_get_y', buy: { quantity: 1, ...coffee }, get: { quantity: 1, ...coffee } }],
    [{ kind: 'free_product', productId: '4711' }],
    [{ kind: 'order_amount', amount: 4_500, minimumSpend: 5_000 }],
  ])('not %j', (benefit) => {
    expect(warningsOf(benefit)).toEqual([]);
  });
});

describe('amounts that look like major units', () => {
  it.each<[object, string]>([
    [
      { kind: 'order_amount', amount: 50, ...coffee },
      '.amount: 50 looks like major units: it means 0.50 NOK, and a product costs 3900; 50.00 is 5000',
    ],
    [
      { kind: 'line_amount', amount: 5, per: 'unit', ...coffee },
      '.amount: 5 looks like major units: it means 0.05 NOK, and a product costs 3900; 5.00 is 500',
    ],
    [
      { kind: 'order_amount', amount: 1_000, perSpend: 7_000, minimumSpend: 200, ...coffee },
      '.minimumSpend: 200 looks like major units: it means 2.00 NOK, and a product costs 3900; 200.00 is 20000',
    ],
    [
      { kind: 'order_amount', amount: 500, perSpend: 1_500, ...coffee },
      '.perSpend: 1500 looks like major units: it means 15.00 NOK, and a product costs 3900; 1500.00 is 150000',
    ],
    [
      { kind: 'order_percent', percent: 5, minimumSaving: 10, ...coffee },
      '.minimumSaving: 10 looks like major units: it means 0.10 NOK, and a product costs 3900; 10.00 is 1000',
    ],
    [
      { kind: 'bundle_price', items: [{ quantity: 1, ...coffee }], amount: 69 },
      '.amount: 69 looks like major units: it means 0.69 NOK, and a product costs 3900; 69.00 is 6900',
    ],
    [
      { kind: 'order_percent', percent: 5, minimumSpend: 200, ...coffee },
      '.minimumSpend: 200 looks like major units: it means 2.00 NOK, and a product costs 3900; 200.00 is 20000',
    ],
    [
      { kind: 'order_percent', percent: 5, maximumDiscount: 150, ...coffee },
      '.maximumDiscount: 150 looks like major units: it means 1.50 NOK, and a product costs 3900; 150.00 is 15000',
    ],
    [
      { kind: 'bundle_price', items: [{ quantity: 1, ...coffee }], bundlePrice: 69 },
      '.bundlePrice: 69 looks like major units: it means 0.69 NOK, and a product costs 3900; 69.00 is 6900',
    ],
  ])('%j', (benefit, warning) => {
    expect(warningsOf(benefit)).toEqual([warning]);
  });

  it.each<[object, Words?]>([
    [{ kind: 'order_amount', amount: 2_500, minimumSpend: 10_000, ...coffee }],
    [{ kind: 'line_amount', amount: 100, per: 'unit', ...coffee }],
    [{ kind: 'unit_price', unitPrice: 0, ...coffee }, { venues: [{ ...venue, products: [] }] }],
    [{ kind: 'order_amount', amount: 50 }, { venues: [{ ...venue, currencies: ['JPY'], products: [] }] }],
  ])('not %j', (benefit, words) => {
    expect(warningsOf(benefit, words)).toEqual([]);
  });

  it('prices of a list that are all below one major unit', () => {
    const cheap = [{ ...product, ...flags, unitPrice: 39 }];
    const warnings = warningsOf({ kind: 'line_percent', percent: 5 }, { venues: [{ ...venue, products: cheap }] });
    expect(warnings).toEqual(['venues[0].products: every price is below 100: they look like major units']);
  });
});

it('a benefit that is switched off may be whatever it likes', () => {
  const odd = { kind: 'order_amount', amount: 50, when: { to: '2020-01-01' }, audience: 'granted' };
  expect(warningsOf(odd)).not.toEqual([]);
  expect(warningsOf({ ...odd, enabled: false })).toEqual([]);
});

describe('limits that are never reached', () => {
  it.each<[object, string]>([
    [
      { limit: { quantity: 500, period: 'day', counts: 'baskets' } },
      '.limit.quantity: never reached: no guest has 500 baskets in a day',
    ],
    [
      { limit: { quantity: 10_001, period: 'day', counts: 'items' } },
      '.limit.quantity: never reached: no guest has 10001 items in a day',
    ],
  ])('%j', (change, warning) => {
    expect(warningsOf({ kind: 'line_percent', percent: 5, ...change })).toEqual([warning]);
  });

  it('a limit of one basket on baskets', () => {
    const limit = { quantity: 2, period: 'basket', counts: 'baskets' };
    expect(warningsOf({ kind: 'line_percent', percent: 5, limit })).toEqual([
      '.limit: has no effect: one basket always counts as one; use counts: items',
    ]);
    expect(warningsOf({ kind: 'line_percent', percent: 5, limit: { ...limit, counts: 'items' } })).toEqual([]);
  });

  it('fewer units than are taken at once', () => {
    const pair = { kind: 'bundle_price', items: [{ quantity: 1 }, { quantity: 2 }], bundlePrice: 7_000 };
    expect(warningsOf({ ...pair, maximumUnits: 2 })).toEqual([
      '.maximumUnits: nobody can get it: it takes 3 units at once, and 2 in a basket',
    ]);
    expect(warningsOf({ ...pair, maximumUnits: 3 })).toEqual([]);
  });

  it('a cap that is above the only amount', () => {
    const voucher = { kind: 'order_amount', amount: 2_500, minimumSpend: 5_000 };
    expect(warningsOf({ ...voucher, maximumDiscount: 2_500 })).toEqual([
      '.maximumDiscount: never reached: the benefit takes at most 2500',
    ]);
    expect(warningsOf({ ...voucher, maximumDiscount: 2_000 })).toEqual([]);
    expect(warningsOf({ ...voucher, limit: { quantity: 1, period: 'lifetime', counts: 'baskets' } })).toEqual([]);
  });
});

describe('beside faults', () => {
  it('the entries without faults have their warnings, with their own numbers and places', () => {
    const text = `environment: staging
venues: []
programmes:
  - programmeId: club
    benefits:
      - { benefitId: a, kind: line_percent, percnt: 5 }
      - { benefitId: b, kind: line_percent, percent: 5, when: { to: 2020-01-01 } }
`;
    const { faults, warnings } = inspectEnvironment(sourceOf(text, 'x.yaml'), '2026-11-21');
    // The benefit with the fault may be why nothing else names what these name, so names are not judged.
    expect(faults.map(({ path }) => path)).toEqual(['programmes[0].benefits[0]']);
    expect(warnings.map(({ line, column, path }) => [line, column, path])).toEqual([
      [7, 69, 'programmes[0].benefits[1].when.to'],
    ]);
  });

  it('the staging environment has neither', () => {
    const source = sourceOf(readFileSync('config/staging.yaml', 'utf8'), 'staging.yaml');
    expect(inspectEnvironment(source, '2026-11-21')).toEqual({ faults: [], warnings: [] });
  });
});
