/** A member that is merged into another one: what it had is the other's, once, and calls with its ID are the other's. */
import { expect, test } from 'vitest';
import { memberToken } from '../../src/store/keys.ts';
import { writeMembers } from '../../src/store/member-writes.ts';
import { readMember } from '../../src/store/members.ts';
import { moveCalculation, readMerged } from '../../src/store/merged.ts';
import { ANNA, BERIT, calculate, commitOf, countUnits, report, useFixture } from './fixture.ts';
import { anna, berit, CARL, CLUB, COFFEE, carl, mergesIn } from './merge-fixture.ts';

const fixture = useFixture();
const { merge, resolve } = mergesIn(fixture);

test('grants, counters, calculations and holds are the other one’s; a repetition changes nothing', async () => {
  const { redis, store } = fixture;
  await writeMembers(store, [anna, berit]);
  const { commit: sold } = await calculate(fixture, { uses: COFFEE });
  await report(fixture, sold.calculationId, 'applied');
  const { commit: open } = await calculate(fixture, { uses: COFFEE });
  await calculate(fixture, { uses: [] });
  const { commit: own } = await calculate(fixture, { member: BERIT, uses: COFFEE });
  await report(fixture, own.calculationId, 'applied');

  const merged = { grants: 2, counters: 1, calculations: 3, holds: 1, isRepeated: false };
  expect(await merge('anna', 'berit')).toEqual({ outcome: 'merged', merged });
  const { member } = await readMember(store, { ...berit, token: BERIT }, true);
  expect(member).toEqual({ ...berit, grants: ['cake', 'tea'] });
  expect(await countUnits(fixture, BERIT)).toEqual({ consumed: 2, over: 0, held: 1 });
  expect(await redis.client.hgetall(store.keys.member(ANNA))).toEqual({ into: '"berit"' });
  expect(await redis.client.hgetall(store.keys.use(ANNA))).toEqual({ '!moved': BERIT });
  expect(await redis.client.ttl(store.keys.use(ANNA))).toBe(-1);
  expect(await redis.client.keys(`*:{${ANNA}}*`)).toHaveLength(2);
  expect([...(await readMerged(store, BERIT)).values()]).toEqual(['anna']);

  const nothing = { grants: 0, counters: 0, calculations: 0, holds: 0, isRepeated: true };
  expect(await merge('anna', 'berit')).toEqual({ outcome: 'merged', merged: nothing });
  await report(fixture, open.calculationId, 'applied');
  expect(await countUnits(fixture, BERIT)).toEqual({ consumed: 3, over: 0, held: 0 });
});

test('counters live without end from a merge that brings some, and as long as before without', async () => {
  const { redis, store } = fixture;
  await writeMembers(store, [anna, berit, carl]);
  const daily = [{ usageKey: 'coffee:2026-11-21', units: 1, limit: 9 }];
  for (const member of [BERIT, CARL]) {
    const { commit } = await calculate(fixture, { member, uses: daily });
    await report(fixture, commit.calculationId, 'applied');
  }
  const livesOn = async () => (await redis.client.pttl(store.keys.use(BERIT))) === -1;
  const nothing = { grants: 2, counters: 0, calculations: 0, holds: 0, isRepeated: false };
  expect(await merge('anna', 'berit')).toEqual({ outcome: 'merged', merged: nothing });
  expect(await livesOn()).toBe(false);
  expect(await merge('carl', 'berit')).toMatchObject({ merged: { grants: 0, calculations: 1, isRepeated: false } });
  expect(await livesOn()).toBe(true);
  expect(await redis.client.hget(store.keys.use(BERIT), 'coffee:2026-11-21')).toBe('2');
});

