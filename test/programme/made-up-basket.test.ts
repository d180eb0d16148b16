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
