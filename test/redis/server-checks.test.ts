/** What a server's settings would break, found when the service connects. */
import { afterAll, expect, test } from 'vitest';
import { parseRedisAddress, type RedisAddress } from '../../src/redis/address.ts';
import { Connection } from '../../src/redis/connection.ts';
import { inspectSettings } from '../../src/redis/server-checks.ts';
import { cleanUp } from '../support/cleanup.ts';
import { freePorts } from '../support/free-ports.ts';
import { RedisServer } from '../support/redis-server.ts';
import { until } from '../support/wait.ts';

afterAll(cleanUp);

const SAFE = ['--appendfsync', 'always'];

async function faultsOf(redis: RedisServer, url = redis.url): Promise<string[]> {
  const connection = new Connection(parseRedisAddress(url) as RedisAddress, 'test');
  try {
    await until('the connection', () => connection.isAvailable);
    return [...new Set((await inspectSettings(connection)).map(({ detail }) => detail))];
  } finally {
    connection.close();
  }
}

async function on<T>(options: readonly string[], look: (redis: RedisServer) => Promise<T>): Promise<T> {
  const redis = await RedisServer.launch(options);
  try {
    return await look(redis);
  } finally {
    await redis.stop();
  }
}

test('a server that keeps every answer has none', async () => {
  expect(await on(SAFE, faultsOf)).toEqual([]);
});

test.each([
  ['everysec', /^appendfsync is everysec: .*two seconds.*set it to always$/],
  ['no', /^appendfsync is no: .*set it to always$/],
])('appendfsync %s', async (sync, told) => {
  expect(await on(['--appendfsync', sync], faultsOf)).toEqual([expect.stringMatching(told)]);
});

test('no file at all: how it is written does not matter then', async () => {
  expect(await on(['--appendonly', 'no'], faultsOf)).toEqual([expect.stringMatching(/^appendonly is no: /)]);
});

test('replicas that no write waits for, until one is asked for', async () => {
  const [port] = (await freePorts(1)) as [number];
  await on([...SAFE, '--port', String(port), '--bind', '127.0.0.1', '--repl-diskless-sync-delay', '0'], (master) =>
    on([...SAFE, '--replicaof', '127.0.0.1', String(port)], async () => {
      await until('the replica', async () => (await master.client.info('replication')).includes('state=online'));
      expect(await faultsOf(master)).toEqual([expect.stringMatching(/^min-replicas-to-write is 0 .*set it to 1$/)]);
      await master.client.config('SET', 'min-replicas-to-write', '1');
      expect(await faultsOf(master)).toEqual([]);
    }),
  );
});

test('a server that forbids CONFIG GET is said to, and all the rest is looked at', async () => {
  const [port] = (await freePorts(1)) as [number];
  const user = ['--user', 'shop', 'on', '>pw', '~*', '&*', '+@all', '-config'];
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--maxmemory-policy', 'allkeys-lru', ...user];
  const faults = await on(options, (redis) => faultsOf(redis, `redis://shop:pw@127.0.0.1:${port}`));
  expect(faults).toEqual([
    expect.stringMatching(/^maxmemory-policy is allkeys-lru/),
    expect.stringMatching(/^CONFIG GET is refused, so appendfsync and min-replicas-to-write were not looked at/),
  ]);
});
