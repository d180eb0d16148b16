/** A process that hangs, ends at once or cannot be started: it is seen, replaced, and costs the others nothing. */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { cleanUp, isAlive, temporaryDirectory } from '../support/cleanup.ts';
import { configurationOf } from '../support/configuration.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { sleep, until } from '../support/wait.ts';

/** While this file is there, a gateway ends at its start. */
const obstacle = join(temporaryDirectory(), 'obstacle');
let redis: RedisServer;
let service: Service;
beforeAll(async () => {
  redis = await RedisServer.launch();
  const saboteur = `--import=${join(import.meta.dirname, 'saboteur.mjs')}`;
  const env = { PROCESSES: '2', WORKERS: '1', SABOTAGE_GATEWAY_FILE: obstacle, NODE_OPTIONS: saboteur };
  service = await Service.start({ configuration: configurationOf(), redisUrl: redis.url, env });
});
afterAll(async () => {
  if (service?.isAlive) await service.stop();
  await redis?.stop();
  cleanUp();
});

interface Readiness {
  readonly status: string;
  readonly checks: Readonly<Record<string, string>>;
  readonly facts: Readonly<Record<string, string>>;
}

const readiness = async () => (await (await fetch(`${service.opsUrl}/readyz`)).json()) as Readiness;
const lines = (words: RegExp) => service.log.filter(({ msg }) => words.test(String(msg)));

test('a hung process is red, then killed and replaced, while the other serves', async () => {
  const before = service.gateways;
  const [victim, other] = before as [number, number];
  process.kill(victim, 'SIGSTOP');
  const red = await until('readiness to turn red', async () => {
    const body = await readiness();
    return body.status === 'not ready' && body;
  });
  expect(red.checks['processes']).toMatch(/^1 of 2 processes serve; \d: no report for \d s$/);
  expect(await (await fetch(`${service.opsUrl}/live`)).json()).toMatchObject({
    red: { processes: expect.any(String) },
  });
  const samples = await scrape(service);
  expect(readingOf(samples, 'loyalty_processes_serving')).toBe(1);
  expect(readingOf(samples, 'loyalty_processes_silent')).toBe(1);
  await until('its line', () => lines(/^process does not report$/).length > 0);
  expect(lines(/^process does not report$/)).toMatchObject([{ level: 'warn', pid: victim }]);

  await until('its end', () => !isAlive(victim), 30_000);
  await until('readiness', async () => (await readiness()).status === 'ready' && service.gateways.length === 2);
  await service.untilReady();
  expect(lines(/^process hung/)).toMatchObject([{ level: 'error', pid: victim }]);
  expect(readingOf(await scrape(service), 'loyalty_processes_hung_total')).toBe(1);
  expect(service.gateways).toContain(other);
  await until('both to serve', async () => readingOf(await scrape(service), 'loyalty_processes_serving') === 2);
  const answers = await Promise.all(Array.from({ length: 16 }, () => service.newCaller().basket(basketOf())));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
}, 90_000);

test('a machine that stands still as a whole kills no process', async () => {
  const before = service.gateways;
  const all = [service.pid, ...before];
  for (const pid of all) process.kill(pid, 'SIGSTOP');
  // Longer than the time after which a silent process is killed.
  await sleep(12_000);
  for (const pid of all) process.kill(pid, 'SIGCONT');
  await service.untilReady();
  await until('both to serve', async () => readingOf(await scrape(service), 'loyalty_processes_serving') === 2);
  expect(service.gateways).toEqual(before);
  expect(readingOf(await scrape(service), 'loyalty_processes_hung_total')).toBe(1);
}, 60_000);

test('a process that ends at every start is started ever later, and the others keep the machine ready', async () => {
  writeFileSync(obstacle, '');
  const seen = lines(/^process ended/).length;
  const [victim] = service.gateways;
  process.kill(victim as number, 'SIGKILL');
  const pauses = await until('the third pause', () => {
    const ended = lines(/^process ended/).slice(seen);
    return ended.length >= 3 && ended.map(({ startsInMs }) => Number(startsInMs));
  });
  for (const [at, pause] of pauses.entries()) if (at > 0) expect(pause).toBe((pauses[at - 1] ?? 0) * 2);
  const body = await readiness();
  expect(body.status).toBe('ready');
  expect(body.checks['processes']).toBe('ok');
  expect(body.facts['processes']).toMatch(/^1 of 2 processes serve; \d: (?:ended|starting)$/);
  expect(await (await fetch(`${service.opsUrl}/live`)).json()).toMatchObject({
    facts: { processes: body.facts['processes'] },
  });
  expect((await service.newCaller({ isPatient: true }).basket(basketOf())).status).toBe(200);
  rmSync(obstacle);
  await until('both to serve', async () => readingOf(await scrape(service), 'loyalty_processes_serving') === 2, 30_000);
}, 90_000);

test('a process that cannot be started ends no other, and is started when that is possible again', async () => {
  const [victim, other] = service.gateways as [number, number];
  /** The soft limit alone, which may be raised again. */
  const limit = (files: string) => execFileSync('prlimit', ['--pid', String(service.pid), `--nofile=${files}`]);
  limit('8:');
  process.kill(victim, 'SIGKILL');
  const [failed] = await until('the failed start', () => {
    const found = lines(/^process could not be started/);
    return found.length > 0 && found;
  });
  expect(failed).toMatchObject({ level: 'error', reason: expect.stringContaining('EMFILE'), serving: 1, expected: 2 });
  expect(service.isAlive).toBe(true);
  expect(isAlive(other)).toBe(true);
  limit('4096:');
  await until('both to serve', async () => readingOf(await scrape(service), 'loyalty_processes_serving') === 2, 60_000);
  expect(service.gateways).toContain(other);
}, 90_000);
