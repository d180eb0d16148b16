/** The parts in which a line leaves when benefits take some of its units, worked out by hand (packages/engine/README.md, rules 13 and 19). */

import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { allocated, type Choice, line, settled, staff } from './support/choices.ts';

const tenth: BenefitDefinition = { benefitId: 'tenth', kind: 'line_percent', percent: 10 };
const half: BenefitDefinition = { benefitId: 'half', kind: 'line_percent', percent: 50, maximumUnits: 9 };
const price: BenefitDefinition = { benefitId: 'price', kind: 'unit_price', unitPrice: 900, maximumUnits: 9 };
const set: BenefitDefinition = {
  benefitId: 'set',
  kind: 'buy_x_get_y',
  buy: { quantity: 2 },
  get: { quantity: 1 },
};
const spread: BenefitDefinition = { ...set, benefitId: 'spread', spread: true };
describe('the parts of a line', () => {
  it.each<[string, BasketLine[], Choice, string[]]>([
    ['one without benefits', [line('a', 4, 1_000, staff(100))], {}, ['a 4 0 3900']],
    [
      'one where a benefit takes all units',
      [line('a', 4, 1_000)],
      { a: { taken: { half: 4 } } },
      ['a 4 2000 2000 percentHundredths'],
    ],
    [
      'the remaining units first',
      [line('a', 4, 1_000)],
      { a: { taken: { half: 1 } } },
      ['a 3 0 3000', 'a 1 500 500 percentHundredths'],
    ],
    [
      'the remaining units with the benefit that takes them',
      [line('a', 4, 1_000)],
      { a: { taken: { half: 1 }, rest: 'tenth' } },
      ['a 3 300 2700 percentHundredths', 'a 1 500 500 percentHundredths'],
    ],
    [
      'one for each benefit',
      [line('a', 4, 1_000)],
      { a: { taken: { half: 1, price: 2 } } },
      ['a 1 0 1000', 'a 1 500 500 percentHundredths', 'a 2 200 1800 overrideUnitPrice'],
    ],
    [
      'those of benefits alone where they leave nothing',
      [line('a', 4, 1_000)],
      { a: { taken: { half: 2, price: 2 }, rest: 'tenth' } },
      ['a 2 1000 1000 percentHundredths', 'a 2 200 1800 overrideUnitPrice'],
    ],
    [
      'bought units with the remaining ones',
      [line('a', 4, 1_000)],
      { a: { taken: { set: 1 }, bought: { set: 2 } } },
      ['a 3 0 3000', 'a 1 1000 0 percentHundredths'],
    ],
    [
      'bought units apart where a benefit takes the remaining ones',
      [line('a', 4, 1_000)],
      { a: { taken: { set: 1 }, bought: { set: 2 }, rest: 'tenth' } },
      ['a 1 100 900 percentHundredths', 'a 2 0 2000', 'a 1 1000 0 percentHundredths'],
    ],
    [
      'one where all units are bought',
      [line('a', 2, 1_000), line('b', 1, 500)],
      { a: { bought: { set: 2 }, rest: 'tenth' }, b: { taken: { set: 1 } } },
      ['a 2 0 2000', 'b 1 500 0 percentHundredths'],
    ],
    [
      'bought units apart on a line without given ones',
      [line('a', 3, 1_000), line('b', 1, 500)],
      { a: { bought: { set: 2 }, rest: 'tenth' }, b: { taken: { set: 1 } } },
      ['a 1 100 900 percentHundredths', 'a 2 0 2000', 'b 1 500 0 percentHundredths'],
    ],
    [
      'one where some units are bought and nothing takes the others',
      [line('a', 3, 1_000), line('b', 1, 500)],
      { a: { bought: { set: 2 } }, b: { taken: { set: 1 } } },
      ['a 3 0 3000', 'b 1 500 0 percentHundredths'],
    ],
    [
      'one of a line that cannot be split',
      [line('a', 3, 1_000), line('b', 1, 500, { parentLineId: 'a' })],
      { a: { taken: { half: 2 } } },
      ['a 3 1000 2000', 'b 1 0 500'],
    ],
    [
      'one of such a line of which units are bought',
      [line('a', 3, 1_000), line('b', 1, 500, { parentLineId: 'a' })],
      { a: { bought: { set: 2 } }, b: { taken: { set: 1 } } },
      ['a 3 0 3000', 'b 1 500 0 percentHundredths'],
    ],
    [
      'shares of the existing discount',
      [line('a', 3, 1_000, staff(100))],
      { a: { taken: { half: 1 } } },
      ['a 2 0 1933', 'a 1 500 500 percentHundredths'],
    ],
    [
      'shares of what the staff took off the order',
      [line('a', 3, 1_000, allocated(100))],
      { a: { taken: { half: 1 } } },
      ['a 2 0 1933', 'a 1 500 467 percentHundredths'],
    ],
  ])('are %s', (_case, lines, choice, parts) => {
    expect(settled(lines, [tenth, half, price, set], choice)).toEqual(parts);
  });

  it.each<[string, BasketLine[], Choice, string[]]>([
    [
      'one of bought and given units',
      [line('a', 3, 1_000)],
      { a: { taken: { spread: 1 }, bought: { spread: 2 } } },
      ['a 3 1000 2000'],
    ],
    [
      'the remaining units, and one with the set',
      [line('a', 5, 1_000)],
      { a: { taken: { spread: 1 }, bought: { spread: 2 }, rest: 'tenth' } },
      ['a 2 200 1800 percentHundredths', 'a 3 1000 2000'],
    ],
    [
      'other benefits by their benefitId',
      [line('a', 5, 1_000)],
      { a: { taken: { half: 1, price: 1, spread: 1 }, bought: { spread: 2 } } },
      ['a 1 500 500 percentHundredths', 'a 1 100 900 overrideUnitPrice', 'a 3 1000 2000'],
    ],
    [
      'units that another set has bought with the remaining ones',
      [line('a', 6, 1_000), line('b', 1, 600)],
      { a: { taken: { spread: 1 }, bought: { set: 2, spread: 2 } }, b: { taken: { set: 1 } } },
      ['a 3 0 3000', 'a 3 1000 2000', 'b 1 600 0 percentHundredths'],
    ],
    [
      'those apart where a benefit takes the remaining ones',
      [line('a', 6, 1_000), line('b', 1, 600)],
      { a: { taken: { spread: 1 }, bought: { set: 2, spread: 2 }, rest: 'tenth' }, b: { taken: { set: 1 } } },
      ['a 1 100 900 percentHundredths', 'a 2 0 2000', 'a 3 1000 2000', 'b 1 600 0 percentHundredths'],
    ],
    [
      'one of bought units alone',
      [line('a', 2, 1_000), line('b', 1, 600)],
      { a: { bought: { spread: 2 } }, b: { taken: { spread: 1 } } },
      ['a 2 462 1538', 'b 1 138 462'],
    ],
    [
      'two of bought units and the others',
      [line('a', 3, 1_000), line('b', 1, 600)],
      { a: { bought: { spread: 2 }, rest: 'tenth' }, b: { taken: { spread: 1 } } },
      ['a 1 100 900 percentHundredths', 'a 2 462 1538', 'b 1 138 462'],
    ],
    [
      'one of a line that cannot be split',
      [line('a', 5, 1_000), line('b', 1, 600, { parentLineId: 'a' })],
      { a: { taken: { spread: 1 }, bought: { spread: 2 } } },
      ['a 5 1000 4000', 'b 1 0 600'],
    ],
    [
      'apart where the staff made the line cheaper',
      [line('a', 3, 1_000, staff(300))],
      { a: { taken: { spread: 1 }, bought: { spread: 2 } } },
      ['a 2 0 1800', 'a 1 1000 0'],
    ],
  ])('with a set that shares what it gives are %s', (_case, lines, choice, parts) => {
    expect(settled(lines, [tenth, half, price, set, spread], choice)).toEqual(parts);
  });
});

