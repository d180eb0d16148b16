/** Limits over all members: held before the commit, settled, given back, and completed by whoever comes after a crash. */

import { expect, test } from 'vitest';
import { commitCalculation } from '../../src/store/calculations.ts';
import { giveBackCommon } from '../../src/store/common-endings.ts';
import { holdCommon, readCommon } from '../../src/store/common-limits.ts';
import { findCalculation } from '../../src/store/find-calculation.ts';
import { eventStream } from '../../src/store/keys.ts';
import { bookAlone } from '../model/common/calls.ts';
import { sweepOnce } from '../support/plain-books.ts';
import { until } from '../support/wait.ts';
import { booksOf, calculateCommon, counterOf, expectBooks, GIFT, giftOf, PLACE, somebody } from './common-fixture.ts';
import { commitOf, openStore, report, useFixture } from './fixture.ts';

const fixture = useFixture();
const use = { ...giftOf(), counter: counterOf() };

test('a commit holds the units, its sale consumes them, and the record names them', async () => {
  const { commit, outcome } = await calculateCommon(fixture.store);
  expect(outcome).toBe('committed');
  await expectBooks(fixture.store, { consumed: 0, over: 0, held: 1 });
  expect((await readCommon(fixture.store, PLACE, [use])).get(GIFT)).not.toHaveProperty('sinceMs');
  const settled = await report(fixture, commit.calculationId, 'applied');
  expect(settled).toMatchObject({ outcome: 'recorded', isLate: false, overRedeemed: 0, hold: 'consumed' });
  expect(await booksOf(fixture.store)).toEqual({ consumed: 1, over: 0, held: 0 });
  expect((await findCalculation(fixture.store, commit.calculationId))?.commonUses).toMatchObject([
    { usageKey: GIFT, units: 1, limit: 3 },
  ]);
  const { sinceMs } = (await readCommon(fixture.store, PLACE, [use])).get(GIFT)!;
  expect(Math.abs(sinceMs! - Number((await fixture.redis.client.time())[0]) * 1_000)).toBeLessThan(5_000);
  // A repeated event consumes nothing more.
  expect(await report(fixture, commit.calculationId, 'applied')).toMatchObject({ outcome: 'duplicate' });
  expect(await booksOf(fixture.store)).toEqual({ consumed: 1, over: 0, held: 0 });
});

test('each venue has a counter of its own, and so has each period', async () => {
  const ofVenue = giftOf({ usageKey: 'gift~venue:2026-11-21', of: 'venue', limit: 1 });
  expect((await calculateCommon(fixture.store, { use: ofVenue })).outcome).toBe('committed');
  expect((await calculateCommon(fixture.store, { use: ofVenue })).outcome).toBe('shortage');
  const elsewhere = await readCommon(fixture.store, { ...PLACE, venueId: 'bergen-quay' }, [ofVenue]);
  expect(elsewhere.get(ofVenue.usageKey)).toMatchObject({ held: 0 });
  const tomorrow = { ...ofVenue, usageKey: 'gift~venue:2026-11-22' };
  expect((await calculateCommon(fixture.store, { use: tomorrow })).outcome).toBe('committed');
});

test.each(['cancelled', 'unchanged'])('a sale that ends as %s gives the units back', async (status) => {
  const { commit } = await calculateCommon(fixture.store);
  await report(fixture, commit.calculationId, status);
  expect(await booksOf(fixture.store)).toEqual({ consumed: 0, over: 0, held: 0 });
});

test('the last unit goes over from a superseded calculation to its successor', async () => {
  const one = giftOf({ limit: 1 });
  const { commit } = await calculateCommon(fixture.store, { use: one });
  const { member, calculationId } = commit;
  expect((await calculateCommon(fixture.store, { use: one })).outcome).toBe('shortage');
  const successor = await calculateCommon(fixture.store, { use: one, member, superseding: calculationId });
  expect(successor.outcome).toBe('committed');
  await expectBooks(fixture.store, { consumed: 0, over: 0, held: 1 }, one);
  const seen = await readCommon(fixture.store, PLACE, [one], [successor.commit.calculationId, 'nobody']);
  expect(seen.get(GIFT)).toMatchObject({ held: 0, own: 1 });
  await report(fixture, successor.commit.calculationId, 'applied');
  expect(await booksOf(fixture.store, one)).toEqual({ consumed: 1, over: 0, held: 0 });
});

test('a unit that was to go over is refused when the older calculation is sold in between', async () => {
  const one = giftOf({ limit: 1 });
  const { commit } = await calculateCommon(fixture.store, { use: one });
  const { member, calculationId } = commit;
  const between = () => report(fixture, calculationId, 'applied');
  const successor = await calculateCommon(fixture.store, { use: one, member, superseding: calculationId, between });
  expect(successor).toMatchObject({ outcome: 'shortage', left: new Map([[GIFT, 0]]) });
  expect((await booksOf(fixture.store, one)).consumed).toBe(1);
});

