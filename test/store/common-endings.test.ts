/** Holds in counters of all members whose calls are over, and what is left undone while Redis is away. */

import { expect, test } from 'vitest';
import { holdCommon } from '../../src/store/common-limits.ts';
import { findCalculation } from '../../src/store/find-calculation.ts';
import { moveCalculation } from '../../src/store/merged.ts';
import { sweepOnce } from '../support/plain-books.ts';
import { until } from '../support/wait.ts';
import { booksOf, calculateCommon, counterOf, expectBooks, giftOf, somebody } from './common-fixture.ts';
import { ANNA, BERIT, commitOf, report, useFixture } from './fixture.ts';
import { divertedStore, failingStore } from './meddled-store.ts';
import { readEvents } from './read-events.ts';

const fixture = useFixture();
const use = { ...giftOf(), counter: counterOf() };

test('of one counter a lost call is looked up after another, and so are two at once', async () => {
  const lose = async () => {
    const { calculationId } = commitOf();
    const hold = { calculationId, member: somebody(), uses: [use], supersedes: undefined, remainingMs: -2000 };
    expect(await holdCommon(fixture.store, hold)).toMatchObject({ outcome: 'held' });
  };
  for (const count of [1, 1, 2]) {
    await Promise.all(Array.from({ length: count }, lose));
    await expectBooks(fixture.store, { consumed: 0, over: 0, held: 0 });
  }
});

/** A store on which a merge moves a calculation as soon as its sale is booked. */
function movingStore(calculationId: string) {
  const { redis, store } = fixture;
  const calculation = store.keys.calculation(ANNA, calculationId);
  return divertedStore(store, async (key, send) => {
    const isSold = key === calculation && (await redis.client.hget(calculation, 'state')) === 'sold';
    if (isSold) await moveCalculation(store, ANNA, BERIT, calculationId);
    return send();
  });
}

test('a sale whose calculation moves to another member meanwhile is consumed once, however late the sweep comes', async () => {
  const { redis, store } = fixture;
  const { commit } = await calculateCommon(store, { member: ANNA });
  const { calculationId } = commit;
  const moving = movingStore(calculationId);
  const periods = { ...store.periods, retentionMs: 7 * 86_400_000 };
  await report({ redis, store: { ...moving, periods } }, calculationId, 'applied');
  expect(await booksOf(store)).toEqual({ consumed: 1, over: 0, held: 0 });
  // Half an hour later; another sale forgets what has ended.
  await redis.client.zincrby(store.keys.settled(use.counter), -1_800_000, calculationId);
  const { commit: other } = await calculateCommon(store);
  await report(fixture, other.calculationId, 'applied');
  await redis.client.zadd(store.keys.examinations(0), 1, calculationId);
  await sweepOnce(store);
  expect(await booksOf(store)).toEqual({ consumed: 2, over: 0, held: 0 });
  expect(await redis.client.hget(store.keys.calculation(BERIT, calculationId), 'commonDue')).toBeNull();
});

test('units past the limit of one counter are told by the repeated event, where another counter could not be reached', async () => {
  const { redis, store } = fixture;
  const tea = giftOf({ usageKey: 'tea~programme:*' });
  const one = giftOf({ limit: 1 });
  const { commit } = await calculateCommon(store, { use: one, more: [tea] });
  const { calculationId } = commit;
  await until(
    'the hold to be confirmed',
    async () => !(await redis.client.exists(store.keys.unconfirmed(use.counter))),
  );
  await redis.client.del(store.keys.hold(use.counter));
  const { commit: other } = await calculateCommon(store, { use: one });
  await report(fixture, other.calculationId, 'applied');

  const away = store.keys.use(counterOf(tea));
  const cut = report({ store: failingStore(store, (key) => key === away) }, calculationId, 'applied');
  await expect(cut).rejects.toThrow('the master is away');
  expect(await booksOf(store, one)).toEqual({ consumed: 2, over: 1, held: 0 });
  expect(await booksOf(store, tea)).toMatchObject({ consumed: 0 });

  expect(await report(fixture, calculationId, 'applied')).toMatchObject({ outcome: 'duplicate' });
  expect(await booksOf(store, tea)).toMatchObject({ consumed: 1, held: 0 });
  expect((await findCalculation(store, calculationId))?.overRedeemed).toBe(1);
  const [told] = (await readEvents(fixture)).filter((event) => event['calculationId'] === calculationId);
  expect(told).toMatchObject({ result: 'recorded', overRedeemed: 1 });
});
