/**
 * Master and replica under three Sentinels, which have a user and a password of their own: after the servers' password was changed and
 * the master has died, the store finds the new one.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, expect, test } from 'vitest';
import type { RedisAddress } from '../../src/redis/address.ts';
import { Connection } from '../../src/redis/connection.ts';
import { readRedis } from '../../src/settings/redis.ts';
import { createKeys } from '../../src/store/keys.ts';
import { runInRunbook } from '../deploy/runbook-shell.ts';
import { calculate, countUnits, report } from '../store/fixture.ts';
import { cleanUp, forgetProcess, temporaryDirectory, watchProcess } from '../support/cleanup.ts';
import { freePorts } from '../support/free-ports.ts';
import { until } from '../support/wait.ts';

const [PASSWORD, NEXT_PASSWORD, WATCHER_PASSWORD] = ['server-password', 'next-password', 'sentinel-password'];
/** Sentinels and replicas have a user of their own, so that a change of the service's password is none of theirs. */
const SERVER_USERS = [`user default on >${PASSWORD} ~* &* +@all`, `user service on >${PASSWORD} ~* &* +@all`];
const WATCHER_USERS = ['user default off', `user watcher on >${WATCHER_PASSWORD} ~* &* +@all`];
const directory = temporaryDirectory();

afterAll(cleanUp);

function launch(name: string, port: number, settings: readonly string[], isSentinel = false) {
  const folder = mkdtempSync(join(directory, `${name}-`));
  const file = join(folder, 'redis.conf');
  const common = [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, ...(isSentinel ? WATCHER_USERS : SERVER_USERS)];
  writeFileSync(file, [...common, ...settings, ''].join('\n'));
  const child = spawn('redis-server', isSentinel ? [file, '--sentinel'] : [file], { stdio: 'ignore' });
  const pid = child.pid as number;
  watchProcess(pid);
  child.once('exit', () => forgetProcess(pid));
  return child;
}

/** True when a Sentinel knows both others and the replica; it asks the master for its replicas every ten seconds only. */
async function knowsEverybody(port: number): Promise<boolean> {
  const sentinel = new Redis({ port, host: '127.0.0.1', username: 'watcher', password: WATCHER_PASSWORD });
  try {
    const fields = (await sentinel.call('SENTINEL', 'MASTER', 'loyalty')) as string[];
    const fieldOf = (name: string) => fields[fields.indexOf(name) + 1];
    return fieldOf('num-other-sentinels') === '2' && fieldOf('num-slaves') === '1';
  } finally {
    sentinel.disconnect();
  }
}

test('a failover by Sentinel is followed without a restart', async () => {
  const [masterPort, replicaPort, ...sentinelPorts] = (await freePorts(5)) as [number, number, ...number[]];
  const data = ['appendonly yes', 'save ""', `masterauth ${PASSWORD}`, 'repl-diskless-sync-delay 0'];
  const master = launch('master', masterPort, data);
  const replica = launch('replica', replicaPort, [...data, `replicaof 127.0.0.1 ${masterPort}`]);
  const watch = [
    `sentinel monitor loyalty 127.0.0.1 ${masterPort} 2`,
    `sentinel auth-pass loyalty ${PASSWORD}`,
    'sentinel down-after-milliseconds loyalty 500',
    'sentinel failover-timeout loyalty 3000',
    'sentinel sentinel-user watcher',
    `sentinel sentinel-pass ${WATCHER_PASSWORD}`,
  ];
  const sentinels = sentinelPorts.map((port, index) => launch(`sentinel-${index}`, port, watch, true));

  const nodes = sentinelPorts.map((port) => `127.0.0.1:${port}`).join(',');
  const REDIS_PASSWORD_FILE = join(directory, 'password');
  writeFileSync(REDIS_PASSWORD_FILE, `${PASSWORD}\n`);
  const settings = {
    REDIS_URL: `redis+sentinel://service@${nodes}/?name=loyalty`,
    REDIS_PASSWORD_FILE,
    REDIS_SENTINEL_URL: `redis://watcher:${WATCHER_PASSWORD}@${nodes}`,
  };
  const wrong = readRedis({ ...settings, REDIS_SENTINEL_URL: `redis://watcher:wrong@${nodes}` }) as RedisAddress;
  const refused = new Connection(wrong, 'test');
  await until('the Sentinels to refuse another password', () => refused.trouble?.cause === 'wrong_password', 20_000);
  refused.close();
  const address = readRedis(settings) as RedisAddress;
  const connection = new Connection(address, 'test');
  const store = {
    connection,
    keys: createKeys('test'),
    periods: { holdMs: 60_000, idempotencyMs: 60_000, retentionMs: 120_000 },
  };
  const fixture = { store, redis: { client: connection.client } } as unknown as Parameters<typeof countUnits>[0];
  await until('the connection to be ready', () => connection.isAvailable, 20_000);
  // The runbook's redis-cli finds the master too.
  expect(runInRunbook('redis CONFIG GET port', settings)).toBe(`port\n${masterPort}\n`);
  const { commit } = await calculate(fixture);
  await until('the replica to have it, and the Sentinels to know the replica', async () => {
    const info = await connection.runWithoutKey((client) => client.info('replication'));
    return /slave0:.*state=online,offset=(\d+)/.exec(info)?.[1] === /master_repl_offset:(\d+)/.exec(info)?.[1];
  });
  await until(
    'the Sentinels to know each other and the replica',
    async () => (await Promise.all(sentinelPorts.map(knowsEverybody))).every(Boolean),
    30_000,
  );
  await new Promise((resolve) => setTimeout(resolve, 2000));

  // The password is changed as docs/operations.md says, while a connection is open.
  const servers = [masterPort, replicaPort].map((port) => new Redis({ port, host: '127.0.0.1', password: PASSWORD }));
  for (const server of servers) await server.call('ACL', 'SETUSER', 'service', `>${NEXT_PASSWORD}`);
  writeFileSync(REDIS_PASSWORD_FILE, NEXT_PASSWORD);
  for (const server of servers) await server.call('ACL', 'SETUSER', 'service', `<${PASSWORD}`);
  for (const server of servers) server.disconnect();
  expect(runInRunbook('redis CONFIG GET port', settings)).toBe(`port\n${masterPort}\n`);
  master.kill('SIGKILL');
  await until('the breaker to open', () => !connection.isAvailable);
  // An election in which no Sentinel gets the votes is held again after twice the failover timeout, here 6 s.
  await until('the store to find the new master', () => connection.isAvailable, 60_000);
  await until(
    'the new master to take writes',
    () =>
      calculate(fixture, { uses: [] }).then(
        () => true,
        () => false,
      ),
    20_000,
  );
  expect(await countUnits(fixture)).toEqual({ consumed: 0, over: 0, held: 1 });
  expect(await report(fixture, commit.calculationId, 'applied')).toMatchObject({ outcome: 'recorded' });

  connection.close();
  await Promise.all(
    [replica, ...sentinels].map(async (child) => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }),
  );
}, 120_000);
