/** A network that is slow, uneven or cut into crumbs: answers stay right, and stay inside the deadline. */
import { afterEach, expect, test } from 'vitest';
import type { Answer } from '../support/answer.ts';
import { patiently } from '../support/caller.ts';
import { sleep, until } from '../support/wait.ts';
import {
  basketOf,
  DEADLINE_MS,
  expectApplied,
  expectUnavailable,
  guestBasket,
  keepCalling,
  residentMegabytes,
  SETTLED_MS,
  SLACK_MS,
  saleOf,
  unitsOf,
  untilServed,
  useFaultyService,
} from './support.ts';

/** Between a caller's calls where they go on for long: hundreds a second are load enough. */
const PAUSE_MS = 20;

const stage = useFaultyService();

afterEach(async () => {
  stage.proxy.heal();
  await untilServed(stage.caller);
});

test.each([20, 60, 90, 110, 130, 160, 200, 300])(
  'replies %i ms late: 200 or 503 inside the deadline, and the retry finds one consistent state',
  async (latencyMs) => {
    const { proxy, caller, redis } = stage;
    const baskets = Array.from({ length: 5 }, () => guestBasket());
    proxy.latencyMs = latencyMs;
    const answers = await Promise.all(baskets.map((basket) => caller.basket(basket)));
    proxy.heal();
    await sleep(DEADLINE_MS);
    for (const [index, answer] of answers.entries()) {
      expect(answer.durationMs).toBeLessThanOrEqual(DEADLINE_MS + SLACK_MS);
      if (answer.status === 200) expectApplied(answer);
      else expectUnavailable(answer);
      const basket = baskets[index] ?? basketOf();
      const { held } = await unitsOf(redis, basket.loyaltyId);
      // A 503 may have been committed, then the retry replays; a 200 was committed, always.
      if (answer.status === 200) expect(held).toBe(1);
      expectApplied(await patiently(() => caller.basket(basket)), held === 1);
      expect(await unitsOf(redis, basket.loyaltyId)).toEqual({ consumed: 0, over: 0, held: 1 });
    }
  },
);

test('20 ms with jitter costs time, not answers', async () => {
  const { proxy, caller } = stage;
  proxy.latencyMs = 10;
  proxy.jitterMs = 20;
  for (let count = 0; count < 20; count += 1) expectApplied(await patiently(() => caller.basket(guestBasket())));
});

test.each([1, 2, 7])('packets of %i bytes are put together again', async (sliceBytes) => {
  const { proxy, caller, redis } = stage;
  proxy.sliceBytes = sliceBytes;
  // Every packet takes a turn of the proxy. On a busy machine they come faster than it passes them on, until it is healed.
  const served = (send: () => Promise<Answer>) =>
    until('an answer', async () => {
      const answer = await send();
      if (answer.status !== 503) return answer;
      proxy.heal();
      await untilServed(caller);
      proxy.sliceBytes = sliceBytes;
      return undefined;
    });
  const basket = guestBasket();
  const first = await served(() => caller.basket(basket));
  // The first one may have been committed and answered 503.
  expectApplied(first, first.isReplayed);
  expectApplied(await served(() => caller.basket(basket)), true);
  const sold = await served(() => caller.sale(saleOf(basket.calculationId)));
  // The same holds for an event: the repeated one is then a duplicate.
  expect(['recorded', 'duplicate']).toContain(sold.json<{ result: string }>().result);
  expect(await unitsOf(redis, basket.loyaltyId)).toEqual({ consumed: 1, over: 0, held: 0 });
});

test('connections reset again and again under load: 200 or 503, never 500, and one hold per answered basket', async () => {
  const { proxy, caller, redis } = stage;
  const sent: ReturnType<typeof basketOf>[] = [];
  const load = keepCalling(async () => {
    const basket = guestBasket();
    sent.push(basket);
    const answer = await caller.basket(basket);
    await sleep(15);
    return answer;
  }, 2);
  for (let count = 0; count < 8; count += 1) {
    await sleep(150);
    proxy.reset();
  }
  await load.stop();
  await untilServed(caller);
  expect(load.faults).toEqual([]);
  const statuses = new Set(load.answers.map((answer) => answer.status));
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  for (const basket of sent.slice(0, 100)) {
    const { held } = await unitsOf(redis, basket.loyaltyId);
    expectApplied(await patiently(() => caller.basket(basket)), held === 1);
    expect(await unitsOf(redis, basket.loyaltyId)).toEqual({ consumed: 0, over: 0, held: 1 });
  }
});

test('memory and connections stay bounded while Redis hangs and calls go on', async () => {
  const { proxy, caller, service } = stage;
  const connections = proxy.connections;
  const before = residentMegabytes(service.gateways[0] ?? 0);
  proxy.hang();
  const load = keepCalling(() => caller.basket(basketOf()), 16, PAUSE_MS);
  await sleep(6000);
  // On a busy machine they take longer.
  await until('a thousand calls', () => load.answers.length > 1000);
  await load.stop();
  const grown = residentMegabytes(service.gateways[0] ?? 0) - before;
  proxy.heal();
  await untilServed(caller);
  expect(load.faults).toEqual([]);
  for (const answer of load.answers) if (answer.status !== 200) expectUnavailable(answer);
  expect(grown).toBeLessThan(80);
  await sleep(SETTLED_MS);
  expect(proxy.connections).toBeLessThanOrEqual(connections + 2);
});
