/** Processes that share the rate limit count each other, so that each knows its share while the bucket is away. */
import { expect, test } from 'vitest';
import { countProcesses, localShare, takeLocally } from '../../src/store/local-limit.ts';
import { openStore, useFixture } from './fixture.ts';

const fixture = useFixture();

test('each process learns how many there are, and one that has ended is soon not counted any more', async () => {
  const { client } = fixture.redis;
  const { store } = fixture;
  const other = await openStore(fixture.redis);
  try {
    expect([await countProcesses(store, 'a'), await countProcesses(other, 'b')]).toEqual([1, 2]);
    expect(await countProcesses(store, 'a')).toBe(2);
    takeLocally(store.connection, { sustained: 50 }, 200, 1);
    expect(localShare(store.connection)).toBe(2);
    const noted = Number(await client.zscore(store.keys.processes(), 'b'));
    await client.zadd(store.keys.processes(), noted - 14_000, 'b');
    expect(await countProcesses(store, 'a')).toBe(2);
    await client.zadd(store.keys.processes(), noted - 15_001, 'b');
    expect(await countProcesses(store, 'a')).toBe(1);
  } finally {
    other.connection.close();
  }
});
