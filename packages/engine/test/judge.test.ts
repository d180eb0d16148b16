/** What the judge of combinations permits, and the rule that forbids the others (packages/engine/README.md, rules 9 to 18). */
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { type Choice, choosesOn } from './support/choices.ts';

const of = (...productIds: string[]) => ({ appliesTo: { productIds } });
const shared = { limit: { quantity: 3, period: 'day', counts: 'items', limitId: 'shared' } } as const;

/** The burgers cannot be parted, because cheese stands below them; the staff made the tea cheaper. */
const BASKET = buildBasket([
  buildLine({ lineId: 'cakes', productId: 'cake', quantity: 3, unitPrice: 4_500 }),
  buildLine({ lineId: 'coffees', productId: 'coffee', quantity: 2, unitPrice: 3_000 }),
  buildLine({ lineId: 'burgers', productId: 'burger', quantity: 2, unitPrice: 9_000 }),
  buildLine({ lineId: 'cheese', productId: 'cheese', unitPrice: 1_000, parentLineId: 'burgers' }),
  buildLine({ lineId: 'tea', productId: 'tea', unitPrice: 2_500, existingLineDiscountAmount: 250 }),
]);

const BENEFITS: readonly BenefitDefinition[] = [
  { benefitId: 'tenth', kind: 'line_percent', percent: 10 },
  { benefitId: 'half', kind: 'line_percent', percent: 50, maximumUnits: 2 },
  { benefitId: 'any', kind: 'line_percent', percent: 20, maximumUnits: 100 },
  { benefitId: 'shared-1', kind: 'line_percent', percent: 30, ...shared },
  { benefitId: 'shared-2', kind: 'line_percent', percent: 40, ...shared },
  {
    benefitId: 'three-for-two',
    kind: 'buy_x_get_y',
    buy: { quantity: 2, ...of('cake', 'coffee', 'burger') },
    get: { quantity: 1, ...of('cake', 'coffee', 'burger') },
  },
  {
    benefitId: 'combinable',
    kind: 'buy_x_get_y',
    buy: { quantity: 2, ...of('cake', 'coffee'), combinable: true },
    get: { quantity: 1, ...of('cake', 'coffee') },
  },
  {
    benefitId: 'cake-and-coffee',
    kind: 'bundle_price',
    items: [
      { quantity: 1, ...of('cake') },
      { quantity: 1, ...of('coffee') },
    ],
    percent: 10,
  },
  {
    benefitId: 'cake-and-two',
    kind: 'bundle_price',
    items: [
      { quantity: 1, ...of('cake') },
      { quantity: 2, ...of('cake', 'coffee') },
    ],
    percent: 10,
  },
];

const judge = choosesOn(BASKET, BENEFITS);

/** The rule that forbids a choice, or what the lines cost. */
function verdict(choice: Choice, indices?: readonly number[]): string | number {
  const judged = judge(choice, indices);
  return judged.isPermitted ? judged.parts.reduce((sum, { rest }) => sum + rest, 0) : judged.rule;
}

/** What the basket costs without benefits. */
const FULL = 3 * 4_500 + 2 * 3_000 + 2 * 9_000 + 1_000 + 2_250;

