/** Numbers at their edges: what JSON may write differently, what is too large, what floating point would get wrong. */
import { describe, expect, test } from 'vitest';
import { priceOf } from '../../packages/conformance/src/kit/judge/decimal.ts';
import { Random } from '../../packages/simulator/src/random.ts';
import { basketOf, lineOf, totalsOf } from '../support/baskets.ts';
import { BASKET_PATH } from '../support/caller.ts';
import { useSharedService } from '../support/shared-service.ts';
import type { AppliedBody } from '../support/wire.ts';

const stage = useSharedService();

/** The basket of one line at 100.00, with one number written differently. */
function rewritten(from: string, to: string): string {
  const text = JSON.stringify(basketOf());
  if (!text.includes(from)) throw new Error(`nothing to rewrite: ${from}`);
  return text.replaceAll(from, to);
}

test.each([
  ['1.0 for a quantity', '"quantity":1,', '"quantity":1.0,'],
  ['1e0 for a quantity', '"quantity":1,', '"quantity":1e0,'],
  ['10e-1 for a quantity', '"quantity":1,', '"quantity":10e-1,'],
  ['1e4 for money', ':10000', ':1e4'],
  ['10000.0 for money', ':10000', ':10000.0'],
  ['1.0E+4 for money', ':10000', ':1.0E+4'],
  ['-0 for no money', '"loyaltyDiscountTotal":0', '"loyaltyDiscountTotal":-0'],
  ['0e5 for no money', '"existingLineDiscountAmount":0', '"existingLineDiscountAmount":0e5'],
])('%s is the same number', async (_, from, to) => {
  const answer = await stage.caller.send(BASKET_PATH, rewritten(from, to));
  expect([answer.status, answer.json<AppliedBody>().totals?.total]).toEqual([200, 8_000]);
  expect(answer.text).not.toMatch(/:-0/);
});

test.each([
  ['quantity 0', '"quantity":1,', '"quantity":0,'],
  ['quantity -0', '"quantity":1,', '"quantity":-0,'],
  ['quantity that is 0 as a double', '"quantity":1,', '"quantity":1e-400,'],
  ['quantity 1e999', '"quantity":1,', '"quantity":1e999,'],
  ['money 2^53', ':10000', ':9007199254740992'],
  ['money 2^53 + 1', ':10000', ':9007199254740993'],
  ['money 1e21', ':10000', ':1e21'],
  ['money 1e400', ':10000', ':1e400'],
  ['money with a fraction', ':10000', ':10000.5'],
  ['money just beside a whole number', ':10000', ':10000.000000001'],
  ['money below zero', '"loyaltyDiscountTotal":0', '"loyaltyDiscountTotal":-1'],
])('%s is 400', async (_, from, to) => {
  const answer = await stage.caller.send(BASKET_PATH, rewritten(from, to));
  expect([answer.status, answer.code]).toEqual([400, 'invalid_request']);
});

describe('percentages have at most two decimals', () => {
  test.each([0, 0.01, 0.29, 1.15, 2.3, 16.08, 33.33, 99.99, 100])('%d is good', async (percent) => {
    expect((await send(percent)).status).toBe(200);
  });
  test.each([0.001, 5.005, 12.345, 33.333, 100.01, -0.01, 1e-7])('%d is bad', async (percent) => {
    const answer = await send(percent);
    expect([answer.status, answer.code]).toEqual([400, 'invalid_request']);
  });

  function send(percent: number) {
    const basket = basketOf([{}, { existing: 100, existingLineDiscountPercent: percent }]);
    return stage.caller.basket(basket);
  }
});

describe('quantity × unitPrice is exact and rounded half up', () => {
  test.each([
    [0.345, 1_999, 690],
    [0.333, 1_000, 333],
    [0.5, 1, 1],
    [0.4, 1, 0],
    [1.005, 1_000, 1_005],
    [1.005, 100, 101],
    [8.195, 100, 820],
    [0.145, 100, 15],
    [0.615, 1_000, 615],
    [1e-7, 5_000_000, 1],
    [1e-7, 4_999_999, 0],
    [123_456.789, 1_000, 123_456_789],
    [0.1, 9_007_199_254_740_991, 900_719_925_474_099],
    [1, 9_007_199_254_740_991, 9_007_199_254_740_991],
  ])('%d × %d = %d', async (quantity, unitPrice, price) => {
    expect(Number(priceOf(quantity, unitPrice))).toBe(price);
    const right = await stage.caller.basket(basketOf([{ quantity, unitPrice }], { loyaltyId: 'member-plain' }));
    expect(right.status).toBe(200);
    const off = price === 0 ? 1 : price - 1;
    const line = lineOf({ quantity, unitPrice, originalLinePrice: off, orderLinePrice: off }, 1);
    const wrong = await stage.caller.basket({ ...basketOf(), lines: [line], totals: totalsOf([line]) });
    expect([wrong.status, wrong.code]).toEqual([422, 'arithmetic_mismatch']);
    expect(wrong.details).toMatchObject({ field: '/lines/0/originalLinePrice', received: off });
    expect(String(wrong.details.expected)).toBe(String(price));
  });

  test('200 random weighed lines in one basket', async () => {
    const random = new Random(79);
    const words = Array.from({ length: 200 }, () => ({
      quantity: random.between(1, 99_999) / 1_000,
      unitPrice: random.between(1, 99_999),
    }));
    expect((await stage.caller.basket(basketOf(words))).status).toBe(200);
  });
});

test('sums past 2^53 are refused as what they are and never drift', async () => {
  const largest = Number.MAX_SAFE_INTEGER;
  const lines = Array.from({ length: 200 }, (_, index) => lineOf({ unitPrice: largest }, index + 1));
  const totals = { ...totalsOf([]), originalTotal: largest, total: largest };
  const answer = await stage.caller.basket({ ...basketOf(), lines, totals });
  expect([400, 422]).toContain(answer.status);
  if (answer.status === 422) expect(String(answer.details.expected)).toBe(String(200n * BigInt(largest)));
});

test('a line that would cost less than nothing is refused', async () => {
  const line = lineOf({ existing: 10_001, orderLinePrice: 0 }, 1);
  const answer = await stage.caller.basket({ ...basketOf(), lines: [line], totals: totalsOf([line]) });
  expect([400, 422]).toContain(answer.status);
});
