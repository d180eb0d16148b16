/** Redis dead, hung, reset or speaking nonsense: 503 inside the deadline, nothing written late, and back by itself. */
import { expect, test } from 'vitest';
import { patiently } from '../support/caller.ts';
import { sleep, until } from '../support/wait.ts';
import {
  AT_ONCE_MS,
  basketOf,
  dumpOf,
  eventsOf,
  expectApplied,
  expectUnavailable,
  guestBasket,
  RECOVERY_LIMIT_MS,
  SETTLED_MS,
  saleOf,
  timed,
  unitsOf,
  untilServed,
  useFaultyService,
} from './support.ts';

const stage = useFaultyService();

test('a Redis that was killed is answered 503 at once, and the service is back within 2 s of its return', async () => {
  const { redis, proxy, caller, service } = stage;
  await redis.kill();
  await proxy.down();
  for (let count = 0; count < 10; count += 1) expectUnavailable(await caller.basket(basketOf()), AT_ONCE_MS);
  expectUnavailable(await caller.sale(saleOf(basketOf().calculationId)), AT_ONCE_MS);
  expect(await service.readiness()).toBe(503);
  expect((await fetch(`${service.opsUrl}/healthz`)).status).toBe(200);
  // Faults of the caller are still answered as such.
  expect((await caller.send('/nowhere', {})).status).toBe(404);
  expect((await caller.basket(basketOf(), { headers: { 'POS-Signature': null } })).status).toBe(401);

  await redis.start();
  await proxy.up();
  await untilServed(caller);
  await service.untilReady(RECOVERY_LIMIT_MS);
});

test('a Redis that hangs is answered 503 inside the deadline, then at once by the breaker', async () => {
  const { redis, caller, service } = stage;
  redis.pause();
  try {
    // All at once, because the first ones have to find out that Redis hangs.
    const first = await Promise.all(Array.from({ length: 20 }, () => timed(caller.basket(basketOf()))));
    for (const { answer } of first) expectUnavailable(answer);
    const next = await Promise.all(Array.from({ length: 50 }, () => timed(caller.basket(basketOf()))));
    for (const { answer } of next) expectUnavailable(answer, AT_ONCE_MS);
    expect(await service.readiness()).toBe(503);
  } finally {
    redis.resume();
  }
  await untilServed(caller);
});

test('a call that hung beyond its deadline is no evidence against a Redis that is back', async () => {
  const { redis, caller, service } = stage;
  const reasonOfRedis = async () => {
    const answer = await fetch(`${service.opsUrl}/readyz`);
    return ((await answer.json()) as { readonly checks: Readonly<Record<string, string>> }).checks['redis'];
  };
  redis.pause();
  try {
    // One after the other, because those count whose deadline is after the silence was noticed and that were sent before it.
    const hung = Array.from({ length: 10 }, async (_, at) => {
      await sleep(at * 20);
      return caller.basket(guestBasket());
    });
    for (const answer of await Promise.all(hung)) expectUnavailable(answer);
    await until('the silence to be named', async () => (await reasonOfRedis())?.startsWith('no_answer'));
  } finally {
    redis.resume();
  }
  const reasons = new Set<string | undefined>();
  await until('Redis to be usable', async () => {
    const reason = await reasonOfRedis();
    reasons.add(reason);
    return reason === 'ok';
  });
  // The words for a server that refused calls, which this one never did.
  expect([...reasons].filter((reason) => reason?.includes('refuses calls'))).toEqual([]);
  await untilServed(caller);
});

test('a hang of 5 s leaves nothing behind: what was refused is never written', async () => {
  const { redis, caller } = stage;
  const committed = guestBasket();
  expectApplied(await patiently(() => caller.basket(committed)));
  const before = await dumpOf(redis);
  const baskets = Array.from({ length: 10 }, () => guestBasket());
  // A sale of the committed calculation, and one of a calculation that was never seen.
  const sales = [saleOf(committed.calculationId), saleOf(basketOf().calculationId)];
  redis.pause();
  try {
    const calls = [...baskets.map((basket) => caller.basket(basket)), ...sales.map((sale) => caller.sale(sale))];
    for (const answer of await Promise.all(calls)) expectUnavailable(answer);
    await sleep(5000);
  } finally {
    redis.resume();
  }
  await untilServed(caller);
  await sleep(SETTLED_MS);
  const served = await dumpOf(redis);
  for (const key of before.keys()) expect(served.get(key), key).toBe(before.get(key));
  for (const { calculationId, loyaltyId } of baskets) {
    expect([...served.keys()].filter((key) => key.includes(`:${calculationId}`))).toEqual([]);
    expect(await unitsOf(redis, loyaltyId)).toEqual({ consumed: 0, over: 0, held: 0 });
  }
  for (const { calculationId } of sales) expect(await eventsOf(redis, calculationId)).toEqual([]);
});

test('a hang of 1500 ms leaves no write of a refused call behind', async () => {
  // Shorter than the time after which a silent connection is given up: what was sent before is still carried out.
  const { redis, caller } = stage;
  const committed = guestBasket();
  expectApplied(await patiently(() => caller.basket(committed)));
  const [refusedBasket, unknown] = [guestBasket(), basketOf()];
  const before = await dumpOf(redis);
  redis.pause();
  try {
    const calls = [
      caller.basket(refusedBasket),
      caller.basket(guestBasket({ supersedesCalculationId: committed.calculationId })),
      caller.sale(saleOf(committed.calculationId)),
      caller.sale(saleOf(unknown.calculationId)),
    ];
    for (const answer of await Promise.all(calls)) expectUnavailable(answer);
    await sleep(1050);
  } finally {
    redis.resume();
  }
  await until('Redis to be heard again', async () => (await caller.basket(basketOf())).status === 200);
  await sleep(SETTLED_MS);
  const after = await dumpOf(redis);
  for (const [key, value] of before) expect(after.get(key), key).toBe(value);
  for (const { calculationId } of [refusedBasket, unknown]) {
    expect([...after.keys()].filter((key) => key.includes(calculationId))).toEqual([]);
    expect(await eventsOf(redis, calculationId)).toEqual([]);
  }
  expect(await eventsOf(redis, committed.calculationId)).toEqual([]);
  // The late basket is a fresh one: no tombstone of a refused sale stands in its way.
  expectApplied(await patiently(() => caller.basket({ ...unknown, loyaltyId: refusedBasket.loyaltyId })));
  expect(await unitsOf(redis, refusedBasket.loyaltyId)).toEqual({ consumed: 0, over: 0, held: 1 });
});
