/** A master of a cluster that says nothing for a moment: a call goes on without the keys that all calls share. */
import { expect, test } from 'vitest';
import { Connection } from '../../src/redis/connection.ts';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { holdCommon, readCommon } from '../../src/store/common-limits.ts';
import { findData, nameData, noteOwnMembers } from '../../src/store/dataset.ts';
import { inspectFormat } from '../../src/store/format.ts';
import { noteReceipt, readReceipt } from '../../src/store/receipts.ts';
import { slotDeadline } from '../../src/store/redis-clock.ts';
import { Tokens } from '../../src/store/tokens.ts';
import { until } from '../support/wait.ts';
import { counterOf, GIFT, giftOf, PLACE } from './common-fixture.ts';
import { commitOf } from './fixture.ts';
import { useOneNode } from './one-node.ts';

const fixture = useOneNode();

/** What a call does within the time after which the master would be known to be away. */
async function inSilence<T>(call: () => Promise<T>): Promise<T> {
  const { redis } = fixture;
  await beUp();
  redis.pause();
  try {
    return await call();
  } finally {
    redis.resume();
    await beUp();
  }
}

async function beUp(): Promise<void> {
  const { connection } = fixture.store;
  await until('the master to answer', () => connection.isAvailable && connection.masters.away.size === 0);
}

test('a receipt waits here and is noted with the next one; the sale is not held up', async () => {
  const { store } = fixture;
  await inSilence(() => noteReceipt(store, 'receipt 1', 'calculation-1'));
  // What was sent in the silence may have been carried out after it.
  await store.connection.run(store.keys.receipt('receipt 1'), (client, key) => client.del(key));
  await noteReceipt(store, 'receipt 2', 'calculation-2');
  await until('the first receipt', async () => (await readReceipt(store, 'receipt 1')).length > 0);
  expect(await readReceipt(store, 'receipt 1')).toEqual(['calculation-1']);
  expect(await readReceipt(store, 'receipt 2')).toEqual(['calculation-2']);
  // Once is enough.
  await store.connection.run(store.keys.receipt('receipt 1'), (client, key) => client.del(key));
  await noteReceipt(store, 'receipt 3', 'calculation-3');
  expect(await readReceipt(store, 'receipt 1')).toEqual([]);
});

test('a process limits its calls by itself, to the rate of the environment, and says so', async () => {
  const { store } = fixture;
  const tokens = new Tokens(
    () => store,
    () => ({ sustained: 0.1, burst: 2 }),
  );
  const take = () => Promise.all([1, 2, 3].map(() => tokens.take('basket')));
  expect(tokens.isLocal).toBe(false);
  const taken = await inSilence(take);
  expect(taken).toEqual([{ isAllowed: true }, { isAllowed: true }, { isAllowed: false, retryAfterSeconds: 10 }]);
  expect(tokens.isLocal).toBe(true);
});

test('sale events of a process that limits by itself leave half of the burst to baskets', async () => {
  const { store } = fixture;
  const tokens = new Tokens(
    () => store,
    () => ({ sustained: 0.1, burst: 4 }),
  );
  const takeAll = async (kind: 'sale' | 'basket') => {
    const taken = await Promise.all([1, 2, 3, 4].map(() => tokens.take(kind)));
    return taken.filter(({ isAllowed }) => isAllowed).length;
  };
  expect(await inSilence(async () => [await takeAll('sale'), await takeAll('basket')])).toEqual([2, 2]);
});

test('a bucket that is none is an error of the call, also on a cluster', async () => {
  const { connection, keys } = fixture.store;
  // What was sent in a silence may be carried out after it.
  await until('a bucket that is none', async () => {
    await connection.run(keys.rate(), (client, key) => client.del(key));
    return connection.run(keys.rate(), (client, key) => client.lpush(key, 'no bucket')).catch(() => undefined);
  });
  const tokens = new Tokens(
    () => fixture.store,
    () => ({ sustained: 1, burst: 2 }),
  );
  await expect(tokens.take('basket')).rejects.toThrow('WRONGTYPE');
  expect(tokens.isLocal).toBe(false);
  await connection.run(keys.rate(), (client, key) => client.del(key));
});

test('nothing is left of a limit over all members', async () => {
  const counters = await inSilence(() => readCommon(fixture.store, PLACE, [giftOf()]));
  expect([...counters.values()]).toEqual([{ consumed: Number.POSITIVE_INFINITY, overRedeemed: 0, held: 0, own: 0 }]);
  const { calculationId, member } = commitOf();
  const uses = [{ ...giftOf(), counter: counterOf() }];
  const hold = { calculationId, member, uses, supersedes: undefined, remainingMs: 400 };
  const outcome = await inSilence(() => holdCommon(fixture.store, hold));
  expect(outcome).toEqual({ outcome: 'shortage', left: new Map([[GIFT, 0]]) });
});

test('it is not known whether the data is there, and no write waits for its mark', async () => {
  await nameData(fixture.store, () => Promise.resolve(false));
  expect(await inSilence(() => findData(fixture.store, undefined))).toEqual({ outcome: 'unknown' });
  await inSilence(() => noteOwnMembers(fixture.store));
});

test('another version is told from its format, and is not looked for on a master that says nothing', async () => {
  const { redis, store } = fixture;
  await redis.client.hset(store.keys.format(), { written: 3, oldestReader: 3 });
  const inspect = inspectFormat(store.keys, 2, 2, 2);
  expect(await inspect(store.connection.client)).toMatchObject({ cause: 'newer_format' });
  expect(await inSilence(() => inspect(store.connection.client))).toBeUndefined();
});

test('the deadline of a call is by the clock of the node with the key', async () => {
  const now = async () => {
    const [seconds, micros] = await fixture.redis.client.time();
    return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
  };
  const call = { remainingMs: () => 250_000.7, redisMs: 7 };
  const before = await now();
  const deadlineMs = await slotDeadline(fixture.store, fixture.store.keys.rate(), call);
  expect(deadlineMs).toBeGreaterThanOrEqual(before + 250_000);
  expect(deadlineMs).toBeLessThanOrEqual((await now()) + 250_001);
  expect(Number.isInteger(deadlineMs)).toBe(true);
});

test('without the only server, a receipt is not noted, and the caller hears of it', async () => {
  const connection = new Connection({ kind: 'socket', path: '/nowhere/redis.sock' }, 'test');
  const noted = noteReceipt({ ...fixture.store, connection }, 'receipt 1', 'calculation-1');
  await expect(noted).rejects.toThrow(StoreUnavailable);
  connection.close();
});
