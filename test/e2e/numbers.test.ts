/**
 * Numbers as JSON may write them, and sums that floating point would get wrong, over the socket. Products, percentages and
 * amounts at their bounds are in the kit and in packages/contract/test.
 */
import { expect, test } from 'vitest';
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
  ['10e-1 for a quantity', '"quantity":1,', '"quantity":10e-1,'],
  ['1.0E+4 for money', ':10000', ':1.0E+4'],
  ['-0 for no money', '"loyaltyDiscountTotal":0', '"loyaltyDiscountTotal":-0'],
  ['0e5 for no money', '"existingLineDiscountAmount":0', '"existingLineDiscountAmount":0e5'],
])('%s is the same number', async (_, from, to) => {
  const answer = await stage.caller.send(BASKET_PATH, rewritten(from, to));
  expect([answer.status, answer.json<AppliedBody>().totals?.total]).toEqual([200, 8_000]);
  expect(answer.text).not.toMatch(/:-0/);
});

test.each([
  ['quantity -0', '"quantity":1,', '"quantity":-0,'],
  ['quantity that is 0 as a double', '"quantity":1,', '"quantity":1e-400,'],
  ['money 2^53 + 1', ':10000', ':9007199254740993'],
  ['money just beside a whole number', ':10000', ':10000.000000001'],
])('%s is 400', async (_, from, to) => {
  const answer = await stage.caller.send(BASKET_PATH, rewritten(from, to));
  expect([answer.status, answer.code]).toEqual([400, 'invalid_request']);
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
