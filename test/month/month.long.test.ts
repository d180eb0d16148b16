/** A month of trade: the till's own books, the costs, a warehouse of the events, reconciliation, vouchers and limits agree to the unit. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cleanUp } from '../support/cleanup.ts';
import {
  compareClosed,
  compareCosts,
  compareLimits,
  compareTransactions,
  compareVouchers,
  untilTold,
} from './compare.ts';
import { Month } from './month.ts';

let month: Month;
beforeAll(async () => {
  month = await Month.open({ seed: 61, days: 6, visitsADay: 50, cards: 30 });
  await month.play();
});
afterAll(async () => {
  await month?.close();
  cleanUp();
});

test('costs by every grouping and both readings are those of the books and of the events', async () => {
  await untilTold(month);
  await compareCosts(month);
});

test('the books have what the service sold, and nothing else', () => compareTransactions(month));

test('vouchers and limits are those of the books', async () => {
  await compareVouchers(month);
  await compareLimits(month);
});

test('a closed month does not change in three days', async () => {
  expect(await compareClosed(month)).toBeGreaterThan(0);
});