test('a refused loan leaves what others have not taken, and takes nothing of limits that lent nothing', async () => {
  const five = giftOf({ limit: 5 });
  const tea = giftOf({ usageKey: 'tea~programme:*', limit: 5 });
  await calculateCommon(fixture.store, { use: five });
  const { commit } = await calculateCommon(fixture.store, { use: { ...five, units: 3 }, more: [tea] });
  const { member, calculationId } = commit;
  const between = () => report(fixture, calculationId, 'applied');
  const wish = { use: { ...five, units: 4 }, more: [tea], member, superseding: calculationId, between };
  const successor = await calculateCommon(fixture.store, wish);
  expect(successor).toMatchObject({ outcome: 'shortage', left: new Map([[GIFT, 1]]) });
});

test('a superseded calculation of another member gives back what it held', async () => {
  const { commit } = await calculateCommon(fixture.store);
  await calculateCommon(fixture.store, { superseding: commit.calculationId });
  await expectBooks(fixture.store, { consumed: 0, over: 0, held: 1 });
});

test('a hold whose call never committed ends with the call, and one that was committed stays', async () => {
  const { store } = fixture;
  const member = somebody();
  const [lost, kept] = [commitOf({ member, uses: [] }), commitOf({ member, uses: [] })];
  for (const { calculationId } of [lost, kept]) {
    const hold = { calculationId, member, uses: [use], supersedes: undefined, remainingMs: -2000 };
    expect(await holdCommon(store, hold)).toEqual({ outcome: 'held', lent: new Map() });
  }
  // The process dies after the commit of one of them, before it has confirmed anything.
  await commitCalculation(store, { ...kept, common: { uses: [use], lent: new Map() } });
  expect(await booksOf(store)).toEqual({ consumed: 0, over: 0, held: 1 });
  await report(fixture, kept.calculationId, 'applied');
  expect(await booksOf(store)).toEqual({ consumed: 1, over: 0, held: 0 });
});

test('a retry of a call whose hold has lapsed keeps its new hold', async () => {
  const { store } = fixture;
  const wish = commitOf({ member: somebody(), uses: [] });
  const { calculationId, member } = wish;
  const hold = { calculationId, member, uses: [use], supersedes: undefined, remainingMs: -2000 };
  await holdCommon(store, hold);
  // The look-up of the overdue hold is under way while the retry holds anew.
  const [, retried] = await Promise.all([booksOf(store), holdCommon(store, { ...hold, remainingMs: 400 })]);
  expect(retried.outcome).toBe('held');
  await commitCalculation(store, { ...wish, common: { uses: [use], lent: new Map() } });
  expect(await booksOf(store)).toEqual({ consumed: 0, over: 0, held: 1 });
});

test('a sale whose process died before the counter is completed by its repetition, once', async () => {
  const { store } = fixture;
  const { commit } = await calculateCommon(store);
  await bookAlone(fixture.store, commit.calculationId, commit.member, ['applied', 't-1', null]);
  expect(await booksOf(store)).toMatchObject({ consumed: 0 });
  await Promise.all([1, 2, 3].map(() => report(fixture, commit.calculationId, 'applied')));
  expect(await booksOf(store)).toEqual({ consumed: 1, over: 0, held: 0 });
});

test('a sale whose process died before the counter is completed by whoever meets its overdue hold', async () => {
  const { store } = fixture;
  const wish = commitOf({ member: somebody(), uses: [] });
  const { calculationId, member } = wish;
  await holdCommon(store, { calculationId, member, uses: [use], supersedes: undefined, remainingMs: -2000 });
  await commitCalculation(store, { ...wish, common: { uses: [use], lent: new Map() } });
  await bookAlone(fixture.store, calculationId, member, ['applied', 't-1', null]);
  await expectBooks(store, { consumed: 1, over: 0, held: 0 });
});

test('what a crash left undone is completed by the sweep', async () => {
  const store = await openStore(fixture.redis, 50);
  const { commit } = await calculateCommon(store);
  const { calculationId, member } = commit;
  await fixture.redis.client.zadd(store.keys.examinations(eventStream(calculationId)), 1, calculationId);
  await bookAlone(fixture.store, calculationId, member, ['applied', 't-1', null]);
  await sweepOnce(store);
  expect(await booksOf(store)).toEqual({ consumed: 1, over: 0, held: 0 });
  const fields = await fixture.redis.client.hgetall(store.keys.calculation(member, calculationId));
  expect(fields).not.toHaveProperty('commonDue');
  store.connection.close();
});

