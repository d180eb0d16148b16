/** The baskets that a service warms up with, and by which it judges how well a programme is priced. */

import { readBasketRequest } from '@loyalty/contract/basket/basket-request';
import type { Venue } from '@loyalty/engine/types';
import { expect, it } from 'vitest';
import { MADE_UP_ID, type MadeUpProduct, makeBasket } from '../../src/programme/made-up-basket.ts';

const VENUE = { venueId: 'oslo-central', terminalSetups: ['11', '12'], currencies: ['NOK', 'SEK'] } as unknown as Venue;
const CAKE = { productId: 'cake', productMasterId: 'cakes', productGroupId: 'sweets', ean: '7038010000017' };
const PRODUCTS: readonly MadeUpProduct[] = [
  { ...CAKE, unitPrice: 5_000, noPercentageDiscount: true },
  { unitPrice: 300 },
  ...['tea', 'soup', 'milk'].map((productId, at) => ({ productId, unitPrice: 1_000 * (at + 1) })),
];
const make = (number: number, lines: number) => makeBasket(number, lines, PRODUCTS, VENUE, '2026-11-21T12:00:00Z');

it('are calls that any service reads', () => {
  for (const [number, lines] of [
    [0, 1],
    [1, 20],
    [5, 150],
  ] as const) {
    const basket = make(number, lines);
    expect(readBasketRequest(Buffer.from(JSON.stringify(basket)), MADE_UP_ID)).toMatchObject({ ok: true });
    expect(basket.lines).toHaveLength(lines);
  }
});

it('have the names of their products, and no name that a product is without', () => {
  const { lines, ...rest } = make(0, 2);
  const line = {
    ...{ name: 'made up', noDiscount: false, noPercentageDiscount: false, orderDiscountAllocation: [] },
    ...{ existingLineDiscountType: 'none', existingLineDiscountAmount: 0 },
  };
  const [cakes, nameless] = [
    { quantity: 1, unitPrice: 5_000, originalLinePrice: 5_000, orderLinePrice: 5_000 },
    { quantity: 2, unitPrice: 300, originalLinePrice: 600, orderLinePrice: 600 },
  ];
  expect(lines).toStrictEqual([
    { ...line, ...CAKE, ...cakes, lineId: 'line-0', noPercentageDiscount: true },
    { ...line, ...nameless, lineId: 'line-1', productId: 'made-up-1' },
  ]);
  expect(rest).toStrictEqual({
    ...{ calculationId: MADE_UP_ID, loyaltyId: 'made-up', currency: 'NOK', requestedAt: '2026-11-21T12:00:00Z' },
    context: { venueId: 'oslo-central', cashRegisterId: 'made-up', baxId: '11', channel: 'pos' },
    orderDiscounts: [],
    totals: {
      ...{ originalTotal: 5_600, existingDiscountTotal: 0, orderDiscountTotal: 0, loyaltyDiscountTotal: 0 },
      total: 5_600,
    },
  });
});

it('each begin elsewhere in the list, go through it in other strides, and have other quantities', () => {
  const wordsOf = (number: number) =>
    make(number, 6)
      .lines.map(({ quantity, unitPrice }) => `${quantity}×${unitPrice}`)
      .join(' ');
  expect([0, 1, 2, 3].map(wordsOf)).toEqual([
    '1×5000 2×300 3×1000 1×2000 2×3000 3×5000',
    '1×300 3×2000 2×5000 1×1000 3×3000 2×300',
    '1×1000 1×5000 1×2000 1×300 1×3000 1×1000',
    '1×2000 2×3000 3×5000 1×300 2×1000 3×2000',
  ]);
});
