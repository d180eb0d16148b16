/** Merges that find less than they look for: a member that was erased meanwhile, or what was merged before. */

import { beforeEach, expect, test } from 'vitest';
import { writeMembers } from '../../src/store/member-writes.ts';
import { readMember } from '../../src/store/members.ts';
import { mergeMembers } from '../../src/store/merge.ts';
import { moveCalculation } from '../../src/store/merged.ts';
import { erase } from '../support/plain-books.ts';
import { ANNA, BERIT, calculate, countUnits, report, useFixture } from './fixture.ts';
import { meddledStore } from './meddled-store.ts';
import { anna, berit, CLUB, COFFEE, mergesIn } from './merge-fixture.ts';
import { readEvents } from './read-events.ts';

const fixture = useFixture();
const { merge } = mergesIn(fixture);
/** Reads of both members come first, then the mark, and the question who else has marked one. */
const ASKS = 4;
const ADOPTS = 7;
const UNKNOWN = { outcome: 'unknown', which: 'old' };

beforeEach(() => writeMembers(fixture.store, [anna, berit]));

/** A merge of a member who is erased before a command of it. */
async function mergeErased(before: number) {
  const { store } = fixture;
  const { commit } = await calculate(fixture, { uses: COFFEE });
  await report(fixture, commit.calculationId, 'applied');
  const meddled = meddledStore(store, (commands) => (commands === before ? erase(store, ANNA) : undefined));
  return mergeMembers(meddled, CLUB, 'anna', 'berit');
}

test.each([
  ['as soon as the merge has begun', ASKS],
  ['before the other one gets what it had', ADOPTS],
])('the old member is erased %s: there is nobody to merge, and the other one gets no grants', async (_, before) => {
  const { store } = fixture;
  expect(await mergeErased(before)).toEqual(UNKNOWN);
  const { member } = await readMember(store, { ...berit, token: BERIT }, true);
  expect(member).toEqual(berit);
  // Who is registered under the ID later is somebody else, and may be merged.
  await writeMembers(store, [anna]);
  const merged = { grants: 2, counters: 0, calculations: 0, holds: 0, isRepeated: false };
  expect(await merge('anna', 'berit')).toMatchObject({ outcome: 'merged', merged });
});

test('a merge that was repeated while its member was erased leaves no mark: limits count for whoever is registered next', async () => {
  const { redis, store } = fixture;
  await merge('anna', 'berit');
  const again = meddledStore(store, (commands) => (commands === 3 ? erase(store, BERIT) : undefined));
  expect(await mergeMembers(again, CLUB, 'anna', 'berit')).toEqual(UNKNOWN);
  expect(await redis.client.exists(store.keys.use(ANNA))).toBe(0);
  await writeMembers(store, [anna]);
  const { commit } = await calculate(fixture, { uses: COFFEE });
  await report(fixture, commit.calculationId, 'applied');
  expect(await countUnits(fixture)).toEqual({ consumed: 1, over: 0, held: 0 });
});

test('members that were merged into each other, one of them after an erasure, are erased once each', async () => {
  const { redis, store } = fixture;
  for (const [from, into, id] of [
    [ANNA, BERIT, '"anna"'],
    [BERIT, ANNA, '"berit"'],
  ] as const)
    await redis.client.hset(store.keys.merged(into), from, id);
  expect(await erase(store, BERIT)).toMatchObject({ member: true });
  // An event of each pseudonym stays.
  expect((await readEvents(fixture)).map(({ result }) => result).filter((result) => result === 'erased')).toHaveLength(
    2,
  );
  expect((await redis.client.keys('*')).filter((key) => !/:events:|:pseudonym-key$/.test(key))).toEqual([]);
});

test('who was merged before is told of, also where the other one is not known', async () => {
  await merge('anna', 'berit');
  const elsewhere = { outcome: 'elsewhere', which: 'old', into: 'berit' };
  expect(await merge('anna', 'nobody')).toEqual(elsewhere);
});

test('a calculation that an interrupted merge has copied before is no further one', async () => {
  const { redis, store } = fixture;
  const { calculationId } = (await calculate(fixture)).commit;
  const key = store.keys.calculation(ANNA, calculationId);
  await redis.client.copy(key, 'copy');
  await moveCalculation(store, ANNA, BERIT, calculationId);
  // As it stands when the process dies before it removes what it has copied.
  await redis.client.rename('copy', key);
  const merged = { grants: 2, counters: 0, calculations: 0, holds: 0, isRepeated: false };
  expect(await merge('anna', 'berit')).toEqual({ outcome: 'merged', merged });
  expect(await redis.client.exists(key)).toBe(0);
  expect(await countUnits(fixture, BERIT)).toEqual({ consumed: 0, over: 0, held: 1 });
});
