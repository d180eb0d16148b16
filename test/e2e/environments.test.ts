/** Environments with names of the company's own share a Redis and a folder, and nothing else. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadOpsTokens, loadSecrets } from '../../src/process/secrets.ts';
import { readSettings } from '../../src/settings.ts';
import { basketOf } from '../support/baskets.ts';
import { type Caller, isReplayOfOther } from '../support/caller.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { configurationOf, SINGLE_USE, TWENTY } from '../support/configuration.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { newSecret } from '../support/signer.ts';
import type { AppliedBody } from '../support/wire.ts';

const NAMES = ['staging-team-b', 'acceptance'] as const;
const OPS_TOKEN = 'anna:a-token-that-only-tests-know';

let redis: RedisServer;
const services = new Map<string, Service>();
const callers = new Map<string, Caller>();
beforeAll(async () => {
  redis = await RedisServer.launch(['--appendonly', 'yes']);
  await Promise.all(
    NAMES.map(async (environment) => {
      const configuration = configurationOf({
        environment,
        programme: { benefits: [TWENTY, { ...SINGLE_USE, percent: 30 }] },
        ...(environment !== 'acceptance' && { testMembers: ['member-twenty'] }),
      });
      const service = await Service.start({
        configuration,
        secrets: [newSecret()],
        redisUrl: redis.url,
        env: { OPS_TOKEN },
      });
      services.set(environment, service);
      callers.set(environment, service.newCaller({ isPatient: true }));
    }),
  );
});
afterAll(async () => {
  for (const service of services.values()) await service.stop();
  await redis?.stop();
  cleanUp();
});

const serviceOf = (name: string) => services.get(name) as Service;

test('one calculation ID is another calculation in each, and no key is shared', async () => {
  const basket = basketOf();
  for (const name of NAMES) {
    const answer = await (callers.get(name) as Caller).basket(basket);
    expect([name, answer.status, isReplayOfOther(answer)]).toEqual([name, 200, false]);
    expect(answer.json<AppliedBody>().status).toBe('applied');
  }
  const keys = await redis.client.keys('*');
  const counts = NAMES.map((name) => keys.filter((key) => key.startsWith(`loyalty:${name}:`)).length);
  expect(counts.every((count) => count > 5)).toBe(true);
  expect(counts.reduce((sum, count) => sum + count)).toBe(keys.length);
});

test('only what begins with staging has clocks of test members', async () => {
  const statuses = await Promise.all(
    NAMES.map(async (name) => {
      const answer = await fetch(`${serviceOf(name).opsUrl}/admin/clock`, {
        headers: { authorization: `Bearer ${OPS_TOKEN.split(':')[1]}` },
      });
      await answer.arrayBuffer();
      return [name, answer.status];
    }),
  );
  expect(statuses).toEqual([
    ['staging-team-b', 200],
    ['acceptance', 403],
  ]);
});

test('the banner and the metric name the environment; one with guests has no banner', async () => {
  const banner = (name: string) => serviceOf(name).output.find((line) => line.startsWith('Loyalty basket service'));
  expect(NAMES.map(banner)).toEqual(['Loyalty basket service, environment staging-team-b', undefined]);
  for (const name of NAMES) {
    const text = await (await fetch(`${serviceOf(name).opsUrl}/metrics`)).text();
    expect(text).toMatch(new RegExp(`loyalty_build_info\\{.*environment="${name}"`));
  }
});

test('two staging environments in one folder have a secret and a token each; any other name makes none', () => {
  const DATA_DIR = temporaryDirectory();
  const settings = readSettings({ DATA_DIR });
  const [first, second] = [loadSecrets(settings, 'staging'), loadSecrets(settings, 'staging-team-b')];
  expect([first.stagingFile, second.stagingFile]).toEqual([
    join(DATA_DIR, 'secret'),
    join(DATA_DIR, 'secret-staging-team-b'),
  ]);
  expect(first.secrets).not.toEqual(second.secrets);
  expect(loadOpsTokens(settings, 'staging').tokens).not.toEqual(loadOpsTokens(settings, 'staging-team-b').tokens);
  for (const name of ['production', 'acceptance', 'my-staging']) {
    expect(() => loadSecrets(settings, name)).toThrow(/^LOYALTY_SECRETS/);
    expect(loadOpsTokens(settings, name)).toEqual({ tokens: [], file: undefined });
  }
});
