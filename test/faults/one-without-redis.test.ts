/** One of two gateways is cut off from Redis: it takes no connections from the other one, and comes back with Redis. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { cleanUp } from '../support/cleanup.ts';
import { configurationOf } from '../support/configuration.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { until } from '../support/wait.ts';
import { RedisProxy } from './proxy.ts';

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
      NODE_OPTIONS: `--import=${join(import.meta.dirname, 'saboteur.mjs')}`,
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

interface Readiness {
  readonly status: string;
  readonly facts: Readonly<Record<string, string>>;
}

const readiness = async () => (await (await fetch(`${service.opsUrl}/readyz`)).json()) as Readiness;
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
