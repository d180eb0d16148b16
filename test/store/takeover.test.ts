/**
 * Two members claim one calculation ID, and the first call died before its commit. Whatever was told of the calculation
 * while the second took the ID over, it is told to the second: a tombstone is never lost.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { commitCalculation } from '../../src/store/calculations.ts';
import { buryIndexEntry, claimIndexEntry, readIndexEntry } from '../../src/store/index-entry.ts';
import { ANNA, BERIT, calculate, commitOf, countUnits, report, useFixture } from './fixture.ts';
import { interruptedStore } from './meddled-store.ts';
import { readEvents } from './read-events.ts';

const fixture = useFixture();

/** Anna's call claims an ID and dies; its deadline has passed when this resolves. */
async function claimAndDie(calculationId: string = randomUUID()): Promise<string> {
  await claimIndexEntry(fixture.store, calculationId, ANNA, () => 1);
  await sleep(5);
  return calculationId;
}

/** Berit's claim of the ID; `between` happens when she has looked into Anna's slot and not yet taken the entry. */
async function takeOver(calculationId: string, between: () => Promise<unknown>) {
  const { store } = fixture;
  let isOver = false;
  // Whether Anna has answered is asked before what her record has.
  const interrupted = interruptedStore(store, store.keys.calculation(ANNA, calculationId), async () => {
    isOver = true;
    await between();
  });
  const entry = await readIndexEntry(store, calculationId);
  const committed = await commitCalculation(interrupted, commitOf({ calculationId, member: BERIT, entry }));
  expect([isOver, committed.outcome]).toEqual([true, 'committed']);
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
  expect(await report(fixture, calculationId, 'applied', { seen: entry })).toMatchObject({ outcome: 'recorded' });
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

test.each([
  ['each', 400, { outcome: 'recorded', counted: [{ of: { member: BERIT } }, { of: { member: ANNA } }] }],
  [
    'the second alone, and the other by the repeated event',
    1,
    { outcome: 'too_late', counted: [{ of: { member: BERIT } }] },
  ],
])('a sale of two answers under one ID is told and counted of both; in time is %s', async (_case, leftMs, settled) => {
  const { redis, store } = fixture;
  const given = { programmeId: 'club', currency: 'NOK', benefits: [{ benefitId: 'half', units: 2, saved: 500 }] };
  const { calculationId } = (await calculate(fixture, { given })).commit;
  const entry = await readIndexEntry(store, calculationId);
  await redis.client.del(store.keys.answer(ANNA, calculationId));
  expect(await calculate(fixture, { calculationId, member: BERIT, given })).toMatchObject({ outcome: 'committed' });
  // Both bookings ask, then the completion of the second one, and of the first.
  let asked = 0;
  const deadline = { remainingMs: () => (++asked > 3 ? leftMs : 400), redisMs: Number.MAX_SAFE_INTEGER };
  const told = await report(fixture, calculationId, 'applied', { seen: entry, deadline });
  expect(told).toMatchObject(settled);
  const again = await report(fixture, calculationId, 'applied', { seen: entry, deadline: { remainingMs: () => 400 } });
  expect([...(told.counted ?? []), ...(again.counted ?? [])].map(({ of }) => of?.member)).toEqual([BERIT, ANNA]);
  expect((await readEvents(fixture)).map(({ result }) => result)).toEqual(['recorded', 'recorded']);
});

test('a claim from before the clock was set back holds nobody up', async () => {
  const { redis, store } = fixture;
  const calculationId = randomUUID();
  const hourAhead = Date.now() + 3_600_000;
  await redis.client.set(store.keys.index(calculationId), `${ANNA} print ${hourAhead} -`);
  const startMs = performance.now();
  const remainingMs = () => 400 - (performance.now() - startMs);
  expect((await claimIndexEntry(store, calculationId, BERIT, remainingMs)).outcome).toBe('claimed');
});
