/** Merges that find less than they look for: a member that was erased meanwhile, or what was merged before. */
import { expect, test } from 'vitest';
import { eraseMember } from '../../src/store/erasure.ts';
import { writeMembers } from '../../src/store/member-writes.ts';
import { readMember, type StoredMember } from '../../src/store/members.ts';
import { mergeMembers } from '../../src/store/merge.ts';
import { moveCalculation } from '../../src/store/merged.ts';
import { ANNA, BERIT, calculate, countUnits, report, useFixture } from './fixture.ts';
import { meddledStore } from './meddled-store.ts';
import { readEvents } from './read-events.ts';

const fixture = useFixture();
const CLUB = 'coffee-club';
const anna: StoredMember = { programmeId: CLUB, loyaltyId: 'anna', status: 'active', grants: ['tea'] };
const berit: StoredMember = { ...anna, loyaltyId: 'berit', grants: ['cake'] };
/** Reads of both members come first, then the mark, and the question who else has marked one. */
const ASKS = 4;
const ADOPTS = 7;
const UNKNOWN = { outcome: 'unknown', which: 'old' };
const COFFEE = [{ usageKey: 'coffee:*', units: 1, limit: 9 }];

/** A merge of a member who is erased before a command of it. */
async function mergeErased(before: number) {
  const { store } = fixture;
  await writeMembers(store, [anna, berit]);
  const { commit } = await calculate(fixture, { uses: COFFEE });
  await report(fixture, commit.calculationId, 'applied');
  const meddled = meddledStore(store, (commands) => (commands === before ? eraseMember(store, ANNA) : undefined));
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
  const merged = { grants: 1, counters: 0, calculations: 0, holds: 0, isRepeated: false };
  expect(await mergeMembers(store, CLUB, 'anna', 'berit')).toMatchObject({ outcome: 'merged', merged });
});
const redis = () => fixture.redis.client;

test('a merge that was repeated while its member was erased leaves no mark: limits count for whoever is registered next', async () => {
  const { store } = fixture;
  await writeMembers(store, [anna, berit]);
  await mergeMembers(store, CLUB, 'anna', 'berit');
  const again = meddledStore(store, (commands) => (commands === 3 ? eraseMember(store, BERIT) : undefined));
  expect(await mergeMembers(again, CLUB, 'anna', 'berit')).toEqual(UNKNOWN);
  expect(await redis().exists(store.keys.use(ANNA))).toBe(0);
  await writeMembers(store, [anna]);
  const { commit } = await calculate(fixture, { uses: COFFEE });
  await report(fixture, commit.calculationId, 'applied');
  expect(await countUnits(fixture)).toEqual({ consumed: 1, over: 0, held: 0 });
});

test('members that were merged into each other, one of them after an erasure, are erased once each', async () => {
  const { store } = fixture;
  await writeMembers(store, [anna, berit]);
  for (const [from, into, id] of [
    [ANNA, BERIT, '"anna"'],
    [BERIT, ANNA, '"berit"'],
  ] as const)
    await redis().hset(store.keys.merged(into), from, id);
  expect(await eraseMember(store, BERIT)).toMatchObject({ member: true });
  // An event of each pseudonym stays.
  expect((await readEvents(fixture)).map(({ result }) => result).filter((result) => result === 'erased')).toHaveLength(
    2,
  );
  expect((await redis().keys('*')).filter((key) => !/:events:|:pseudonym-key$/.test(key))).toEqual([]);
});

test('who was merged before is told of, also where the other one is not known', async () => {
  await writeMembers(fixture.store, [anna, berit]);
  await mergeMembers(fixture.store, CLUB, 'anna', 'berit');
  const elsewhere = { outcome: 'elsewhere', which: 'old', into: 'berit' };
  expect(await mergeMembers(fixture.store, CLUB, 'anna', 'nobody')).toEqual(elsewhere);
});

test('a calculation that an interrupted merge has copied before is no further one', async () => {
  const { redis, store } = fixture;
  await writeMembers(store, [anna, berit]);
  const { calculationId } = (await calculate(fixture)).commit;
  const key = store.keys.calculation(ANNA, calculationId);
  await redis.client.copy(key, 'copy');
  await moveCalculation(store, ANNA, BERIT, calculationId);
  // As it stands when the process dies before it removes what it has copied.
  await redis.client.rename('copy', key);
  const merged = { grants: 1, counters: 0, calculations: 0, holds: 0, isRepeated: false };
  expect(await mergeMembers(store, CLUB, 'anna', 'berit')).toEqual({ outcome: 'merged', merged });
  expect(await redis.client.exists(key)).toBe(0);
  expect(await countUnits(fixture, BERIT)).toEqual({ consumed: 0, over: 0, held: 1 });
});
