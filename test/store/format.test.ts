/** Versions whose formats differ, on one Redis: neighbours work side by side, and an older one leaves alone what it would misread. */
import { afterAll, beforeEach, expect, test } from 'vitest';
import { Connection } from '../../src/redis/connection.ts';
import { inspectFormat } from '../../src/store/format.ts';
import { cleanUp } from '../support/cleanup.ts';
import { until } from '../support/wait.ts';
import { useFixture } from './fixture.ts';

const fixture = useFixture();
const open: Connection[] = [];

beforeEach(() => {
  for (const connection of open.splice(0)) connection.close();
});
afterAll(() => {
  for (const connection of open) connection.close();
  cleanUp();
});

/** The connection of a version that writes `format`, which versions from `oldestReader` on can read, and reads `oldestRead` and later. */
function connect(format: number, oldestReader: number, oldestRead = 1): Connection {
  const { redis, store } = fixture;
  const inspect = inspectFormat(store.keys, format, oldestReader, oldestRead);
  const connection = new Connection({ kind: 'socket', path: redis.socket }, 'test', { inspect });
  open.push(connection);
  return connection;
}

async function connected(format: number, oldestReader: number): Promise<Connection> {
  const connection = connect(format, oldestReader);
  await until('the connection to be ready', () => connection.isAvailable);
  return connection;
}

const noted = () => fixture.redis.client.hgetall(fixture.store.keys.format());

test('an upgrade and its rollback: neighbours are let in, and the newest format stays noted', async () => {
  const before = await connected(1, 1);
  expect(await noted()).toEqual({ written: '1', oldestReader: '1' });
  const after = await connected(2, 1);
  await connected(1, 1);
  expect(await noted()).toEqual({ written: '2', oldestReader: '1' });
  for (const { trouble } of [before, after]) expect(trouble).toBeUndefined();
});

test('an empty Redis lets a version in at once, whatever it no longer reads', async () => {
  const { connection, keys } = fixture.store;
  expect(await connection.run(keys.format(), inspectFormat(keys))).toBeUndefined();
  expect(await noted()).toEqual({ written: '2', oldestReader: '2' });
});

test('a version two steps back is refused, says why, and is let in once the data is gone', async () => {
  await connected(3, 2);
  const old = connect(1, 1);
  await until('the refusal', () => old.trouble !== undefined);
  expect(old.isAvailable).toBe(false);
  expect(old.unavailableReason).toBe(
    'newer_format: Redis holds data of format 3, which versions of format 2 and later read; this one has format 1',
  );
  await expect(old.run('any', (client, key) => client.get(key))).rejects.toThrow('newer_format');
  expect(await noted()).toEqual({ written: '3', oldestReader: '2' });

  await fixture.redis.client.del(fixture.store.keys.format());
  await until('it to be let in', () => old.isAvailable);
  expect(old.trouble).toBeUndefined();
});

test('what a version wrote that is no longer read is left alone; a note that was lost refuses nobody', async () => {
  const { client } = fixture.redis;
  const { keys } = fixture.store;
  await connected(1, 1);
  const next = connect(2, 2, 2);
  await until('the refusal', () => next.trouble !== undefined);
  expect(next.unavailableReason).toContain(
    'older_format: Redis holds data of format 1; this version reads format 2 and later',
  );
  expect(await noted()).toEqual({ written: '1', oldestReader: '1' });
  next.close();

  // A Redis that lost its data under a running process has new sales and no note: that refuses nobody.
  await client.del(keys.format());
  await client.xadd(keys.events(3), '*', 'result', 'completed');
  const another = connect(2, 2, 2);
  await until('it to be let in', () => another.isAvailable);
  expect(await noted()).toEqual({ written: '2', oldestReader: '2' });
});

test('a Redis that refuses writes lets a version in, which then finds out from the replies', async () => {
  const { client } = fixture.redis;
  await client.config('SET', 'maxmemory', '1');
  try {
    expect((await connected(1, 1)).trouble).toBeUndefined();
    expect(await noted()).toEqual({});
  } finally {
    await client.config('SET', 'maxmemory', '0');
  }
});
