/** Worker threads that throw, end, run for ever or use up their memory: the process lives, and the pool is whole again. */
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { patiently } from '../support/caller.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { sleep, until } from '../support/wait.ts';
import {
  basketOf,
  DEADLINE_MS,
  expectApplied,
  expectUnavailable,
  faultConfiguration,
  guestBasket,
  SABOTEUR,
  SLACK_MS,
  sabotaged,
  unitsOf,
  untilServed,
} from './support.ts';

/** While this file is there, a thread fails at its start. */
const failing = join(temporaryDirectory(), 'sabotage');
let redis: RedisServer;
let service: Service;
beforeAll(async () => {
  redis = await RedisServer.launch();
  writeFileSync(failing, '');
  service = await Service.start({
    configuration: faultConfiguration(),
    redisUrl: redis.url,
    awaitReady: false,
    env: {
      INLINE_BYTES: '0',
      // The old generation's limit holds for a thread as well: it is reached within a second.
      NODE_OPTIONS: `${SABOTEUR} --max-old-space-size=96`,
      SABOTAGE_START_FILE: failing,
      WORKERS: '1',
    },
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

test('threads that all fail at their start: the service says so, stays unready without spinning, and comes up when they no longer fail', async () => {
  const caller = service.newCaller({ isPatient: false });
  expect(await service.readiness()).toBe(503);
  for (let count = 0; count < 3; count += 1) expectUnavailable(await caller.basket(basketOf()));
  expect(await cpuShare(service.gateways[0] ?? 0, 3000)).toBeLessThan(0.5);
  expect(service.log.some((line) => String(line.fault).includes('fails at its start'))).toBe(true);
  expect(service.log.filter((line) => line.msg === 'worker thread').length).toBeLessThan(20);
  await rm(failing);
  await until('a basket to be served', async () => (await caller.basket(basketOf())).status === 200);
  await service.untilReady();
});

describe('a thread that was well', () => {
  async function expectWhole(): Promise<void> {
    const caller = service.newCaller({ isPatient: false });
    // A new thread has to load its code first.
    await untilServed(caller, 30_000);
    await service.untilReady();
    for (let count = 0; count < 20; count += 1)
      expect((await patiently(() => caller.basket(guestBasket()))).status).toBe(200);
    expect(service.isAlive).toBe(true);
  }

  test('an exception inside a call is 500 for that call alone, and its trace stays in the log', async () => {
    const caller = service.newCaller({ isPatient: false });
    const basket = sabotaged('throw');
    const beside = guestBasket();
    const [answer, other] = await Promise.all([caller.basket(basket), patiently(() => caller.basket(beside))]);
    expect({ status: answer.status, code: answer.code }).toEqual({ status: 500, code: 'internal_error' });
    expectApplied(other);
    expect(await unitsOf(redis, basket.loyaltyId)).toEqual({ consumed: 0, over: 0, held: 0 });
    await until('its trace', () => service.log.some((line) => String(line.fault).includes('thrown inside the call')));
    await expectWhole();
  });

  test.each(['uncaught', 'exit'])('a thread that ends (%s) fails its calls and is replaced', async (word) => {
    const caller = service.newCaller({ isPatient: false });
    const basket = sabotaged(word);
    const answer = await caller.basket(basket);
    // The call that met it may have been answered before an exception outside of it ended the thread.
    if (word === 'exit') expect([500, 503]).toContain(answer.status);
    expect(answer.durationMs).toBeLessThanOrEqual(DEADLINE_MS + SLACK_MS);
    await expectWhole();
    // The key is not burnt: the same calculation without the sabotage is answered.
    const { lines } = basketOf();
    if (answer.status !== 200) expectApplied(await patiently(() => caller.basket({ ...basket, lines })));
    expect(await unitsOf(redis, basket.loyaltyId)).toEqual({ consumed: 0, over: 0, held: 1 });
  });

  test('a thread that uses up its memory takes neither the process nor the pool with it', async () => {
    const caller = service.newCaller({ isPatient: false });
    const answer = await caller.basket(sabotaged('memory'));
    expect([500, 503]).toContain(answer.status);
    await expectWhole();
  });

  test('a thread that never comes back is answered 503 at the deadline and replaced', async () => {
    const caller = service.newCaller({ isPatient: false });
    expectUnavailable(await caller.basket(sabotaged('loop')));
    await expectWhole();
    // Whatever held the thread does not go on burning a core behind the scenes.
    await until('the loop to be ended', async () => (await cpuShare(service.gateways[0] ?? 0)) < 0.4);
    await expectWhole();
  });
});

test('a thread that takes long to warm up is waited for, and not ended as stuck before it has begun to work', async () => {
  // Longer than a thread at work may be silent.
  const env = { INLINE_BYTES: '0', NODE_OPTIONS: SABOTEUR, SABOTAGE_WARM_UP_MS: '3000', WORKERS: '1' };
  const slow = await Service.start({ configuration: faultConfiguration(), redisUrl: redis.url, env });
  try {
    expectApplied(await patiently(() => slow.newCaller({ isPatient: false }).basket(basketOf())));
    expect(slow.log.filter(({ msg }) => msg === 'worker thread')).toEqual([]);
  } finally {
    await slow.stop();
  }
});

/** The part of one core that a process uses. */
async function cpuShare(pid: number, overMs = 500): Promise<number> {
  const startMs = performance.now();
  const before = cpuSeconds(pid);
  await sleep(overMs);
  return ((cpuSeconds(pid) - before) * 1000) / (performance.now() - startMs);
}

/** Seconds of processor time that a process has used: its own and the system's for it, in ticks of 10 ms. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
