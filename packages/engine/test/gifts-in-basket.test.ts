import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import { faultsOfDecision } from '../../../test/support/judge.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import type { Product } from '../src/types.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { type Circumstances, priceFully } from './support/price.ts';

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

  it('is kept for another day where the staff gave the product for nothing', () => {
    const staff = { existingLineDiscountType: 'amount', existingLineDiscountAmount: 4_900 } as const;
    const decision = price([gift()], [coffee, cakes(1, staff)]);
    expect(decision).toMatchObject({ status: 'unchanged', reason: 'all_lines_excluded' });
    expect(decision.trace!.benefits).toMatchObject([{ applied: false, reason: 'nothing_to_save' }]);
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
});
