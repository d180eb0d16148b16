/** The rows of the state table that need no call, and what is reported of each (interface, section 3). */

import {
  cancelledEventOf,
  decideWithoutCall,
  type LoyaltyOutcome,
  type NoCallCause,
  printoutOf,
  saleEventOf,
  swapBasket,
} from 'loyalty-basket-client';
import { describe, expect, test } from 'vitest';
import { richBasket, useDouble } from './fixture.ts';

const stage = useDouble();

describe('without a call', () => {
  const basket = richBasket('member');

  test.each([
    ['no_loyalty_flow', { status: 'not_applicable', isSaleEventDue: false }],
    ['no_member', { status: 'member_not_found', isSaleEventDue: false }],
    ['offline', { status: 'failed', failureReason: 'offline', isSaleEventDue: true }],
    // A misspelt cause must not leave a sale without its event.
    ['ofline', { status: 'failed', failureReason: 'pos_error', detail: expect.stringContaining('found ofline') }],
  ])('%s', (cause, expected) => {
    const outcome = decideWithoutCall(basket, cause as NoCallCause);
    expect(outcome).toMatchObject(expected);
    expect(outcome.basket).toBe(basket);
  });

  test('an offline order is reported when it is replayed', async () => {
    const event = saleEventOf(decideWithoutCall(basket, 'offline'), 'receipt-1');
    expect(event).toEqual({
      calculationId: basket.calculationId,
      status: 'failed',
      failureReason: 'offline',
      transactionId: 'receipt-1',
    });
    expect(await stage.client.reportSale(event)).toMatchObject({ outcome: 'queued' });
  });
});

describe('a swap that fails', () => {
  test('leaves the order with its basket, as a pos_error', async () => {
    const basket = richBasket('member');
    const outcome = await stage.client.calculateBasket(basket);
    const swapped = await swapBasket(outcome, basket, () => {
      throw new Error('the order is locked');
    });
    expect(swapped).toMatchObject({ status: 'failed', failureReason: 'pos_error' });
    expect(swapped.basket).toBe(basket);
    expect(saleEventOf(swapped, 'r-1')).toMatchObject({ status: 'failed', failureReason: 'pos_error' });
  });

  test('is not tried for a basket that stays', async () => {
    const basket = richBasket('member-none');
    const outcome = await stage.client.calculateBasket(basket);
    expect(outcome).toMatchObject({ status: 'unchanged', reason: 'no_applicable_benefits' });
    const swapped = await swapBasket(outcome, basket, () => Promise.reject(new Error('never called')));
    expect(swapped).toBe(outcome);
  });

  test('and one that succeeds gets the basket of the answer', async () => {
    const basket = richBasket('member');
    const outcome = await stage.client.calculateBasket(basket);
    const given: unknown[] = [];
    expect(await swapBasket(outcome, basket, (swapped) => void given.push(swapped))).toBe(outcome);
    expect(given).toEqual([outcome.basket]);
  });
});

test('an abandoned payment is reported as cancelled', async () => {
  const outcome = await stage.client.calculateBasket(richBasket('member-unknown'));
  expect(outcome).toMatchObject({ status: 'member_not_found', isSaleEventDue: true });
  expect(cancelledEventOf(outcome)).toEqual({ calculationId: outcome.calculationId, status: 'cancelled' });
});

/** A till in JavaScript may have lost it. */
test('without an outcome nothing throws: there is no receipt, the swap failed, and the event is invalid', async () => {
  const lost = undefined as unknown as LoyaltyOutcome;
  const basket = richBasket('member');
  expect(printoutOf(lost)).toBeUndefined();
  const swapped = await swapBasket(lost, basket, () => Promise.reject(new Error('never called')));
  expect(swapped).toMatchObject({ status: 'failed', failureReason: 'pos_error', basket });
  for (const event of [saleEventOf(lost, 'r-1'), cancelledEventOf(lost)]) {
    expect(await stage.client.reportSale(event)).toMatchObject({ outcome: 'invalid' });
  }
});