describe('a choice', () => {
  it.each<[string, Choice, saved: number]>([
    ['takes nothing', {}, 0],
    ['takes every unit of a line by number', { cakes: { taken: { any: 3 } } }, 2_700],
    ['takes units of a line for two benefits', { cakes: { taken: { any: 1, half: 2 } } }, 5_400],
    ['takes units of a line, and the rest of it', { cakes: { taken: { half: 1 }, rest: 'tenth' } }, 3_150],
    ['takes all that a limit has', { cakes: { taken: { half: 1 } }, coffees: { taken: { half: 1 } } }, 3_750],
    [
      'takes all that benefits share',
      { cakes: { taken: { 'shared-2': 2 } }, coffees: { taken: { 'shared-1': 1 } } },
      4_500,
    ],
    ['takes a part of a line that cannot be parted', { burgers: { taken: { half: 1 } } }, 4_500],
    ['takes the whole of such a line', { burgers: { rest: 'tenth' } }, 1_800],
    [
      'buys and gives units of one line',
      { cakes: { taken: { 'three-for-two': 1 }, bought: { 'three-for-two': 2 } } },
      4_500,
    ],
    [
      'gives the cheapest unit of a set',
      { cakes: { bought: { 'three-for-two': 2 } }, coffees: { taken: { 'three-for-two': 1 } } },
      3_000,
    ],
    [
      'buys all units of a line that cannot be parted',
      { burgers: { bought: { 'three-for-two': 2 } }, cakes: { taken: { 'three-for-two': 1 } } },
      4_500,
    ],
    [
      'discounts units that are bought and combinable',
      { cakes: { taken: { combinable: 1, half: 2 }, combinable: { combinable: 2 } } },
      9_000,
    ],
    [
      'bundles a unit of each item',
      { cakes: { taken: { 'cake-and-coffee': 1 } }, coffees: { taken: { 'cake-and-coffee': 1 } } },
      750,
    ],
    [
      'bundles several units of each item',
      { cakes: { taken: { 'cake-and-coffee': 2 } }, coffees: { taken: { 'cake-and-coffee': 2 } } },
      1_500,
    ],
    ['bundles units of a line for two items', { cakes: { taken: { 'cake-and-two': 3 } } }, 1_350],
    [
      'bundles units of two lines for one item',
      { cakes: { taken: { 'cake-and-two': 2 } }, coffees: { taken: { 'cake-and-two': 1 } } },
      1_200,
    ],
    ['takes more off than the staff did', { tea: { taken: { any: 1 } } }, 250],
  ])('that %s is permitted', (_case, choice, saved) => {
    expect(verdict(choice)).toBe(FULL - saved);
  });

  it.each<[string, Choice, rule: string]>([
    ['takes more units than the line has', { cakes: { taken: { any: 4 } } }, 'units'],
    ['takes more units for two benefits than the line has', { cakes: { taken: { any: 2, half: 2 } } }, 'units'],
    ['buys more units than the line has', { coffees: { bought: { 'three-for-two': 3 } } }, 'units'],
    ['takes a unit that is bought', { coffees: { taken: { any: 1 }, bought: { 'three-for-two': 2 } } }, 'units'],
    [
      'gives a unit that another set has bought, combinable though it is',
      { cakes: { taken: { 'three-for-two': 1 }, combinable: { combinable: 3 } } },
      'units',
    ],
    [
      'buys for a set a unit that another set has bought, combinable though it is',
      { cakes: { bought: { 'three-for-two': 2 }, combinable: { combinable: 2 } } },
      'units',
    ],
    ['takes a line that cannot be parted for two benefits', { burgers: { taken: { any: 1, half: 1 } } }, 'units'],
    ['takes of such a line some units and the rest', { burgers: { taken: { half: 1 }, rest: 'tenth' } }, 'units'],
    ['takes more than a limit has', { cakes: { taken: { half: 2 } }, coffees: { taken: { half: 1 } } }, 'limit'],
    [
      'takes more than benefits share',
      { cakes: { taken: { 'shared-1': 2 } }, coffees: { taken: { 'shared-2': 2 } } },
      'limit',
    ],
    ['buys nothing for what it gives', { cakes: { taken: { 'three-for-two': 1 } } }, 'sets'],
    ['buys without being given anything', { cakes: { bought: { 'three-for-two': 2 } } }, 'sets'],
    ['buys too little', { cakes: { taken: { 'three-for-two': 1 }, bought: { 'three-for-two': 1 } } }, 'sets'],
    [
      'buys too little that is combinable',
      { cakes: { taken: { combinable: 1 }, combinable: { combinable: 1 } } },
      'sets',
    ],
    [
      'gives the dearest unit of a set',
      { cakes: { taken: { 'three-for-two': 1 } }, coffees: { bought: { 'three-for-two': 2 } } },
      'sets',
    ],
    ['bundles half of the items', { cakes: { taken: { 'cake-and-coffee': 1 } } }, 'bundle'],
    ['bundles two units of one item', { coffees: { taken: { 'cake-and-coffee': 2 } } }, 'bundle'],
    [
      'bundles a unit too many',
      { cakes: { taken: { 'cake-and-coffee': 2 } }, coffees: { taken: { 'cake-and-coffee': 1 } } },
      'bundle',
    ],
    [
      'bundles without the item that only one line has',
      { coffees: { taken: { 'cake-and-two': 2 } }, tea: { taken: { 'cake-and-two': 1 } } },
      'bundle',
    ],
    ['takes no more off than the staff did', { tea: { rest: 'tenth' } }, 'effect'],
  ])('that %s is not', (_case, choice, rule) => {
    expect(verdict(choice)).toBe(rule);
  });

  it('of some lines is judged by itself', () => {
    const choice = { cakes: { taken: { any: 4 } }, coffees: { rest: 'tenth' } };
    expect(verdict(choice)).toBe('units');
    expect(verdict(choice, [1])).toBe(5_400);
  });
});
