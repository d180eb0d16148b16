import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import { faultsOfDecision } from '../../../test/support/judge.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import type { Product } from '../src/types.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { type Circumstances, netCostOf, priceFully } from './support/price.ts';

/** A product that is given to a guest who has rung it up already. */

const CAKE: Product = {
  productId: 'cake',
  name: 'Cake',
  unitPrice: 4_900,
  noDiscount: false,
  noPercentageDiscount: false,
};
const PRODUCTS = new Map([[CAKE.productId, CAKE]]);

type Gift = Extract<BenefitDefinition, { kind: 'free_product' }>;
const gift = (more: Partial<Gift> = {}): BenefitDefinition => ({
  benefitId: 'gift',
  kind: 'free_product',
  productId: 'cake',
  inBasketFirst: true,
  ...more,
});

const coffee = buildLine({ lineId: 'coffee', productId: 'coffee', quantity: 1, unitPrice: 3_900 });
const cakes = (quantity: number, more: Partial<BasketLine> = {}) =>
  buildLine({ lineId: 'cakes', productId: 'cake', quantity, unitPrice: 4_900, ...more });

function price(benefits: BenefitDefinition[], lines: BasketLine[], more: Circumstances = {}) {
  const basket = buildBasket(lines);
  const decision = priceFully(basket, benefits, { products: [CAKE], trace: true, ...more });
  if (decision.status === 'applied') expect(faultsOfDecision(basket, decision, PRODUCTS)).toEqual([]);
  return decision;
}

function rows(benefits: BenefitDefinition[], lines: BasketLine[], more?: Circumstances) {
  const decision = price(benefits, lines, more);
  if (decision.status !== 'applied') return decision.reason;
  return decision.lines.map(({ lineId, quantity, orderLinePrice }) => [lineId, quantity, orderLinePrice]);
}

