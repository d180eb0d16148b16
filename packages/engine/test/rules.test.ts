/** What each kind of benefit takes off units of one line, and the bounds that the search may trust (packages/engine/README.md). */
import { describe, expect, it } from 'vitest';
import { kindOf } from '../src/benefits/register.ts';
import { inCurrency } from '../src/compile/amounts.ts';
import type { RuleAt } from '../src/compile/rule.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import { type LineFacts, readLines } from '../src/lines/lines.ts';
import { buildLine } from './support/basket.ts';

function ruleOf<Rule>(more: object): Rule {
  const definition = { benefitId: 'b', ...more } as BenefitDefinition;
  return kindOf(definition).compile(inCurrency(definition, undefined) as never) as Rule;
}

const selectionsOf = (more: object) => {
  const definition = { benefitId: 'b', ...more } as BenefitDefinition;
  return kindOf(definition).selections(definition);
};

const lineOf = (quantity: number, unitPrice: number): LineFacts =>
  readLines([buildLine({ lineId: 'a', quantity, unitPrice })], 'keep', undefined)[0]!;

/** Three pieces of 9.99, and 345 g at 19.99 a kilogram, which are one unit of 6.90. */
const pieces = lineOf(3, 999);
const weighed = lineOf(0.345, 1_999);

describe('a benefit on lines', () => {
  it.each<[string, object, number[], object[]]>([
    [
      'a percentage, rounded once for all units',
      { kind: 'line_percent', percent: 12.5 },
      [125, 250, 375, 86],
      [
        { perUnit: 124.875, once: 0 },
        { perUnit: 86.25, once: 0 },
      ],
    ],
    [
      'a percentage that needs no rounding',
      { kind: 'line_percent', percent: 100 },
      [999, 1_998, 2_997, 690],
      [
        { perUnit: 999, once: 0 },
        { perUnit: 690, once: 0 },
      ],
    ],
    [
      'an amount off each unit, of weighed goods per kilogram',
      { kind: 'line_amount', amount: 100, per: 'unit' },
      [100, 200, 300, 35],
      [
        { perUnit: 100, once: 0 },
        { perUnit: 35, once: 0 },
      ],
    ],
    [
      'an amount above the price of a unit',
      { kind: 'line_amount', amount: 5_000, per: 'unit' },
      [999, 1_998, 2_997, 690],
      [
        { perUnit: 999, once: 0 },
        { perUnit: 690, once: 0 },
      ],
    ],
    [
      'an amount off the line, never more than its units cost',
      { kind: 'line_amount', amount: 1_500, per: 'line' },
      [999, 1_500, 1_500, 690],
      [
        { perUnit: 0, once: 1_500 },
        { perUnit: 0, once: 1_500 },
      ],
    ],
    [
      'a price for each unit',
      { kind: 'unit_price', unitPrice: 900 },
      [99, 198, 297, 379],
      [
        { perUnit: 99, once: 0 },
        { perUnit: 379, once: 0 },
      ],
    ],
    [
      'the price that a unit has already',
      { kind: 'unit_price', unitPrice: 1_999 },
      [0, 0, 0, 0],
      [
        { perUnit: 0, once: 0 },
        { perUnit: 0, once: 0 },
      ],
    ],
  ])('takes %s', (_what, definition, effects, extents) => {
    const rule = ruleOf<RuleAt<'line'>>(definition);
    const ofPieces = [1, 2, 3].map((units) => rule.effect(pieces, units));
    expect([...ofPieces, rule.effect(weighed, 1)]).toEqual(effects);
    expect([pieces, weighed].map((line) => rule.extent(line))).toEqual(extents);
  });

  it.each<[string, object, number[]]>([
    ['each unit an amount', { kind: 'line_amount', amount: 100, per: 'unit' }, [200, 150]],
    ['the line an amount', { kind: 'line_amount', amount: 100, per: 'line' }, [100, 100]],
    ['each unit a price', { kind: 'unit_price', unitPrice: 900 }, [1_600, 0]],
  ])('gives %s, also where they cost something else with their modifiers', (_what, definition, effects) => {
    const { together } = ruleOf<RuleAt<'line'>>(definition);
    expect([3_400, 150].map((price) => together!(pieces, 2, price))).toEqual(effects);
  });

  it.each<[string, object[]]>([
    [
      'percentages',
      [
        { kind: 'line_percent', percent: 10 },
        { kind: 'line_percent', percent: 20 },
      ],
    ],
    [
      'amounts',
      [
        { kind: 'line_amount', amount: 10, per: 'unit' },
        { kind: 'line_amount', amount: 20, per: 'unit' },
      ],
    ],
    [
      'amounts of lines',
      [
        { kind: 'line_amount', amount: 10, per: 'line' },
        { kind: 'line_amount', amount: 20, per: 'line' },
      ],
    ],
    [
      'prices',
      [
        { kind: 'unit_price', unitPrice: 500 },
        { kind: 'unit_price', unitPrice: 400 },
      ],
    ],
  ])('is weaker than another one of its scale that takes off less: %s', (_what, definitions) => {
    const [weak, strong] = definitions.map((definition) => ruleOf<RuleAt<'line'>>(definition));
    expect(weak!.scale).toBe(strong!.scale);
    expect(weak!.strength).toBeLessThan(strong!.strength);
    expect(weak!.effect(pieces, 2)).toBeLessThan(strong!.effect(pieces, 2));
  });
});

