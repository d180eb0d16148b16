/** Several gateways behind one port: they act as one, one that dies is started again, and all of them end together. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { cleanUp, isAlive, temporaryDirectory } from '../support/cleanup.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { childrenOf } from '../support/processes.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { sleep, until } from '../support/wait.ts';

const SABOTEUR = `--import=${join(import.meta.dirname, '..', 'faults', 'saboteur.mjs')}`;

/** While this file is there, a gateway ends at its start. */
const obstacle = join(temporaryDirectory(), 'obstacle');
let redis: RedisServer;
let service: Service;
beforeAll(async () => {
  redis = await RedisServer.launch();
  const env = { PROCESSES: '2', WORKERS: '1', SABOTAGE_GATEWAY_FILE: obstacle, NODE_OPTIONS: SABOTEUR };
  service = await Service.start({ redisUrl: redis.url, env });
});
afterAll(async () => {
  if (service.isAlive) await service.stop();
  await redis.stop();
  cleanUp();
});

test('the banner and the log say what was started', () => {
  expect(service.output.join('\n')).toMatch(/ started +2 processes, each with 1 pricing thread, on \d+ cores?\n/);
  expect(service.log.find(({ msg }) => msg === 'listening')).toMatchObject({ processes: 2, workers: 1 });
});

test('both processes answer, and a replay does not care which', async () => {
  const basket = basketOf();
  // Each caller has a connection of its own, and the kernel spreads connections.
  const answers = await Promise.all(Array.from({ length: 20 }, () => service.newCaller().basket(basket)));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers.filter((answer) => !answer.isReplayed)).toHaveLength(1);
  const lines = await until('a log line of every call', () => {
    const requests = service.log.filter(({ msg }) => msg === 'request');
    return requests.length >= 20 && requests;
  });
  expect(lines.length).toBeGreaterThanOrEqual(20);
});

test('metrics are those of both together', async () => {
  const text = await until('both to have told their figures', async () => {
    const scraped = await (await fetch(`${service.opsUrl}/metrics`)).text();
    return /loyalty_requests_total\{route="\/v1\/pos\/basket",status="200",code="none"\} 20\n/.test(scraped) && scraped;
  });
  expect(text).toMatch(/loyalty_pool_threads 2\n/);
  expect(text).toMatch(/loyalty_redis_up 1\n/);
  // The primary's start, for the alert of a restart loop.
  const ageSeconds = Date.now() / 1000 - Number(/^process_start_time_seconds (\d+\.?\d*)$/m.exec(text)?.[1]);
  expect(ageSeconds).toBeGreaterThan(0);
  expect(ageSeconds).toBeLessThan(600);
});

test('health says which build the processes run, as the log does', async () => {
  const { version, commit } = service.log.find(({ msg }) => msg === 'process listening') ?? {};
  expect(await (await fetch(`${service.opsUrl}/healthz`)).json()).toEqual({ status: 'ok', version, commit });
});

test('the live page shows both together, their refusals too', async () => {
  const baskets = Array.from({ length: 12 }, () => basketOf([{}], { currency: 'EUR' }));
  await Promise.all(baskets.map((basket) => service.newCaller().basket(basket)));
  const live = await until('both to have told their refusals', async () => {
    const told = (await (await fetch(`${service.opsUrl}/live`)).json()) as { refusals: { calculationId: string }[] };
    return told.refusals.length >= baskets.length && told;
  });
  expect(live).toMatchObject({ workers: 2, isRedisUp: true });
  expect(new Set(live.refusals.map(({ calculationId }) => calculationId))).toEqual(
    new Set(baskets.map(({ calculationId }) => calculationId)),
  );
});

test('SIGUSR2 to a gateway ends nothing', async () => {
  const children = service.gateways;
  for (const pid of children) process.kill(pid, 'SIGUSR2');
  await until('each to say so', () => service.log.filter(({ msg }) => /^SIGUSR2/.test(String(msg))).length >= 2);
  expect(service.gateways).toEqual(children);
  expect(children.every(isAlive)).toBe(true);
});

