import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { type Circumstances, expectApplied, priceFully } from './support/price.ts';

/** Sets whose units share what is given, so that each line costs what a return of it is worth. */

const twoForOne: BenefitDefinition = {
  benefitId: 'two',
  kind: 'buy_x_get_y',
  buy: { quantity: 1 },
  get: { quantity: 1 },
  spread: true,
};
const threeForTwo: BenefitDefinition = { ...twoForOne, benefitId: 'three', buy: { quantity: 2 } };

const line = (lineId: string, quantity: number, unitPrice: number, more: Partial<BasketLine> = {}) =>
  buildLine({ lineId, quantity, unitPrice, ...more });
const staff = (amount: number) => ({ existingLineDiscountType: 'amount', existingLineDiscountAmount: amount }) as const;

function rows(benefits: BenefitDefinition[], lines: BasketLine[], more?: Circumstances) {
  const basket = buildBasket(lines);
  const { lines: out } = expectApplied(basket, priceFully(basket, benefits, more));
  return out.map((row) => [row.lineId, row.quantity, row.lineDiscountAmount, row.orderLinePrice]);
}

describe('spread', () => {
  it('shows amounts, counts the units given, and tells which were bought', () => {
    const limit = { quantity: 5, period: 'day', counts: 'items' } as const;
    const basket = buildBasket([line('a', 2, 100), line('b', 1, 50)]);
    const decision = expectApplied(basket, priceFully(basket, [{ ...threeForTwo, limit }], { trace: true }));
    expect(decision.lines[0]).toMatchObject({ lineDiscountType: 'amount', lineDiscountAmount: 40 });
    expect(decision.lines[0]?.lineDiscountPercent).toBeUndefined();
    expect(decision.uses).toMatchObject([{ benefitId: 'three', units: 1 }]);
    expect(decision.trace!.bought).toEqual([{ lineId: 'a', benefitId: 'three', units: 2 }]);
    expect(decision.trace!.changes).toEqual([
      { lineId: 'a', benefitId: 'three', rule: 'line_discount', amount: -40 },
      { lineId: 'b', benefitId: 'three', rule: 'line_discount', amount: -10 },
    ]);
  });

  it('clears the staff discount of a given unit for a discount of a minor unit at least', () => {
    const sold = [line('a', 1, 1_000), line('b', 1, 3, staff(1))];
    expect(rows([twoForOne], sold)).toEqual([
      ['a', 1, 2, 998],
      ['b', 1, 1, 2],
    ]);
  });

  it('takes the minor unit for a cleared staff discount from a unit that loses no staff discount by it', () => {
    const free: BenefitDefinition = {
      ...twoForOne,
      buy: { quantity: 3, appliesTo: { productIds: ['bought'] } },
      get: { quantity: 2, appliesTo: { productIds: ['free'] } },
    };
    const bought = ['x', 'y', 'z'].map((lineId) => line(lineId, 1, 2, { productId: 'bought' }));
    const [first, last] = ['a', 'c'].map((lineId) => line(lineId, 1, 2, { productId: 'free', ...staff(1) }));
    // 4 minor units for five lines of the same price: the last one has none left, and the first one needs its own.
    expect(rows([free], [first!, ...bought, last!])).toEqual([
      ['a', 1, 1, 1],
      ['x', 1, 0, 2],
      ['y', 1, 1, 1],
      ['z', 1, 1, 1],
      ['c', 1, 1, 1],
    ]);
    const [x, ...others] = bought;
    expect(rows([free], [x!, first!, ...others, last!])).toEqual([
      ['x', 1, 0, 2],
      ['a', 1, 1, 1],
      ['y', 1, 1, 1],
      ['z', 1, 1, 1],
      ['c', 1, 1, 1],
    ]);
  });

  it('joins bought and given units of a line whose staff discounts stay', () => {
    const orderDiscountAllocation = [{ orderDiscountId: 'staff', orderDiscountAllocationAmount: 30 }];
    const basket = buildBasket([line('a', 3, 100, { ...staff(30), orderDiscountAllocation })], {
      orderDiscounts: [{ orderDiscountId: 'staff', type: 'amount', amount: 30 }],
    });
    const policies = { existingLineDiscounts: 'stack' } as const;
    // Of the given unit 80 are left to give.
    expect(expectApplied(basket, priceFully(basket, [threeForTwo], { policies })).lines).toMatchObject([
      { lineId: 'a', quantity: 3, existingLineDiscountAmount: 30, lineDiscountAmount: 80, orderLinePrice: 160 },
    ]);
  });
});
