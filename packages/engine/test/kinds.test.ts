import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import type { AppliedDecision } from '../src/types.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { type Circumstances, expectApplied, priceFully } from './support/price.ts';

/** What the worked examples do not show: edges of each kind. Every applied decision is checked for every identity. */

function apply(benefits: BenefitDefinition[], lines: BasketLine[], more?: Circumstances): AppliedDecision {
  const basket = buildBasket(lines);
  return expectApplied(basket, priceFully(basket, benefits, more));
}

function prices({ lines }: AppliedDecision): number[] {
  return lines.map((line) => line.orderLinePrice);
}

const coffee = { productIds: ['coffee'] };
const line = (lineId: string, productId: string, quantity: number, unitPrice: number, more: Partial<BasketLine> = {}) =>
  buildLine({ lineId, productId, quantity, unitPrice, ...more });

describe('unit_price', () => {
  const cheap: BenefitDefinition = { benefitId: 'cheap', kind: 'unit_price', unitPrice: 1_000 };

  it('is exact on weighed goods', () => {
    const decision = apply([cheap], [line('a', 'p', 0.345, 1_999)]);
    expect(decision.lines[0]).toMatchObject({ overrideUnitPrice: 1_000, originalLinePrice: 690, orderLinePrice: 345 });
  });

  it('is an amount where a cap or a staff discount leaves only a part of it', () => {
    const coffee: BenefitDefinition = { ...cheap, unitPrice: 2_900, maximumDiscount: 1_500 };
    const { lines: capped } = apply([coffee], [line('a', 'p', 2, 3_900)]);
    expect(capped).toMatchObject([
      { quantity: 2, lineDiscountType: 'amount', lineDiscountAmount: 1_500, orderLinePrice: 6_300 },
    ]);
    expect(capped[0]?.overrideUnitPrice).toBeUndefined();

    const orderDiscountAllocation = [{ orderDiscountId: 'staff', orderDiscountAllocationAmount: 1_500 }];
    const basket = buildBasket([line('a', 'p', 1, 2_000, { orderDiscountAllocation })], {
      orderDiscounts: [{ orderDiscountId: 'staff', type: 'amount', amount: 1_500 }],
    });
    expect(expectApplied(basket, priceFully(basket, [cheap])).lines).toMatchObject([
      { lineDiscountType: 'amount', lineDiscountAmount: 500, orderLinePrice: 0 },
    ]);
  });
});

describe('buy_x_get_y', () => {
  const third: BenefitDefinition = {
    benefitId: 'third',
    kind: 'buy_x_get_y',
    buy: { appliesTo: coffee, quantity: 2 },
    get: { appliesTo: coffee, quantity: 1 },
  };

  it('leaves units that take no part to other benefits, beside bought ones of the same line', () => {
    const ten: BenefitDefinition = { benefitId: 'ten', kind: 'line_percent', percent: 10 };
    const decision = apply([third, ten], [line('a', 'coffee', 5, 1_000), line('b', 'coffee', 2, 800)]);
    // Two sets of six units give one of each line; the seventh, of the dearer ones, keeps its 10 %.
    expect(decision.totals.total).toBe(5_000 + 1_600 - 1_000 - 800 - 100);
    const { trace } = priceFully(buildBasket([line('a', 'coffee', 4, 1_000)]), [third, ten], { trace: true });
    expect(trace!.bought).toEqual([{ lineId: 'split-1-2', benefitId: 'third', units: 2 }]);
  });

  it('shows an amount on a line that cannot be split, because other lines hang on it', () => {
    const lines = [line('a', 'coffee', 3, 1_000), line('m', 'oat', 3, 300, { parentLineId: 'a' })];
    const decision = apply([third], lines);
    expect(decision.lines.map(({ lineId }) => lineId)).toEqual(['a', 'm']);
    expect(decision.lines[0]).toMatchObject({ quantity: 3, lineDiscountType: 'amount', lineDiscountAmount: 1_000 });
  });
});

describe('free_product', () => {
  const product = { productId: 'bun', name: 'Bun', unitPrice: 500, noDiscount: false, noPercentageDiscount: true };
  const gift: BenefitDefinition = { benefitId: 'gift', kind: 'free_product', productId: 'bun', quantity: 3 };

  it('adds what is left of a limit by items, in a line whose ID collides with nothing', () => {
    const limit = { quantity: 5, period: 'year', counts: 'items' } as const;
    const more = { products: [product], left: { 'gift#items': 2 } };
    const decision = apply([{ ...gift, limit }], [line('added-1', 'p', 1, 1_000)], more);
    expect(decision.lines[1]).toMatchObject({ lineId: 'added-1~', quantity: 2, lineDiscountType: 'amount' });
    expect(decision.uses).toMatchObject([{ units: 2 }]);
  });
});

describe('order-level benefits', () => {
  it('show a cut percentage as an amount, and skip protected lines', () => {
    const capped: BenefitDefinition = { benefitId: 'c', kind: 'order_percent', percent: 50, maximumDiscount: 300 };
    const lines = [
      line('a', 'p', 1, 1_000),
      line('b', 'p', 1, 1_000, { noDiscount: true }),
      line('c', 'p', 1, 1_000, { noPercentageDiscount: true }),
    ];
    const decision = apply([capped], lines);
    expect(decision.orderDiscounts).toMatchObject([{ type: 'amount', amount: 300 }]);
    expect(prices(decision)).toEqual([700, 1_000, 1_000]);
  });
});
