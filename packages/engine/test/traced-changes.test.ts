/** Every minor unit between the basket and the answer is put down to a line, a benefit and a rule. */

import type { BasketLine, BasketRequest } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket } from './support/basket.ts';
import { line, staff } from './support/choices.ts';
import { type Circumstances, priceFully } from './support/price.ts';
import { on, percent } from './support/told.ts';

const tenth = (more: object = {}) => percent('ten', 10, more);

function traceOf(
  lines: BasketLine[],
  benefits: BenefitDefinition[],
  more: Circumstances = {},
  basket: Partial<BasketRequest> = {},
) {
  return priceFully(buildBasket(lines, basket), benefits, { ...more, trace: true }).trace!;
}

const changesOf = (...args: Parameters<typeof traceOf>) =>
  traceOf(...args).changes.map(({ lineId, benefitId, rule, amount }) => `${lineId} ${benefitId} ${rule} ${amount}`);

describe('a change', () => {
  it('is a lower price for each unit, or a discount', () => {
    const price = { benefitId: 'price', kind: 'unit_price', unitPrice: 900, ...on('a') } as const;
    expect(changesOf([line('a', 2, 1_000), line('b', 1, 500)], [price, tenth(on('b'))])).toEqual([
      'a price unit_price -200',
      'b ten line_discount -50',
    ]);
  });

  it('is what the staff gave and a benefit replaces', () => {
    expect(changesOf([line('a', 1, 1_000, staff(40)), line('b', 1, 1_000, staff(100))], [tenth()])).toEqual([
      'a ten line_discount -100',
      'a ten existing_line_discount_removed 40',
    ]);
  });

  it('is a product that is added and costs nothing, on a line of its own', () => {
    const products = ['bun', 'tea'].map((productId) => ({
      productId,
      name: productId,
      unitPrice: 250,
      noDiscount: false,
      noPercentageDiscount: false,
    }));
    const gift = (productId: string) => ({ benefitId: productId, kind: 'free_product', productId }) as const;
    expect(changesOf([line('a', 1, 1_000)], [gift('bun'), gift('tea')], { products })).toEqual([
      'added-1 bun product_added 250',
      'added-1 bun line_discount -250',
      'added-2 tea product_added 250',
      'added-2 tea line_discount -250',
    ]);
  });

  it('is the order discount of the staff that gives way, on each line that had a part of it', () => {
    const part = (orderDiscountAllocationAmount: number) => ({
      orderDiscountAllocation: [{ orderDiscountId: 'staff', orderDiscountAllocationAmount }],
    });
    const orderDiscounts = [
      { orderDiscountId: 'staff', type: 'amount', amount: 60 },
    ] as BasketRequest['orderDiscounts'];
    const order = { benefitId: 'order', kind: 'order_percent', percent: 10 } as const;
    const policies = { existingOrderDiscounts: 'replace_if_larger' } as const;
    const lines = [line('a', 1, 1_000, part(40)), line('b', 1, 500, part(20)), line('c', 1, 100, { noDiscount: true })];
    expect(changesOf(lines, [order], { policies }, { orderDiscounts })).toEqual([
      'a order order_discount -100',
      'a order existing_order_discount_removed 40',
      'b order order_discount -50',
      'b order existing_order_discount_removed 20',
    ]);
    // It gives way to the discount on the order, also where another benefit comes first.
    const first = { benefitId: 'first', kind: 'line_amount', amount: 10, per: 'unit', ...on('b') } as const;
    expect(changesOf(lines, [first, order], { policies }, { orderDiscounts })).toEqual([
      'a order order_discount -100',
      'a order existing_order_discount_removed 40',
      'b first line_discount -10',
      'b order order_discount -49',
      'b order existing_order_discount_removed 20',
    ]);
  });

  it('is all that the staff gave, once for each line, where the basket has the benefits instead', () => {
    const policies = {
      existingDiscountScope: 'basket',
      existingLineDiscounts: 'replace_if_larger',
      existingOrderDiscounts: 'replace_if_larger',
    } as const;
    const lines = [line('a', 2, 1_000, staff(30)), line('b', 1, 500, staff(20))];
    expect(changesOf(lines, [tenth({ percent: 50, maximumUnits: 1, ...on('a') })], { policies })).toEqual([
      'split-1-1 ten existing_line_discount_removed 30',
      'split-1-2 ten line_discount -500',
      'b ten existing_line_discount_removed 20',
    ]);
    const shared = { orderDiscountAllocation: [{ orderDiscountId: 'staff', orderDiscountAllocationAmount: 60 }] };
    const orderDiscounts = [{ orderDiscountId: 'staff', type: 'amount', amount: 60 }] as const;
    expect(
      changesOf([line('a', 1, 1_000, shared)], [tenth()], { policies }, { orderDiscounts: [...orderDiscounts] }),
    ).toEqual(['a ten line_discount -100', 'a ten existing_order_discount_removed 60']);
  });
});

