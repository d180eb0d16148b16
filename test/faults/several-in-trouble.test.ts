/**
 * What two gateways say and do together while one of them, Redis or all of them are in trouble: one that is cut off from Redis takes no
 * connections from the other one, and comes back with Redis.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { cleanUp } from '../support/cleanup.ts';
import { configurationOf } from '../support/configuration.ts';
import { readingOf, type Sample, scrape } from '../support/metrics.ts';
import { readyzOf } from '../support/readyz.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { until } from '../support/wait.ts';
import { RedisProxy } from './proxy.ts';
import { SABOTEUR } from './support.ts';

let redis: RedisServer;
let proxy: RedisProxy;
let service: Service;
beforeAll(async () => {
  redis = await RedisServer.launch();
  proxy = await RedisProxy.start(redis.socket);
  service = await Service.start({
    configuration: configurationOf(),
    redisUrl: redis.url,
    env: {
      PROCESSES: '2',
      NODE_OPTIONS: SABOTEUR,
      SABOTAGE_REDIS_OF: '2',
      SABOTAGE_REDIS_URL: proxy.url,
    },
  });
});
afterAll(async () => {
  if (service?.isAlive) await service.stop();
  await proxy?.close();
  await redis?.stop();
  cleanUp();
});

const patientStatus = async () => (await fetch(`${service.opsUrl}/readyz?patient`)).status;
const bothServe = () => untilServing(2);

/** The figures once so many processes serve, and a condition holds. */
function untilServing(count: number, holds: (samples: Sample[]) => boolean = () => true): Promise<Sample[]> {
  return until(`${count} to serve`, async () => {
    const samples = await scrape(service);
    return readingOf(samples, 'loyalty_processes_serving') === count && holds(samples) && samples;
  });
}

const readiness = () => readyzOf(service);
const pausesOf = (number: number) =>
  service.log.filter(({ msg, process }) => process === number && String(msg).startsWith('no connections are taken'));
/** Each caller has a connection of its own, and the kernel spreads connections over those that listen. */
const statusesOfCalls = async (count: number, isPatient: boolean) => {
  const callers = Array.from({ length: count }, () => service.newCaller({ isPatient }));
  return (await Promise.all(callers.map((caller) => caller.basket(basketOf())))).map(({ status }) => status);
};
const linesOf = (number: number, words: string) =>
  service.log.filter(({ msg, process }) => process === number && msg === words);

test('every call is answered 200 while one of two gateways has no Redis, and both answer afterwards', async () => {
  await proxy.down();
  await until('the gateway to stop listening', () => pausesOf(2).length === 1);
  await until('the primary to know', async () => (await readiness()).facts['processes'] !== undefined);
  expect(await readiness()).toMatchObject({
    status: 'ready',
    facts: { processes: expect.stringMatching(/^1 of 2 processes serve; 2: redis: /) },
  });
  const samples = await untilServing(1, (found) => readingOf(found, 'loyalty_redis_up') === 0);
  expect([await service.readiness(), readingOf(samples, 'loyalty_ready')]).toEqual([200, 1]);
  // A busy machine may refuse a call at its deadline, and it is repeated; which gateway refuses is what counts.
  expect(await statusesOfCalls(32, true)).toEqual(Array.from({ length: 32 }, () => 200));
  await until('the lines of the calls', () => linesOf(1, 'request').length >= 32);
  expect(linesOf(2, 'request')).toEqual([]);
  expect(pausesOf(1)).toEqual([]);

  await proxy.up();
  await until('both to serve', async () => (await readiness()).facts['processes'] === undefined);
  await until('its line', () => linesOf(2, 'process listening').length === 2);
});

test('without Redis for anybody both listen: a refusal says when to come again', async () => {
  await proxy.down();
  await until('the gateway to stop listening', () => pausesOf(2).length === 2);
  redis.pause();
  await until('all to be red', async () => (await readiness()).status === 'not ready');
  await until('the gateway to listen again', () => linesOf(2, 'process listening').length === 3);
  expect(new Set(await statusesOfCalls(8, false))).toEqual(new Set([503]));
  redis.resume();
  await proxy.up();
  await until('both to serve', async () => (await readiness()).facts['processes'] === undefined);
  await service.untilReady();
});

test('a load balancer keeps them while Redis alone is away', async () => {
  await bothServe();
  expect(await patientStatus()).toBe(200);
  redis.pause();
  try {
    expect(readingOf(await untilServing(0), 'loyalty_ready')).toBe(0);
    expect(await service.readiness()).toBe(503);
    expect(await patientStatus()).toBe(200);
  } finally {
    redis.resume();
  }
  expect(readingOf(await bothServe(), 'loyalty_ready')).toBe(1);
});

test('they say that they are not ready while none of them can start', async () => {
  writeFileSync(join(service.dataDirectory, 'environment.yaml'), 'venues: [');
  for (const pid of service.gateways) process.kill(pid, 'SIGKILL');
  const samples = await untilServing(0, (found) => readingOf(found, 'loyalty_pool_threads') === undefined);
  expect(readingOf(samples, 'loyalty_ready')).toBe(0);
  expect([await service.readiness(), await patientStatus()]).toEqual([503, 503]);
});
