/** Which baskets the front end prices itself, and which it leaves to a thread: the work decides, not the bytes. */
import { expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { type Benefit, configurationOf, memberOf } from '../support/configuration.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/wait.ts';

/** Ten units each by three percentages, sets and bundles: lines of many units can be dealt out in thousands of ways. */
const BENEFITS = [
  ...[10, 20, 30].map((percent) => ({
    benefitId: `percent-${percent}`,
    kind: 'line_percent',
    percent,
    limit: { quantity: 10, period: 'week', counts: 'items' },
  })),
  { benefitId: 'three-for-two', kind: 'buy_x_get_y', buy: { quantity: 2 }, get: { quantity: 1 } },
  { benefitId: 'five-for-three', kind: 'buy_x_get_y', buy: { quantity: 3 }, get: { quantity: 2 } },
  { benefitId: 'four', kind: 'bundle_price', items: [{ quantity: 4 }], percent: 20 },
] as unknown as Benefit[];
const MEMBER = 'guest';

const configuration = configurationOf({ programme: { benefits: BENEFITS }, members: [memberOf(MEMBER)] });
const stage = useService({ configuration, isPatient: false });

async function handedOver(): Promise<number | undefined> {
  return readingOf(await scrape(stage.service), 'loyalty_pool_handed_over_total');
}

function basketOfUnits(quantity: number) {
  const lines = [3000, 3500, 4100].map((unitPrice) => ({ quantity, unitPrice }));
  return basketOf(lines, { loyaltyId: MEMBER });
}

test('a small basket is priced by the front end', async () => {
  const answer = await stage.caller.basket(basketOfUnits(2));
  expect(answer.status).toBe(200);
  expect(await handedOver()).toBe(0);
});

test('a basket of as few bytes that is much work is priced by a thread, and answered and replayed as any other', async () => {
  let basket = basketOfUnits(200);
  let answer = await stage.caller.basket(basket);
  // A thread that has never priced anything may be late on a busy machine.
  await until('a thread to answer in time', async () => {
    if (answer.status === 200) return true;
    basket = basketOfUnits(200);
    answer = await stage.caller.basket(basket);
    return false;
  });
  expect(answer.json()).toMatchObject({ status: 'applied' });
  const priced = await handedOver();
  expect(priced).toBeGreaterThan(0);
  const again = await stage.caller.basket(basket);
  expect({ text: again.text, isReplayed: again.isReplayed }).toEqual({ text: answer.text, isReplayed: true });
  // The replay ends before anything is priced.
  expect(await handedOver()).toBe(priced);
});

test('of more baskets at once than the threads can end in time, some are refused at once for it', async () => {
  const statuses = new Set<number>();
  // How long a thread takes for such a basket is known after the first ones.
  await until('a refusal for threads', async () => {
    for (const { status } of await Promise.all(
      Array.from({ length: 100 }, () => stage.caller.basket(basketOfUnits(200))),
    ))
      statuses.add(status);
    return refusedForThreads() > 0;
  });
  for (const status of statuses) expect([200, 503]).toContain(status);
});

function refusedForThreads(): number {
  return stage.service.log.filter(({ reason }) => reason === 'threads').length;
}
