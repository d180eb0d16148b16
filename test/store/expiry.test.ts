/** Expiry accounting: each calculation that ends unsold is counted once, whoever sweeps, and nothing rests on it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { noteDue } from '../../src/store/due.ts';
import { sweepExpired } from '../../src/store/expiry.ts';
import { claimIndexEntry } from '../../src/store/index-entry.ts';
import { eventStream } from '../../src/store/keys.ts';
import { pseudonymOf } from '../../src/store/pseudonyms.ts';
import type { Store } from '../../src/store/store.ts';
import {
  ANNA,
  calculate,
  commitOf,
  countUnits,
  type Fixture,
  openFixture,
  openStore,
  report,
  useFixture,
} from './fixture.ts';
import { readEvents } from './read-events.ts';

const HOLD_MS = 60;

const fixture = useFixture(() => openFixture(HOLD_MS));
let other: Store;
beforeAll(async () => {
  other = await openStore(fixture.redis, HOLD_MS);
});
afterAll(() => other.connection.close());

async function calculateNoted(): Promise<string> {
  const { commit } = await calculate(fixture, { uses: [{ usageKey: 'coffee:*', units: 1, limit: 1000 }] });
  await noteDue(fixture.store, commit.calculationId, false);
  return commit.calculationId;
}

/** Has everything looked at by the next sweep that is noted for later. */
async function makeAllDue({ client }: Fixture['redis']): Promise<void> {
  for (const key of await client.keys('*:due:*')) {
    for (const id of await client.zrange(key, 0, '-1')) await client.zadd(key, 1, id);
  }
}

async function sweepAll(store: Store): Promise<number> {
  let expired = 0;
  for (;;) {
    const pass = await sweepExpired(store);
    expired += pass.expired;
    if (!pass.isMoreDue) return expired;
  }
}

test('what was not sold expires once, with one event; what was sold does not', async () => {
  const unsold = await calculateNoted();
  const sold = await calculateNoted();
  await report(fixture, sold, 'applied');
  await sleep(HOLD_MS + 20);
  expect(await sweepAll(fixture.store)).toBe(1);
  expect(await sweepAll(fixture.store)).toBe(0);
  const events = await readEvents(fixture);
  const member = await pseudonymOf(fixture.store, ANNA);
  expect(events.filter(({ result }) => result === 'expired')).toMatchObject([
    {
      calculationId: unsold,
      answered: 'applied',
      venueId: 'oslo-central',
      member,
      uses: [{ counter: 'coffee:*', units: 1, limit: 1000 }],
    },
  ]);
});

test('nothing expires before its time', async () => {
  const store = await openStore(fixture.redis, 3_600_000);
  try {
    const { commit } = await calculate({ ...fixture, store }, { uses: [] });
    await noteDue(store, commit.calculationId, false);
    expect(await sweepAll(store)).toBe(0);
  } finally {
    store.connection.close();
  }
});

test('a hold has ended by time before any sweep has run', async () => {
  await calculateNoted();
  await sleep(HOLD_MS + 20);
  expect(await countUnits(fixture)).toEqual({ consumed: 0, over: 0, held: 0 });
});

test('a sale that comes while the event of the expiry is on its way keeps the mark of its own', async () => {
  const { redis, store } = fixture;
  const calculationId = await calculateNoted();
  await sleep(HOLD_MS + 20);
  let isSold = false;
  const connection = Object.create(store.connection, {
    run: {
      value: async (...asked: Parameters<typeof store.connection.run>) => {
        const reply = await store.connection.run(...asked);
        if (isSold || (await readEvents(fixture)).length === 0) return reply;
        isSold = true;
        await report(fixture, calculationId, 'applied');
        // As it stands when that process dies before its own event is appended.
        await redis.client.hset(store.keys.calculation(ANNA, calculationId), 'event', 1);
        return reply;
      },
    },
  }) as Store['connection'];
  await sweepAll({ ...store, connection });
  expect(isSold).toBe(true);
  const before = await readEvents(fixture);
  expect(await report(fixture, calculationId, 'applied')).toMatchObject({ outcome: 'duplicate' });
  expect((await readEvents(fixture)).length).toBe(before.length + 1);
});

