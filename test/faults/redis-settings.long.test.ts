/** Settings of Redis that change at runtime: seen within seconds; in production a grave one makes the service not ready. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { cleanUp } from '../support/cleanup.ts';
import { configurationOf } from '../support/configuration.ts';
import { freePorts } from '../support/free-ports.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { readyzOf } from '../support/readyz.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { until } from '../support/wait.ts';

const RIGHT = ['--appendfsync', 'always'];

const stateOf = async (service: Service, setting: string, state: string) =>
  readingOf(await scrape(service), 'loyalty_redis_setting', { setting, state });

let redis: RedisServer;
let production: Service;
let staging: Service;

beforeAll(async () => {
  redis = await RedisServer.launch(RIGHT);
  const configuration = configurationOf({ environment: 'production' });
  [production, staging] = await Promise.all([
    // Two processes, so that the primary reports it too.
    Service.start({
      redisUrl: redis.url,
      configuration,
      env: { PROCESSES: '2', OPS_TOKEN: 'shop:sixteen-characters' },
    }),
    Service.start({ redisUrl: redis.url }),
  ]);
});
afterEach(async () => {
  const right = { 'maxmemory-policy': 'noeviction', appendonly: 'yes', appendfsync: 'always' };
  for (const [name, value] of Object.entries(right)) await redis.client.config('SET', name, value);
  await production.untilReady();
});
afterAll(async () => {
  try {
    await production?.stop();
    await staging?.stop();
    await redis?.stop();
  } finally {
    cleanUp();
  }
});

test('while all settings are right, the metric says so of each', async () => {
  for (const setting of ['maxmemory-policy', 'appendonly', 'appendfsync']) {
    await until(setting, async () => (await stateOf(staging, setting, 'right')) === 1);
    expect(await stateOf(staging, setting, 'wrong')).toBe(0);
  }
  expect((await readyzOf(production)).facts).toEqual({});
});

test.each([
  ['maxmemory-policy', 'volatile-lru'],
  ['maxmemory-policy', 'allkeys-lru'],
  ['appendonly', 'no'],
  ['appendfsync', 'no'],
])('%s becomes %s: production is not ready, staging says it', async (setting, value) => {
  const told = `${setting} is ${value}`;
  await redis.client.config('SET', setting, value);
  await until('production to be red', async () => (await readyzOf(production)).httpStatus === 503);
  expect(JSON.stringify((await readyzOf(production)).checks)).toContain(told);
  await until('the metric', async () => (await stateOf(production, setting, 'wrong')) === 1);
  const live = (await (await fetch(`${production.opsUrl}/live`)).json()) as { red: object };
  expect(JSON.stringify(live.red)).toContain(told);

  await until('staging to say it', async () => (await readyzOf(staging)).facts.redisSettings?.includes(told));
  expect((await readyzOf(staging)).httpStatus).toBe(200);
  expect(await stateOf(staging, setting, 'wrong')).toBe(1);
  for (const { log } of [production, staging]) {
    await until('the log to say it', () =>
      log.some(({ msg, fault }) => msg === 'redis settings' && String(fault).includes(told)),
    );
  }
  expect((await staging.newCaller().basket(basketOf())).status).toBe(200);
  // A dropped hold is a benefit given twice; the other settings do no harm before Redis ends.
  if (setting !== 'maxmemory-policy') {
    expect((await production.newCaller().basket(basketOf())).status).toBe(200);
    return;
  }
  const hasty = production.newCaller({ isPatient: false });
  // A machine that stands still has a call refused at its deadline.
  const line = await until('a call that is refused for it', async () => {
    const basket = basketOf();
    expect((await hasty.basket(basket)).status).toBe(503);
    const own = () => production.log.find(({ calculationId }) => calculationId === basket.calculationId);
    const told = await until('its line', own);
    return told['reason'] !== 'deadline' && told['reason'] !== 'breaker' && told;
  });
  expect(line).toMatchObject({ reason: 'redis', cause: 'evicts_keys' });
});

test('appendfsync everysec is a permitted choice: said, and ready', async () => {
  await redis.client.config('SET', 'appendfsync', 'everysec');
  await until('the fact', async () =>
    (await readyzOf(production)).facts.weakSettings?.includes('appendfsync is everysec'),
  );
  expect((await readyzOf(production)).httpStatus).toBe(200);
  await until('the metric', async () => (await stateOf(production, 'appendfsync', 'weak')) === 1);
});

test('keys that Redis dropped are counted', async () => {
  await redis.client.config('SET', 'maxmemory-policy', 'allkeys-random', 'maxmemory', '1');
  try {
    await redis.client.get('any').catch(() => undefined);
    await until(
      'evictions to be seen',
      async () => (readingOf(await scrape(staging), 'loyalty_redis_evicted_keys') ?? 0) > 0,
    );
  } finally {
    await redis.client.config('SET', 'maxmemory', '0');
  }
});

describe('a managed Redis', () => {
  test('that forbids CONFIG and hides nothing else: unknown is no failure, and a wrong policy is seen', async () => {
    const [port] = (await freePorts(1)) as [number];
    const user = ['--user', 'shop', 'on', '>pw', '~*', '&*', '+@all', '-config'];
    const managed = await RedisServer.launch([...RIGHT, '--port', String(port), '--bind', '127.0.0.1', ...user]);
    const service = await Service.start({
      redisUrl: `redis://shop:pw@127.0.0.1:${port}`,
      configuration: configurationOf({ environment: 'production' }),
    });
    try {
      await until('what is unknown', async () => (await stateOf(service, 'appendfsync', 'unknown')) === 1);
      expect((await readyzOf(service)).httpStatus).toBe(200);
      await until('the fact', async () =>
        (await readyzOf(service)).facts.weakSettings?.includes('CONFIG GET is refused'),
      );
      await managed.client.config('SET', 'maxmemory-policy', 'volatile-ttl');
      await until('the policy', async () => (await readyzOf(service)).checks.redisSettings?.includes('volatile-ttl'));
      expect((await readyzOf(service)).httpStatus).toBe(503);
    } finally {
      await service.stop();
      await managed.stop();
    }
  });
});
