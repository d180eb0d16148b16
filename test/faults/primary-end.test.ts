/** The primary or a gateway killed under load: what is left goes on or ends by itself, and so does the service's own Redis. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { cleanUp, isAlive, managedRedisPid } from '../support/cleanup.ts';
import { configurationOf } from '../support/configuration.ts';
import { Service } from '../support/service.ts';
import { until } from '../support/wait.ts';
import { keepCalling } from './support.ts';

/** Its tests follow one another: each ends with a service that answers, and the last one ends it. */
let service: Service;
beforeAll(async () => {
  service = await Service.start({ configuration: configurationOf() });
});
afterAll(async () => {
  if (service?.isAlive) await service.stop();
  cleanUp();
});

const redisPid = () => managedRedisPid(service.dataDirectory) ?? 0;
const callAlways = () => {
  const caller = service.newCaller({ isPatient: false });
  return keepCalling(() => caller.basket(basketOf()), 4);
};

test('a gateway killed under load is started again, and Redis and the operations port are as they were', async () => {
  const [victim] = service.gateways;
  const redis = redisPid();
  const load = callAlways();
  await until('calls', () => load.answers.length > 20);
  process.kill(victim as number, 'SIGKILL');
  await until('the operations port to say so', async () => (await service.readiness()) === 503);
  expect((await fetch(`${service.opsUrl}/healthz`)).status).toBe(200);
  expect((await fetch(`${service.opsUrl}/docs`)).status).toBe(200);
  await service.untilReady();
  const before = load.answers.length;
  await until('calls again', () => load.answers.slice(before).some(({ status }) => status === 200));
  await load.stop();
  expect(service.gateways).toHaveLength(1);
  expect(service.gateways).not.toContain(victim);
  expect([redisPid(), isAlive(redis)]).toEqual([redis, true]);
});

test('a service that starts while gateways of a killed primary end keeps the Redis of both', async () => {
  const { gateways, dataDirectory, secrets } = service;
  process.kill(service.pid, 'SIGKILL');
  service = await Service.start({ configuration: configurationOf(), dataDirectory, secrets });
  await until('the end of the gateways', () => !gateways.some(isAlive));
  expect(isAlive(redisPid())).toBe(true);
  expect((await service.newCaller({ isPatient: true }).basket(basketOf())).status).toBe(200);
});

test('gateways do not outlive a primary that was killed under load, and the last one ends their Redis', async () => {
  const { gateways } = service;
  const redis = redisPid();
  const load = callAlways();
  await until('calls', () => load.answers.length > 20);
  process.kill(service.pid, 'SIGKILL');
  await until('the end of the gateways', () => !gateways.some(isAlive));
  await load.stop();
  await until('the end of Redis', () => !isAlive(redis));
  // Calls that were taken in are answered.
  expect(service.log.some(({ msg, process }) => msg === 'stopped' && process === 1)).toBe(true);
  expect(load.answers.filter(({ status }) => status >= 500 && status !== 503)).toEqual([]);
});

test('a primary that is killed while its gateways start leaves neither them nor their Redis behind', async () => {
  const young = Service.spawn({ configuration: configurationOf() });
  // Before its own code runs, a gateway whose primary has ended ends at once; the next service adopts such a Redis.
  await until('a gateway to have Redis', () => young.log.some(({ msg }) => msg === 'redis ready'));
  const { gateways } = young;
  const redis = managedRedisPid(young.dataDirectory) ?? 0;
  process.kill(young.pid, 'SIGKILL');
  await until('the end of the gateways', () => !gateways.some(isAlive));
  await until('the end of Redis', () => !isAlive(redis));
  await young.exited;
});
