/**
 * What a choice of benefits takes off each part, worked out by hand (packages/engine/README.md, rules 14 to 20). The choice is given, so that
 * no tie of the search hides what is computed.
 */

import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { allocated, type Choice, line, settled, staff } from './support/choices.ts';

const of = (...productIds: string[]) => ({ appliesTo: { productIds } });

const half: BenefitDefinition = { benefitId: 'half', kind: 'line_percent', percent: 50, maximumUnits: 9 };
const price: BenefitDefinition = { benefitId: 'price', kind: 'unit_price', unitPrice: 900, maximumUnits: 9 };
const bundle = (more: object): BenefitDefinition => ({
  ...{ benefitId: 'bundle', kind: 'bundle_price' },
  items: [
    { quantity: 1, ...of('a') },
    { quantity: 1, ...of('b') },
  ],
  ...{ percent: 10, ...more },
});

describe('an effect', () => {
  it.each<[string, BasketLine[], BenefitDefinition, Choice, string[] | string]>([
    [
      'shows as it is where nothing cuts it',
      [line('a', 2, 1_000)],
      price,
      { a: { taken: { price: 2 } } },
      ['a 2 200 1800 overrideUnitPrice'],
    ],
    [
      'is cut to what the part costs',
      [line('a', 1, 1_000, allocated(700))],
      half,
      { a: { taken: { half: 1 } } },
      ['a 1 300 0'],
    ],
    [
      'is cut by its cap in proportion',
      [line('a', 1, 1_000), line('b', 1, 1_000)],
      { ...half, maximumDiscount: 700 },
      { a: { taken: { half: 1 } }, b: { taken: { half: 1 } } },
      ['a 1 350 650', 'b 1 350 650'],
    ],
    [
      'is forbidden where a cap leaves nothing of it',
      [line('a', 1, 1_000), line('b', 1, 1_000)],
      { ...half, maximumDiscount: 1 },
      { a: { taken: { half: 1 } }, b: { taken: { half: 1 } } },
      'effect',
    ],
    [
      'shows as an amount where it covers some units',
      [line('a', 2, 1_000), line('b', 1, 10, { parentLineId: 'a' })],
      half,
      { a: { taken: { half: 1 } } },
      ['a 2 500 1500', 'b 1 0 10'],
    ],
    [
      'replaces what the staff took off',
      [line('a', 1, 1_000, staff(499))],
      half,
      { a: { taken: { half: 1 } } },
      ['a 1 500 500 percentHundredths'],
    ],
    [
      'is forbidden where it only equals that',
      [line('a', 1, 1_000, staff(500))],
      half,
      { a: { taken: { half: 1 } } },
      'effect',
    ],
  ])('%s', (_case, lines, benefit, choice, parts) => {
    expect(settled(lines, [benefit], choice)).toEqual(parts);
  });

  it('counts from what the staff left, where that stays', () => {
    const stack = { existingLineDiscounts: 'stack' } as const;
    const of500 = (existing: number) =>
      settled([line('a', 1, 1_000, staff(existing))], [half], { a: { taken: { half: 1 } } }, stack);
    expect([0, 500, 600, 1_000].map(of500)).toEqual([
      ['a 1 500 500 percentHundredths'],
      ['a 1 250 250'],
      ['a 1 200 200'],
      'effect',
    ]);
  });
});

it('a limit in money that several benefits share is drawn on by benefitId, whatever the order of the lines', () => {
  const limit = { quantity: 1_600, period: 'basket', counts: 'money', limitId: 'purse' };
  const of = (benefitId: string) => ({ ...half, benefitId, limit }) as BenefitDefinition;
  const choice = { q: { taken: { y: 1 } }, a: { taken: { x: 1 } }, b: { taken: { x: 1 } } };
  expect(settled([line('q', 1, 2_000), line('a', 1, 2_000), line('b', 1, 1_000)], [of('x'), of('y')], choice)).toEqual([
    'q 1 100 1900',
    'a 1 1000 1000 percentHundredths',
    'b 1 500 500 percentHundredths',
  ]);
});

it('a modifier shows an amount where the staff left less of it than the percentage', () => {
  const lines = [line('a', 1, 1_000), line('b', 1, 100, { parentLineId: 'a', ...allocated(70) })];
  expect(settled(lines, [half], { a: { taken: { half: 1 } } }, { modifiers: 'together' })).toEqual([
    'a 1 500 500 percentHundredths',
    'b 1 30 0',
  ]);
});