test('of two ends of a counter the later one is kept, and an index entry lives on as before', async () => {
  const { redis, store } = fixture;
  await writeMembers(store, [anna, berit]);
  const { commit } = await calculate(fixture, { uses: COFFEE });
  const index = store.keys.index(commit.calculationId);
  await redis.client.pexpire(index, 50_000);
  await redis.client.hset(store.keys.use(ANNA), { 'a:2020!end': 7, 'b:2020!end': 9 });
  await redis.client.hset(store.keys.use(BERIT), { 'a:2020!end': 8, 'b:2020!end': 8 });
  await merge('anna', 'berit');
  expect(await redis.client.hgetall(store.keys.use(BERIT))).toEqual({ 'a:2020!end': '8', 'b:2020!end': '9' });
  expect(await redis.client.pttl(index)).toBeGreaterThan(0);
  expect(await redis.client.pttl(index)).toBeLessThanOrEqual(50_000);
});

test('nobody is merged who is not there, or who was merged into somebody else', async () => {
  await writeMembers(fixture.store, [anna]);
  expect(await merge('anna', 'nobody')).toEqual({ outcome: 'unknown', which: 'new' });
  expect(await merge('nobody', 'anna')).toEqual({ outcome: 'unknown', which: 'old' });
  await writeMembers(fixture.store, [berit, carl]);
  await merge('anna', 'berit');
  expect(await merge('anna', 'carl')).toEqual({ outcome: 'elsewhere', which: 'old', into: 'berit' });
  expect(await merge('carl', 'anna')).toEqual({ outcome: 'elsewhere', which: 'new', into: 'berit' });
  expect(await resolve('carl')).toBe('carl');
});

test('of merges at once only one is done: into two members, or into each other', async () => {
  await writeMembers(fixture.store, [anna, berit, carl]);
  const outcomes = (await Promise.all([merge('anna', 'berit'), merge('anna', 'carl')])).map(({ outcome }) => outcome);
  expect(outcomes.toSorted()).toEqual(['merged', 'underway']);
  expect(await resolve('anna')).toBe(outcomes[0] === 'merged' ? 'berit' : 'carl');

  const [one, other] = await Promise.all([merge('berit', 'carl'), merge('carl', 'berit')]);
  const both = [one.outcome, other.outcome].toSorted();
  // Each may see the mark of the other, and then neither is merged: it can be tried again.
  expect([['merged', 'underway'].join(), ['underway', 'underway'].join()]).toContain(both.join());
  const names = await Promise.all([resolve('berit'), resolve('carl')]);
  expect(new Set(names).size).toBe(both.includes('merged') ? 1 : 2);
});

test('an ID that was merged leads on, over several members, and never in a circle', async () => {
  const { redis, store } = fixture;
  await writeMembers(store, [anna, berit, carl]);
  await merge('anna', 'berit');
  await merge('berit', 'carl');
  expect([...(await readMerged(store, CARL)).values()]).toEqual(['anna', 'berit']);
  expect(await Promise.all(['anna', 'berit', 'carl', 'nobody'].map(resolve))).toEqual([
    'carl',
    'carl',
    'carl',
    'nobody',
  ]);
  const chain = (hops: number) =>
    Promise.all(
      Array.from({ length: hops }, (_, at) =>
        redis.client.hset(store.keys.member(memberToken(CLUB, `hop-${at}`)), 'into', JSON.stringify(`hop-${at + 1}`)),
      ),
    );
  await chain(15);
  expect(await resolve('hop-0')).toBe('hop-15');
  await chain(16);
  await expect(resolve('hop-0')).rejects.toThrow('in a circle');
});

test('a calculation is moved once, with what it holds', async () => {
  const { store } = fixture;
  const { commit } = await calculate(fixture, { uses: COFFEE });
  const move = (id: string) => moveCalculation(store, ANNA, BERIT, id);
  expect(await move(commit.calculationId)).toEqual({ isMoved: true, hasHold: true });
  expect(await move(commit.calculationId)).toEqual({ isMoved: false, hasHold: false });
  expect(await move(commitOf().calculationId)).toEqual({ isMoved: false, hasHold: false });
  const { commit: free } = await calculate(fixture, { uses: [] });
  expect(await move(free.calculationId)).toEqual({ isMoved: true, hasHold: false });
  expect((await countUnits(fixture)).held).toBe(0);
  expect((await countUnits(fixture, BERIT)).held).toBe(1);
});