describe('what was bought for a benefit', () => {
  const set = (more: object) =>
    ({
      benefitId: 'set',
      kind: 'buy_x_get_y',
      buy: { quantity: 2, ...on('a') },
      get: { quantity: 1, ...on('b') },
      ...more,
    }) as BenefitDefinition;

  const own = { buy: { quantity: 2, ...on('a') }, get: { quantity: 1, ...on('a') } };
  const boughtOf = (...args: Parameters<typeof traceOf>) =>
    traceOf(...args).bought.map(({ lineId, benefitId, units }) => `${lineId} ${benefitId} ${units}`);

  it.each<[string, BasketLine[], BenefitDefinition[], string[]]>([
    [
      'stands on the part of its line that has no benefit',
      [line('x', 1, 10), line('a', 3, 1_000), line('b', 1, 500)],
      [set({}), tenth(on('a'))],
      ['split-2-2 set 2'],
    ],
    ['stands there beside units that are given', [line('a', 3, 1_000)], [set(own)], ['split-1-1 set 2']],
    [
      'stands there where the staff made the line cheaper, so that its units share nothing',
      [line('a', 3, 1_000, staff(300))],
      [set({ ...own, spread: true })],
      ['split-1-1 set 2'],
    ],
    [
      'stands on a line that cannot be split, because another one is below it',
      [line('x', 1, 10), line('a', 3, 1_000), line('b', 1, 500, { parentLineId: 'a' })],
      [set(own)],
      ['a set 2'],
    ],
    [
      'stands on the part that shares what its own set gives',
      [line('x', 1, 10), line('a', 5, 1_000), line('b', 1, 500), line('c', 1, 600)],
      [
        set({ benefitId: 'set-b', spread: true }),
        set({ benefitId: 'set-c', spread: true, get: { quantity: 1, ...on('c') } }),
        tenth(on('a')),
      ],
      ['split-2-2 set-b 2', 'split-2-3 set-c 2'],
    ],
  ])('%s', (_case, lines, benefits, bought) => {
    expect(boughtOf(lines, benefits)).toEqual(bought);
  });

  it('stands on the part that shares what is given', () => {
    const { bought, changes } = traceOf([line('a', 2, 1_000), line('b', 1, 500)], [set({ spread: true })]);
    expect(bought).toEqual([{ lineId: 'a', benefitId: 'set', units: 2 }]);
    expect(changes.map(({ lineId, amount }) => [lineId, amount])).toEqual([
      ['a', -400],
      ['b', -100],
    ]);
  });

  it('is nothing in a basket that stays as it is', () => {
    const trace = traceOf([line('a', 2, 1_000)], [set({})]);
    expect([trace.bought, trace.changes, trace.gap]).toEqual([[], [], 0]);
  });
});

it('a member who is not active has a trace of which nothing but the reasons is there', () => {
  expect(traceOf([line('a', 1, 1_000)], [tenth()], { member: { status: 'paused' } })).toEqual({
    steps: 0,
    gap: 0,
    changes: [],
    bought: [],
    benefits: [
      {
        benefitId: 'ten',
        applied: false,
        saved: 0,
        reason: 'member_inactive',
        explanation: 'The member is not active.',
      },
    ],
  });
});