test('a process that dies is started again, and readiness says how many serve in between', async () => {
  const [victim] = service.gateways;
  process.kill(victim as number, 'SIGKILL');
  const serving = async () => readingOf(await scrape(service), 'loyalty_processes_serving');
  await until('one to serve', async () => (await serving()) === 1);
  // The kernel gives the dead process no connection, so the machine goes on serving.
  expect(await service.readiness()).toBe(200);
  const { facts } = (await (await fetch(`${service.opsUrl}/readyz`)).json()) as { facts: { processes?: string } };
  expect(facts.processes ?? '').toMatch(/^$|^1 of 2 processes serve; 1: (?:ended|starting)$/);
  await until('both to serve', async () => (await serving()) === 2, 20_000);
  expect((await service.newCaller().basket(basketOf())).status).toBe(200);
  const samples = await scrape(service);
  expect(readingOf(samples, 'loyalty_processes_ended_total')).toBe(1);
  // What the dead process had counted is not forgotten: a sum that falls would be counted twice by Prometheus.
  const counted = { route: '/v1/pos/basket', status: '200', code: 'none' };
  expect(readingOf(samples, 'loyalty_requests_total', counted)).toBeGreaterThanOrEqual(20);
});

test('SIGUSR2 replaces them one by one, and no call is lost', async () => {
  const before = service.gateways;
  const ended = async () => readingOf(await scrape(service), 'loyalty_processes_ended_total');
  const endedBefore = await ended();
  let isOver = false;
  let calls = 0;
  const load = Array.from({ length: 8 }, async () => {
    // A connection that is refused or cut off throws; a busy machine's 503 is repeated.
    const caller = service.newCaller({ isPatient: true });
    while (!isOver) {
      expect((await caller.basket(basketOf())).status).toBe(200);
      calls += 1;
      // The old processes stay for seconds: without a pause these would be ten thousand calls.
      await sleep(15);
    }
  });
  await service.kill('SIGUSR2');
  const areReplaced = async () => {
    const now = service.gateways;
    return now.length === before.length && now.every((pid) => !before.includes(pid));
  };
  await Promise.race([Promise.all(load), until('new processes in place of the old', areReplaced, 60_000)]);
  isOver = true;
  await Promise.all(load);
  expect(calls).toBeGreaterThan(100);
  expect(await service.readiness()).toBe(200);
  expect(await ended()).toBe(endedBefore);
  await until('the log to say so', () => service.log.some(({ msg }) => msg === 'processes replaced'));
  expect(service.log.filter(({ reason }) => reason === 'drain')).toEqual([]);
});

test("a process that cannot start takes nobody's place", async () => {
  const before = service.gateways;
  writeFileSync(obstacle, '');
  try {
    await service.kill('SIGUSR2');
    await until('the refusal', () => service.log.some(({ msg }) => String(msg).startsWith('replacement is not ready')));
    expect(service.gateways.toSorted()).toEqual(before.toSorted());
    expect((await service.newCaller({ isPatient: true }).basket(basketOf())).status).toBe(200);
  } finally {
    rmSync(obstacle);
  }
  expect(await service.readiness()).toBe(200);
});

test('all of them end with the service', async () => {
  const children = service.gateways;
  expect(children.length).toBeGreaterThanOrEqual(2);
  await service.stop();
  expect(children.filter(isAlive)).toEqual([]);
});

test('a primary that is killed while its gateways load leaves none of them behind', async () => {
  const young = Service.spawn({ redisUrl: redis.url, env: { PROCESSES: '2' } });
  const pid = young.pid;
  const children = await until('its processes', () => {
    const found = childrenOf(pid).filter((child) => child > 0);
    return found.length === 2 && found;
  });
  process.kill(pid, 'SIGKILL');
  await until('their end', () => !children.some(isAlive));
  await young.exited;
});