test('a sale after the sweep is recorded as late', async () => {
  const calculationId = await calculateNoted();
  await sleep(HOLD_MS + 20);
  await sweepAll(fixture.store);
  expect(await report(fixture, calculationId, 'applied')).toMatchObject({ outcome: 'recorded', isLate: true });
  expect(await countUnits(fixture)).toEqual({ consumed: 1, over: 0, held: 0 });
});

test('two sweepers at once append one event for each calculation of a backlog', async () => {
  const ids: string[] = [];
  while (ids.length < 900) ids.push(...(await Promise.all(Array.from({ length: 30 }, () => calculateNoted()))));
  await sleep(HOLD_MS + 20);
  const counts = await Promise.all([sweepAll(fixture.store), sweepAll(other)]);
  expect(counts[0] + counts[1]).toBe(ids.length);
  const expired = (await readEvents(fixture)).filter(({ result }) => result === 'expired');
  expect(expired.map((event) => event['calculationId']).sort()).toEqual(ids.sort());
  // Looks were put off where the other one was appending the event.
  await makeAllDue(fixture.redis);
  expect(await sweepAll(other)).toBe(0);
  expect(await fixture.redis.client.keys('*:due:*')).toEqual([]);
});

test('a calculation that another sweeper ends while its event is made ends once, with one event', async () => {
  const calculationId = await calculateNoted();
  const { redis, store } = fixture;
  await sleep(HOLD_MS + 20);
  const list = store.keys.due(eventStream(calculationId));
  const looks: number[] = [];
  const run: typeof store.connection.run = async (key, command) => {
    const reply = await store.connection.run(key, command);
    if (key !== store.keys.calculation(ANNA, calculationId) || looks.length > 0) return reply;
    looks.push((await sweepExpired(other)).expired);
    return reply;
  };
  const connection = Object.create(store.connection, { run: { value: run } }) as Store['connection'];
  expect(await sweepExpired({ ...store, connection })).toMatchObject({ expired: 0, holds: 0 });
  expect(looks).toEqual([1]);
  await makeAllDue(redis);
  expect(await sweepAll(other)).toBe(0);
  expect(await redis.client.exists(list)).toBe(0);
  expect((await readEvents(fixture)).map((event) => event['calculationId'])).toEqual([calculationId]);
});

test('an event that was due when the sweeper died is appended by the next, five seconds later', async () => {
  const calculationId = await calculateNoted();
  const { redis, store } = fixture;
  const [key] = await redis.client.keys('*:calc:*');
  const list = store.keys.due(eventStream(calculationId));
  await sleep(HOLD_MS + 20);
  const beforeMs = Date.now();
  await redis.client.hset(key as string, 'state', 'expired', 'expiryEvent', beforeMs);
  expect(await sweepAll(store)).toBe(0);
  const dueMs = Number(await redis.client.zscore(list, calculationId));
  expect(dueMs).toBeGreaterThan(beforeMs);
  expect(dueMs).toBeLessThan(beforeMs + 10_000);
  await redis.client.hset(key as string, 'expiryEvent', beforeMs - 5000);
  await makeAllDue(redis);
  expect(await sweepAll(store)).toBe(1);
  expect((await readEvents(fixture)).map((event) => event['calculationId'])).toEqual([calculationId]);
});