it('a cap is shared by all units of a set that shares what it gives, in proportion', () => {
  const four: BenefitDefinition = { ...spread, get: { quantity: 2 }, maximumDiscount: 60 };
  const lines = [line('x', 1, 100), line('y', 1, 100), line('a', 1, 60), line('b', 1, 60, staff(5))];
  const [bought, taken] = [{ bought: { spread: 1 } }, { taken: { spread: 1 } }];
  // 60 of 320.
  expect(settled(lines, [four], { x: bought, y: bought, a: taken, b: taken })).toEqual([
    'x 1 19 81',
    'y 1 19 81',
    'a 1 11 49',
    'b 1 11 49',
  ]);
});

describe('the lines of units with modifiers', () => {
  const together = { modifiers: 'together' } as const;
  const pair: BenefitDefinition = { ...spread, buy: { quantity: 1 } };
  const below = (lineId: string, parentLineId: string, quantity: number, unitPrice: number, more: object = {}) =>
    line(lineId, quantity, unitPrice, { parentLineId, ...more });

  it('share what their set gives by what each of them costs', () => {
    const lines = [
      line('b1', 1, 10_000),
      below('c1', 'b1', 2, 1_500),
      line('b2', 1, 9_000),
      below('c2', 'b2', 1, 1_000),
    ];
    // 10,000 of 23,000 are given.
    const choice = { b1: { bought: { spread: 1 } }, b2: { taken: { spread: 1 } } };
    expect(settled(lines, [pair], choice, together)).toEqual([
      'b1 1 4348 5652',
      'c1 2 1304 1696',
      'b2 1 3913 5087',
      'c2 1 435 565',
    ]);
  });

  it('share it on one line too, and one that may not be discounted keeps its price', () => {
    const lines = [line('b', 2, 1_000), below('c', 'b', 2, 100), below('d', 'b', 2, 30, { noDiscount: true })];
    const choice = { b: { taken: { spread: 1 }, bought: { spread: 1 } } };
    expect(settled(lines, [pair], choice, together)).toEqual(['b 2 1000 1000', 'c 2 100 100', 'd 2 0 60']);
  });

  it('have no benefit of the rest where some units are bought', () => {
    const lines = [line('b', 2, 1_000), below('c', 'b', 2, 100), line('a', 1, 500)];
    const choice = { b: { bought: { set: 2 } }, a: { taken: { set: 1 } } };
    expect(settled(lines, [set, tenth], { ...choice, b: { ...choice.b, rest: 'tenth' } }, together)).toBe('units');
    expect(settled(lines, [set, tenth], choice, together)).toEqual([
      'b 2 0 2000',
      'c 2 0 200',
      'a 1 500 0 percentHundredths',
    ]);
  });
});

describe('a limit in money that benefits share is drawn on', () => {
  const of = (...productIds: string[]) => ({ appliesTo: { productIds } });
  const bundle = (more: object): BenefitDefinition => ({
    ...{ benefitId: 'bundle', kind: 'bundle_price' },
    items: [
      { quantity: 1, ...of('a') },
      { quantity: 1, ...of('b') },
    ],
    ...{ percent: 10, ...more },
  });

  it('by lines in the order of the benefitId, whatever the order of the lines', () => {
    const limit = { quantity: 1_600, period: 'basket', counts: 'money', limitId: 'purse' };
    const sharing = (benefitId: string) => ({ ...half, benefitId, limit }) as BenefitDefinition;
    const choice = { q: { taken: { y: 1 } }, a: { taken: { x: 1 } }, b: { taken: { x: 1 } } };
    expect(
      settled([line('q', 1, 2_000), line('a', 1, 2_000), line('b', 1, 1_000)], [sharing('x'), sharing('y')], choice),
    ).toEqual(['q 1 100 1900', 'a 1 1000 1000 percentHundredths', 'b 1 500 500 percentHundredths']);
  });

  it('by bundles in the order of the benefitId, wherever their lines are', () => {
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

  it('by bundles before lines', () => {
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
