/**
 * Clocks that are wrong. Redis' own clock cannot be set in a test; since every instant in the store is one of that clock,
 * moving the stored instants the other way is the same to it.
 */
import { afterEach, expect, test } from 'vitest';
import { memberToken } from '../../src/store/keys.ts';
import type { Answer } from '../support/answer.ts';
import { patiently, resultOf } from '../support/caller.ts';
import { Service } from '../support/service.ts';
import { sleep, until } from '../support/wait.ts';
import {
  basketOf,
  eventsOf,
  expectApplied,
  faultConfiguration,
  guestBasket,
  KEYS,
  SABOTEUR,
  saleOf,
  unitsOf,
  useFaultyService,
} from './support.ts';

const stage = useFaultyService();

const HOUR_MS = 3_600_000;

/** A bucket from the future must not fail the tests after its own. */
afterEach(() => stage.redis.client.del(KEYS.rate()));

/** Moves what a member's hold and calculation name as their end, as if Redis' clock had jumped by `jumpMs`. */
async function jump(loyaltyId: string, calculationId: string, jumpMs: number): Promise<void> {
  const { client } = stage.redis;
  const token = memberToken('coffee-club', loyaltyId);
  const hold = (await client.hget(KEYS.hold(token), calculationId)) ?? '';
  await client.hset(
    KEYS.hold(token),
    calculationId,
    hold.replace(/^\d+/, (at) => String(Number(at) - jumpMs)),
  );
  await client.hincrby(KEYS.calculation(token, calculationId), 'deadline', -jumpMs);
}

test('Redis an hour ahead: holds end, the benefit is free again, and the sale is booked as late', async () => {
  const { caller, redis } = stage;
  const basket = guestBasket();
  expectApplied(await patiently(() => caller.basket(basket)));
  await jump(basket.loyaltyId, basket.calculationId, HOUR_MS);
  expect((await unitsOf(redis, basket.loyaltyId)).held).toBe(0);
  const other = basketOf([{}], { loyaltyId: basket.loyaltyId });
  expectApplied(await patiently(() => caller.basket(other)));
  expect(resultOf(await patiently(() => caller.sale(saleOf(basket.calculationId))))).toBe('recorded');
  expect(await unitsOf(redis, basket.loyaltyId)).toEqual({ consumed: 1, over: 1, held: 1 });
});

test('Redis an hour back: a hold lasts longer, and still ends with its sale', async () => {
  const { caller, redis } = stage;
  const basket = guestBasket();
  expectApplied(await patiently(() => caller.basket(basket)));
  await jump(basket.loyaltyId, basket.calculationId, -HOUR_MS);
  const other = basketOf([{}], { loyaltyId: basket.loyaltyId });
  expect((await patiently(() => caller.basket(other))).json().status).toBe('unchanged');
  expect(resultOf(await patiently(() => caller.sale(saleOf(basket.calculationId, 'cancelled'))))).toBe('recorded');
  expect(await unitsOf(redis, basket.loyaltyId)).toEqual({ consumed: 0, over: 0, held: 0 });
});

test('Redis an hour back: the rate limit does not lock anybody out', async () => {
  const { caller, redis } = stage;
  const ahead = (Date.now() + HOUR_MS) * 1000;
  await redis.client.set(KEYS.rate(), String(ahead), 'PX', HOUR_MS);
  // Leased tokens lapse after a second, and the bucket is asked again.
  await sleep(1100);
  // A bucket without a token is the worst that may come of it, and it fills at the sustained rate: 10,000 a second.
  await caller.basket(basketOf());
  await sleep(1000);
  const answers: Answer[] = [];
  // Whoever is locked out is answered 429, which nobody repeats here.
  for (let count = 0; count < 20; count += 1) answers.push(await patiently(() => caller.basket(basketOf())));
  expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
});

