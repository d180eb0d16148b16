/** What several processes say together while one of them, Redis or all of them are in trouble. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cleanUp } from '../support/cleanup.ts';
import { configurationOf } from '../support/configuration.ts';
import { readingOf, type Sample, scrape } from '../support/metrics.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { until } from '../support/wait.ts';

let redis: RedisServer;
let service: Service;
beforeAll(async () => {
  redis = await RedisServer.launch();
  const env = { PROCESSES: '2', WORKERS: '1' };
  service = await Service.start({ configuration: configurationOf(), redisUrl: redis.url, env });
});
afterAll(async () => {
  redis?.resume();
  if (service?.isAlive) await service.stop();
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

test('they are ready while one of them has no Redis', async () => {
  const connected = async () =>
    String(await redis.client.client('LIST'))
      .trim()
      .split('\n').length;
  const before = await connected();
  process.kill(service.gateways[0] as number, 'SIGKILL');
  await until('its connections to end', async () => (await connected()) < before);
  await redis.client.config('SET', 'maxclients', await connected());
  try {
    const samples = await untilServing(1, (found) => readingOf(found, 'loyalty_redis_up') === 0);
    expect(await service.readiness()).toBe(200);
    expect(readingOf(samples, 'loyalty_ready')).toBe(1);
  } finally {
    await redis.client.config('SET', 'maxclients', 10_000);
  }
  await bothServe();
});

test('they say that they are not ready while none of them can start', async () => {
  writeFileSync(join(service.dataDirectory, 'environment.yaml'), 'venues: [');
  for (const pid of service.gateways) process.kill(pid, 'SIGKILL');
  const samples = await untilServing(0, (found) => readingOf(found, 'loyalty_pool_threads') === undefined);
  expect(readingOf(samples, 'loyalty_ready')).toBe(0);
  expect([await service.readiness(), await patientStatus()]).toEqual([503, 503]);
});
