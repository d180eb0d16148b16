/** One calculation ID in a counter of all members, asked for by two members: what a lost call had held never costs the other one its units. */
import { expect, test } from 'vitest';
import { resolveOverdue } from '../../src/store/common-endings.ts';
import { holdCommon } from '../../src/store/common-limits.ts';
import type { MemberToken } from '../../src/store/keys.ts';
import { until } from '../support/wait.ts';
import { booksOf, calculateCommon, counterOf, expectBooks, giftOf, somebody } from './common-fixture.ts';
import { commitOf, report, useFixture } from './fixture.ts';

const fixture = useFixture();
const gift = giftOf();
const counter = counterOf();

/** A call that holds units and is lost, or refused, before its commit. Its time is over already unless it says otherwise. */
async function lose(calculationId: string, member: MemberToken, units = 1, remainingMs = -2000) {
  const uses = [{ ...gift, units, counter }];
  const hold = { calculationId, member, uses, supersedes: undefined, remainingMs };
  expect(await holdCommon(fixture.store, hold)).toMatchObject({ outcome: 'held' });
}

const openCalls = () => fixture.redis.client.zrange(fixture.store.keys.unconfirmed(counter), 0, '-1');
const untilResolved = () => until('the lost call to be looked up', async () => (await openCalls()).length === 0);

/** Waits until a call of the past is older than one of now. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 5));

test('units of a committed calculation stay held when a lost call of its ID is looked up', async () => {
  const { store } = fixture;
  const { calculationId } = commitOf();
  await lose(calculationId, somebody(), 3);
  await pause();
  expect(await calculateCommon(store, { calculationId })).toMatchObject({ outcome: 'committed', holdsCommon: true });
  await booksOf(store);
  await untilResolved();
  expect(await booksOf(store)).toEqual({ consumed: 0, over: 0, held: 1 });
  expect(await report(fixture, calculationId, 'applied')).toMatchObject({ isLate: false, overRedeemed: 0 });
  expect(await booksOf(store)).toEqual({ consumed: 1, over: 0, held: 0 });
});

test('units of a call that is about to commit stay held when a lost call of its ID is looked up', async () => {
  const { store } = fixture;
  const { calculationId } = commitOf();
  const lost = somebody();
  await lose(calculationId, lost);
  await pause();
  const between = async () => {
    resolveOverdue(store, { counter, usageKey: gift.usageKey }, [`${lost} ${calculationId}`]);
    await until('the lost call to be looked up', async () => (await openCalls()).length === 1);
  };
  expect(await calculateCommon(store, { calculationId, between })).toMatchObject({ outcome: 'committed' });
  await untilResolved();
  expect(await booksOf(store)).toEqual({ consumed: 0, over: 0, held: 1 });
});

test('units of a committed calculation stay held, and no more, when a call of its ID is refused that had held others', async () => {
  const { store } = fixture;
  const { commit } = await calculateCommon(store);
  await untilResolved();
  await lose(commit.calculationId, somebody(), 3);
  expect(await booksOf(store)).toEqual({ consumed: 0, over: 0, held: 1 });
});

test('of two lost calls of an ID nothing stays held, and neither does anything beside a commit that takes nothing', async () => {
  const { store } = fixture;
  const { calculationId } = commitOf();
  await lose(calculationId, somebody(), 3);
  await pause();
  await lose(calculationId, somebody(), 1);
  expect(await booksOf(store)).toEqual({ consumed: 0, over: 0, held: 0 });
  await lose(calculationId, somebody(), 2);
  const own = { usageKey: 'own:*', units: 1, limit: 9 };
  expect(await calculateCommon(store, { calculationId, use: own })).toMatchObject({ outcome: 'committed' });
  await expectBooks(store, { consumed: 0, over: 0, held: 0 });
});
