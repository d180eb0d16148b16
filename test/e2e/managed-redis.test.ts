/** The Redis that the service runs for itself when REDIS_URL is unset: one, its own, and gone with it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { cleanUp, isAlive, managedRedisPid, temporaryDirectory } from '../support/cleanup.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { newSecret } from '../support/signer.ts';
import { until } from '../support/wait.ts';

const secrets = [newSecret()];
const running = new Set<Service>();

async function start(dataDirectory = temporaryDirectory()): Promise<Service> {
  const service = await Service.start({ dataDirectory, secrets });
  running.add(service);
  return service;
}

async function stop(service: Service): Promise<void> {
  running.delete(service);
  expect(await service.stop()).toEqual({ code: 0, signal: null });
}

afterEach(async () => {
  for (const service of running) await stop(service);
});
afterAll(cleanUp);

function redisOf(service: Service): number {
  const pid = managedRedisPid(service.dataDirectory);
  if (pid === undefined) throw new Error('there is no pid file');
  return pid;
}

test('it is started, keeps an append-only file, listens on no port, and ends with the service', async () => {
  const service = await start();
  const pid = redisOf(service);
  expect(isAlive(pid)).toBe(true);
  expect((await service.newCaller().basket(basketOf())).status).toBe(200);
  expect(readdirSync(join(service.dataDirectory, 'redis')).some((name) => name.startsWith('appendonly'))).toBe(true);
  await stop(service);
  await until('its end', () => !isAlive(pid), 5_000);
});

test('an orderly restart finds everything again', async () => {
  const first = await start();
  const basket = basketOf();
  const answer = await first.newCaller().basket(basket);
  await stop(first);
  const second = await start(first.dataDirectory);
  const again = await second.newCaller().basket(basket);
  expect([again.isReplayed, again.text]).toEqual([true, answer.text]);
});

describe('after kill -9', () => {
  test('of the service: the next one reuses or replaces it, and finds everything', async () => {
    const first = await start();
    const basket = basketOf([{}], { loyaltyId: 'member-single' });
    const answer = await first.newCaller().basket(basket);
    const former = redisOf(first);
    await first.kill('SIGKILL');
    running.delete(first);
    const second = await start(first.dataDirectory);
    const caller = second.newCaller();
    const again = await caller.basket(basket);
    expect([again.isReplayed, again.text]).toEqual([true, answer.text]);
    expect((await caller.basket(basketOf([{}], { loyaltyId: 'member-single' }))).json().status).toBe('unchanged');
    const current = redisOf(second);
    if (current !== former) expect(isAlive(former)).toBe(false);
    await stop(second);
    await until('the end of both', () => !isAlive(former) && !isAlive(current), 5_000);
  });

  test('of Redis: the service starts it again by itself and finds everything', async () => {
    const service = await start();
    const caller = service.newCaller();
    const basket = basketOf();
    const answer = await caller.basket(basket);
    const former = redisOf(service);
    process.kill(former, 'SIGKILL');
    await until('calls to be answered again', async () => (await caller.basket(basketOf())).status === 200);
    expect(redisOf(service)).not.toBe(former);
    const again = await caller.basket(basket);
    expect([again.isReplayed, again.text]).toEqual([true, answer.text]);
    expect((await caller.sale(saleOf(basket.calculationId))).json().result).toBe('recorded');
  });

  test('of both, twice', async () => {
    const dataDirectory = temporaryDirectory();
    let last: [ReturnType<typeof basketOf>, string] | undefined;
    for (let round = 0; round < 2; round += 1) {
      const service = await start(dataDirectory);
      const caller = service.newCaller();
      if (last) {
        const again = await caller.basket(last[0]);
        expect([again.isReplayed, again.text]).toEqual([true, last[1]]);
      }
      const basket = basketOf();
      last = [basket, (await caller.basket(basket)).text];
      process.kill(redisOf(service), 'SIGKILL');
      await service.kill('SIGKILL');
      running.delete(service);
    }
    await start(dataDirectory);
  });
});

test.each(['1', '2'])(
  'a file that it cannot read: readiness of %s processes says what the server says, until it can',
  async (processes) => {
    const service = await Service.start({ secrets, env: { PROCESSES: processes } });
    running.add(service);
    const file = join(service.dataDirectory, 'redis', 'appendonlydir', 'appendonly.aof.1.incr.aof');
    const written = readFileSync(file);
    writeFileSync(file, 'no command of Redis\r\n');
    process.kill(redisOf(service), 'SIGKILL');
    await until('the reason', async () => {
      const { checks } = (await (await fetch(`${service.opsUrl}/readyz`)).json()) as { checks: Record<string, string> };
      return (checks['redis'] ?? checks['processes'])?.includes('(Bad file format reading the append only file');
    });
    writeFileSync(file, written);
    await service.untilReady();
  },
);

describe('what is not its own is left alone', () => {
  test('another Redis, though the pid file names it, is neither used nor stopped', async () => {
    const other = await RedisServer.launch();
    const dataDirectory = temporaryDirectory();
    mkdirSync(join(dataDirectory, 'redis'));
    writeFileSync(join(dataDirectory, 'redis', 'redis.pid'), `${other.pid}\n`);
    const service = await start(dataDirectory);
    expect((await service.newCaller().basket(basketOf())).status).toBe(200);
    expect(redisOf(service)).not.toBe(other.pid);
    await stop(service);
    expect(await other.client.dbsize()).toBe(0);
    expect(isAlive(other.pid)).toBe(true);
    await other.stop();
  });

  test('with REDIS_URL none is started, and the given one goes on after the service', async () => {
    const redis = await RedisServer.launch();
    const service = await Service.start({ redisUrl: redis.url, secrets });
    running.add(service);
    await stop(service);
    expect(existsSync(join(service.dataDirectory, 'redis', 'redis.pid'))).toBe(false);
    expect(await redis.client.ping()).toBe('PONG');
    await redis.stop();
  });
});

test('two services in two directories have two of them', async () => {
  const [one, two] = await Promise.all([start(), start()]);
  expect(redisOf(one)).not.toBe(redisOf(two));
  const basket = basketOf();
  expect((await one.newCaller().basket(basket)).isReplayed).toBe(false);
  expect((await two.newCaller().basket(basket)).isReplayed).toBe(false);
});
