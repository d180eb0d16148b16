/** Pseudonyms: the same in all processes, not to be computed without the key, and what becomes of them with the key. */
import { createHmac } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { pseudonymOf } from '../../src/store/pseudonyms.ts';
import { until } from '../support/wait.ts';
import { ANNA, BERIT, openStore, useFixture } from './fixture.ts';

const fixture = useFixture();
const KEY = 'loyalty:test:pseudonym-key';
const OTHER_KEY = 'ab'.repeat(32);

function underKey(key: string, member: string): string {
  return createHmac('sha256', key).update(member).digest('base64url').slice(0, 22);
}

test('processes that begin at once agree on one key, and keep it', async () => {
  const stores = await Promise.all(Array.from({ length: 8 }, () => openStore(fixture.redis)));
  try {
    const names = await Promise.all(stores.map((store) => pseudonymOf(store, ANNA)));
    const key = (await fixture.redis.client.get(KEY))!;
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(await fixture.redis.client.ttl(KEY)).toBe(-1);
    expect(new Set(names)).toEqual(new Set([underKey(key, ANNA)]));
    expect(await pseudonymOf(stores[0]!, BERIT)).toBe(underKey(key, BERIT));
  } finally {
    for (const { connection } of stores) connection.close();
  }
});

/** What is done when the key was read so many milliseconds ago. */
async function after<T>(milliseconds: number, run: () => Promise<T>): Promise<T> {
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + milliseconds);
  try {
    return await run();
  } finally {
    clock.mockRestore();
  }
}

test('a key that is lost is put back by a process that knew it; one that was replaced is used by all', async () => {
  const { client } = fixture.redis;
  const store = await openStore(fixture.redis);
  try {
    const before = await pseudonymOf(store, ANNA);
    const key = (await client.get(KEY))!;
    await client.del(KEY);
    // It is read again by the first call after five seconds, which does not wait for it.
    expect(await pseudonymOf(store, ANNA)).toBe(before);
    expect(await client.exists(KEY)).toBe(0);
    expect(await after(5_000, () => pseudonymOf(store, ANNA))).toBe(before);
    await until('the key to be back', async () => (await client.get(KEY)) === key);
    // The store reads what stands there after it has written, and has read it when later commands of its connection are answered.
    for (let trips = 0; trips < 3; trips++) await store.connection.run(KEY, (own) => own.get(KEY));

    await client.set(KEY, OTHER_KEY);
    expect(await after(10_000, () => pseudonymOf(store, ANNA))).toBe(before);
    await until('the new key to be used', async () => (await pseudonymOf(store, ANNA)) !== before);
    expect(await pseudonymOf(store, ANNA)).toBe(underKey(OTHER_KEY, ANNA));

    await client.set(KEY, '1234');
    const last = underKey(OTHER_KEY, ANNA);
    expect(await after(15_000, () => pseudonymOf(store, ANNA))).toBe(last);
    expect(await pseudonymOf(store, ANNA)).toBe(last);
  } finally {
    store.connection.close();
  }
});

test('a key that is lost while it is made is no key, and the call says so', async () => {
  const { connection } = fixture.store;
  let commands = 0;
  const run = async (...asked: Parameters<typeof connection.run>) => {
    commands += 1;
    if (commands === 3) await fixture.redis.client.del(KEY);
    return connection.run(...asked);
  };
  const meddled = Object.create(connection, { run: { value: run } }) as typeof connection;
  const made = pseudonymOf({ ...fixture.store, connection: meddled }, ANNA);
  await expect(made).rejects.toThrow(new StoreUnavailable(`${KEY} is gone again`));
});

test('something that is no key is not used', async () => {
  const store = await openStore(fixture.redis);
  try {
    for (const found of ['1234', `${OTHER_KEY}0`, `0${OTHER_KEY}`, OTHER_KEY.toUpperCase()]) {
      await fixture.redis.client.set(KEY, found);
      await expect(pseudonymOf(store, ANNA)).rejects.toThrow('32 random bytes');
    }
  } finally {
    store.connection.close();
  }
});