describe('inBasketFirst', () => {
  it('gives the one that was rung up, and adds one where there is none', () => {
    expect(rows([gift()], [coffee, cakes(1)])).toEqual([
      ['coffee', 1, 3_900],
      ['cakes', 1, 0],
    ]);
    expect(rows([gift()], [coffee])).toEqual([
      ['coffee', 1, 3_900],
      ['added-1', 1, 0],
    ]);
  });

  it('parts one of two, and shows its price as an amount', () => {
    const decision = price([gift({ text: 'Happy birthday' })], [cakes(2)]);
    expect(decision).toMatchObject({
      lines: [
        { quantity: 1, orderLinePrice: 4_900 },
        { quantity: 1, lineDiscountType: 'amount', lineDiscountAmount: 4_900, lineDiscountText: 'Happy birthday' },
      ],
    });
    expect(decision.trace!.benefits).toEqual([{ benefitId: 'gift', applied: true, saved: 4_900 }]);
  });

  it('adds what is beyond the units rung up', () => {
    expect(rows([gift({ quantity: 3 })], [cakes(2)])).toEqual([
      ['cakes', 2, 0],
      ['added-1', 1, 0],
    ]);
    const limit = { quantity: 5, period: 'day', counts: 'items' } as const;
    const { uses, trace } = price([gift({ quantity: 3, limit })], [cakes(2)]) as never as {
      uses: unknown;
      trace: { benefits: unknown };
    };
    expect(uses).toMatchObject([{ benefitId: 'gift', units: 3 }]);
    expect(trace.benefits).toMatchObject([{ applied: true, saved: 14_700, left: '2 left today' }]);
  });

  it('spends one basket of its limit and one grant, however it gives', () => {
    const limit = { quantity: 5, period: 'day', counts: 'baskets' } as const;
    const member = { grants: [{ benefitId: 'gift', grantId: 'card', quantity: 2 }] };
    const decision = price([gift({ quantity: 2, limit, audience: 'granted' })], [cakes(1)], { member });
    expect(decision).toMatchObject({ uses: [{ units: 1 }, { units: 1 }] });
  });

  it('spends one basket where it gives one and adds one, also beside units with modifiers', () => {
    const burger = buildLine({ lineId: 'burger', productId: 'burger', unitPrice: 10_000 });
    const cheese = buildLine({ lineId: 'cheese', productId: 'cheese', unitPrice: 1_000, parentLineId: 'burger' });
    const limited = gift({ quantity: 2, limit: { quantity: 1, period: 'day', counts: 'baskets' } });
    const percent: BenefitDefinition = {
      benefitId: 'percent',
      kind: 'line_percent',
      percent: 10,
      appliesTo: { productIds: ['burger'] },
    };
    const policies = { modifiers: 'together' } as const;
    const decision = price([limited, percent], [burger, cheese, cakes(1)], { policies });
    expect(decision).toMatchObject({ totals: { total: 9_900 }, uses: [{ benefitId: 'gift', units: 1 }] });
  });

  it('gives no more than a limit by items has left, in the basket first', () => {
    const limit = { quantity: 5, period: 'day', counts: 'items' } as const;
    expect(rows([gift({ quantity: 3, limit })], [cakes(1)], { left: { gift: 2 } })).toEqual([
      ['cakes', 1, 0],
      ['added-1', 1, 0],
    ]);
    expect(rows([gift({ quantity: 3, limit })], [cakes(2)], { left: { gift: 1 } })).toEqual([
      ['split-1-1', 1, 4_900],
      ['split-1-2', 1, 0],
    ]);
  });

  it('passes a line over that may take no discount, is weighed or is left out, and adds one', () => {
    const added = ['added-1', 1, 0];
    expect(rows([gift()], [cakes(1, { noDiscount: true })])).toEqual([['cakes', 1, 4_900], added]);
    const weighed = cakes(0.5);
    expect(rows([gift()], [weighed])).toEqual([['cakes', 0.5, weighed.originalLinePrice], added]);
    const policies = { exclude: { productIds: ['cake'] } };
    expect(rows([gift()], [coffee, cakes(1)], { policies })).toEqual([
      ['coffee', 1, 3_900],
      ['cakes', 1, 4_900],
      added,
    ]);
  });

  it('takes a line that takes no percentage: it gives an amount', () => {
    expect(rows([gift()], [cakes(1, { noPercentageDiscount: true })])).toEqual([['cakes', 1, 0]]);
  });

  it('replaces a smaller staff discount, comes on top of it, or keeps it and adds one', () => {
    const staff = { existingLineDiscountType: 'amount', existingLineDiscountAmount: 900 } as const;
    expect(price([gift()], [cakes(1, staff)])).toMatchObject({
      lines: [{ existingLineDiscountAmount: 0, lineDiscountAmount: 4_900 }],
    });
    expect(price([gift()], [cakes(1, staff)], { policies: { existingLineDiscounts: 'stack' } })).toMatchObject({
      lines: [{ existingLineDiscountAmount: 900, lineDiscountAmount: 4_000, orderLinePrice: 0 }],
    });
    expect(rows([gift()], [cakes(1, staff)], { policies: { existingLineDiscounts: 'keep' } })).toEqual([
      ['cakes', 1, 4_000],
      ['added-1', 1, 0],
    ]);
  });

  it('is kept for another day where the staff gave the product for nothing', () => {
    const staff = { existingLineDiscountType: 'amount', existingLineDiscountAmount: 4_900 } as const;
    const decision = price([gift()], [coffee, cakes(1, staff)]);
    expect(decision).toMatchObject({ status: 'unchanged', reason: 'all_lines_excluded' });
    expect(decision.trace!.benefits).toMatchObject([{ applied: false, reason: 'nothing_to_save' }]);
  });

  it('takes the unit that no other benefit makes cheaper, and never adds a second one instead', () => {
    const pair: BenefitDefinition = {
      benefitId: 'pair',
      kind: 'buy_x_get_y',
      buy: { quantity: 1, appliesTo: { productIds: ['cake'] } },
      get: { quantity: 1, appliesTo: { productIds: ['cake'] } },
    };
    // Two cakes for one, and the third is given.
    expect(rows([gift(), pair], [cakes(3)])).toEqual([
      ['split-1-1', 1, 4_900],
      ['split-1-2', 1, 0],
      ['split-1-3', 1, 0],
    ]);
    // Of two one is given either way.
    const two = price([gift(), pair], [cakes(2)]);
    expect(two).toMatchObject({ totals: { total: 4_900 }, lines: [{ quantity: 1 }, { quantity: 1 }] });
    const half: BenefitDefinition = { benefitId: 'half', kind: 'line_percent', percent: 50 };
    expect(rows([gift(), half], [coffee, cakes(2)])).toEqual([
      ['coffee', 1, 1_950],
      ['split-2-1', 1, 2_450],
      ['split-2-2', 1, 0],
    ]);
  });

  it('gives two that were rung up beside benefits that would take them', () => {
    const half: BenefitDefinition = {
      ...{ benefitId: 'half', kind: 'line_percent', percent: 50, maximumUnits: 2 },
      appliesTo: { productIds: ['cake', 'coffee'] },
    };
    const pair: BenefitDefinition = {
      ...{ benefitId: 'pair', kind: 'buy_x_get_y' },
      buy: { quantity: 1, appliesTo: { productIds: ['cake'] } },
      get: { quantity: 1, percent: 40, appliesTo: { productIds: ['coffee'] } },
    };
    const coffees = buildLine({ lineId: 'coffees', productId: 'coffee', quantity: 3, unitPrice: 3_800 });
    expect(rows([gift({ quantity: 2 }), half, pair], [coffee, cakes(4), coffees])).toEqual([
      ['coffee', 1, 1_950],
      ['split-2-1', 2, 9_800],
      ['split-2-2', 2, 0],
      ['split-3-1', 1, 1_900],
      ['split-3-2', 2, 4_560],
    ]);
  });

  it('gives the cake, whatever a benefit before it takes', () => {
    const half: BenefitDefinition = {
      ...{ benefitId: 'coffee', kind: 'line_percent', percent: 50, maximumUnits: 1 },
      appliesTo: { productIds: ['coffee'] },
    };
    expect(rows([half, gift()], [coffee, cakes(1)])).toEqual([
      ['coffee', 1, 1_950],
      ['cakes', 1, 0],
    ]);
  });

  it('is one member of its group, and is compared with its whole worth', () => {
    const group = { policies: { groups: { one: { atMost: 1 } } } };
    const percent: BenefitDefinition = { benefitId: 'ten', kind: 'order_percent', percent: 50, group: 'one' };
    expect(rows([gift({ group: 'one', quantity: 2 }), percent], [coffee, cakes(1)], group)).toEqual([
      ['coffee', 1, 3_900],
      ['cakes', 1, 0],
      ['added-1', 1, 0],
    ]);
    expect(rows([gift({ group: 'one', minimumSaving: 9_900 }), percent], [coffee, cakes(1)], group)).toEqual([
      ['coffee', 1, 1_950],
      ['cakes', 1, 2_450],
    ]);
  });

  it('reaches its minimum saving with what it gives and adds together', () => {
    const both = gift({ quantity: 2, minimumSaving: 9_800 });
    expect(rows([both], [cakes(1)])).toEqual([
      ['cakes', 1, 0],
      ['added-1', 1, 0],
    ]);
    expect(rows([gift({ quantity: 2, minimumSaving: 9_801 })], [cakes(1)])).toBe('basket_too_small');
  });

  it('is opened by the lines that it names, not by the product', () => {
    const appliesTo = { productIds: ['coffee'] };
    expect(rows([gift({ appliesTo })], [cakes(1)])).toBe('no_applicable_benefits');
    expect(rows([gift({ appliesTo, minimumSpend: 4_000 })], [coffee, cakes(1)])).toBe('basket_too_small');
  });
});

it('a given head with a discount of the staff: what it does not cost any more comes off its modifier', () => {
  const sauce = buildLine({ lineId: 'sauce', productId: 'sauce', unitPrice: 2_500, parentLineId: 'cakes' });
  const off: BenefitDefinition = { benefitId: 'off', kind: 'order_amount', amount: 4_500, exclusive: true };
  const basket = buildBasket([cakes(1, { existingLineDiscountAmount: 2_000 }), sauce]);
  const policies = { modifiers: 'together', existingLineDiscounts: 'stack' } as const;
  const found = priceFully(basket, [gift({ exclusive: true }), off], { products: [CAKE], policies, trace: true });
  // 29.00 and 25.00, less the 49.00 that a cake costs.
  expect(netCostOf(basket, found)).toBe(500);
});
