/** The password of Redis is changed under load, as docs/operations.md says: no call is refused and nothing is lost. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, expect, test } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { freePorts } from '../support/free-ports.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { sleep, until } from '../support/wait.ts';

afterAll(cleanUp);

test('a changed password refuses no call and loses none, and whoever connects later sends the new one', async () => {
  const [port = 0] = await freePorts(1);
  const redis = await RedisServer.launch(['--port', String(port), '--bind', '127.0.0.1']);
  const [before, after] = ['the-password-before', 'another pass/word+%'];
  await redis.client.call('ACL', 'SETUSER', 'service', 'on', `>${before}`, '~*', '&*', '+@all');
  const file = join(temporaryDirectory(), 'password');
  writeFileSync(file, `${before}\n`);
  const url = `redis://service@127.0.0.1:${port}`;
  const env = { REDIS_PASSWORD_FILE: file, PROCESSES: '2', INLINE_BYTES: '2000' };
  const service = await Service.start({ redisUrl: url, env, secrets: [`${'ab'.repeat(32)}`] });
  const caller = service.newCaller();
  const statuses: number[] = [];
  let isRunning = true;
  const till = async (lines: number) => {
    while (isRunning) {
      const basket = basketOf(
        Array.from({ length: lines }, () => ({})),
        { loyaltyId: 'member-twenty' },
      );
      statuses.push((await caller.basket(basket)).status, (await caller.sale(saleOf(basket.calculationId))).status);
    }
  };
  // Large baskets are answered by threads, which have connections of their own.
  const tills = [till(1), till(1), till(30)];
  const calls = () => until('calls', () => statuses.length > 40);
  await calls();

  await redis.client.call('ACL', 'SETUSER', 'service', `>${after}`);
  writeFileSync(file, after);
  await redis.client.call('ACL', 'SETUSER', 'service', `<${before}`);
  statuses.length = 0;
  await calls();
  isRunning = false;
  await Promise.all(tills);
  expect(new Set(statuses)).toEqual(new Set([200]));

  // Every connection is opened anew, by all processes and threads.
  await redis.client.call('CLIENT', 'KILL', 'USER', 'service');
  await until('readiness without the connections', async () => (await service.readiness()) === 200);
  await until('answers again', async () => {
    const answers = await Promise.all(
      [1, 30].map((lines) => caller.basket(basketOf(Array.from({ length: lines }, () => ({}))))),
    );
    return answers.every(({ status }) => status === 200);
  });
  const old = new Redis(url.replace('service@', `service:${before}@`), { retryStrategy: null, lazyConnect: true });
  old.on('error', () => undefined);
  await expect(old.connect()).rejects.toThrow(/WRONGPASS|closed/);
  old.disconnect();
  await sleep(0);
  expect(service.output.filter((line) => line.includes(before) || line.includes(after))).toEqual([]);
  await service.stop();
  await redis.stop();
});
