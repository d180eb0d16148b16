/** What is read of a calculation, in each of its states; reconciliation and support rely on it. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { findCalculation } from '../../src/store/find-calculation.ts';
import { claimIndexEntry } from '../../src/store/index-entry.ts';
import type { MemberToken } from '../../src/store/keys.ts';
import { moveCalculation } from '../../src/store/merged.ts';
import { storedOf } from '../../src/store/stored-calculation.ts';
import { ANNA, BERIT, calculate, report, useFixture } from './fixture.ts';
import { interruptedStore } from './meddled-store.ts';

const fixture = useFixture();
const read = (calculationId: string) => findCalculation(fixture.store, calculationId);
/** What is read of a calculation of which nothing else is stored. */
const nothingOf = (calculationId: string, member?: MemberToken) => storedOf(member, calculationId, {});

test('an ID that was never seen is none; one that was claimed has a member and nothing else', async () => {
  const calculationId = randomUUID();
  expect(await read(calculationId)).toBeUndefined();
  await claimIndexEntry(fixture.store, calculationId, ANNA, () => 400);
  expect(await read(calculationId)).toEqual(nothingOf(calculationId, ANNA));
});

test('one that only a sale or a successor has named has what that says', async () => {
  const calculationId = randomUUID();
  await report(fixture, calculationId, 'failed', { transactionId: undefined, failureReason: 'declined' });
  const sale = { status: 'failed', transactionId: undefined, failureReason: 'declined' };
  expect(await read(calculationId)).toEqual({ ...nothingOf(calculationId), sale });
  const older = randomUUID();
  const { commit } = await calculate(fixture, { supersedes: { calculationId: older, member: undefined }, uses: [] });
  expect(await read(older)).toEqual({ ...nothingOf(older), supersededBy: commit.calculationId });
});

test('an answered one is open, then sold, and counts the events that say otherwise', async () => {
  const { commit } = await calculate(fixture);
  const { calculationId } = commit;
  const open = await read(calculationId);
  expect(open).toEqual({
    ...nothingOf(calculationId, ANNA),
    state: 'open',
    fingerprint: 'print',
    venueId: 'oslo-central',
    status: 'applied',
    answeredAtMs: expect.any(Number),
    deadlineMs: expect.any(Number),
    total: 100,
    ownUses: [{ usageKey: 'coffee:*', units: 1, limit: 1 }],
  });
  expect(open!.deadlineMs! - open!.answeredAtMs!).toBe(60_000);
  await report(fixture, calculationId, 'applied');
  await report(fixture, calculationId, 'cancelled');
  const sale = { status: 'applied', transactionId: 't-1', failureReason: undefined };
  expect(await read(calculationId)).toEqual({
    ...open,
    state: 'sold',
    soldAtMs: expect.any(Number),
    sale,
    second: { ...sale, status: 'cancelled' },
    conflicts: 1,
    answer: Buffer.from('as stored'),
  });
});

test('a late sale that took more than the limit says so', async () => {
  const { redis, store } = fixture;
  const { commit } = await calculate(fixture);
  await redis.client.hset(store.keys.calculation(ANNA, commit.calculationId), 'deadline', 1, 'aged', 70_000);
  await redis.client.hset(store.keys.hold(ANNA), commit.calculationId, '1 coffee:*=1/1');
  const { commit: other } = await calculate(fixture);
  await report(fixture, other.calculationId, 'applied');
  await report(fixture, commit.calculationId, 'applied');
  expect(await read(commit.calculationId)).toMatchObject({ isLate: true, overRedeemed: 1, agedMs: 70_000 });
  expect(await read(other.calculationId)).toMatchObject({ isLate: false, overRedeemed: 0 });
});

test('a successor of the same member is named by the calculation that it superseded', async () => {
  const { commit } = await calculate(fixture);
  const supersedes = { calculationId: commit.calculationId, member: ANNA };
  const { commit: next } = await calculate(fixture, { supersedes });
  expect(await read(commit.calculationId)).toMatchObject({ state: 'superseded', supersededBy: next.calculationId });
});

test('one that a merge moves after its entry was read is found in its new slot', async () => {
  const { store } = fixture;
  const { calculationId } = (await calculate(fixture)).commit;
  const move = () => moveCalculation(store, ANNA, BERIT, calculationId);
  const merging = interruptedStore(store, store.keys.index(calculationId), move);
  expect(await findCalculation(merging, calculationId)).toMatchObject({ state: 'open', member: BERIT });
});
