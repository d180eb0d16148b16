/** Redis gone, silent, full, read-only or busy: 503 inside the deadline, nothing half written, and back by itself. */
import { afterEach, describe, expect, test } from 'vitest';
import { Random } from '../../packages/simulator/src/random.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import { configurationOf, singleUseMembers } from '../support/configuration.ts';
import { holdCount } from '../support/holds.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service, useService } from '../support/service.ts';
import { sleep, until } from '../support/wait.ts';

const configuration = configurationOf({ deadline: 400, moreMembers: singleUseMembers('guest', 60) });
const stage = useService({ configuration, redisOptions: ['--busy-reply-threshold', '20'], isPatient: false });

/** The deadline is 400 ms; the bound only proves that nothing hung until the caller gave up, after 10 s. */
const NO_HANG_MS = 5_000;

async function expectUnavailable(): Promise<void> {
  const started = performance.now();
  const answers = await Promise.all([
    stage.caller.basket(basketOf()),
    stage.caller.basket(basketOf([{}], { loyaltyId: 'guest-0' })),
    stage.caller.sale(saleOf(basketOf().calculationId)),
  ]);
  expect(performance.now() - started).toBeLessThan(NO_HANG_MS);
  // That Retry-After is there, every answer is judged by.
  for (const answer of answers) expect([answer.status, answer.code]).toEqual([503, 'unavailable']);
  expect(stage.service.isAlive).toBe(true);
}

async function expectRecovery(): Promise<void> {
  await until('calls to be answered again', async () => (await stage.caller.basket(basketOf())).status === 200);
  await stage.service.untilReady();
}

afterEach(expectRecovery);

test('killed: 503, not ready, and back when it is', async () => {
  await stage.redis.kill();
  for (let round = 0; round < 3; round += 1) await expectUnavailable();
  await until('a red readiness', async () => (await stage.service.readiness()) === 503);
  expect((await fetch(`${stage.service.opsUrl}/healthz`)).status).toBe(200);
  await stage.redis.start();
  await expectRecovery();
});

test('faults of the caller are still answered as such while it is gone', async () => {
  await stage.redis.kill();
  try {
    expect((await stage.caller.send('/nowhere', {})).status).toBe(404);
    expect((await stage.caller.basket(basketOf(), { headers: { 'POS-Signature': null } })).status).toBe(401);
  } finally {
    await stage.redis.start();
  }
});

test('silent: 503 inside the deadline, and no write comes to life afterwards', async () => {
  const before = await holdCount(stage.redis);
  stage.redis.pause();
  const baskets = Array.from({ length: 10 }, (_, index) => basketOf([{}], { loyaltyId: `guest-${10 + index}` }));
  const started = performance.now();
  const answers = await Promise.all(baskets.map((basket) => stage.caller.basket(basket)));
  expect(performance.now() - started).toBeLessThan(NO_HANG_MS);
  for (const answer of answers) expect([answer.status, answer.code]).toEqual([503, 'unavailable']);
  await sleep(300);
  stage.redis.resume();
  await expectRecovery();
  await sleep(300);
  expect(await holdCount(stage.redis)).toBe(before);
  for (const basket of baskets) {
    const other = basketOf([{}], { loyaltyId: basket.loyaltyId });
    expect((await stage.caller.basket(other)).json().status).toBe('applied');
    expect((await stage.caller.basket(basket)).json().status).toBe('unchanged');
  }
});

test('silent at random moments under load: only what was answered or fully written holds anything', async () => {
  const random = new Random(4);
  for (let round = 0; round < 4; round += 1) {
    const baskets = Array.from({ length: 8 }, (_, index) =>
      basketOf([{}], { loyaltyId: `guest-${20 + round * 8 + index}` }),
    );
    const calls = baskets.map(async (basket) => {
      await sleep(random.between(0, 15));
      return stage.caller.basket(basket);
    });
    await sleep(random.between(0, 15));
    stage.redis.pause();
    await sleep(600);
    stage.redis.resume();
    const answers = await Promise.all(calls);
    await expectRecovery();
    for (const [index, basket] of baskets.entries()) {
      const first = answers[index];
      const again = await stage.caller.basket(basket);
      // One of this member's own may be held: this calculation's, whether the first try or the second wrote it.
      expect([again.status, again.json().status]).toEqual([200, 'applied']);
      if (first?.status === 200) expect([again.isReplayed, again.text]).toEqual([true, first.text]);
    }
  }
});

describe('a Redis that answers with faults', () => {
  const faults: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
    [
      'full',
      () => stage.redis.client.config('SET', 'maxmemory', '1'),
      () => stage.redis.client.config('SET', 'maxmemory', '0'),
    ],
    [
      'read-only',
      () => stage.redis.client.replicaof('127.0.0.1', '1'),
      () => stage.redis.client.replicaof('NO', 'ONE'),
    ],
    [
      'busy with a script of somebody else',
      async () => {
        stage.redis.client.eval('while true do end', 0).catch(() => {});
        await sleep(100);
      },
      async () => killScript(),
    ],
  ];
  test.each(faults)('%s: 503 and nothing written', async (_, begin, end) => {
    const before = await holdCount(stage.redis);
    await begin();
    try {
      await expectUnavailable();
    } finally {
      await end();
    }
    await expectRecovery();
    expect(await holdCount(stage.redis)).toBe(before);
  });

  test('forgetting its scripts every moment costs no call anything', async () => {
    for (let round = 0; round < 20; round += 1) {
      await stage.redis.client.script('FLUSH');
      const basket = basketOf();
      expect((await stage.caller.basket(basket)).status).toBe(200);
      expect((await stage.caller.sale(saleOf(basket.calculationId))).json().result).toBe('recorded');
    }
  });

  test('dropping every connection costs at most the calls of that moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      await stage.redis.client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      expect([200, 503]).toContain((await stage.caller.basket(basketOf())).status);
      await expectRecovery();
    }
  });
});

test('not there at the start: not ready, 503, and ready when it comes, with the members of the file', async () => {
  const redis = RedisServer.prepare();
  const service = await Service.start({ redisUrl: redis.url, configuration, awaitReady: false });
  try {
    expect(await service.readiness()).toBe(503);
    const caller = service.newCaller({ isPatient: false });
    expect((await caller.basket(basketOf())).status).toBe(503);
    await redis.start();
    await service.untilReady();
    expect((await service.newCaller().basket(basketOf())).json().status).toBe('applied');
  } finally {
    await service.stop();
    await redis.stop();
  }
});

test('emptied: old sales are unknown, new calls are answered', async () => {
  const redis = await RedisServer.launch();
  const service = await Service.start({ redisUrl: redis.url, configuration });
  try {
    const caller = service.newCaller();
    const basket = basketOf();
    await caller.basket(basket);
    await redis.client.flushall();
    expect((await caller.sale(saleOf(basket.calculationId))).json().result).toBe('unknown_calculation');
    expect((await caller.basket(basketOf())).status).toBe(200);
  } finally {
    await service.stop();
    await redis.stop();
  }
});

/** SCRIPT KILL over a connection of its own: the first one waits for the script it sent. */
async function killScript(): Promise<void> {
  const other = stage.redis.client.duplicate({ enableReadyCheck: false });
  try {
    await other.script('KILL');
  } finally {
    other.disconnect();
  }
}
