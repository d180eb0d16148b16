/** The arithmetic of the playground: what is built there is a basket that the service takes. */

import { findBasketRequestFault } from '@loyalty/contract/basket/basket-request';
import { findRequestFaults } from '@loyalty/contract/basket/identities';
import { multiplyQuantity } from '@loyalty/contract/money/quantity';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  composeBasket,
  instantOf,
  linePriceOf,
  parseAmount,
  parseQuantity,
  wallClockOf,
} from '../../packages/console/src/pages/live/basket.ts';
import { SEED } from '../support/effort.ts';

test('a line costs what the service says it costs', () => {
  expect(linePriceOf(0.345, 1999)).toBe(690);
  const quantities = fc.integer({ min: 1, max: 999_999_999 }).map((millionths) => millionths / 1_000_000);
  fc.assert(
    fc.property(quantities, fc.integer({ min: 0, max: 9_999_999 }), (quantity, unitPrice) => {
      expect(linePriceOf(quantity, unitPrice)).toBe(multiplyQuantity(quantity, unitPrice));
    }),
    { seed: SEED, numRuns: 2000 },
  );
});

test.each([
  ['39', 'NOK', 3900],
  ['39.5', 'NOK', 3950],
  ['39,05', 'NOK', 3905],
  [' 0 ', 'NOK', 0],
  ['39', 'JPY', 39],
  ['39.005', 'NOK', undefined],
  ['39.5', 'JPY', undefined],
  ['-1', 'NOK', undefined],
  ['1e3', 'NOK', undefined],
  ['', 'NOK', undefined],
])('%j of %s is %s minor units', (text, currency, minor) => {
  expect(parseAmount(text, currency)).toBe(minor);
});

test('a quantity is a number above 0, with a point or a comma', () => {
  expect(['2', '0,345', '0.5'].map(parseQuantity)).toEqual([2, 0.345, 0.5]);
  expect(['0', '-1', '1e3', '', 'x', '0.0000001'].map(parseQuantity)).toEqual(Array(6).fill(undefined));
});

test('a basket that is built passes the schema and every identity', () => {
  const basket = composeBasket({
    venueId: 'oslo-central',
    baxId: '500123',
    channel: 'pos',
    currency: 'NOK',
    loyaltyId: 'test-member-20',
    requestedAt: '2026-11-21T10:00:00+01:00',
    lines: [
      { productId: '1', name: 'Weighed', quantity: 0.345, unitPrice: 1999 },
      { productId: '2', name: 'Cheaper', quantity: 2, unitPrice: 3900, staffDiscount: 1500, noDiscount: true },
    ],
  });
  expect(findBasketRequestFault(basket)).toBeUndefined();
  expect(findRequestFaults(basket).mismatch).toBeUndefined();
  expect(basket.totals).toMatchObject({ originalTotal: 8490, existingDiscountTotal: 1500, total: 6990 });
});

test.each([
  ['2026-11-21T14:30', 'Europe/Oslo', '2026-11-21T14:30:00+01:00'],
  ['2026-07-01T00:10', 'Europe/Oslo', '2026-07-01T00:10:00+02:00'],
  ['2026-03-29T03:30', 'Europe/Oslo', '2026-03-29T03:30:00+02:00'],
  ['2026-11-01T12:00', 'America/St_Johns', '2026-11-01T12:00:00-03:30'],
  ['2026-11-21T05:45', 'Asia/Kathmandu', '2026-11-21T05:45:00+05:45'],
])('%s in %s is %s', (wallClock, timeZone, instant) => {
  expect(instantOf(wallClock, timeZone)).toBe(instant);
  expect(wallClockOf(Date.parse(instant), timeZone)).toBe(wallClock);
});