test('of lists and calculations whose master is away others are swept all the same, and a bug is told', async () => {
  const { store } = fixture;
  const ids = await Promise.all(Array.from({ length: 40 }, () => calculateNoted()));
  await sleep(HOLD_MS + 20);
  const lists = [0, 1, 2, 3].map((list) => ids.filter((id) => eventStream(id) === list).length);
  /** A store that fails every command of a kind. */
  const failing = (error: Error, fails: (key: string) => boolean, isCluster = false) => {
    const run: typeof store.connection.run = (key, command) =>
      fails(key) ? Promise.reject(error) : store.connection.run(key, command);
    const connection = Object.create(store.connection, { run: { value: run }, isCluster: { value: isCluster } });
    return { ...store, connection: connection as Store['connection'] };
  };
  const away = new StoreUnavailable('the master is away');
  const isListTwo = (key: string) => key === store.keys.due(2);
  await expect(sweepExpired(failing(new Error('a bug'), isListTwo))).rejects.toThrow('a bug');
  // The bug has kept nothing from being swept but its own list.
  expect((await readEvents(fixture)).length).toBe(40 - lists[2]!);
  const more = await Promise.all(Array.from({ length: 40 }, () => calculateNoted()));
  await sleep(HOLD_MS + 20);
  const swept = await sweepExpired(failing(away, isListTwo));
  const others = more.filter((id) => eventStream(id) !== 2).length;
  expect(swept).toEqual({ expired: others, holds: others, isMoreDue: false });
});

test('on a cluster a calculation whose master is away is looked at again five seconds later, and others now', async () => {
  const { redis, store } = fixture;
  const [lost, ...others] = (await Promise.all(Array.from({ length: 12 }, () => calculateNoted()))) as [string];
  await sleep(HOLD_MS + 20);
  const isLost = (key: string) => key === store.keys.index(lost);
  const run: typeof store.connection.run = (key, command) =>
    isLost(key) ? Promise.reject(new StoreUnavailable('the master is away')) : store.connection.run(key, command);
  const seen = { run: { value: run }, isCluster: { value: true } };
  const connection = Object.create(store.connection, seen) as Store['connection'];
  const beforeMs = Date.now();
  const swept = await sweepExpired({ ...store, connection });
  expect(swept).toEqual({ expired: others.length, holds: others.length, isMoreDue: false });
  const dueMs = Number(await redis.client.zscore(store.keys.due(eventStream(lost)), lost));
  expect(dueMs - beforeMs).toBeGreaterThan(4_000);
  expect(dueMs - beforeMs).toBeLessThan(15_000);
  expect(await sweepAll(store)).toBe(0);
});

test('a calculation that held nothing of a limit expires, and is no hold that ended', async () => {
  const { commit } = await calculate(fixture, { uses: [] });
  await noteDue(fixture.store, commit.calculationId, false);
  await sleep(HOLD_MS + 20);
  expect(await sweepExpired(fixture.store)).toEqual({ expired: 1, holds: 0, isMoreDue: false });
});

test('a call that commits an ID while the sweep finds it uncommitted is not forgotten, and expires', async () => {
  const { redis, store } = fixture;
  const { calculationId } = commitOf();
  const list = store.keys.due(eventStream(calculationId));
  await claimIndexEntry(store, calculationId, ANNA, 'print', () => 1);
  await redis.client.zadd(list, 1, calculationId);
  let isLooked = false;
  const run: typeof store.connection.run = async (key, command) => {
    const reply = await store.connection.run(key, command);
    if (isLooked || key !== store.keys.calculation(ANNA, calculationId)) return reply;
    isLooked = true;
    await noteDue(lasting, calculationId, false);
    expect((await calculate({ redis, store: lasting }, { calculationId })).outcome).toBe('committed');
    return reply;
  };
  const lasting = { ...store, periods: { ...store.periods, holdMs: 60_000 } };
  const connection = Object.create(store.connection, { run: { value: run } }) as Store['connection'];
  expect(await sweepExpired({ ...store, connection })).toMatchObject({ expired: 0 });
  expect(isLooked).toBe(true);
  expect(await redis.client.zscore(list, calculationId)).not.toBeNull();
  await redis.client.hset(store.keys.calculation(ANNA, calculationId), 'deadline', 1);
  await redis.client.zadd(list, 'XX', 1, calculationId);
  expect(await sweepExpired(store)).toMatchObject({ expired: 1 });
});

test('what was noted and never claimed is forgotten', async () => {
  const { redis, store } = fixture;
  const { calculationId } = commitOf();
  await noteDue(store, calculationId, false);
  await sleep(HOLD_MS + 20);
  expect(await sweepExpired(store)).toEqual({ expired: 0, holds: 0, isMoreDue: false });
  expect(await redis.client.exists(store.keys.due(eventStream(calculationId)))).toBe(0);
});
