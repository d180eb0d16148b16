/** A service whose Redis cannot be used says why: once in its log, on /readyz, on the live page and in a metric. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { LiveFigures } from '../../packages/console/src/live/figures.ts';
import { REDIS_CAUSES } from '../../src/redis/cause.ts';
import { ROOT } from '../architecture/source.ts';
import { patiently, resultOf } from '../support/caller.ts';
import { cleanUp } from '../support/cleanup.ts';
import { freePorts } from '../support/free-ports.ts';
import { scrape } from '../support/metrics.ts';
import { readyzOf } from '../support/readyz.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { tellingsBesideSilence } from '../support/tellings.ts';
import { until } from '../support/wait.ts';
import { basketOf, expectApplied, expectUnavailable, faultConfiguration, saleOf } from './support.ts';

afterAll(cleanUp);

const PASSWORD = 'a%23 horse/of@Redis';

function startUnready(redisUrl: string, env: Record<string, string> = {}): Promise<Service> {
  return Service.start({ configuration: faultConfiguration(), redisUrl, awaitReady: false, env });
}

interface Said {
  readonly readyz: string;
  readonly live: LiveFigures;
  readonly metric: readonly string[];
}

/** All that the operations port says of Redis. */
async function saidBy(service: Service): Promise<Said> {
  const { checks } = await readyzOf(service);
  const live = (await (await fetch(`${service.opsUrl}/live`)).json()) as LiveFigures;
  const causes = (await scrape(service)).filter(({ name }) => name === 'loyalty_redis_unreachable');
  expect(causes.length).toBe(REDIS_CAUSES.length);
  const metric = causes.filter(({ value }) => value === 1).map(({ labels }) => labels.cause as string);
  return { readyz: Object.values(checks).join('; '), live, metric };
}

async function untilSaid(service: Service, cause: string): Promise<Said> {
  return until(`the metric to say ${cause}`, async () => {
    const said = await saidBy(service);
    return said.metric.includes(cause) && said.readyz.includes(cause) && said;
  });
}

function tellings(service: Service): [msg: unknown, cause: unknown][] {
  const lines = service.log.filter(({ msg }) => /^redis (un|reach|refuse|take)/.test(String(msg)));
  return tellingsBesideSilence(lines.map(({ msg, cause }) => ({ msg, cause })));
}

test('a service that starts before its Redis says each cause when it comes, changes and ends, never the password; the rights that the runbook names are enough', async () => {
  const rights = '~loyalty:* +@all -@admin -@dangerous +info';
  expect(readFileSync(join(ROOT, 'deploy/prometheus/runbook.md'), 'utf8')).toContain(`\`${rights}\``);
  const [port] = (await freePorts(1)) as [number];
  const address = `127.0.0.1:${port}`;
  const redis = await RedisServer.launch(['--bind', '127.0.0.1']);
  const service = await startUnready(`redis://shop:${encodeURIComponent(PASSWORD)}@${address}`);
  try {
    const caller = service.newCaller({ isPatient: false });
    const refused = await untilSaid(service, 'unreachable');
    expect(refused.readyz).toContain(`unreachable: ${address}`);
    expect(refused.live).toMatchObject({ isRedisUp: false, redisCause: 'unreachable' });
    expect(refused.live.red.redis).toBe(`unreachable: ${address} cannot be reached (ECONNREFUSED)`);
    expect(await service.readiness()).toBe(503);
    expectUnavailable(await caller.basket(basketOf()));

    // The server listens to others than this test only once all have a password.
    await redis.client.acl('SETUSER', 'default', 'resetpass', '>a third one');
    await redis.client.acl('SETUSER', 'shop', 'on', '>another one', ...rights.split(' '));
    await redis.client.config('SET', 'port', port);
    const wrong = await untilSaid(service, 'wrong_password');
    expect(wrong.metric).toEqual(['wrong_password']);
    expect(wrong.live.red.redis).toMatch(/^wrong_password: /);
    expect(await service.readiness()).toBe(503);

    await redis.client.acl('SETUSER', 'shop', `>${PASSWORD}`);
    await service.untilReady();
    const basket = basketOf();
    expectApplied(await patiently(() => caller.basket(basket)));
    expect(resultOf(await patiently(() => caller.sale(saleOf(basket.calculationId))))).toBe('recorded');
    const unread = await until('the settings to be told', () =>
      service.log.find(({ msg }) => msg === 'redis settings'),
    );
    expect(unread.fault).toMatch(/^CONFIG GET is refused/);
    const well = await until('the end to be said', async () => {
      const said = await saidBy(service);
      return said.metric.length === 0 && said;
    });
    expect(well.live).toMatchObject({ isRedisUp: true, red: {} });
    expect(well.live.redisCause).toBeUndefined();

    await redis.client.acl('SETUSER', 'shop', '-@scripting');
    await untilSaid(service, 'no_permission');
    expect(await service.readiness()).toBe(503);
    // A script that may run, but not do its work, is refused as well and no fault of ours.
    await redis.client.acl('SETUSER', 'shop', '+@scripting', '-set', '-hset');
    await untilSaid(service, 'no_permission');
    expectUnavailable(await caller.basket(basketOf()));
    await redis.client.acl('SETUSER', 'shop', '+@all');
    await service.untilReady();
    await until('the end to be told', () => tellings(service).some(([msg]) => msg === 'redis takes writes again'));
    expect(tellings(service)).toEqual([
      ['redis unreachable', 'unreachable'],
      ['redis unreachable', 'wrong_password'],
      ['redis reachable again', 'wrong_password'],
      ['redis refuses writes', 'no_permission'],
      ['redis takes writes again', 'no_permission'],
    ]);

    const everything = service.output.join('\n') + JSON.stringify([refused, wrong, well]);
    for (const text of [PASSWORD, encodeURIComponent(PASSWORD), 'horse']) expect(everything).not.toContain(text);
  } finally {
    await service.stop();
    await redis.stop();
  }
});

