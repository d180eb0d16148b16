/** A service that starts before its Redis, or with one that is not there at all. */
import { afterAll, expect, test } from 'vitest';
import { patiently } from '../support/caller.ts';
import { cleanUp } from '../support/cleanup.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { basketOf, expectApplied, expectUnavailable, faultConfiguration } from './support.ts';

afterAll(cleanUp);

function startUnready(redisUrl: string): Promise<Service> {
  return Service.start({ configuration: faultConfiguration(), redisUrl, awaitReady: false });
}

test('a service that starts before its Redis is not ready, refuses, and becomes ready by itself', async () => {
  const redis = RedisServer.prepare();
  const service = await startUnready(redis.url);
  try {
    const caller = service.newCaller({ isPatient: false });
    expect(await service.readiness()).toBe(503);
    expectUnavailable(await caller.basket(basketOf()));
    await redis.start();
    await service.untilReady(3000);
    expectApplied(await patiently(() => caller.basket(basketOf())));
  } finally {
    await service.stop();
    await redis.stop();
  }
});

test('a service whose Redis is nowhere lives, is not ready, refuses, and ends when asked', async () => {
  const service = await startUnready('redis://redis.invalid:6379');
  try {
    expect(await service.readiness()).toBe(503);
    expectUnavailable(await service.newCaller({ isPatient: false }).basket(basketOf()));
    expect(service.isAlive).toBe(true);
  } finally {
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  }
});
