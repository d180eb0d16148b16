/** What is told of a sum of a request that is wrong, beyond the largest Money too. A sum that is one off is among the vectors. */
import { describe, expect, test } from 'vitest';
import { buildBasket, buildLine } from '../../../engine/test/support/basket.ts';
import { findBasketRequestFault } from '../../src/basket/basket-request.ts';
import { findRequestFaults } from '../../src/basket/identities.ts';
import type { BasketRequest } from '../../src/basket-request.ts';
import { MAX_MONEY } from '../../src/limits.ts';
import { type Request, share } from './changed.ts';

/** A basket with everything that a till may send. */
function request(): Request {
  const lines = [
    buildLine({
      lineId: 'a',
      unitPrice: 1_000,
      quantity: 2,
      existingLineDiscountAmount: 100,
      ean: '1',
      existingLineDiscountType: 'percent',
      existingLineDiscountPercent: 5,
      existingLineDiscountText: 'Staff',
      orderDiscountAllocation: [share('one', 30), share('two', 10)],
    }),
    buildLine({ lineId: 'b', unitPrice: 500, parentLineId: 'a', orderDiscountAllocation: [share('one', 20)] }),
  ];
  const basket = buildBasket(lines, {
    supersedesCalculationId: '00000000-0000-4000-8000-000000000002',
    orderDiscounts: [
      { orderDiscountId: 'one', type: 'amount', amount: 50 },
      { orderDiscountId: 'two', type: 'percent', amount: 10, percent: 1, text: 'Ten' },
    ],
  });
  const context = { ...basket.context, clerkNumber: 7, terminalId: 't' };
  return structuredClone({ ...basket, context }) as Request;
}

function isRefused(basket: BasketRequest): boolean {
  if (findBasketRequestFault(basket)) return true;
  const { reference, mismatch } = findRequestFaults(basket);
  return (reference ?? mismatch) !== undefined;
}

describe('a request', () => {
  test('may have fields of an answer, which are unknown here and ignored, also with a parent behind its child', () => {
    const basket = request();
    const [parent, child] = basket.lines;
    for (const line of basket.lines) Object.assign(line, { overrideUnitPrice: 1, lineDiscountAmount: 'much' });
    expect(isRefused(basket)).toBe(false);
    expect(isRefused({ ...basket, lines: [child!, parent!] } as BasketRequest)).toBe(false);
  });

  test('may have an order discount of nothing, and a type of discount that gives nothing', () => {
    const basket = request();
    basket.orderDiscounts.push({ orderDiscountId: 'three', type: 'amount', amount: 0 });
    basket.lines[1]!.existingLineDiscountType = 'percent';
    expect(isRefused(basket)).toBe(false);
    basket.orderDiscounts[2]!.amount = 1;
    expect(findRequestFaults(basket).mismatch).toEqual({ field: '/orderDiscounts/2/amount', expected: 0, received: 1 });
    const typeless = request();
    Object.assign(typeless.lines[1]!, { existingLineDiscountAmount: 5, orderLinePrice: 475 });
    expect(findRequestFaults(typeless).mismatch).toMatchObject({ field: '/lines/1/existingLineDiscountAmount' });
  });

  test('may sum up to the largest Money, and its sums are right beyond', () => {
    const of = (...prices: number[]) =>
      buildBasket(prices.map((unitPrice, at) => buildLine({ lineId: `${at}`, unitPrice })));
    expect(isRefused(of(MAX_MONEY - 1, 1))).toBe(false);
    const larger = of(MAX_MONEY, 2);
    expect(findRequestFaults(larger).mismatch).toEqual({
      field: '/totals/originalTotal',
      expected: '9007199254740993',
      received: larger.totals.originalTotal,
    });
    expect(findRequestFaults(of(MAX_MONEY)).mismatch).toBeUndefined();
  });

  test.each<[number, number, number, number | string | undefined]>([
    [MAX_MONEY - 1, 1, MAX_MONEY, undefined],
    [MAX_MONEY - 1, 1, 0, MAX_MONEY],
    [MAX_MONEY, 2, 0, '9007199254740993'],
  ])('of shares %d and %d for an order discount of %d is told their exact sum', (one, other, amount, expected) => {
    const lines = [one, other].map((unitPrice, at) =>
      buildLine({ lineId: `${at}`, unitPrice, orderDiscountAllocation: [share('one', unitPrice)] }),
    );
    const basket = buildBasket(lines, { orderDiscounts: [{ orderDiscountId: 'one', type: 'amount', amount }] });
    expect(findRequestFaults(basket).mismatch).toEqual(
      expected && { field: '/orderDiscounts/0/amount', expected, received: amount },
    );
  });

  test('is told the price of a line that differs, exactly', () => {
    const basket = request();
    basket.lines[0]!.orderLinePrice += 1;
    expect(findRequestFaults(basket).mismatch).toEqual({
      field: '/lines/0/orderLinePrice',
      expected: 1_860,
      received: 1_861,
    });
    const low = request();
    low.lines[1]!.orderDiscountAllocation.push(share('two', 1_000));
    expect(findRequestFaults(low).mismatch).toEqual({
      field: '/lines/1/orderLinePrice',
      expected: -520,
      received: 480,
    });
    const lowest = (unitPrice: number, ...shares: readonly number[]) => {
      const orderDiscountAllocation = shares.map((amount) => share('one', amount));
      const line = buildLine({ lineId: 'a', unitPrice, orderDiscountAllocation, orderLinePrice: 0 });
      const { field, expected } = findRequestFaults(buildBasket([line])).mismatch!;
      return [field, expected];
    };
    expect(lowest(1, MAX_MONEY, MAX_MONEY)).toEqual(['/lines/0/orderLinePrice', '-18014398509481981']);
    expect(lowest(0, MAX_MONEY)).toEqual(['/lines/0/orderLinePrice', -MAX_MONEY]);
  });
});
