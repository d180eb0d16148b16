/** A process that hangs, ends at once or cannot be started: it is seen, replaced, and costs the others nothing. */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { isAlive, temporaryDirectory } from '../support/cleanup.ts';
import { configurationOf } from '../support/configuration.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { readyzOf } from '../support/readyz.ts';
import { useService } from '../support/service.ts';
import { sleep, until } from '../support/wait.ts';
import { SABOTEUR } from './support.ts';

/** While this file is there, a gateway ends at its start. */
const obstacle = join(temporaryDirectory(), 'obstacle');
const stage = useService({
  configuration: configurationOf(),
  env: {
    PROCESSES: '2',
    WORKERS: '1',
    SABOTAGE_GATEWAY_FILE: obstacle,
    NODE_OPTIONS: SABOTEUR,
  },
});

const readiness = () => readyzOf(stage.service);
const lines = (words: RegExp) => stage.service.log.filter(({ msg }) => words.test(String(msg)));
const countOf = async (state: 'silent' | 'serving' | 'hung_total') =>
  readingOf(await scrape(stage.service), `loyalty_processes_${state}`);
const untilBothServe = () => until('both to serve', async () => (await countOf('serving')) === 2, 60_000);

test('a process that stands still for seconds is silent, and serves again: each is told once, and nothing is killed', async () => {
  const before = stage.service.gateways;
  const [victim] = before as [number];
  process.kill(victim, 'SIGSTOP');
  // The log alone is looked at: a scrape of a busy machine may take until the process is killed.
  const told = await until('it to be silent', () =>
    lines(/^process does not report$/).find(({ pid }) => pid === victim),
  );
  process.kill(victim, 'SIGCONT');
  expect(told).toMatchObject({ level: 'warn', silent: expect.any(Number) });
  const own = () =>
    lines(/^process (?:does not report|reports again)$/).filter(({ silent }) => silent === told['silent']);
  await until('its line', () => own().at(-1)?.msg === 'process reports again');
  await until('both to serve', async () => (await countOf('serving')) === 2 && (await countOf('silent')) === 0);
  // Where the machine has stood still meanwhile, it was silent more than once.
  expect(own().map(({ level, msg }) => [level, msg])).toEqual(
    own().map((_, at) => (at % 2 === 0 ? ['warn', 'process does not report'] : ['info', 'process reports again'])),
  );
  expect(lines(/^process (?:hung|ended)/)).toEqual([]);
  expect(stage.service.gateways).toEqual(before);
}, 60_000);

test('a hung process is red, then killed and replaced, while the other serves', async () => {
  const before = stage.service.gateways;
  const [victim, other] = before as [number, number];
  const seen = lines(/^process does not report$/).length;
  const hung = await countOf('hung_total');
  process.kill(victim, 'SIGSTOP');
  const red = await until('readiness to turn red', async () => {
    const body = await readiness();
    return body.status === 'not ready' && body;
  });
  expect(red.checks['processes']).toMatch(/^1 of 2 processes serve; \d: no report for \d s$/);
  expect(await (await fetch(`${stage.service.opsUrl}/live`)).json()).toMatchObject({
    red: { processes: expect.any(String) },
  });
  const samples = await scrape(stage.service);
  expect(readingOf(samples, 'loyalty_processes_serving')).toBe(1);
  expect(readingOf(samples, 'loyalty_processes_silent')).toBe(1);
  await until('its line', () => lines(/^process does not report$/).length > seen);
  expect(lines(/^process does not report$/).slice(seen)).toMatchObject([{ level: 'warn', pid: victim }]);

  await until('its end', () => !isAlive(victim), 30_000);
  await until('readiness', async () => (await readiness()).status === 'ready' && stage.service.gateways.length === 2);
  await stage.service.untilReady();
  expect(lines(/^process hung/)).toMatchObject([{ level: 'error', pid: victim }]);
  expect(await countOf('hung_total')).toBe(hung! + 1);
  expect(stage.service.gateways).toContain(other);
  await untilBothServe();
  const answers = await Promise.all(Array.from({ length: 16 }, () => stage.service.newCaller().basket(basketOf())));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
}, 90_000);

test('a machine that stands still as a whole kills no process', async () => {
  const before = stage.service.gateways;
  const hung = await countOf('hung_total');
  const all = [stage.service.pid, ...before];
  for (const pid of all) process.kill(pid, 'SIGSTOP');
  // Longer than the time after which a silent process is killed.
  await sleep(12_000);
  for (const pid of all) process.kill(pid, 'SIGCONT');
  await stage.service.untilReady();
  await untilBothServe();
  expect(stage.service.gateways).toEqual(before);
  expect(await countOf('hung_total')).toBe(hung);
}, 60_000);

test('a process that ends at every start is started ever later, and the others keep the machine ready', async () => {
  writeFileSync(obstacle, '');
  const seen = lines(/^process ended/).length;
  const [victim] = stage.service.gateways;
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
  expect(await (await fetch(`${stage.service.opsUrl}/live`)).json()).toMatchObject({
    facts: { processes: body.facts['processes'] },
  });
  expect((await stage.service.newCaller({ isPatient: true }).basket(basketOf())).status).toBe(200);
  rmSync(obstacle);
  await untilBothServe();
}, 90_000);

test('a process that cannot be started ends no other, and is started when that is possible again', async () => {
  const [victim, other] = stage.service.gateways as [number, number];
  /** The soft limit alone, which may be raised again. */
  const limit = (files: string) => execFileSync('prlimit', ['--pid', String(stage.service.pid), `--nofile=${files}`]);
  limit('8:');
  process.kill(victim, 'SIGKILL');
  const [failed] = await until('the failed start', () => {
    const found = lines(/^process could not be started/);
    return found.length > 0 && found;
  });
  expect(failed).toMatchObject({ level: 'error', reason: expect.stringContaining('EMFILE'), serving: 1, expected: 2 });
  expect(stage.service.isAlive).toBe(true);
  expect(isAlive(other)).toBe(true);
  limit('4096:');
  await untilBothServe();
  expect(stage.service.gateways).toContain(other);
}, 90_000);

test('a process that can take connections no more ends as one that is asked to, and another one starts', async () => {
  const [victim, other] = stage.service.gateways as [number, number];
  const seen = lines(/^process ended/).length;
  const silent = lines(/^process does not report$/).length;
  // Silent, it is told to take no connections, and when it comes back, to take some again.
  process.kill(victim, 'SIGSTOP');
  await until('it to be silent', () => lines(/^process does not report$/).length > silent);
  execFileSync('prlimit', ['--pid', String(victim), '--nofile=8:']);
  process.kill(victim, 'SIGCONT');
  await until('its end', () => !isAlive(victim));
  const [ended] = await until('its line', () => {
    const found = lines(/^process ended/).slice(seen);
    return found.length > 0 && found;
  });
  expect(ended).toMatchObject({ level: 'error', code: 0 });
  expect(lines(/^no connections can be taken$/)).toMatchObject([{ level: 'error' }]);
  await untilBothServe();
  expect(stage.service.gateways).toContain(other);
}, 90_000);
