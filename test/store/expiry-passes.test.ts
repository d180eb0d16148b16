/** A pass over what is due: what it leaves for later, what it says of a backlog, and what it does with errors of single calculations. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { noteDue } from '../../src/store/due.ts';
import { sweepExpired } from '../../src/store/expiry.ts';
import { eventStream } from '../../src/store/keys.ts';
import { moveCalculation } from '../../src/store/merged.ts';
import { pseudonymOf } from '../../src/store/pseudonyms.ts';
import type { Store } from '../../src/store/store.ts';
import { ANNA, BERIT, calculate, openFixture, useFixture } from './fixture.ts';
import { readEvents } from './read-events.ts';

const HOLD_MS = 60;
const HOUR_MS = 3_600_000;
const NOTHING = { expired: 0, holds: 0, isMoreDue: false };
/** Calculations that a pass looks at in each list. */
const BATCH = 200;

const fixture = useFixture(() => openFixture(HOLD_MS));

async function calculateDue(): Promise<string> {
  const { calculationId } = (await calculate(fixture)).commit;
  await noteDue(fixture.store, calculationId, false);
  await sleep(HOLD_MS + 20);
  return calculationId;
}

const dueAt = async (calculationId: string) =>
  Number(await fixture.redis.client.zscore(fixture.store.keys.due(eventStream(calculationId)), calculationId));

test('a calculation whose hold time was raised does not expire, and is looked at again when it is over', async () => {
  const { redis, store } = fixture;
  const calculationId = await calculateDue();
  const key = store.keys.calculation(ANNA, calculationId);
  const deadlineMs = Date.now() + HOUR_MS;
  await redis.client.hset(key, 'deadline', deadlineMs);
  expect(await sweepExpired(store)).toEqual(NOTHING);
  expect(await redis.client.hget(key, 'state')).toBe('open');
  expect(await readEvents(fixture)).toEqual([]);
  expect(await dueAt(calculationId)).toBeGreaterThanOrEqual(deadlineMs);
  await redis.client.hset(key, 'deadline', 1);
  await redis.client.zadd(store.keys.due(eventStream(calculationId)), 1, calculationId);
  expect(await sweepExpired(store)).toEqual({ ...NOTHING, expired: 1, holds: 1 });
});

test('a backlog of a single list is more than one pass, and the rest of it another one', async () => {
  const { redis, store } = fixture;
  const ids = Array.from({ length: BATCH + 1 }, (_, at) => [1, `calculation-${at}`]).flat();
  await redis.client.zadd(store.keys.due(2), ...ids);
  expect(await sweepExpired(store)).toEqual({ ...NOTHING, isMoreDue: true });
  expect(await redis.client.zcard(store.keys.due(2))).toBe(1);
  expect(await sweepExpired(store)).toEqual(NOTHING);
  expect(await redis.client.zcard(store.keys.due(2))).toBe(0);
});

test.each([
  ['that a single Redis does not answer stays due', new StoreUnavailable('Redis is away'), false],
  ['that meets a bug stays due, and the bug is told', new Error('a bug'), true],
])('a calculation %s', async (_case, error, isTold) => {
  const { store } = fixture;
  const calculationId = await calculateDue();
  const before = await dueAt(calculationId);
  const run: typeof store.connection.run = (key, command) =>
    key === store.keys.index(calculationId) ? Promise.reject(error) : store.connection.run(key, command);
  const seen = { run: { value: run }, isCluster: { value: isTold } };
  const failing = { ...store, connection: Object.create(store.connection, seen) as Store['connection'] };
  if (isTold) await expect(sweepExpired(failing)).rejects.toThrow('a bug');
  else expect(await sweepExpired(failing)).toEqual(NOTHING);
  expect(await dueAt(calculationId)).toBe(before);
  expect(await sweepExpired(store)).toEqual({ ...NOTHING, expired: 1, holds: 1 });
});

test('a calculation that a merge moves after its entry was read ends in its new slot, with its event', async () => {
  const { store } = fixture;
  const calculationId = await calculateDue();
  let isMoved = false;
  const run: typeof store.connection.run = async (key, command) => {
    const reply = await store.connection.run(key, command);
    if (isMoved || key !== store.keys.index(calculationId)) return reply;
    isMoved = true;
    await moveCalculation(store, ANNA, BERIT, calculationId);
    return reply;
  };
  const merging = {
    ...store,
    connection: Object.create(store.connection, { run: { value: run } }) as Store['connection'],
  };
  expect(await sweepExpired(merging)).toEqual({ ...NOTHING, expired: 1, holds: 1 });
  expect(isMoved).toBe(true);
  const member = await pseudonymOf(merging, BERIT);
  expect(await readEvents(fixture)).toMatchObject([{ calculationId, result: 'expired', member }]);
  expect(await fixture.redis.client.exists(store.keys.due(eventStream(calculationId)))).toBe(0);
});
