/** The counters of all members when a call is over: what it committed is confirmed, the rest given back, and what it left looked up once. */
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { commitCalculation } from '../../src/store/calculations.ts';
import { confirmHolds } from '../../src/store/common-endings.ts';
import { holdCommon, readCommon } from '../../src/store/common-limits.ts';
import { moveCalculation } from '../../src/store/merged.ts';
import type { CommonUse } from '../../src/store/uses.ts';
import { until } from '../support/wait.ts';
import { booksOf, calculateCommon, counterOf, expectBooks, giftOf, PLACE, somebody } from './common-fixture.ts';
import { commitOf, report, useFixture } from './fixture.ts';
import { countingStore, failingStore } from './meddled-store.ts';

const fixture = useFixture();

const useOf = (usageKey: string): CommonUse => {
  const use = giftOf({ usageKey });
  return { ...use, counter: counterOf(use) };
};
const [gift, tea] = [useOf('gift~programme:*'), useOf('tea~programme:*')];
/** Holds of which the counter does not know yet whether their calls committed. */
const openCalls = ({ counter }: CommonUse) => fixture.redis.client.zcard(fixture.store.keys.unconfirmed(counter));
const heldOf = async (use: CommonUse) => (await booksOf(fixture.store, use)).held;

/** A commit of what it held, which nobody has confirmed; `remainingMs` is the time that its call still had. */
async function commitHeld(uses: readonly CommonUse[], committed: readonly CommonUse[], remainingMs: number) {
  const { store } = fixture;
  const commit = commitOf({ member: somebody(), uses: [] });
  const { calculationId, member } = commit;
  await holdCommon(store, { calculationId, member, uses, supersedes: undefined, remainingMs });
  await commitCalculation(store, { ...commit, common: { uses: committed, lent: new Map() } });
  return { calculationId, member };
}

test('what is committed is confirmed, and what an earlier round held beside it is given back', async () => {
  const owner = await commitHeld([gift, tea], [gift], 60_000);
  expect([await openCalls(gift), await openCalls(tea)]).toEqual([1, 1]);
  expect(await fixture.redis.client.pttl(fixture.store.keys.unconfirmed(gift.counter))).toBeGreaterThan(0);
  await confirmHolds(fixture.store, { ...owner, uses: [gift], dropped: [tea] });
  expect([await openCalls(gift), await openCalls(tea)]).toEqual([0, 0]);
  expect([await heldOf(gift), await heldOf(tea)]).toEqual([1, 0]);
});

test('of what a duplicate of the call has held beside it, only what was committed stays held', async () => {
  const { store } = fixture;
  const owner = await commitHeld([gift], [gift], 60_000);
  const more = { ...owner, uses: [{ ...gift, units: 3 }], supersedes: undefined, remainingMs: 60_000 };
  expect(await holdCommon(store, more)).toMatchObject({ outcome: 'held' });
  expect(await heldOf(gift)).toBe(3);
  await confirmHolds(store, { ...owner, uses: [gift], dropped: [] });
  expect(await heldOf(gift)).toBe(1);
});

test('a caller hears that what it held could not be confirmed', async () => {
  const owner = await commitHeld([gift], [gift], 60_000);
  const away = failingStore(fixture.store, () => true);
  const confirmed = confirmHolds(away, { ...owner, uses: [gift], dropped: [] });
  await expect(confirmed).rejects.toThrow(StoreUnavailable);
});

test('of a calculation with several limits, the one whose counter is read is confirmed', async () => {
  await commitHeld([gift, tea], [gift, tea], -2000);
  expect(await heldOf(tea)).toBe(1);
  await until('the hold of tea to be confirmed', async () => (await openCalls(tea)) === 0);
  expect(await openCalls(gift)).toBe(1);
  expect(await heldOf(tea)).toBe(1);
});

test('a lost call is looked up once by a process, however many of its calls meet the hold', async () => {
  const { calculationId, member } = commitOf({ member: somebody() });
  const { told, store } = countingStore(fixture.store, fixture.store.keys.index(calculationId));
  await holdCommon(store, { calculationId, member, uses: [gift], supersedes: undefined, remainingMs: -2000 });
  await Promise.all(Array.from({ length: 20 }, () => booksOf(store, gift)));
  await expectBooks(store, { consumed: 0, over: 0, held: 0 });
  expect(told.count).toBe(1);
});