describe('a bundle', () => {
  const both = { a: { taken: { bundle: 1 } }, b: { taken: { bundle: 1 } } };
  const two = { a: { taken: { bundle: 2 } }, b: { taken: { bundle: 2 } } };

  it.each<[string, BasketLine[], object, Choice, string[] | string]>([
    [
      'shares its discount by price',
      [line('a', 1, 3_000), line('b', 1, 1_000)],
      {},
      both,
      ['a 1 300 2700', 'b 1 100 900'],
    ],
    [
      'takes its price for each bundle',
      [line('a', 2, 3_000), line('b', 2, 1_000)],
      { percent: undefined, bundlePrice: 3_500 },
      two,
      ['a 2 750 5250', 'b 2 250 1750'],
    ],
    [
      'is cut by its cap',
      [line('a', 2, 3_000), line('b', 2, 1_000)],
      { maximumDiscount: 200 },
      two,
      ['a 2 150 5850', 'b 2 50 1950'],
    ],
    [
      'gives no part more than it costs',
      [line('a', 1, 3_000, allocated(2_900)), line('b', 1, 1_000)],
      {},
      both,
      ['a 1 100 0', 'b 1 300 700'],
    ],
    [
      'leaves every part at what the staff left of it',
      [line('a', 3, 10, allocated(10, 10, 10)), line('b', 1, 1_000)],
      {},
      both,
      ['a 2 0 0', 'a 1 0 0', 'b 1 101 899'],
    ],
    [
      'is forbidden where nothing costs anything',
      [line('a', 1, 3_000, allocated(3_000)), line('b', 1, 1_000, allocated(1_000))],
      {},
      both,
      'effect',
    ],
    [
      'is forbidden where it makes nothing cheaper',
      [line('a', 1, 3_000), line('b', 1, 1_000)],
      { percent: undefined, bundlePrice: 4_000 },
      both,
      'effect',
    ],
    [
      'is forbidden where it makes something dearer',
      [line('a', 1, 3_000), line('b', 1, 1_000)],
      { percent: undefined, bundlePrice: 4_500 },
      both,
      'effect',
    ],
    [
      'replaces what the staff took off all its parts',
      [line('a', 1, 3_000, staff(200)), line('b', 1, 1_000, staff(199))],
      {},
      both,
      ['a 1 300 2700', 'b 1 100 900'],
    ],
    [
      'is forbidden where that is as much',
      [line('a', 1, 3_000, staff(200)), line('b', 1, 1_000, staff(200))],
      {},
      both,
      'effect',
    ],
    [
      'leaves what the staff took off a part that gets nothing',
      [line('a', 1, 3_000), line('b', 1, 10, staff(9))],
      { maximumDiscount: 5 },
      both,
      ['a 1 5 2995', 'b 1 0 1'],
    ],
  ])('%s', (_case, lines, more, choice, parts) => {
    expect(settled(lines, [bundle(more)], choice)).toEqual(parts);
  });

  it('counts prices less what the staff took off, where that stays', () => {
    const stack = { existingLineDiscounts: 'stack' } as const;
    expect(settled([line('a', 1, 3_000, staff(2_000)), line('b', 1, 1_000)], [bundle({})], both, stack)).toEqual([
      'a 1 100 900',
      'b 1 100 900',
    ]);
  });

  it('draws on money that bundles share by its benefitId, wherever its lines are', () => {
    const limit = { quantity: 500, period: 'day', counts: 'money', limitId: 'purse' };
    const items = [
      { quantity: 1, ...of('c') },
      { quantity: 1, ...of('d') },
    ];
    const benefits = [
      { ...bundle({ limit, items }), benefitId: 'first' },
      { ...bundle({ limit }), benefitId: 'second' },
    ];
    const lines = ['a', 'b', 'c', 'd'].map((name) => line(name, 1, 2_000));
    const taken = { first: { taken: { first: 1 } }, second: { taken: { second: 1 } } };
    const choice = { a: taken.second, b: taken.second, c: taken.first, d: taken.first };
    expect(settled(lines, benefits, choice)).toEqual(['a 1 50 1950', 'b 1 50 1950', 'c 1 200 1800', 'd 1 200 1800']);
  });

  it('draws on money that bundles share by its benefitId, before lines', () => {
    const limit = { quantity: 500, period: 'day', counts: 'money', limitId: 'purse' };
    const first = { ...bundle({ limit }), benefitId: 'first' };
    const benefits = [{ ...bundle({ limit }), benefitId: 'second' }, first, { ...half, limit }] as BenefitDefinition[];
    const lines = [line('c', 1, 1_000), line('a', 2, 3_000), line('b', 2, 1_000)];
    const choice = { a: { taken: { first: 1, second: 1 } }, b: { taken: { first: 1, second: 1 } } };
    expect(settled(lines, benefits, choice)).toEqual([
      'c 1 0 1000',
      'a 1 300 2700',
      'a 1 75 2925',
      'b 1 100 900',
      'b 1 25 975',
    ]);
    expect(settled(lines, benefits, { ...choice, c: { taken: { half: 1 } } })).toBe('effect');
  });
});
