/** A managed Redis with a large file: it is waited for however long it loads, and readiness says how far it is. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { cleanUp, isAlive, managedRedisPid, temporaryDirectory } from '../support/cleanup.ts';
import { rewriteFile } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { newSecret } from '../support/signer.ts';
import { until } from '../support/wait.ts';

afterAll(cleanUp);

const secrets = [newSecret()];
/**
 * Together longer than this test takes: the delay is taken away when enough has been seen. A loading server answers between
 * two keys, and the service waits a second for it: the rest of that second is for a machine that stands still.
 */
const KEYS = 2_000;
const LOADING_MICROS_PER_KEY = 100_000;

/** A folder with a server program that takes its time for each key: a large file without a large file. */
function slowServer(): string {
  const folder = join(temporaryDirectory(), 'bin');
  mkdirSync(folder);
  const slow = `--key-load-delay ${LOADING_MICROS_PER_KEY} --loading-process-events-interval-bytes 1024`;
  writeFileSync(join(folder, 'redis-server'), `#!/bin/sh\nPATH="\${PATH#*:}"\nexec redis-server "$@" ${slow}\n`);
  chmodSync(join(folder, 'redis-server'), 0o700);
  return `${folder}:${process.env.PATH}`;
}

/** A service was here, and left a file with keys that do not compress well. */
async function fill(dataDirectory: string): Promise<void> {
  const service = await Service.start({ dataDirectory, secrets });
  const client = new Redis({ path: join(dataDirectory, 'redis', 'redis.sock') });
  const padding = () => Array.from({ length: 400 }, () => Math.random().toString(36)).join('');
  await client.mset(new Map(Array.from({ length: KEYS }, (_, count) => [`padding:${count}`, padding()])));
  await rewriteFile(client);
  client.disconnect();
  await service.stop();
}

test('it is waited for, with its progress in readiness and log, by a second service and after kill -9 too', async () => {
  const dataDirectory = temporaryDirectory();
  await fill(dataDirectory);
  const options = { dataDirectory, secrets, awaitReady: false, env: { PATH: slowServer() } };
  const first = await Service.start(options);
  const pid = managedRedisPid(dataDirectory) as number;
  const percents: number[] = [];
  const look = async (service: Service) => {
    const answer = await fetch(`${service.opsUrl}/readyz`);
    const { checks } = (await answer.json()) as { checks: { redis: string } };
    const percent = /^loading (\d+) %/.exec(checks.redis)?.[1];
    if (percent !== undefined) percents.push(Number(percent));
    return checks.redis;
  };
  await until('readiness to say how far it is', async () => (await look(first)) && percents.length > 0);
  expect(await first.readiness()).toBe(503);
  expect((await first.newCaller({ isPatient: false }).basket(basketOf())).status).toBe(503);
  await first.kill('SIGKILL');

  // Whoever comes next takes it over, and does not have it begin again.
  const second = await Service.start(options);
  try {
    expect(managedRedisPid(dataDirectory)).toBe(pid);
    const countOf = (msg: string) => second.log.filter((line) => line.msg === msg).length;
    // Two lines of progress, 5 s apart: longer than the patience with a server that takes no connections.
    await until(
      'the log to say how far it is',
      async () => (await look(second)) && countOf('redis loading') > 1,
      60_000,
    );
    const client = new Redis({ path: join(dataDirectory, 'redis', 'redis.sock'), enableReadyCheck: false });
    await client.config('SET', 'key-load-delay', '0');
    client.disconnect();
    await until('it to be loaded', async () => (await look(second)) === 'ok');
    expect(managedRedisPid(dataDirectory)).toBe(pid);
    expect(countOf('redis unreachable')).toBe(1);
    expect(percents).toEqual([...percents].sort((one, other) => one - other));
    expect(new Set(percents).size).toBeGreaterThan(3);
    const lines = second.log.filter(({ msg }) => /^redis (unreachable|loading)$/.test(String(msg)));
    for (const line of lines)
      expect(line).toMatchObject({ cause: 'loading', reason: expect.stringMatching(/^loading /) });
    expect((await second.newCaller().basket(basketOf())).status).toBe(200);
  } finally {
    await second.stop();
  }
  await until('its end', () => !isAlive(pid));
});
