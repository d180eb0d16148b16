/** Every minor unit between the basket and the answer is put down to a line, a benefit and a rule. */
import { describe, expect, it } from 'vitest';
import type { BasketLine, BasketRequest } from '../../src/contract/basket-request.ts';
import type { BenefitDefinition } from '../../src/pricing/definition.ts';
import { buildBasket } from './support/basket.ts';
import { line, staff } from './support/choices.ts';
import { type Circumstances, priceFully } from './support/price.ts';

const on = (...productIds: string[]) => ({ appliesTo: { productIds } });
const tenth = (more: object = {}) =>
  ({ benefitId: 'ten', kind: 'line_percent', percent: 10, ...more }) as BenefitDefinition;

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

  it('is a product that is added and costs nothing', () => {
    const product = { productId: 'bun', name: 'Bun', unitPrice: 250, noDiscount: false, noPercentageDiscount: false };
    const gift = { benefitId: 'gift', kind: 'free_product', productId: 'bun' } as const;
    const changes = traceOf([line('a', 1, 1_000)], [gift], { products: [product] }).changes;
    expect(changes.map(({ benefitId, rule, amount }) => [benefitId, rule, amount])).toEqual([
      ['gift', 'product_added', 250],
      ['gift', 'line_discount', -250],
    ]);
    expect(new Set(changes.map(({ lineId }) => lineId)).size).toBe(1);
    expect(changes[0]!.lineId).not.toBe('a');
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

  it('stands on the part of its line that has no other benefit', () => {
    const lines = [line('a', 3, 1_000), line('b', 1, 500)];
    const { bought } = traceOf(lines, [set({})]);
    expect(bought.map(({ benefitId, units }) => [benefitId, units])).toEqual([['set', 2]]);
    expect(bought[0]!.lineId).toMatch(/^a/);
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
    expect([trace.bought, trace.changes, trace.method, trace.mostMissed]).toEqual([[], [], 'exact', 0]);
  });
});

it('a member who is not active has a reason for every benefit, also for those that are off, in their order', () => {
  const off = tenth({ benefitId: 'b', enabled: false });
  const benefits = [tenth({ benefitId: 'c' }), off, tenth({ benefitId: 'a' })];
  const reasons = (status: 'active' | 'paused') =>
    traceOf([line('a', 1, 1_000)], benefits, { member: { status } }).benefits.map(
      ({ benefitId, applied, saved, reason }) => [benefitId, applied, saved, reason],
    );
  expect(reasons('paused')).toEqual([
    ['a', false, 0, 'member_inactive'],
    ['b', false, 0, 'disabled'],
    ['c', false, 0, 'member_inactive'],
  ]);
  expect(reasons('active')).toEqual([
    ['a', true, 100, undefined],
    ['b', false, 0, 'disabled'],
    ['c', false, 0, 'others_save_more'],
  ]);
});
