/** The identities of a request (interface, section 2): each one broken alone, answered 422 with what was expected. */
import { expect, test } from 'vitest';
import { basketOf, totalsOf } from '../support/baskets.ts';
import { useSharedService } from '../support/shared-service.ts';
import type { BasketBody } from '../support/wire.ts';

const stage = useSharedService();

/** Two weighed lines with staff discounts, an order discount over both, and one that is protected. */
function rightBasket(): BasketBody {
  return basketOf([
    { quantity: 2.5, unitPrice: 4_000, existing: 300, shares: { 'staff-1': 200 } },
    { quantity: 1, unitPrice: 7_777, shares: { 'staff-1': 100, 'staff-2': 50 } },
    { quantity: 1, unitPrice: 5_000, noDiscount: true },
  ]);
}

type Change = (basket: BasketBody) => void;

/** Each change breaks the named identity; where it would break a later one too, that is set right again. */
const broken: [field: string, expected: number, received: number, change: Change][] = [
  ['/lines/0/originalLinePrice', 10_000, 10_001, (basket) => reprice(basket, 0, 1, 1)],
  ['/lines/0/originalLinePrice', 10_000, 9_999, (basket) => reprice(basket, 0, -1, -1)],
  ['/lines/0/orderLinePrice', 9_500, 9_501, (basket) => reprice(basket, 0, 0, 1)],
  ['/lines/1/orderLinePrice', 7_627, 7_626, (basket) => reprice(basket, 1, 0, -1)],
  ['/lines/2/orderLinePrice', 5_000, 0, (basket) => reprice(basket, 2, 0, -5_000)],
  ['/lines/1/existingLineDiscountAmount', 0, 5, (basket) => giveWithoutType(basket, 1, 5)],
  ['/orderDiscounts/0/amount', 300, 301, (basket) => setAmount(basket, 0, 301)],
  ['/orderDiscounts/1/amount', 50, 0, (basket) => setAmount(basket, 1, 0)],
  ['/totals/originalTotal', 22_777, 22_778, (basket) => shift(basket, 'originalTotal', 1)],
  ['/totals/existingDiscountTotal', 300, 299, (basket) => shift(basket, 'existingDiscountTotal', -1)],
  ['/totals/orderDiscountTotal', 350, 351, (basket) => shift(basket, 'orderDiscountTotal', 1)],
  ['/totals/loyaltyDiscountTotal', 0, 1, (basket) => shift(basket, 'loyaltyDiscountTotal', 1)],
  ['/totals/total', 22_127, 22_126, (basket) => shift(basket, 'total', -1)],
];

test('the basket itself is right', async () => {
  expect((await stage.caller.basket(rightBasket())).status).toBe(200);
});

test.each(broken)('%s: expected %d, received %d', async (field, expected, received, change) => {
  const basket = rightBasket();
  change(basket);
  const answer = await stage.caller.basket(basket);
  expect([answer.status, answer.code]).toEqual([422, 'arithmetic_mismatch']);
  expect(answer.details).toMatchObject({ field, expected, received });
});

test('an order discount that no line carries must be worth nothing', async () => {
  const basket = rightBasket();
  basket.orderDiscounts.push({ orderDiscountId: 'staff-3', type: 'percent', amount: 1, percent: 10 });
  const answer = await stage.caller.basket(basket);
  expect(answer.details).toMatchObject({ field: '/orderDiscounts/2/amount', expected: 0, received: 1 });
});

test.each([
  ['an order discount of nothing', (basket: BasketBody) => addDiscount(basket, 0)],
  ['a type of discount that gives nothing', (basket: BasketBody) => setType(basket, 2, 'percent')],
])('allowed: %s', async (_, change) => {
  const basket = rightBasket();
  change(basket);
  expect((await stage.caller.basket(basket)).status).toBe(200);
});

const malformed: [string, Change][] = [
  ['the same lineId twice', (basket) => Object.assign(basket.lines[1]!, { lineId: 'line-1' })],
  ['a parentLineId that is no line', (basket) => Object.assign(basket.lines[1]!, { parentLineId: 'line-9' })],
  ['an allocation to no order discount', (basket) => basket.orderDiscounts.splice(1, 1)],
  ['the same order discount twice', (basket) => basket.orderDiscounts.push(basket.orderDiscounts[0]!)],
  ['superseding itself', (basket) => Object.assign(basket, { supersedesCalculationId: basket.calculationId })],
];

test.each(malformed)('references are judged before sums: %s is 400', async (_, change) => {
  const basket = rightBasket();
  change(basket);
  basket.totals.total += 1;
  const answer = await stage.caller.basket(basket);
  expect([answer.status, answer.code]).toEqual([400, 'invalid_request']);
  expect(answer.details.field).toMatch(/^\//);
});

test.each([
  ['itself', ['line-1', undefined]],
  ['in a circle', ['line-2', 'line-1']],
])('a line whose parent is %s does not hang the service', async (_, parents) => {
  const basket = rightBasket();
  parents.forEach((parentLineId, index) => {
    if (parentLineId !== undefined) Object.assign(basket.lines[index]!, { parentLineId });
  });
  expect([200, 400]).toContain((await stage.caller.basket(basket)).status);
});

function reprice(basket: BasketBody, index: number, original: number, order: number): void {
  const line = basket.lines[index]!;
  line.originalLinePrice += original;
  line.orderLinePrice += order;
  basket.totals = totalsOf(basket.lines);
}

function giveWithoutType(basket: BasketBody, index: number, amount: number): void {
  const line = basket.lines[index]!;
  line.existingLineDiscountAmount = amount;
  line.orderLinePrice -= amount;
  basket.totals = totalsOf(basket.lines);
}

function setAmount(basket: BasketBody, index: number, amount: number): void {
  basket.orderDiscounts[index]!.amount = amount;
}

function shift(basket: BasketBody, name: keyof BasketBody['totals'], by: number): void {
  basket.totals[name] += by;
}

function addDiscount(basket: BasketBody, amount: number): void {
  basket.orderDiscounts.push({ orderDiscountId: 'staff-3', type: 'amount', amount });
}

function setType(basket: BasketBody, index: number, type: 'amount' | 'percent'): void {
  basket.lines[index]!.existingLineDiscountType = type;
}
