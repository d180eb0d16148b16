/** A till that builds its changed basket from the answered one sends our own discounts back. Nothing is given twice. */
import { expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { useSharedService } from '../support/shared-service.ts';
import { until } from '../support/wait.ts';
import type { AppliedBody } from '../support/wire.ts';

const stage = useSharedService();

const count = async () =>
  readingOf(await scrape(stage.service), 'loyalty_events_total', { event: 'own_discount_returned' }) ?? 0;

const lineOfLog = (calculationId: string) =>
  until('the line of the call', () => stage.service.log.find((line) => line.calculationId === calculationId));

test('an order discount with our code is taken off, counted and logged, and replays', async () => {
  const before = await count();
  const basket = basketOf([{ shares: { ours: 1_000 } }, {}], {
    loyaltyId: 'member-plain',
    orderDiscounts: [{ orderDiscountId: 'ours', type: 'amount', amount: 1_000, discountCode: 'loyalty' }],
  });
  const answer = await stage.caller.basket(basket);
  const body = answer.json<AppliedBody>();
  expect([answer.status, body.status, body.orderDiscounts]).toEqual([200, 'applied', []]);
  expect(body.totals.total).toBe(basket.totals.total + 1_000);
  const again = await stage.caller.basket(basket);
  expect([again.isReplayed, again.text]).toEqual([true, answer.text]);
  expect((await lineOfLog(basket.calculationId)).ownDiscountsReturned).toBe(1);
  await until('the count', async () => (await count()) === before + 1);
});

test('a line whose existing discount is what its predecessor gave is counted, and priced as the staff gave it', async () => {
  const before = await count();
  const first = basketOf([{ unitPrice: 10_000 }]);
  const given = (await stage.caller.basket(first)).json<AppliedBody>().lines[0]!.lineDiscountAmount;
  expect(given).toBe(2_000);
  const words = { supersedesCalculationId: first.calculationId };
  const changed = basketOf([{ unitPrice: 10_000, existing: given }, {}], words);
  const answer = await stage.caller.basket(changed);
  expect(answer.status).toBe(200);
  expect((await lineOfLog(changed.calculationId)).ownDiscountsReturned).toBe(1);
  await until('the count', async () => (await count()) === before + 1);
  const other = basketOf([{ unitPrice: 10_000, existing: 1_234 }], { supersedesCalculationId: changed.calculationId });
  expect((await stage.caller.basket(other)).status).toBe(200);
  expect(await lineOfLog(other.calculationId)).not.toHaveProperty('ownDiscountsReturned');
});