test('a sale event that comes again asks nothing of counters that have its sale', async () => {
  const costOfRepetition = async (calculationId: string) => {
    const { client } = fixture.redis;
    await report(fixture, calculationId, 'applied');
    await client.config('RESETSTAT');
    expect(await report(fixture, calculationId, 'applied')).toMatchObject({ outcome: 'duplicate' });
    return /cmdstat_evalsha:calls=(\d+)/.exec(await client.info('commandstats'))?.[1];
  };
  const limited = await calculateCommon(fixture.store);
  await until('the hold to be confirmed', async () => (await openCalls(gift)) === 0);
  const { commit: other } = await calculateCommon(fixture.store, { use: { usageKey: 'own:*', units: 1, limit: 9 } });
  const cost = await costOfRepetition(other.calculationId);
  expect(await costOfRepetition(limited.commit.calculationId)).toBe(cost);
});

test('a repetition that is lost after its calculation was cancelled gives back what it held', async () => {
  const { store } = fixture;
  const owner = await commitHeld([gift], [gift], 60_000);
  await report(fixture, owner.calculationId, 'cancelled');
  await holdCommon(store, { ...owner, uses: [gift], supersedes: undefined, remainingMs: -2000 });
  expect(await openCalls(gift)).toBe(1);
  await expectBooks(store, { consumed: 0, over: 0, held: 0 });
});

test('what an earlier round of a lost call held is given back, while the sale of the rest is still to be counted', async () => {
  const { redis, store } = fixture;
  const { calculationId, member } = await commitHeld([gift, tea], [gift], -2000);
  await redis.client.hset(store.keys.calculation(member, calculationId), 'state', 'sold', 'commonDue', 'consume');
  expect(await openCalls(tea)).toBe(1);
  expect(await heldOf(tea)).toBe(0);
  expect(await openCalls(tea)).toBe(0);
});

test('units that a lost call held are there for the next call, and other limits are not read', async () => {
  const { store } = fixture;
  const last = { ...gift, limit: 1 };
  const lose = (remainingMs: number) => {
    const { calculationId } = commitOf();
    return holdCommon(store, { calculationId, member: somebody(), uses: [last], supersedes: undefined, remainingMs });
  };
  await lose(-2000);
  expect(await lose(400)).toMatchObject({ outcome: 'held' });
  expect(await lose(400)).toMatchObject({ outcome: 'shortage' });
  const own = { usageKey: 'own:*', units: 1, limit: 9 };
  expect([...(await readCommon(store, PLACE, [gift, own])).keys()]).toEqual([gift.usageKey]);
});

test('a hold that nobody has confirmed stays when its calculation moves to the member that its own one was merged into', async () => {
  const { store } = fixture;
  const { calculationId, member } = await commitHeld([gift, tea], [gift], 1);
  await moveCalculation(store, member, somebody(), calculationId);
  // Whoever reads the counters looks up the holds whose calls are over: what was not committed is given back.
  await until('the calls to be over', async () => ((await heldOf(tea)) === 0 ? true : undefined));
  expect([await heldOf(gift), await openCalls(gift), await openCalls(tea)]).toEqual([1, 0, 0]);
});

test('what a sale has left to do in a counter is done when its calculation moves, and noted where it is then', async () => {
  const { redis, store } = fixture;
  const { commit } = await calculateCommon(store);
  const { calculationId, member } = commit;
  await expectBooks(store, { consumed: 0, over: 0, held: 1 });
  await redis.client.hset(store.keys.calculation(member, calculationId), { state: 'sold', commonDue: 'consume' });
  const heir = somebody();
  await moveCalculation(store, member, heir, calculationId);
  await expectBooks(store, { consumed: 1, over: 0, held: 0 });
  expect(await redis.client.hget(store.keys.calculation(heir, calculationId), 'commonDue')).toBeNull();
});