test('a database that is not there: not ready, and nothing is written to another one', async () => {
  const [port] = (await freePorts(1)) as [number];
  const redis = await RedisServer.launch(['--port', String(port), '--bind', '127.0.0.1', '--databases', '4']);
  const service = await startUnready(`redis://127.0.0.1:${port}/4`);
  try {
    const { readyz } = await untilSaid(service, 'wrong_address');
    expect(readyz).toContain('no such database (database 4)');
    expectUnavailable(await service.newCaller({ isPatient: false }).basket(basketOf()));
    expect(await redis.client.dbsize()).toBe(0);
  } finally {
    await service.stop();
    await redis.stop();
  }
});

test('data of version 0.1, or of a later version: 503 without touching it, red with the reason, and well once it is gone', async () => {
  const redis = await RedisServer.launch();
  const format = 'loyalty:staging:format';
  const versions = {
    older_format: { written: '1', oldestReader: '1' },
    newer_format: { written: '99', oldestReader: '98' },
  };
  await redis.client.hset(format, versions.older_format);
  const service = await startUnready(redis.url);
  const countOf = (msg: string) => service.log.filter((line) => line.msg === msg).length;
  try {
    const caller = service.newCaller({ isPatient: false });
    for (const [cause, version] of Object.entries(versions)) {
      await redis.client.hset(format, version);
      const { readyz } = await untilSaid(service, cause);
      if (cause === 'newer_format') expect(readyz).toContain('format 99, which versions of format 98 and later read');
      expectUnavailable(await caller.basket(basketOf()));
      expectUnavailable(await caller.sale(saleOf(basketOf().calculationId)));
      expect(await redis.client.keys('*')).toEqual([format]);
      expect(await redis.client.hgetall(format)).toEqual(version);
    }
    await redis.client.del(format);
    await service.untilReady();
    expectApplied(await patiently(() => caller.basket(basketOf())));
    expect(await redis.client.exists(format)).toBe(1);

    // What a Redis has set is told once, however often the connection is made.
    await until('the settings to be told', () => countOf('redis settings') > 0);
    const connected = countOf('redis ready');
    for (let round = 1; round < 3; round += 1) {
      await redis.client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      await until('the connection to be made again', () => countOf('redis ready') >= connected + round);
      await service.untilReady();
    }
    const faults = service.log.filter((line) => line.msg === 'redis settings').map(({ fault }) => String(fault));
    expect(faults.filter((fault) => fault.startsWith('appendfsync is everysec: '))).toHaveLength(1);
    expect(new Set(faults).size).toBe(faults.length);
  } finally {
    await service.stop();
    await redis.stop();
  }
});

test('of several processes each says it, and the primary for all of them', async () => {
  const service = await startUnready('rediss://:p%40ss@redis.invalid:6379', { PROCESSES: '2' });
  try {
    const { readyz, metric, live } = await until('both processes to say it', async () => {
      const said = await untilSaid(service, 'unreachable');
      // A process that is still starting has nothing to say yet.
      return /1: redis: unreachable.*2: redis: unreachable/.test(said.readyz) && said;
    });
    expect(readyz).toMatch(/1: redis: unreachable: redis\.invalid:6379/);
    expect([metric, live.redisCause]).toEqual([['unreachable'], 'unreachable']);
    expect(service.output.join('\n')).not.toMatch(/p%40ss|p@ss/);
    expectUnavailable(await service.newCaller({ isPatient: false }).basket(basketOf()));
  } finally {
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  }
});