test('an expiry gives back, and a sale after it is late and counted past the limit', async () => {
  const store = await openStore(fixture.redis, 50);
  const one = giftOf({ limit: 1 });
  const { commit } = await calculateCommon(store, { use: one });
  const { calculationId } = commit;
  await fixture.redis.client.zadd(store.keys.examinations(eventStream(calculationId)), 1, calculationId);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await sweepOnce(store)).toMatchObject({ expired: 1, holds: 1 });
  await expectBooks(store, { consumed: 0, over: 0, held: 0 }, one);
  const other = await calculateCommon(fixture.store, { use: one });
  expect(other.outcome).toBe('committed');
  expect(await report(fixture, calculationId, 'applied')).toMatchObject({
    isLate: true,
    overRedeemed: 1,
    hold: undefined,
  });
  expect(await report(fixture, other.commit.calculationId, 'applied')).toMatchObject({ isLate: false });
  expect(await booksOf(store, one)).toEqual({ consumed: 2, over: 1, held: 0 });
  expect((await findCalculation(store, calculationId))?.overRedeemed).toBe(1);
  store.connection.close();
});

test('returned goods give back once for each return', async () => {
  const { store } = fixture;
  const { commit } = await calculateCommon(store, { use: giftOf({ units: 2 }) });
  await report(fixture, commit.calculationId, 'applied');
  const back = new Map([[GIFT, 1]]);
  for (const returnId of ['r-1', 'r-1', 'r-2']) {
    await giveBackCommon(store, { calculationId: commit.calculationId, returnId }, [use], back);
    await giveBackCommon(store, { calculationId: commit.calculationId, returnId }, [use], back);
  }
  expect(await booksOf(store)).toEqual({ consumed: 0, over: 0, held: 0 });
});

test('after the return of a unit past the limit, the next one past it is counted again', async () => {
  const { redis, store } = fixture;
  const one = giftOf({ limit: 1 });
  const late = async () => {
    const { commit } = await calculateCommon(store, { use: one });
    await until(
      'the hold to be confirmed',
      async () => !(await redis.client.exists(store.keys.unconfirmed(use.counter))),
    );
    await redis.client.del(store.keys.hold(use.counter));
    return commit.calculationId;
  };
  const [first, second, third] = [await late(), await late(), await late()];
  expect(await report(fixture, first, 'applied')).toMatchObject({ overRedeemed: 0 });
  expect(await report(fixture, second, 'applied')).toMatchObject({ overRedeemed: 1 });
  await giveBackCommon(store, { calculationId: second, returnId: 'r-1' }, [use], new Map([[GIFT, 1]]));
  expect(await booksOf(store, one)).toEqual({ consumed: 1, over: 0, held: 0 });
  expect(await report(fixture, third, 'applied')).toMatchObject({ overRedeemed: 1 });
  expect(await booksOf(store, one)).toEqual({ consumed: 2, over: 1, held: 0 });
});

test('the mark of a sale in the counter ends ten minutes later, that of a return with the sale; nothing given back leaves none', async () => {
  const { redis, store } = fixture;
  const { commit } = await calculateCommon(store);
  const { calculationId } = commit;
  const marks = () => redis.client.zrange(store.keys.settled(use.counter), '0', '-1', 'WITHSCORES');
  await giveBackCommon(store, { calculationId, returnId: 'r-1' }, [use], new Map([['other', 1]]));
  expect(await marks()).toEqual([]);
  await report(fixture, calculationId, 'applied');
  const [seconds] = (await redis.client.time()).map(Number) as [number];
  const minutesOf = (score: string | undefined) => Math.round((Number(score) / 1_000 - seconds) / 60);
  await until('the mark to end soon', async () => minutesOf((await marks())[1]) === 10);
  const longer = { ...store, periods: { ...store.periods, soldMs: 3_600_000 } };
  await giveBackCommon(longer, { calculationId, returnId: 'r-1' }, [use], new Map([[GIFT, 1]]));
  const [, , name, score] = await marks();
  expect([name, minutesOf(score)]).toEqual([`${calculationId} r-1`, 60]);
  // A sale that is kept for less long does not have the counter forget that sooner.
  const { commit: next } = await calculateCommon(store);
  await report(fixture, next.calculationId, 'applied');
  await giveBackCommon(store, { calculationId: next.calculationId, returnId: 'r-1' }, [use], new Map([[GIFT, 1]]));
  expect(Math.round((await redis.client.pttl(store.keys.settled(use.counter))) / 60_000)).toBe(60);
});

test('nothing of a call that was repeated stays held', async () => {
  const { commit } = await calculateCommon(fixture.store);
  const again = await calculateCommon(fixture.store, {
    ...{ calculationId: commit.calculationId, member: commit.member, use: giftOf({ units: 3 }) },
  });
  expect(again.outcome).toBe('replay');
  await report(fixture, commit.calculationId, 'applied');
  expect(await booksOf(fixture.store)).toEqual({ consumed: 1, over: 0, held: 0 });
});
