/** What a server tells of its memory and of its append-only file, read as it changes: metrics and alerts show it. */
import { mkdirSync, readdirSync, rmdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readServerResources } from '../../src/redis/server-resources.ts';
import { openFixture, useFixture } from '../store/fixture.ts';
import { rewriteFile } from '../support/redis-server.ts';
import { until } from '../support/wait.ts';

const fixture = useFixture(() => openFixture(60_000, []));
const look = () => readServerResources(fixture.store.connection);

/** The path of the file that the server writes as the next part of its append-only file. */
function nextFile(kind: 'base.rdb' | 'incr.aof'): string {
  const folder = join(fixture.redis.directory, 'appendonlydir');
  const numbers = readdirSync(folder).flatMap((name) => (name.endsWith(kind) ? Number(name.split('.')[2]) : []));
  return join(folder, `appendonly.aof.${Math.max(...numbers) + 1}.${kind}`);
}

test('the memory is that of the server, and its limit is what may be used', async () => {
  await fixture.redis.client.config('SET', 'maxmemory', '123456789');
  expect(await look()).toMatchObject({ usedBytes: expect.any(Number), limitBytes: 123_456_789, evictedKeys: 0 });
  expect((await look())?.usedBytes).toBeGreaterThan(100_000);
  await fixture.redis.client.config('SET', 'maxmemory', '0');
  expect((await look())?.limitBytes).toBeGreaterThan(123_456_789);
});

test('a file that cannot be rewritten is told until it can be', async () => {
  expect(await look()).toMatchObject({ isFileWritten: true, isFileRewritten: true });
  const inTheWay = nextFile('base.rdb');
  // The new file takes the old one's place, which a folder refuses.
  mkdirSync(inTheWay);
  await rewriteFile(fixture.redis.client, 'err');
  expect(await look()).toMatchObject({ isFileWritten: true, isFileRewritten: false });
  rmdirSync(inTheWay);
  await rewriteFile(fixture.redis.client);
  expect(await look()).toMatchObject({ isFileWritten: true, isFileRewritten: true });
});

test('a file that cannot be written is told until it can be', async () => {
  const { client } = fixture.redis;
  const takesWrites = () =>
    client.set('any', '1').then(
      () => true,
      () => false,
    );
  symlinkSync('/dev/full', nextFile('incr.aof'));
  await rewriteFile(client);
  await until('a write to be refused', async () => !(await takesWrites()));
  expect(await look()).toMatchObject({ isFileWritten: false });
  await rewriteFile(client);
  await until('writes to be taken', takesWrites);
  expect(await look()).toMatchObject({ isFileWritten: true });
});
