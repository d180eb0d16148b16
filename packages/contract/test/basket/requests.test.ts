/** One fault of a request alone, with every sum around it right; and what lies at a bound, which passes. */
import { describe, expect, test } from 'vitest';
import { buildBasket, buildLine } from '../../../engine/test/support/basket.ts';
import { findBasketRequestFault } from '../../src/basket/basket-request.ts';
import { findRequestFaults } from '../../src/basket/identities.ts';
import type { BasketRequest } from '../../src/basket-request.ts';
import { MAX_MONEY } from '../../src/limits.ts';
import { addUp, put, type Request, share } from './changed.ts';

/** A basket with everything that a till may send. */
function request(): Request {
  const lines = [
    buildLine({
      ...{ lineId: 'a', unitPrice: 1_000, quantity: 2, existingLineDiscountAmount: 100, ean: '1' },
      ...{ existingLineDiscountType: 'percent', existingLineDiscountPercent: 5, existingLineDiscountText: 'Staff' },
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
  test.each<[string, (basket: Request) => unknown]>([
    ['as it is', () => undefined],
    ['of a mobile till', (basket) => put(basket.context, 'channel', 'mpos')],
    ['without a clerk', (basket) => delete basket.context.clerkNumber],
    ['that supersedes nothing', (basket) => delete basket.supersedesCalculationId],
    ['in the first of all currencies', (basket) => put(basket, 'currency', 'AAA')],
    ['in the last of all currencies', (basket) => put(basket, 'currency', 'ZZZ')],
    ['with the longest text', (basket) => put(basket.orderDiscounts[1]!, 'text', 'x'.repeat(40))],
    ['with an empty text', (basket) => put(basket.orderDiscounts[1]!, 'text', '')],
    ['with the longest ID', (basket) => put(basket.lines[0]!, 'productId', 'x'.repeat(256))],
    ['with the shortest ID', (basket) => put(basket.lines[0]!, 'productId', 'x')],
    ['with 0 %', (basket) => put(basket.orderDiscounts[1]!, 'percent', 0)],
    ['with 100 %', (basket) => put(basket.orderDiscounts[1]!, 'percent', 100)],
    ['with an existing amount', (basket) => put(basket.lines[0]!, 'existingLineDiscountType', 'amount')],
  ])('%s passes', (_case, change) => {
    const basket = request();
    change(basket);
    expect(isRefused(basket)).toBe(false);
  });

  test.each<[string, (basket: Request) => unknown]>([
    ['supersedes itself', (basket) => put(basket, 'supersedesCalculationId', basket.calculationId)],
    ['supersedes what is no ID', (basket) => put(basket, 'supersedesCalculationId', 'x')],
    ['has no context', (basket) => put(basket, 'context', null)],
    ['has half a clerk', (basket) => put(basket.context, 'clerkNumber', 1.5)],
    ['has a channel of its own', (basket) => put(basket.context, 'channel', 'web')],
    ['has an order discount of another type', (basket) => put(basket.orderDiscounts[0]!, 'type', 'none')],
    ['has a text of 41 characters', (basket) => put(basket.orderDiscounts[1]!, 'text', 'x'.repeat(41))],
    ['has a text that is none', (basket) => put(basket.orderDiscounts[1]!, 'text', 7)],
    ['has less than 0 %', (basket) => put(basket.orderDiscounts[1]!, 'percent', -1)],
    ['has more than 100 %', (basket) => put(basket.orderDiscounts[1]!, 'percent', 101)],
    ['has thousandths of a percent', (basket) => put(basket.orderDiscounts[1]!, 'percent', 1.001)],
    ['has a percentage that is none', (basket) => put(basket.orderDiscounts[1]!, 'percent', '1')],
    ['has an ID of 257 characters', (basket) => put(basket.lines[0]!, 'productId', 'x'.repeat(257))],
    ['has an ID of none', (basket) => put(basket.lines[0]!, 'productId', '')],
    ['has a line whose ID is an empty text', (basket) => put(basket.lines[1]!, 'lineId', '')],
    ['is of a member whose ID is an empty text', (basket) => put(basket, 'loyaltyId', '')],
    ['has a currency with a character before A', (basket) => put(basket, 'currency', 'N@K')],
    ['has a currency with a character behind Z', (basket) => put(basket, 'currency', 'NO[')],
    ['has a currency of four letters', (basket) => put(basket, 'currency', 'NOKK')],
    ['has a line of another type of discount', (basket) => put(basket.lines[0]!, 'existingLineDiscountType', 'half')],
    [
      'has a discount on a line that says it has none',
      ({ lines }) => put(lines[0]!, 'existingLineDiscountType', 'none'),
    ],
    [
      'names an order discount twice',
      ({ orderDiscounts }) => orderDiscounts.push({ orderDiscountId: 'one', type: 'amount', amount: 50 }),
    ],
    [
      'names an order discount twice, once for nothing',
      ({ orderDiscounts }) => orderDiscounts.push({ orderDiscountId: 'one', type: 'amount', amount: 0 }),
    ],
    ['gives an order discount another amount', (basket) => put(basket.orderDiscounts[0]!, 'amount', 51)],
    [
      'has an order discount without shares',
      (basket) => basket.orderDiscounts.push({ orderDiscountId: 'three', type: 'amount', amount: 1 }),
    ],
    ['names a line twice', (basket) => put(basket.lines[1]!, 'lineId', 'a')],
    ['has a parent that is no line', (basket) => put(basket.lines[1]!, 'parentLineId', 'c')],
    ['has a line that is its own parent', (basket) => put(basket.lines[0]!, 'parentLineId', 'a')],
    ['has a line that costs less than it does', ({ lines }) => put(lines[1]!, 'orderLinePrice', 479)],
    ['has a line of another price', ({ lines }) => put(lines[1]!, 'originalLinePrice', 501)],
    [
      'tells of one line too much and of another one as much too little',
      ({ lines }) => [put(lines[0]!, 'originalLinePrice', 2_001), put(lines[1]!, 'originalLinePrice', 499)],
    ],
    ['has a quantity in a text', ({ lines }) => put(lines[0]!, 'quantity', '2')],
    ['has a currency of three texts', (basket) => put(basket, 'currency', ['N', 'O', 'K'])],
    ['has no currency', (basket) => put(basket, 'currency', undefined)],
    ['has nothing for an order discount', ({ orderDiscounts }) => put(orderDiscounts, '0', null)],
    ['has nothing of a product', ({ lines }) => Object.assign(lines[1]!, noneOf(0))],
    ['has a line of nothing', ({ lines }) => lines.push({ ...buildLine({ lineId: 'c', quantity: 0 }) } as never)],
    ['has less than nothing of a product', ({ lines }) => Object.assign(lines[1]!, noneOf(-1))],
    ['has without end of a product', ({ lines }) => put(lines[1]!, 'quantity', Number.POSITIVE_INFINITY)],
    ['has a share of no order discount', ({ lines }) => lines[1]!.orderDiscountAllocation.push(share('three', 0))],
    ['has a share below 0', ({ lines }) => lines[1]!.orderDiscountAllocation.push(share('one', -1), share('one', 1))],
  ])('that %s does not', (_case, change) => {
    const basket = request();
    change(basket);
    if (basket.context !== null) addUp(basket);
    expect(isRefused(basket)).toBe(true);
  });

  const noneOf = (quantity: number) => ({
    ...{ quantity, originalLinePrice: 0, orderLinePrice: 0, orderDiscountAllocation: [] },
  });

  test.each(['originalTotal', 'existingDiscountTotal', 'orderDiscountTotal', 'loyaltyDiscountTotal', 'total'] as const)(
    'with another %s does not pass',
    (name) => {
      const basket = request();
      basket.totals[name] += 1;
      expect(findRequestFaults(basket).mismatch).toEqual({
        ...{ field: `/totals/${name}`, expected: basket.totals[name] - 1, received: basket.totals[name] },
      });
    },
  );

  test('may have fields of an answer, which are unknown here and ignored, also with a parent behind its child', () => {
    const basket = request();
    const [parent, child] = basket.lines;
    for (const line of basket.lines) Object.assign(line, { overrideUnitPrice: 1, lineDiscountAmount: 'much' });
    expect(isRefused(basket)).toBe(false);
    expect(isRefused({ ...basket, lines: [child!, parent!] } as BasketRequest)).toBe(false);
  });

  test('may sum up to the largest Money, and its sums are right beyond', () => {
    const of = (...prices: number[]) =>
      buildBasket(prices.map((unitPrice, at) => buildLine({ lineId: `${at}`, unitPrice })));
    expect(isRefused(of(MAX_MONEY - 1, 1))).toBe(false);
    const larger = of(MAX_MONEY, 2);
    expect(findRequestFaults(larger).mismatch).toEqual({
      field: '/totals/originalTotal',
      ...{ expected: '9007199254740993', received: larger.totals.originalTotal },
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
