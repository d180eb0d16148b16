/** Expiry accounting: each calculation that ends unsold is counted once, whoever sweeps, and nothing rests on it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { noteDue, sweepExpired } from '../../src/store/expiry.ts';
import { pseudonymOf } from '../../src/store/pseudonyms.ts';
import type { Store } from '../../src/store/store.ts';
import { cleanUp } from '../support/cleanup.ts';
import { ANNA, calculate, countUnits, type Fixture, openFixture, openStore, report } from './fixture.ts';
import { readEvents } from './read-events.ts';

const HOLD_MS = 60;

let fixture: Fixture;
let other: Store;
beforeAll(async () => {
  fixture = await openFixture(HOLD_MS);
  other = await openStore(fixture.redis, HOLD_MS);
});
beforeEach(async () => {
  await fixture.redis.client.flushall();
});
afterAll(async () => {
  fixture.store.connection.close();
  other.connection.close();
  await fixture.redis.stop();
  cleanUp();
});

async function calculateNoted(): Promise<string> {
  const { commit } = await calculate(fixture, { uses: [{ usageKey: 'coffee:*', units: 1, limit: 1000 }] });
  await noteDue(fixture.store, commit.calculationId);
  return commit.calculationId;
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
    { calculationId: unsold, answered: 'applied', venueId: 'oslo-central', member, uses: 'coffee:*=1/1000' },
  ]);
});

test('nothing expires before its time', async () => {
  const store = await openStore(fixture.redis, 3_600_000);
  try {
    const { commit } = await calculate({ ...fixture, store }, { uses: [] });
    await noteDue(store, commit.calculationId);
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
      value: async (command: Parameters<typeof store.connection.run>[0]) => {
        const reply = await store.connection.run(command);
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

test('two sweepers at once miss nothing of a backlog', async () => {
  const ids: string[] = [];
  while (ids.length < 900) ids.push(...(await Promise.all(Array.from({ length: 30 }, () => calculateNoted()))));
  await sleep(HOLD_MS + 20);
  await Promise.all([sweepAll(fixture.store), sweepAll(other)]);
  const expired = new Set(
    (await readEvents(fixture)).filter(({ result }) => result === 'expired').map((event) => event['calculationId']),
  );
  expect(expired).toEqual(new Set(ids));
  for (const key of await fixture.redis.client.keys('*:due:*')) expect(await fixture.redis.client.zcard(key)).toBe(0);
});

test('an event that was due when the sweeper died is appended by the next', async () => {
  const calculationId = await calculateNoted();
  const { redis, store } = fixture;
  const [key] = await redis.client.keys('*:calc:*');
  await redis.client.hset(key as string, 'state', 'expired', 'expiryEvent', 1);
  await sleep(HOLD_MS + 20);
  expect(await sweepAll(store)).toBe(1);
  expect((await readEvents(fixture)).map((event) => event['calculationId'])).toEqual([calculationId]);
});
