/** The Redis that the service runs for itself when REDIS_URL is unset: one, its own, and gone with it. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
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

async function kill(service: Service): Promise<void> {
  running.delete(service);
  await service.kill('SIGKILL');
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

test('it is started, keeps an append-only file, survives kill -9 of itself, of the service and of both, and ends with the service', async () => {
  const dataDirectory = temporaryDirectory();
  const basket = basketOf([{}], { loyaltyId: 'member-single' });
  const first = await start(dataDirectory);
  const answer = await first.newCaller().basket(basket);
  expect(readdirSync(join(dataDirectory, 'redis')).some((name) => name.startsWith('appendonly'))).toBe(true);
  const expectKept = async (service: Service) => {
    const caller = service.newCaller();
    const again = await caller.basket(basket);
    expect([again.isReplayed, again.text]).toEqual([true, answer.text]);
    expect((await caller.basket(basketOf([{}], { loyaltyId: 'member-single' }))).json().status).toBe('unchanged');
  };

  const former = redisOf(first);
  process.kill(former, 'SIGKILL');
  await until('calls to be answered again', async () => (await first.newCaller().basket(basketOf())).status === 200);
  expect(redisOf(first)).not.toBe(former);
  await expectKept(first);

  const before = redisOf(first);
  await kill(first);
  const second = await start(dataDirectory);
  await expectKept(second);
  const current = redisOf(second);
  if (current !== before) expect(isAlive(before)).toBe(false);

  process.kill(current, 'SIGKILL');
  await kill(second);
  const third = await start(dataDirectory);
  await expectKept(third);
  const last = redisOf(third);
  await stop(third);
  await until('its end', () => !isAlive(last), 5_000);

  await expectKept(await start(dataDirectory));
});

test('a file that it cannot read: readiness says what the server says, until it can', async () => {
  const service = await Service.start({ secrets, env: { PROCESSES: '2' } });
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
});

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
