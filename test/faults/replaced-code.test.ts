/** A new build under an old process: no thread starts from it, the threads that are left go on, and readiness says why. */
import { cpSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../architecture/source.ts';
import { ask, OPS_TOKEN } from '../ops/admin-client.ts';
import { basketOf } from '../support/baskets.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { configurationOf, memberOf, TWENTY } from '../support/configuration.ts';
import { readyzOf } from '../support/readyz.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { until } from '../support/wait.ts';
import type { AppliedBody } from '../support/wire.ts';
import { SABOTEUR } from './support.ts';

const root = temporaryDirectory();
const manifest = join(root, 'package.json');
/** Another build on the disk, as an upgrade in place leaves it. */
const upgrade = (before: string) =>
  writeFileSync(manifest, JSON.stringify({ ...JSON.parse(before), version: '99.0.0' }));
let redis: RedisServer;
let service: Service;
beforeAll(async () => {
  for (const name of ['src', 'workers', 'packages', 'config', 'package.json']) {
    cpSync(join(ROOT, name), join(root, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  redis = await RedisServer.launch();
  // A basket that ends its thread is priced again once, so it ends two of them.
  const env = { OPS_TOKEN, WORKERS: '3', INLINE_BYTES: '0', NODE_OPTIONS: SABOTEUR };
  service = await Service.start({ configuration: configurationOf(), redisUrl: redis.url, root, env });
});
afterAll(async () => {
  if (service?.isAlive) await service.stop();
  await redis?.stop();
  cleanUp();
});

const workers = async () => (await readyzOf(service)).checks['workers'];

test('a thread that would start from other code is not started, and what it was started with goes on', async () => {
  // The console that has been loaded goes on as well.
  await ask(service.opsUrl, 'GET /admin/configuration');
  const before = readFileSync(manifest, 'utf8');
  upgrade(before);
  const caller = service.newCaller({ isPatient: true });
  const hasty = service.newCaller({ isPatient: false });
  const hasEnded = () => service.log.some(({ msg }) => msg === 'worker thread');
  // Once: each repetition would end two more of the three threads. On a busy machine it may be refused before it comes to a thread.
  await until('a thread to end', async () => {
    await hasty.basket(basketOf([{ name: 'sabotage-exit' }]));
    return until('its end', hasEnded, 2_000).catch(() => false);
  });
  const why = await until('the reason', async () => {
    const reason = await workers();
    return reason !== 'ok' && reason?.includes('code') && reason;
  });
  expect(why).toBe('the code on the disk has changed since this process started: restart it');
  expect((await caller.basket(basketOf())).status).toBe(200);

  const next = { ...configurationOf(), rateLimit: { sustained: 77, burst: 777 } };
  writeFileSync(join(service.dataDirectory, 'environment.yaml'), JSON.stringify(next));
  const reloaded = await ask(service.opsUrl, 'POST /admin/configuration/reload');
  expect([reloaded.status, reloaded.body.error.message]).toEqual([422, expect.stringContaining('code on the disk')]);

  writeFileSync(manifest, before);
  await until('the threads of the same code', async () => (await workers()) === 'ok');
  expect((await caller.basket(basketOf())).status).toBe(200);
});

test('a reload that every process has to refuse changes nothing, is shown, and is made as soon as it can be', async () => {
  const configurationWith = (percent: number) =>
    configurationOf({
      programme: { benefits: [{ ...TWENTY, percent }] },
      members: [memberOf('member-twenty', ['twenty'])],
    });
  const configuration = configurationWith(20);
  const env = { OPS_TOKEN, WORKERS: '1', PROCESSES: '2' };
  const several = await Service.start({ configuration, redisUrl: redis.url, root, env });
  const versions = async () => (await ask(several.opsUrl, 'GET /admin/configuration')).body['version'];
  const fact = async () => (await readyzOf(several)).facts['configuration'];
  const version = await versions();
  const before = readFileSync(manifest, 'utf8');
  upgrade(before);
  writeFileSync(join(several.dataDirectory, 'environment.yaml'), JSON.stringify(configurationWith(33)));
  const { status, body } = await ask(several.opsUrl, 'POST /admin/configuration/reload');
  expect([status, body.error.message]).toEqual([
    422,
    expect.stringMatching(/process 1 refused: .*; process 2 refused: /),
  ]);
  expect(await versions()).toBe(version);
  expect(await fact()).toContain('the code on the disk has changed');

  writeFileSync(manifest, before);
  await until('the files to be in force', async () => (await fact()) === undefined);
  expect(await versions()).not.toBe(version);
  const answers = await Promise.all(
    Array.from({ length: 16 }, () => several.newCaller({ isPatient: true }).basket(basketOf())),
  );
  const savings = answers.map((answer) => answer.json<AppliedBody>().totals?.loyaltyDiscountTotal);
  expect([...new Set(savings)]).toEqual([3_300]);
  const lines = () => several.log.filter(({ msg, process }) => String(msg).startsWith('reload') && process === 0);
  await until('the line', () => lines().at(-1)?.['outcome'] === 'reloaded');
  expect(lines().map(({ cause }) => cause)).toEqual([
    'administration',
    ...lines()
      .slice(1)
      .map(() => 'retry'),
  ]);
  await several.stop();
});

test.each(['workers/page.ts', 'packages/console/src/pages/live'])(
  'while %s is missing the page says so, and calls are answered',
  async (name) => {
    // What was read once is kept: nobody has asked this service for a whole page.
    const file = join(root, name);
    renameSync(file, `${file}.gone`);
    const missing = await fetch(service.opsUrl);
    renameSync(`${file}.gone`, file);
    expect(missing.status).toBe(500);
    expect(await missing.json()).toMatchObject({ error: expect.stringContaining('cannot be read') });
    expect((await service.newCaller().basket(basketOf())).status).toBe(200);
  },
);

test('and the page is there as soon as all files are', async () => {
  expect((await fetch(service.opsUrl)).status).toBe(200);
});
