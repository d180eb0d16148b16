/** Redis dead, hung, reset or speaking nonsense: 503 inside the deadline, nothing written late, and back by itself. */
import { expect, test } from 'vitest';
import { patiently } from '../support/caller.ts';
import { readyzOf } from '../support/readyz.ts';
import { sleep, until } from '../support/wait.ts';
import {
  basketOf,
  dumpOf,
  eventsOf,
  expectApplied,
  expectNoneRefused,
  expectUnavailable,
  guestBasket,
  RECOVERY_LIMIT_MS,
  SETTLED_MS,
  saleOf,
  unitsOf,
  untilServed,
  useFaultyService,
} from './support.ts';

const stage = useFaultyService();

/** The reason of a call that waited for Redis until its time was up; one that is refused at once has another. */
const WAITED = ['deadline'] as const;

test('a Redis that was killed is answered 503 at once, and the service is back within 2 s of its return', async () => {
  const { redis, proxy, caller, service } = stage;
  await redis.kill();
  await proxy.down();
  await expectNoneRefused(service, WAITED, async () => {
    for (let count = 0; count < 10; count += 1) expectUnavailable(await caller.basket(basketOf()));
    expectUnavailable(await caller.sale(saleOf(basketOf().calculationId)));
  });
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
    const first = await Promise.all(Array.from({ length: 20 }, () => caller.basket(basketOf())));
    for (const answer of first) expectUnavailable(answer);
    await expectNoneRefused(service, WAITED, async () => {
      const next = await Promise.all(Array.from({ length: 50 }, () => caller.basket(basketOf())));
      for (const answer of next) expectUnavailable(answer);
    });
    expect(await service.readiness()).toBe(503);
  } finally {
    redis.resume();
  }
  await untilServed(caller);
});

test('a call that hung beyond its deadline is no evidence against a Redis that is back', async () => {
  const { redis, caller, service } = stage;
  const reasonOfRedis = async () => (await readyzOf(service)).checks['redis'];
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

/** Longer than a silent connection is kept, and shorter: what was sent before is still carried out then. */
test.each([5000, 1050])('a hang of %i ms after its refusals leaves nothing of them behind', async (hangMs) => {
  const { redis, caller } = stage;
  const committed = guestBasket();
  expectApplied(await patiently(() => caller.basket(committed)));
  const [baskets, unknown] = [Array.from({ length: 10 }, () => guestBasket()), basketOf()];
  const before = await dumpOf(redis);
  redis.pause();
  try {
    const calls = [
      ...baskets.map((basket) => caller.basket(basket)),
      caller.basket(guestBasket({ supersedesCalculationId: committed.calculationId })),
      caller.sale(saleOf(committed.calculationId)),
      caller.sale(saleOf(unknown.calculationId)),
    ];
    for (const answer of await Promise.all(calls)) expectUnavailable(answer);
    await sleep(hangMs);
  } finally {
    redis.resume();
  }
  await until('Redis to be heard again', async () => (await caller.basket(basketOf())).status === 200);
  await sleep(SETTLED_MS);
  const after = await dumpOf(redis);
  for (const [key, value] of before) expect(after.get(key), key).toBe(value);
  for (const { calculationId } of [...baskets, unknown]) {
    expect([...after.keys()].filter((key) => key.includes(calculationId))).toEqual([]);
    expect(await eventsOf(redis, calculationId)).toEqual([]);
  }
  expect(await eventsOf(redis, committed.calculationId)).toEqual([]);
  for (const { loyaltyId } of baskets) {
    expect(await unitsOf(redis, loyaltyId)).toEqual({ consumed: 0, over: 0, held: 0 });
  }
  // The late basket is a fresh one: no tombstone of a refused sale stands in its way.
  const { loyaltyId } = baskets[0]!;
  expectApplied(await patiently(() => caller.basket({ ...unknown, loyaltyId })));
  expect(await unitsOf(redis, loyaltyId)).toEqual({ consumed: 0, over: 0, held: 1 });
});