// A clock behind would come nearer to the signature while a busy machine holds the call back.
test('a service whose clock is off by five minutes refuses all with 401 and says why', async () => {
  const skewMs = 301_000;
  const service = await Service.start({
    configuration: faultConfiguration(),
    redisUrl: stage.redis.url,
    env: {
      NODE_OPTIONS: SABOTEUR,
      SABOTAGE_SKEW_MS: String(skewMs),
    },
  });
  try {
    const caller = service.newCaller({ isPatient: false });
    for (const call of [caller.basket(basketOf()), caller.sale(saleOf(basketOf().calculationId))]) {
      const answer = await call;
      expect({ status: answer.status, code: answer.code }).toEqual({ status: 401, code: 'stale_timestamp' });
    }
    await until('both refusals to be logged', () => {
      return service.log.filter((line) => line.code === 'stale_timestamp' && line.level === 'warn').length === 2;
    });
    // Its clock is off and its callers' is not: with a time stamp of its own clock it serves as ever.
    expectApplied(await patiently(() => caller.basket(basketOf(), { t: Math.floor((Date.now() + skewMs) / 1000) })));
  } finally {
    await service.stop();
  }
});

const DAY_MS = 86_400_000;
/** The longest life of a key in this configuration: what a return needs for 30 days, and what a day has cost for 400. */
const LONGEST_LIFE_MS = 32 * DAY_MS;
const LONGEST_LIFE_OF_COSTS_MS = 402 * DAY_MS;

test.each([8 * DAY_MS, -8 * DAY_MS])(
  'a process whose clock is %d ms off, beside a right one, takes nothing from anybody',
  async (skewMs) => {
    const { caller, redis, service } = stage;
    const sell = async (by: typeof caller, t?: number): Promise<string> => {
      const basket = guestBasket();
      const options = t === undefined ? {} : { t };
      expectApplied(await patiently(() => by.basket(basket, options)));
      const sold = await patiently(() => by.sale(saleOf(basket.calculationId), options));
      expect(['recorded', 'duplicate']).toContain(sold.json<{ result: string }>().result);
      return basket.calculationId;
    };
    const sold = [];
    for (let count = 0; count < 10; count += 1) sold.push(await sell(caller));
    const wrong = await Service.start({
      configuration: faultConfiguration(),
      redisUrl: redis.url,
      secrets: service.secrets,
      env: {
        NODE_OPTIONS: SABOTEUR,
        SABOTAGE_SKEW_MS: String(skewMs),
      },
    });
    try {
      const other = wrong.newCaller();
      const t = () => Math.floor((Date.now() + skewMs) / 1000);
      // Every stream gets events of the wrong process, and every list its calculations.
      for (let count = 0; count < 40; count += 1) sold.push(await sell(other, t()));
      const open = guestBasket();
      expectApplied(await patiently(() => other.basket(open, { t: t() })));
      for (const calculationId of sold) {
        expect((await eventsOf(redis, calculationId)).map(({ result }) => result)).toContain('recorded');
      }
      const nowMs = await redisNowMs();
      const due = await Promise.all(
        [0, 1, 2, 3].map((list) => redis.client.zscore(KEYS.examinations(list), open.calculationId)),
      );
      const dueMs = Number(due.find((score) => score !== null));
      expect(dueMs - nowMs).toBeGreaterThan(0);
      expect(dueMs - nowMs).toBeLessThanOrEqual(30 * 60_000);
      for (const key of await redis.client.keys('*')) {
        const longestMs = key.includes(':cost-rows:') ? LONGEST_LIFE_OF_COSTS_MS : LONGEST_LIFE_MS;
        expect([key, await redis.client.pttl(key)]).toEqual([key, expect.toSatisfy((ttl: number) => ttl < longestMs)]);
      }
    } finally {
      await wrong.stop();
    }
  },
);

async function redisNowMs(): Promise<number> {
  const [seconds, microseconds] = await stage.redis.client.time();
  return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
}
