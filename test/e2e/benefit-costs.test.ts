/** What benefits cost, of two processes: every sale counts once, in `/metrics` and in the days of the live page. */
import { expect, test } from 'vitest';
import type { CostDay } from '../../packages/console/src/live/costs.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import { patiently } from '../support/caller.ts';
import { configurationOf, memberOf, TWENTY } from '../support/configuration.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/wait.ts';

const SALES = 12;
const ORDER_TEN = { benefitId: 'order-10', kind: 'order_percent', percent: 10 };

const stage = useService({
  configuration: configurationOf({
    programme: { benefits: [TWENTY, ORDER_TEN as unknown as typeof TWENTY] },
    members: [memberOf('guest', ['twenty'])],
  }),
  // Sales are settled by threads here; elsewhere the front end settles them.
  env: { PROCESSES: '2', INLINE_BYTES: '0' },
});

const NAMES = { programme: 'coffee-club', benefit: 'twenty', currency: 'NOK' };

/** Sums of the benefit `twenty` in `/metrics`, of all processes. */
async function counted() {
  const samples = await scrape(stage.service);
  const read = (name: string) => readingOf(samples, `loyalty_benefit_${name}_total`, NAMES);
  return { baskets: read('baskets'), units: read('units'), saved: read('saved_minor_units') };
}

async function days(): Promise<readonly CostDay[]> {
  const answer = await fetch(`${stage.service.opsUrl}/live/costs`);
  return ((await answer.json()) as { days: CostDay[] }).days;
}

test('each benefit of the configuration stands at zero before its first sale', async () => {
  await until('both processes to tell', async () => (await counted()).baskets === 0);
});

test('sales through two processes, each told three times, count once, and stand where another outcome is told later', async () => {
  // Every caller has a connection of its own, and the kernel spreads connections over the processes.
  const guests = Array.from({ length: SALES }, () => ({
    caller: stage.service.newCaller(),
    basket: basketOf([{ quantity: 2, unitPrice: 5_000 }], { loyaltyId: 'guest' }),
  }));
  await Promise.all(
    guests.map(async ({ caller, basket }) => {
      await patiently(() => caller.basket(basket));
      const sale = saleOf(basket.calculationId);
      const told = await Promise.all([1, 2, 3].map(() => patiently(() => stage.service.newCaller().sale(sale))));
      expect(told.every(({ status }) => status === 200)).toBe(true);
    }),
  );
  const other = saleOf(guests[0]!.basket.calculationId, 'cancelled');
  for (let times = 0; times < 2; times += 1) expect((await stage.caller.sale(other)).status).toBe(409);
  const unsold = basketOf([{}], { loyaltyId: 'guest' });
  await patiently(() => stage.caller.basket(unsold));
  await stage.caller.sale(saleOf(unsold.calculationId, 'cancelled'));

  const sold = { baskets: SALES, units: 2 * SALES, saved: 2_000 * SALES };
  const undone = { baskets: 0, units: 0, saved: 0 };
  await until('all sales to be told', async () => (await counted()).baskets === SALES);
  expect(await counted()).toEqual(sold);
  const today = await until('the days to have them', async () => {
    const read = (await days()).flatMap(({ benefits }) => benefits);
    const twenty = read.filter(({ benefitId }) => benefitId === 'twenty');
    return twenty.some((cost) => cost.sold.baskets === SALES) && read;
  });
  const names = { programmeId: 'coffee-club', currency: 'NOK' };
  expect(today).toEqual([
    {
      ...names,
      benefitId: 'order-10',
      sold: { baskets: SALES, units: SALES, saved: 800 * SALES },
      undone,
    },
    { ...names, benefitId: 'twenty', sold, undone },
  ]);
});

test('a killed process takes nothing with it that was told, and the days outlive it', async () => {
  const before = await days();
  expect(before).toHaveLength(1);
  const killed = stage.service.gateways;
  for (const pid of killed) process.kill(pid, 'SIGKILL');
  await until('other processes', () => stage.service.gateways.every((pid) => pid > 0 && !killed.includes(pid)));
  await stage.service.untilReady();
  expect(await days()).toEqual(before);
  expect((await counted()).baskets).toBe(SALES);
});
