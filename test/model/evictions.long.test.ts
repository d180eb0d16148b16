/** Random evictions: a production service whose Redis drops keys gives no limited benefit while it may have lost the hold. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Random } from '../../packages/simulator/src/random.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import { cleanUp } from '../support/cleanup.ts';
import { configurationOf, singleUseMembers } from '../support/configuration.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { until } from '../support/wait.ts';

const GUESTS = 60;
const POLICIES = ['volatile-lru', 'volatile-ttl', 'allkeys-lru', 'allkeys-random'] as const;

let redis: RedisServer;
let service: Service;
beforeAll(async () => {
  redis = await RedisServer.launch(['--appendfsync', 'always']);
  service = await Service.start({
    redisUrl: redis.url,
    configuration: configurationOf({
      environment: 'production',
      moreMembers: POLICIES.flatMap((policy) => singleUseMembers(policy, GUESTS)),
    }),
  });
});
afterAll(async () => {
  try {
    await service?.stop();
    await redis?.stop();
  } finally {
    cleanUp();
  }
});

const evictedKeys = async () => Number(/^evicted_keys:(\d+)/m.exec(await redis.client.info('stats'))?.[1]);

/** Shrinks the memory below what is used, so that keys go by the policy. */
async function evict(): Promise<void> {
  const before = await evictedKeys();
  const used = Number(/^used_memory:(\d+)/m.exec(await redis.client.info('memory'))?.[1]);
  await redis.client.config('SET', 'maxmemory', String(used - 20_000));
  await until('evictions', async () => {
    // Any command that may need memory has keys dropped first.
    await redis.client.set(`filler:${randomUUID()}`, 'x', 'PX', 60_000).catch(() => undefined);
    return (await evictedKeys()) > before;
  });
}

test.each(POLICIES)('under %s no benefit is given to a guest who has had his', async (policy) => {
  const random = new Random(POLICIES.indexOf(policy) + 1);
  const [patient, caller] = [service.newCaller(), service.newCaller({ isPatient: false })];
  const basketOfGuest = (guest: number) => basketOf([{}], { loyaltyId: `${policy}-${guest}` });
  const guests = Array.from({ length: GUESTS }, (_, guest) => guest);
  for (const guest of guests) {
    const basket = basketOfGuest(guest);
    expect((await patient.basket(basket)).json()).toMatchObject({ status: 'applied' });
    if (random.next() < 0.5) await patient.sale(saleOf(basket.calculationId));
  }

  await redis.client.config('SET', 'maxmemory-policy', policy);
  await until('the service to be red', async () => (await service.readiness()) === 503);
  await evict();
  const answers = await Promise.all(guests.map((guest) => caller.basket(basketOfGuest(guest))));
  expect(answers.map(({ status }) => status)).toEqual(guests.map(() => 503));

  await redis.client.config('SET', 'maxmemory', '0');
  await redis.client.config('SET', 'maxmemory-policy', 'noeviction');
  await service.untilReady();
  // Whatever was dropped: every call is answered again, and none is a fault of ours.
  for (const guest of guests) expect((await patient.basket(basketOfGuest(guest))).status).toBe(200);
});
