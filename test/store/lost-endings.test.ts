/** A superseded calculation has units of a limit over all members, and the step that gives them back is lost. */

import { expect, test } from 'vitest';
import { findStoredAnswer } from '../../src/store/calculations.ts';
import type { MemberToken } from '../../src/store/keys.ts';
import { erase, sweepOnce } from '../support/plain-books.ts';
import { until } from '../support/wait.ts';
import { booksOf, calculateCommon, counterOf, expectBooks, giftOf, somebody } from './common-fixture.ts';
import { report, useFixture } from './fixture.ts';
import { failingStore } from './meddled-store.ts';

const fixture = useFixture();
const one = giftOf({ limit: 1 });
const two = giftOf({ limit: 2 });
const counter = counterOf();

/** A store that reaches a counter for holding units there, and no longer once `isLost` says so. */
const losing = (isLost: () => boolean) =>
  failingStore(fixture.store, (key) => isLost() && key === fixture.store.keys.use(counter));

/** A calculation that one of `successor` supersedes, whose units the counter has not been told to take back. */
async function supersede(use = one, successor?: MemberToken) {
  const { commit: older } = await calculateCommon(fixture.store, { use });
  let isHeld = false;
  const between = async () => {
    isHeld = true;
  };
  const wish = { use, superseding: older.calculationId, member: successor ?? older.member, between };
  const { commit: newer, outcome } = await calculateCommon(
    losing(() => isHeld),
    wish,
  );
  expect(outcome).toBe('committed');
  expect(await booksOf(fixture.store, use)).toEqual({ consumed: 0, over: 0, held: 2 });
  return { older, newer };
}

/** The sweep looks at a calculation, as it does soon after a call that superseded another one. */
async function sweep(calculationId: string): Promise<void> {
  await fixture.redis.client.zadd(fixture.store.keys.examinations(0), 1, calculationId);
  expect(await sweepOnce(fixture.store)).toMatchObject({ expired: 0 });
}
const release = ({ member, calculationId }: { member: MemberToken; calculationId: string }) =>
  fixture.redis.client.hget(fixture.store.keys.calculation(member, calculationId), 'release');

test('the last unit goes over to the next successor too', async () => {
  const { newer } = await supersede();
  await sweep(newer.calculationId);
  expect(await booksOf(fixture.store, one)).toEqual({ consumed: 0, over: 0, held: 1 });
  expect(await release(newer)).toBeNull();
  const next = { use: one, member: newer.member, superseding: newer.calculationId };
  expect((await calculateCommon(fixture.store, next)).outcome).toBe('committed');
});

test.each([
  ['applied', 1],
  ['cancelled', 0],
])('a successor whose event is %s leaves no unit held', async (status, consumed) => {
  const { newer } = await supersede();
  await report(fixture, newer.calculationId, status);
  await sweep(newer.calculationId);
  expect(await booksOf(fixture.store, one)).toEqual({ consumed, over: 0, held: 0 });
  expect((await calculateCommon(fixture.store, { use: one })).outcome).toBe(consumed ? 'shortage' : 'committed');
});

test('where other units were left, the superseded one is free for others', async () => {
  const { newer } = await supersede(two);
  expect((await calculateCommon(fixture.store, { use: two })).outcome).toBe('shortage');
  await sweep(newer.calculationId);
  expect((await calculateCommon(fixture.store, { use: two })).outcome).toBe('committed');
});

test('a successor that was superseded itself has its own predecessor released', async () => {
  const { newer } = await supersede(two);
  const { commit: next } = await calculateCommon(fixture.store, {
    ...{ use: giftOf({ limit: 3 }), member: newer.member, superseding: newer.calculationId },
  });
  await expectBooks(fixture.store, { consumed: 0, over: 0, held: 2 });
  await sweep(newer.calculationId);
  expect(await booksOf(fixture.store)).toEqual({ consumed: 0, over: 0, held: 1 });
  await until('the mark to be cleared', async () => (await release(next)) === null);
});

test.each([
  ['and of its successor', undefined],
  ['or of its successor', somebody],
])(
  'an erasure of its member %s leaves nothing of the member and no unit of the superseded one',
  async (_case, other) => {
    const { older, newer } = await supersede(two, other?.());
    await erase(fixture.store, newer.member);
    expect(await fixture.redis.client.keys(`*${newer.member}*`)).toEqual([]);
    expect(await fixture.redis.client.hkeys(fixture.store.keys.hold(counterOf(two)))).not.toContain(
      older.calculationId,
    );
  },
);

test('a card swap gives the units back as well, by the sweep or by a replay', async () => {
  const swept = await supersede(two, somebody());
  await sweep(swept.newer.calculationId);
  expect(await booksOf(fixture.store, two)).toEqual({ consumed: 0, over: 0, held: 1 });
  await report(fixture, swept.newer.calculationId, 'cancelled');
  const { newer } = await supersede(two, somebody());
  await findStoredAnswer(fixture.store, newer.calculationId, newer.member, () => 'print');
  expect(await booksOf(fixture.store, two)).toEqual({ consumed: 0, over: 0, held: 1 });
  expect(await release(newer)).toBeNull();
});

test('while the counter is away the record says what is left, and the next sweep does it', async () => {
  const { older, newer } = await supersede();
  const { redis, store } = fixture;
  await redis.client.zadd(store.keys.examinations(0), 1, newer.calculationId);
  expect(await sweepOnce(losing(() => true))).toMatchObject({ expired: 0 });
  expect(await release(newer)).toBe(older.calculationId);
  await sweep(newer.calculationId);
  expect(await booksOf(store, one)).toEqual({ consumed: 0, over: 0, held: 1 });
});

test('a step that is not lost leaves no mark', async () => {
  const { commit: older } = await calculateCommon(fixture.store, { use: one });
  const { commit: newer } = await calculateCommon(fixture.store, {
    ...{ use: one, member: older.member, superseding: older.calculationId },
  });
  await expectBooks(fixture.store, { consumed: 0, over: 0, held: 1 }, one);
  await until('the mark to be cleared', async () => (await release(newer)) === null);
});
