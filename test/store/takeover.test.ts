/**
 * Two members claim one calculation ID, and the first call died before its commit. Whatever was told of the calculation
 * while the second took the ID over, it is told to the second: a tombstone is never lost.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { commitCalculation } from '../../src/store/calculations.ts';
import { buryIndexEntry, claimIndexEntry, readIndexEntry } from '../../src/store/index-entry.ts';
import type { Store } from '../../src/store/store.ts';
import { ANNA, BERIT, calculate, commitOf, countUnits, report, useFixture } from './fixture.ts';
import { readEvents } from './read-events.ts';

const fixture = useFixture();

/** Anna's call claims an ID and dies; its deadline has passed when this resolves. */
async function claimAndDie(calculationId: string = randomUUID()): Promise<string> {
  await claimIndexEntry(fixture.store, calculationId, ANNA, 'print', () => 1);
  await sleep(5);
  return calculationId;
}

/** Berit's claim of the ID; `between` happens when she has looked into Anna's slot and not yet taken the entry. */
async function takeOver(calculationId: string, between: () => Promise<unknown>) {
  const { store } = fixture;
  let commands = 0;
  const connection = Object.create(store.connection, {
    run: {
      value: async (...asked: Parameters<typeof store.connection.run>) => {
        commands += 1;
        // One claim that finds Anna's entry and a note, two looks into her slot, then the claim that takes the entry.
        if (commands === 5) await between();
        return store.connection.run(...asked);
      },
    },
  }) as Store['connection'];
  const entry = await readIndexEntry(store, calculationId);
  const commit = commitOf({ calculationId, member: BERIT, entry });
  const committed = await commitCalculation({ ...store, connection }, commit);
  expect(commands).toBeGreaterThanOrEqual(5);
  expect(committed.outcome).toBe('committed');
}

test('a sale event told meanwhile: the second holds nothing, and the event stays the first', async () => {
  const calculationId = await claimAndDie();
  await takeOver(calculationId, async () => {
    expect(await report(fixture, calculationId, 'failed')).toEqual({ outcome: 'unknown_calculation' });
  });
  expect(await countUnits(fixture, BERIT)).toEqual({ consumed: 0, over: 0, held: 0 });
  expect(await report(fixture, calculationId, 'applied')).toMatchObject({ outcome: 'conflict' });
  expect(await report(fixture, calculationId, 'failed')).toMatchObject({ outcome: 'duplicate' });
});

test('a sale event that finds the ID taken over when it has marked the first is told to the second', async () => {
  const { store } = fixture;
  const calculationId = await claimAndDie();
  const entry = await readIndexEntry(store, calculationId);
  await takeOver(calculationId, async () => {});
  const stale = { ...fixture, store: { ...store } };
  expect(await report(stale, calculationId, 'applied', {}, entry)).toMatchObject({ outcome: 'recorded' });
  expect(await countUnits(fixture, BERIT)).toEqual({ consumed: 1, over: 0, held: 0 });
  expect(await report(fixture, calculationId, 'applied')).toMatchObject({ outcome: 'duplicate' });
  expect((await readEvents(fixture)).map(({ result }) => result)).toEqual(['recorded']);
});

test('a supersession told before the sale event does not hide it', async () => {
  const { store } = fixture;
  const calculationId = randomUUID();
  await buryIndexEntry(store, calculationId, { kind: 'superseded', by: randomUUID() });
  await claimAndDie(calculationId);
  expect(await report(fixture, calculationId, 'failed')).toEqual({ outcome: 'unknown_calculation' });
  await takeOver(calculationId, async () => {});
  expect(await report(fixture, calculationId, 'applied')).toMatchObject({ outcome: 'conflict' });
  expect(await report(fixture, calculationId, 'failed')).toMatchObject({ outcome: 'duplicate' });
});

test.each([
  ['the same member', ANNA],
  ['another member', BERIT],
])('a supersession by %s told meanwhile: the second holds nothing', async (_, member) => {
  const calculationId = await claimAndDie();
  await takeOver(calculationId, async () => {
    await calculate(fixture, { member, uses: [], supersedes: { calculationId, member: ANNA } });
  });
  expect(await countUnits(fixture, BERIT)).toEqual({ consumed: 0, over: 0, held: 0 });
});

test('a sale recorded meanwhile, after the idempotency window: the second holds nothing', async () => {
  const { redis, store } = fixture;
  const { commit } = await calculate(fixture);
  const { calculationId } = commit;
  await redis.client.del(store.keys.answer(ANNA, calculationId));
  await takeOver(calculationId, async () => {
    expect(await report(fixture, calculationId, 'applied')).toMatchObject({ outcome: 'recorded' });
  });
  expect(await countUnits(fixture, BERIT)).toEqual({ consumed: 0, over: 0, held: 0 });
  expect(await report(fixture, calculationId, 'applied')).toMatchObject({ outcome: 'duplicate' });
});

test('a claim from before the clock was set back holds nobody up', async () => {
  const { redis, store } = fixture;
  const calculationId = randomUUID();
  const hourAhead = Date.now() + 3_600_000;
  await redis.client.set(store.keys.index(calculationId), `${ANNA} print ${hourAhead} -`);
  const startMs = performance.now();
  const remainingMs = () => 400 - (performance.now() - startMs);
  expect((await claimIndexEntry(store, calculationId, BERIT, 'print', remainingMs)).outcome).toBe('claimed');
});
