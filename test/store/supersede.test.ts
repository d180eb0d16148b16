/** Supersession: the older hold is released and the new one taken in one step, wherever the older calculation lives. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { commitCalculation, findStoredAnswer, findSupersession } from '../../src/store/calculations.ts';
import { buryIndexEntry, claimIndexEntry, readIndexEntry } from '../../src/store/index-entry.ts';
import { ANNA, BERIT, calculate, commitOf, countUnits, report, useFixture } from './fixture.ts';

const fixture = useFixture();

const superseding = (calculationId: string, member = ANNA) => ({ supersedes: { calculationId, member } });

test('after a card swap the other member gets the unit back', async () => {
  const { commit } = await calculate(fixture);
  const swap = await calculate(fixture, { ...superseding(commit.calculationId, ANNA), member: BERIT });
  expect(swap.outcome).toBe('committed');
  expect(await countUnits(fixture, ANNA)).toEqual({ consumed: 0, over: 0, held: 0 });
  expect(await countUnits(fixture, BERIT)).toEqual({ consumed: 0, over: 0, held: 1 });
});

test('a release that was left undone is completed by a replay', async () => {
  const { redis, store } = fixture;
  const { commit } = await calculate(fixture);
  const swap = commitOf({ member: BERIT, ...superseding(commit.calculationId, ANNA) });
  await commitCalculation(store, swap);
  // As it stands when the process dies between the two steps.
  const calculation = store.keys.calculation(ANNA, commit.calculationId);
  await redis.client.hset(calculation, 'state', 'open');
  await redis.client.hset(store.keys.hold(ANNA), commit.calculationId, `${Date.now() + 60_000} coffee:*=1/1`);
  await redis.client.hset(store.keys.calculation(BERIT, swap.calculationId), 'release', commit.calculationId);
  await findStoredAnswer(store, swap.calculationId, BERIT, () => 'print');
  expect(await countUnits(fixture, ANNA)).toEqual({ consumed: 0, over: 0, held: 0 });
  expect(await redis.client.hget(calculation, 'state')).toBe('superseded');
});

test('a calculation that was sold before it came is not superseded, whoever claimed it without a commit', async () => {
  const { redis, store } = fixture;
  const older = randomUUID();
  await buryIndexEntry(store, older, { kind: 'sale', outcome: '["cancelled",null,null]' });
  await claimIndexEntry(store, older, ANNA, () => 100);
  const entry = await readIndexEntry(store, older);
  expect(entry).toMatchObject({ member: ANNA, tombstone: { kind: 'sale' } });
  expect(findSupersession(older, entry)).toBeUndefined();
  await calculate(fixture, { supersedes: { calculationId: older, member: undefined }, member: BERIT, uses: [] });
  expect(await redis.client.exists(store.keys.calculation(ANNA, older))).toBe(0);
});

test('a calculation superseded between its read and its commit reads again, and holds nothing', async () => {
  const older = commitOf();
  await calculate(fixture, { ...superseding(older.calculationId), uses: [] });
  expect((await commitCalculation(fixture.store, older)).outcome).toBe('changed');
  expect((await calculate(fixture, older)).outcome).toBe('committed');
  expect(await countUnits(fixture)).toEqual({ consumed: 0, over: 0, held: 0 });
});

test('a sale of a superseded calculation is recorded as late and counted past the limit', async () => {
  const { commit } = await calculate(fixture);
  await calculate(fixture, superseding(commit.calculationId));
  expect(await report(fixture, commit.calculationId, 'applied')).toMatchObject({
    outcome: 'recorded',
    isLate: true,
    overRedeemed: 1,
  });
  expect(await countUnits(fixture)).toEqual({ consumed: 1, over: 1, held: 1 });
});

test('superseded before it came, it holds nothing, and should it be sold all the same, that is booked as late', async () => {
  const calculationId = randomUUID();
  await calculate(fixture, { uses: [], supersedes: { calculationId, member: undefined } });
  expect((await readIndexEntry(fixture.store, calculationId))?.tombstone).toMatchObject({ kind: 'superseded' });
  expect((await calculate(fixture, { calculationId })).outcome).toBe('committed');
  expect(await countUnits(fixture)).toEqual({ consumed: 0, over: 0, held: 0 });
  expect(await report(fixture, calculationId, 'applied')).toMatchObject({ isLate: true, overRedeemed: 0 });
  expect(await countUnits(fixture)).toEqual({ consumed: 1, over: 0, held: 0 });
});

test('of a calculation whose successor came first, the first outcome stands before it comes and after', async () => {
  const calculationId = randomUUID();
  await calculate(fixture, { uses: [], supersedes: { calculationId, member: undefined } });
  expect(await report(fixture, calculationId, 'failed')).toMatchObject({ outcome: 'unknown_calculation' });
  expect(await report(fixture, calculationId, 'failed')).toMatchObject({ outcome: 'unknown_calculation' });
  expect(await report(fixture, calculationId, 'applied')).toMatchObject({ outcome: 'conflict' });
  expect((await calculate(fixture, { calculationId })).outcome).toBe('committed');
  expect(await report(fixture, calculationId, 'failed')).toMatchObject({ outcome: 'duplicate' });
  expect(await report(fixture, calculationId, 'applied')).toMatchObject({ outcome: 'conflict' });
  expect(await countUnits(fixture)).toEqual({ consumed: 0, over: 0, held: 0 });
});

test('of many different outcomes at once after the successor, one stands', async () => {
  const calculationId = randomUUID();
  await calculate(fixture, { uses: [], supersedes: { calculationId, member: undefined } });
  const statuses = ['applied', 'unchanged', 'failed', 'cancelled'] as const;
  const told = await Promise.all(statuses.map((status) => report(fixture, calculationId, status)));
  expect(told.map(({ outcome }) => outcome).toSorted()).toEqual([...Array(3).fill('conflict'), 'unknown_calculation']);
});