describe('a bundle', () => {
  const items = [
    { quantity: 1, appliesTo: { eans: ['7'] } },
    { quantity: 2 },
    { quantity: 3, appliesTo: { eans: ['7'] } },
  ];

  it.each<[string, object, number[], object, boolean]>([
    ['costs its price each', { bundlePrice: 1_500 }, [1_000, -500], { ofPrice: 1, perBundle: -1_500 }, false],
    ['is an amount cheaper each', { amount: 600 }, [1_200, 1_200], { ofPrice: 0, perBundle: 600 }, false],
    [
      'is an amount cheaper, as far as it costs that',
      { amount: 2_000 },
      [4_000, 2_500],
      { ofPrice: 0, perBundle: 2_000 },
      false,
    ],
    ['is a percentage cheaper', { percent: 10 }, [400, 250], { ofPrice: 0.1, perBundle: 0 }, true],
  ])('%s', (_what, more, discounts, estimate, isPercentage) => {
    const definition = { kind: 'bundle_price', items, ...more };
    const rule = ruleOf<RuleAt<'bundle'>>(definition);
    expect([4_000, 2_500].map((price) => rule.discount(price, 2))).toEqual(discounts);
    expect(rule.estimate).toEqual(estimate);
    // The first and the last item ask for the same goods.
    expect(rule.quantities).toEqual([4, 2]);
    expect(selectionsOf(definition)).toEqual([
      { selector: { eans: ['7'] }, place: 'items[0].appliesTo', isPercentage },
      { selector: {}, place: 'items[1].appliesTo', isPercentage },
    ]);
  });
});

describe('a set', () => {
  const set = { kind: 'buy_x_get_y', buy: { quantity: 2 }, get: { quantity: 1 } };

  it('gives its units for nothing unless it says otherwise', () => {
    const rule = ruleOf<RuleAt<'buyGet'>>(set);
    expect(rule).toMatchObject({
      buyQuantity: 2,
      getQuantity: 1,
      leastGiven: 1,
      pick: 'per_set',
      sharesBought: false,
      spreads: false,
    });
    expect(rule.effect(pieces, 2)).toBe(1_998);
    expect(rule.extent(pieces)).toEqual({ perUnit: 999, once: 0 });
    expect(selectionsOf(set)).toEqual([
      { selector: {}, place: 'buy.appliesTo', isPercentage: false },
      { selector: {}, place: 'get.appliesTo', isPercentage: true },
    ]);
  });

  it('takes the percentage of what is given, and shares as it says', () => {
    const more = {
      buy: { quantity: 2, combinable: true },
      get: { quantity: 1, percent: 50 },
      pick: 'cheapest',
      spread: true,
    };
    const rule = ruleOf<RuleAt<'buyGet'>>({ ...set, ...more });
    expect(rule).toMatchObject({ pick: 'cheapest', sharesBought: true, spreads: true });
    expect(rule.effect(pieces, 1)).toBe(500);
    expect(rule.effectKey).not.toBe(ruleOf<RuleAt<'buyGet'>>(set).effectKey);
  });
});

describe('a discount on the order', () => {
  it('is an amount for each full spend, at most what is left', () => {
    const rule = ruleOf<RuleAt<'order'>>({ kind: 'order_amount', amount: 300, perSpend: 1_000 });
    expect([rule.amount(5_000, 2), rule.amount(500, 2), rule.perSpend]).toEqual([600, 500, 1_000]);
    expect(ruleOf<RuleAt<'order'>>({ kind: 'order_amount', amount: 300 }).perSpend).toBe(0);
  });

  it('is a percentage of what is left, rounded once', () => {
    const rule = ruleOf<RuleAt<'order'>>({ kind: 'order_percent', percent: 12.5 });
    expect([rule.amount(1_004, 1), rule.amount(1_003, 1), rule.percentHundredths, rule.perSpend]).toEqual([
      ...[126, 125, 1_250, 0],
    ]);
  });
});

it('a gift is one unit, and is taken from what was rung up only where it says so', () => {
  const gift = { benefitId: 'g', kind: 'free_product', productId: 'cake' } as const;
  expect(ruleOf(gift)).toEqual({ level: 'gift', productId: 'cake', quantity: 1 });
  expect(ruleOf({ ...gift, quantity: 3 })).toEqual({ level: 'gift', productId: 'cake', quantity: 3 });
  expect(
    [undefined, false, true].map((inBasketFirst) =>
      kindOf(gift).rungUp!({ ...gift, ...(inBasketFirst !== undefined && { inBasketFirst }) }),
    ),
  ).toEqual([...[undefined, undefined, { productIds: ['cake'] }]]);
  expect(kindOf(gift).addedProductId!(gift)).toBe('cake');
});
