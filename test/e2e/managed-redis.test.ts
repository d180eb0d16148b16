/** The Redis that the service runs for itself when REDIS_URL is unset: one, its own, and gone with it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { cleanUp, isAlive, managedRedisPid, temporaryDirectory } from '../support/cleanup.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { newSecret } from '../support/signer.ts';
import { until } from '../support/wait.ts';

const secrets = [newSecret()];
const dataDirectory = temporaryDirectory();
/** One after the other in the same folder: each test ends with a service that answers. */
let service: Service;
const start = async (env: Record<string, string> = {}) => {
  service = await Service.start({ dataDirectory, secrets, env });
};
beforeAll(() => start());
afterAll(async () => {
  if (service?.isAlive) await service.stop();
  cleanUp();
});

const basket = basketOf([{}], { loyaltyId: 'member-single' });
let answer = '';
/** Both the answer and the hold of the first call are there. */
async function expectKept(): Promise<void> {
  const caller = service.newCaller();
  const again = await caller.basket(basket);
  expect([again.isReplayed, again.text]).toEqual([true, answer]);
  expect((await caller.basket(basketOf([{}], { loyaltyId: 'member-single' }))).json().status).toBe('unchanged');
}

function redisPid(): number {
  const pid = managedRedisPid(dataDirectory);
  if (pid === undefined) throw new Error('there is no pid file');
  return pid;
}

test('it is started, keeps an append-only file, and survives kill -9 of itself, and of the service and itself', async () => {
  answer = (await service.newCaller().basket(basket)).text;
  expect(readdirSync(join(dataDirectory, 'redis')).some((name) => name.startsWith('appendonly'))).toBe(true);

  const former = redisPid();
  process.kill(former, 'SIGKILL');
  await until('calls to be answered again', async () => (await service.newCaller().basket(basketOf())).status === 200);
  expect(redisPid()).not.toBe(former);
  await expectKept();

  process.kill(redisPid(), 'SIGKILL');
  await service.kill('SIGKILL');
  await start();
  await expectKept();
});

test('it ends with the service, and the next one neither uses nor stops another Redis that the pid file names', async () => {
  const last = redisPid();
  expect(await service.stop()).toEqual({ code: 0, signal: null });
  await until('its end', () => !isAlive(last));
  const other = await RedisServer.launch();
  writeFileSync(join(dataDirectory, 'redis', 'redis.pid'), `${other.pid}\n`);
  await start({ PROCESSES: '2' });
  await expectKept();
  expect(redisPid()).not.toBe(other.pid);
  expect(await other.client.dbsize()).toBe(0);
  expect(isAlive(other.pid)).toBe(true);
  await other.stop();
});

test('a file that it cannot read: readiness says what the server says, until it can', async () => {
  const folder = join(dataDirectory, 'redis', 'appendonlydir');
  const name = readdirSync(folder)
    .filter((each) => each.endsWith('.incr.aof'))
    .at(-1)!;
  const written = readFileSync(join(folder, name));
  writeFileSync(join(folder, name), 'no command of Redis\r\n');
  process.kill(redisPid(), 'SIGKILL');
  await until('the reason', async () => {
    const { checks } = (await (await fetch(`${service.opsUrl}/readyz`)).json()) as { checks: Record<string, string> };
    return (checks['redis'] ?? checks['processes'])?.includes('(Bad file format reading the append only file');
  });
  writeFileSync(join(folder, name), written);
  await service.untilReady();
});
