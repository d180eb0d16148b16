/** The tables of docs/returns.md, and refunds that anybody can compute by hand. */

import type { BasketRequest } from '@loyalty/contract/basket-request';
import { expect, test } from 'vitest';
import type { BenefitDefinition } from '../../src/definition.ts';
import type { ReturnedLine } from '../../src/returns/portions.ts';
import { quoteReturn, type ReturnedBefore, type ReturnPolicy, type ReturnQuote } from '../../src/returns/quote.ts';
import { buildBasket, buildLine } from '../support/basket.ts';
import { sell } from './returned-baskets.ts';

const THREE_FOR_TWO: BenefitDefinition = {
  benefitId: 'three-for-two',
  kind: 'buy_x_get_y',
  buy: { quantity: 2 },
  get: { quantity: 1, percent: 100 },
};

/** Plays returns, each a `lineId` with a quantity, and gives the quotes. */
function bringBack(
  basket: BasketRequest,
  benefits: BenefitDefinition[],
  policy: ReturnPolicy,
  ...returns: Record<string, number>[]
): ReturnQuote[] {
  const { sold, price } = sell({ basket, benefits, policies: {} as never });
  let before: ReturnedBefore = { quantities: new Map(), refunded: 0, kept: sold.given };
  return returns.map((lines) => {
    const asked: ReturnedLine[] = Object.entries(lines).map(([lineId, quantity]) => ({ lineId, quantity }));
    const quoted = quoteReturn(sold, policy, before, asked, price);
    if (quoted.kind !== 'quoted') throw new Error(JSON.stringify(quoted));
    const quantities = new Map(before.quantities);
    for (const { lineId, quantity } of asked) quantities.set(lineId, (quantities.get(lineId) ?? 0) + quantity);
    const { refund, kept } = quoted.quote;
    before = { quantities, refunded: before.refunded + refund, kept };
    return quoted.quote;
  });
}

const refundsOf = (quotes: readonly ReturnQuote[]) => quotes.map(({ refund }) => refund);
const soaps = buildBasket([buildLine({ lineId: '1', quantity: 3, unitPrice: 10_000 })]);

test('three soaps for two, as paid and spread', () => {
  const spread = [{ ...THREE_FOR_TWO, spread: true } as BenefitDefinition];
  expect(refundsOf(bringBack(soaps, spread, 'as_paid', { 1: 1 }, { 1: 1 }, { 1: 1 }))).toEqual([6_667, 6_666, 6_667]);
  expect(refundsOf(bringBack(soaps, spread, 'as_paid', { 1: 3 }))).toEqual([20_000]);
});

test('three soaps for two, repriced', () => {
  const spread = [{ ...THREE_FOR_TWO, spread: true } as BenefitDefinition];
  const quotes = bringBack(soaps, spread, 'repriced', { 1: 1 }, { 1: 1 }, { 1: 1 });
  expect(refundsOf(quotes)).toEqual([0, 10_000, 10_000]);
  expect(quotes[0]!.lost).toEqual([{ benefitId: 'three-for-two', saved: 10_000 }]);
  expect(quotes[1]!).toMatchObject({ kept: [], lost: [] });
  expect(quotes[1]!.explanation[0]).toBe('200.00 NOK was paid.');
  expect(quotes[2]!.explanation[0]).toBe(
    '200.00 NOK was paid and 100.00 NOK refunded before, which leaves 100.00 NOK.',
  );
  expect(refundsOf(bringBack(soaps, spread, 'repriced', { 1: 3 }))).toEqual([20_000]);
});

test('where the rest would be dearer than what was paid, nothing is refunded', () => {
  const bundle: BenefitDefinition = {
    benefitId: 'menu',
    kind: 'bundle_price',
    items: [
      { quantity: 1, appliesTo: { productIds: ['p1'] } },
      { quantity: 1, appliesTo: { productIds: ['p2'] } },
    ],
    bundlePrice: 5_000,
  };
  const basket = buildBasket([
    buildLine({ lineId: 'dish', productId: 'p1', quantity: 1, unitPrice: 9_000 }),
    buildLine({ lineId: 'drink', productId: 'p2', quantity: 1, unitPrice: 3_000 }),
  ]);
  const [drink, dish] = bringBack(basket, [bundle], 'repriced', { drink: 1 }, { dish: 1 });
  expect(drink).toMatchObject({ refund: 0, lost: [{ benefitId: 'menu', saved: 7_000 }] });
  expect(drink!.explanation).toContain(
    'That is 40.00 NOK more than was paid, so nothing is refunded; the guest pays nothing either.',
  );
  expect(dish).toMatchObject({ refund: 5_000 });
});

test('what stays may earn a benefit that gave way in the sale, and the guest gets the difference', () => {
  const dearer: BenefitDefinition = {
    benefitId: 'ten',
    kind: 'line_percent',
    percent: 10,
    appliesTo: { productIds: ['p1'] },
    exclusive: true,
  };
  const other: BenefitDefinition = {
    benefitId: 'half',
    kind: 'line_percent',
    percent: 50,
    appliesTo: { productIds: ['p2'] },
  };
  const basket = buildBasket([
    buildLine({ lineId: 'a', productId: 'p1', quantity: 1, unitPrice: 100_000 }),
    buildLine({ lineId: 'b', productId: 'p2', quantity: 1, unitPrice: 10_000 }),
  ]);
  const [quote] = bringBack(basket, [dearer, other], 'repriced', { a: 1 });
  expect(quote).toMatchObject({ refund: 95_000, kept: [{ benefitId: 'half', saved: 5_000 }] });
});

test('an order discount and its VAT lie on the lines in proportion', () => {
  const order: BenefitDefinition = { benefitId: 'order-10', kind: 'order_percent', percent: 10 };
  const basket = buildBasket([
    buildLine({ lineId: 'food', quantity: 3, unitPrice: 3_333 }),
    buildLine({ lineId: 'wine', quantity: 1, unitPrice: 19_999 }),
  ]);
  const [food, wine] = bringBack(basket, [order], 'as_paid', { food: 1 }, { wine: 1, food: 2 });
  expect(food).toMatchObject({ refund: 3_000, lost: [{ benefitId: 'order-10', saved: 333 }] });
  expect(food!.refund + wine!.refund).toBe(26_998);
  expect(wine!.lines.map(({ lineId, refund }) => [lineId, refund])).toEqual([
    ['wine', 17_999],
    ['food', 5_999],
  ]);
  expect(wine!.explanation.at(-1)).toBe('Refund: 179.99 NOK + 59.99 NOK = 239.98 NOK.');
});
