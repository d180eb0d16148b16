/** What comes between the steps of a merge: other merges, erasures, changes, calls and the end of the process. */

import { CALLER_TIMEOUT_MS } from '@loyalty/contract/limits';
import { beforeEach, expect, test } from 'vitest';
import { readIndexEntry } from '../../src/store/index-entry.ts';
import { memberToken } from '../../src/store/keys.ts';
import { replaceMember, writeMembers } from '../../src/store/member-writes.ts';
import { readMember } from '../../src/store/members.ts';
import { mergeMembers } from '../../src/store/merge.ts';
import { closeCounters, moveCalculation } from '../../src/store/merged.ts';
import { completeRelease } from '../../src/store/release.ts';
import { releaseSupersededScript } from '../../src/store/scripts/calculations.ts';
import { erase } from '../support/plain-books.ts';
import { sleep } from '../support/wait.ts';
import { ANNA, BERIT, calculate, commitOf, countUnits, report, useFixture } from './fixture.ts';
import { type Meddle, meddledStore } from './meddled-store.ts';
import { anna, berit, CARL, CLUB, COFFEE, carl, mergesIn } from './merge-fixture.ts';

const fixture = useFixture();
const { merge, resolve } = mergesIn(fixture);

/** Merges Anna into Berit; something happens before each command, or before one of them. */
const mergeWhile = (meddle: Meddle) => mergeMembers(meddledStore(fixture.store, meddle), CLUB, 'anna', 'berit');
const mergeWhen = (at: number, happens: () => Promise<unknown>) =>
  mergeWhile((commands) => (commands === at ? happens() : undefined));
const dies = () => Promise.reject(new Error('it dies'));
const mark = (member: typeof ANNA, into: string) =>
  fixture.redis.client.hset(fixture.store.keys.member(member), 'into', JSON.stringify(into));
const intoOf = (member: typeof ANNA) => fixture.redis.client.hget(fixture.store.keys.member(member), 'into');
const [MARKS, ASKS, ADOPTS] = [3, 4, 12];

beforeEach(() => writeMembers(fixture.store, [anna, berit]));

test('another merge of the same member: it stays with that one', async () => {
  const outcome = { outcome: 'underway', which: 'old', into: 'carl' };
  expect(await mergeWhen(MARKS, () => mark(ANNA, 'carl'))).toEqual(outcome);
  expect(await intoOf(ANNA)).toBe('"carl"');
});

test.each([
  ['which is taken back', undefined],
  ['which stays where it was begun before', 'berit'],
])('a merge in the other direction: this one ends with its mark, %s', async (_, begun) => {
  if (begun !== undefined) await mark(ANNA, begun);
  let marked: Promise<unknown> | undefined;
  // It asks for both members at once.
  const merging = mergeWhile((commands) => {
    if (commands >= ASKS) marked ??= mark(BERIT, 'carl');
    return marked;
  });
  const outcome = { outcome: 'underway', which: 'new', into: 'carl' };
  expect(await merging).toEqual(outcome);
  expect(await intoOf(ANNA)).toBe(begun === undefined ? null : `"${begun}"`);
});

test.each([
  ['in the other direction', ['berit']],
  ['in a circle of three', ['berit', 'carl']],
])('merges %s that have all left their marks: repeated, this one goes on', async (_, others) => {
  await writeMembers(fixture.store, [carl]);
  const { commit } = await calculate(fixture, { member: BERIT, uses: COFFEE });
  await report(fixture, commit.calculationId, 'applied');
  const circle = ['anna', ...others];
  for (const [at, id] of circle.entries()) await mark(memberToken(CLUB, id), circle[(at + 1) % circle.length]!);
  await closeCounters(fixture.store, BERIT, memberToken(CLUB, others[1] ?? 'anna'), others[1] ?? 'anna');
  expect(await merge('anna', 'berit')).toMatchObject({ outcome: 'merged', merged: { grants: 2, isRepeated: false } });
  expect([await resolve('anna'), await resolve('berit')]).toEqual(['berit', 'berit']);
  const { member } = await readMember(fixture.store, { ...berit, token: BERIT }, true);
  expect(member).toEqual({ ...berit, grants: ['cake', 'tea'] });
  const { commit: next } = await calculate(fixture, { member: BERIT, uses: COFFEE });
  await report(fixture, next.calculationId, 'applied');
  expect(await countUnits(fixture, BERIT)).toEqual({ consumed: 2, over: 0, held: 0 });
});

test.each([
  ['the one that came too late', 'anna', 'berit', { outcome: 'elsewhere', which: 'new', into: 'anna' }],
  ['the one that is over', 'berit', 'anna', { outcome: 'merged', merged: { grants: 0, isRepeated: true } }],
])(
  'a mark that was left when the merge in the other direction was over: %s is repeated, and all is as it was',
  async (_, old, into, outcome) => {
    const { commit } = await calculate(fixture, { member: BERIT, uses: COFFEE });
    await report(fixture, commit.calculationId, 'applied');
    await merge('berit', 'anna');
    await mark(ANNA, 'berit');
    // A call of her moves what it looks for.
    await closeCounters(fixture.store, ANNA, BERIT, 'berit');
    await moveCalculation(fixture.store, ANNA, BERIT, commit.calculationId);
    expect(await merge(old, into)).toMatchObject(outcome);
    expect([await resolve('anna'), await resolve('berit')]).toEqual(['anna', 'anna']);
    expect(await report(fixture, commit.calculationId, 'applied')).toMatchObject({ outcome: 'duplicate' });
    expect((await readIndexEntry(fixture.store, commit.calculationId))?.member).toBe(ANNA);
    expect(await countUnits(fixture)).toEqual({ consumed: 1, over: 0, held: 0 });
  },
);

test('merges in both directions at once, of which one is repeated at that moment: nothing is had twice', async () => {
  const { commit } = await calculate(fixture, { uses: COFFEE });
  await report(fixture, commit.calculationId, 'applied');
  const merging = mergeWhen(ADOPTS, async () => {
    await mark(BERIT, 'anna');
    expect(await merge('berit', 'anna')).toMatchObject({ outcome: 'merged' });
  });
  expect(await merging).toMatchObject({ outcome: 'unknown' });
  expect([await resolve('anna'), await resolve('berit')]).toEqual(['anna', 'anna']);
  expect(await countUnits(fixture)).toEqual({ consumed: 1, over: 0, held: 0 });
});

test('a basket of the new member: what the old one holds of a grant is held', async () => {
  const ONE = [{ usageKey: 'tea', units: 1, limit: 1 }];
  await calculate(fixture, { uses: ONE });
  let isAsked = false;
  const merging = mergeWhile(async () => {
    const { member } = await readMember(fixture.store, { ...berit, token: BERIT }, true);
    if (isAsked || !member?.grants.includes('tea')) return;
    isAsked = true;
    expect(await calculate(fixture, { member: BERIT, uses: ONE })).toMatchObject({ outcome: 'shortage' });
  });
  expect(await merging).toMatchObject({ merged: { holds: 1 } });
  expect(isAsked).toBe(true);
});

test('a supersession before a calculation has moved: what it held is not held', async () => {
  const { commit } = await calculate(fixture, { uses: COFFEE });
  const { calculationId, venueId } = commit;
  const { connection, keys } = fixture.store;
  const { client } = fixture.redis;
  await mergeWhile(async () => {
    if (!(await client.hexists(keys.hold(BERIT), calculationId))) return;
    const released = { calculationId, successorId: 'successor', venueId, retentionMs: 60_000 };
    // As a version releases that does not look whether the member was merged.
    await client.hdel(keys.use(ANNA), '!moved');
    await releaseSupersededScript(connection, keys.everyKeyOf(ANNA, calculationId), released);
    await client.hset(keys.use(ANNA), '!moved', BERIT);
  });
  expect((await countUnits(fixture, BERIT)).held).toBe(0);
});

test('a supersession between the copy of a calculation and its index entry: the copy holds nothing, and its sale is late', async () => {
  const { commit } = await calculate(fixture, { uses: COFFEE });
  const { calculationId: supersededId, venueId } = commit;
  const { client } = fixture.redis;
  const { keys } = fixture.store;
  const successor = { calculationId: 'successor', member: CARL };
  const released: number[] = [];
  await mergeWhile(async () => {
    if (released.length > 0 || !(await client.exists(keys.calculation(BERIT, supersededId)))) return;
    expect((await readIndexEntry(fixture.store, supersededId))?.member).toBe(ANNA);
    released.push(await completeRelease(fixture.store, { successor, supersededId, venueId }));
  });
  expect(released).toEqual([1]);
  expect(await client.hget(keys.calculation(BERIT, supersededId), 'state')).toBe('superseded');
  expect(await report(fixture, supersededId, 'applied')).toMatchObject({ isLate: true });
});

const nobody = { outcome: 'unknown', which: 'new' };
/** Her loyalty ID is her own, and sales consume in her own counters. */
async function expectOnHerOwn(): Promise<void> {
  expect(await resolve('anna')).toBe('anna');
  const { member } = await readMember(fixture.store, { ...anna, token: ANNA }, true);
  expect(member).toEqual(anna);
  const { commit: next } = await calculate(fixture, { uses: COFFEE });
  await report(fixture, next.calculationId, 'applied');
  expect(await countUnits(fixture)).toEqual({ consumed: 1, over: 0, held: 0 });
}

test('an erasure of the new member: there is nobody to merge into, and the old one is on her own again', async () => {
  const { redis, store: own } = fixture;
  expect(await mergeWhen(ADOPTS - 1, () => redis.client.del(own.keys.member(BERIT)))).toEqual(nobody);
  await expectOnHerOwn();
});

test('the end of the process and an erasure of the new member: repeated, the merge is taken back', async () => {
  await expect(mergeWhen(ADOPTS, dies)).rejects.toThrow('it dies');
  await erase(fixture.store, BERIT);
  expect(await merge('anna', 'berit')).toEqual(nobody);
  await expectOnHerOwn();
});

test('a grant that comes while the old member is led on: it is refused and not lost', async () => {
  const merging = mergeWhen(ADOPTS, async () => {
    expect(await replaceMember(fixture.store, anna, { ...anna, grants: [...anna.grants, 'soup'] })).toBe(false);
  });
  expect(await merging).toMatchObject({ outcome: 'merged' });
});

test('a call that closes the counters, and a merge in the other direction: its mark is taken back with the counters', async () => {
  let closed: Promise<unknown> | undefined;
  const merging = mergeWhile((commands) => {
    if (commands >= ASKS) closed ??= closeCounters(fixture.store, ANNA, BERIT, 'berit').then(() => mark(BERIT, 'carl'));
    return closed;
  });
  expect(await merging).toEqual({ outcome: 'underway', which: 'new', into: 'carl' });
  await expectOnHerOwn();
});

test.each([
  ['before it asks for grants and counters', ADOPTS],
  ['after it has got them', ADOPTS + 2],
])('a merge of the new member into a third one, %s: all three are one, and nothing is had twice', async (_, at) => {
  await writeMembers(fixture.store, [carl]);
  await calculate(fixture, { uses: COFFEE });
  const { commit: sold } = await calculate(fixture, { uses: COFFEE });
  await report(fixture, sold.calculationId, 'applied');
  expect(await mergeWhen(at, () => merge('berit', 'carl'))).toMatchObject({ outcome: 'merged' });
  expect(await merge('anna', 'berit')).toMatchObject({ outcome: 'merged', merged: { grants: 0, counters: 0 } });
  expect(await resolve('anna')).toBe('carl');
  const { member } = await readMember(fixture.store, { ...carl, token: CARL }, true);
  expect(member?.grants.toSorted()).toEqual(['cake', 'tea']);
  expect((await countUnits(fixture, CARL)).consumed).toBe(1);
});

test('a process that dies while its new member is merged: repeated, the merge goes on into the third one', async () => {
  await writeMembers(fixture.store, [carl]);
  await expect(mergeWhen(ADOPTS, () => merge('berit', 'carl').then(dies))).rejects.toThrow('it dies');
  expect(await merge('anna', 'berit')).toMatchObject({ outcome: 'merged', merged: { grants: 2, isRepeated: false } });
  await writeMembers(fixture.store, [{ ...carl, loyaltyId: 'dora' }]);
  await merge('carl', 'dora');
  expect(await merge('anna', 'berit')).toMatchObject({ outcome: 'merged', merged: { grants: 0, isRepeated: true } });
});

test('a change of the new member: it is kept, and the grants come to it', async () => {
  const silver = { ...berit, tier: 'silver' };
  expect(await mergeWhen(ADOPTS, () => writeMembers(fixture.store, [silver]))).toMatchObject({
    merged: { grants: 2, isRepeated: false },
  });
  const { member } = await readMember(fixture.store, { ...berit, token: BERIT }, true);
  expect(member).toEqual({ ...silver, grants: ['cake', 'tea'] });
});

test('changes without end: the merge is given up after a hundred tries', async () => {
  let tries = 0;
  const merging = mergeWhile((commands) => {
    if (commands < ADOPTS || (commands - ADOPTS) % 2 === 1) return undefined;
    tries += 1;
    return writeMembers(fixture.store, [{ ...berit, tier: `t${commands}` }]);
  });
  await expect(merging).rejects.toThrow('again and again');
  expect(tries).toBe(100);
});

test('the commit of a call that had begun before: it moves too, once such a call is over at the latest', async () => {
  const { redis, store: own } = fixture;
  const { commit: early } = await calculate(fixture, { uses: COFFEE });
  // The search looks for answers last: the late commit comes when all has been looked for once.
  await redis.client.del(own.keys.calculation(ANNA, early.calculationId));
  const late = commitOf({ uses: COFFEE });
  let isOver: boolean | undefined;
  const merging = mergeWhile(async () => {
    if (isOver !== undefined || !(await redis.client.exists(own.keys.answer(BERIT, early.calculationId)))) return;
    isOver = false;
    // As a version commits that does not look whether the member was merged.
    const use = own.keys.use(ANNA);
    const moved = (await redis.client.hget(use, '!moved'))!;
    await redis.client.hdel(use, '!moved');
    await calculate(fixture, late);
    await redis.client.hset(use, '!moved', moved);
    void sleep(CALLER_TIMEOUT_MS - 50).then(() => {
      isOver = true;
    });
  });
  const merged = { grants: 2, counters: 0, calculations: 2, holds: 2, isRepeated: false };
  expect(await merging).toEqual({ outcome: 'merged', merged });
  expect(isOver).toBe(true);
  expect((await readIndexEntry(own, late.calculationId))?.member).toBe(BERIT);
  expect(await countUnits(fixture, BERIT)).toEqual({ consumed: 0, over: 0, held: 2 });
});

test('the commit of a call that had read before: it reads again, and nothing of it is in the old slot', async () => {
  const { redis, store: own } = fixture;
  await calculate(fixture, { uses: COFFEE });
  const late = commitOf({ uses: COFFEE });
  const outcomes: string[] = [];
  const merging = mergeWhile(async () => {
    if (outcomes.length > 0 || !(await redis.client.hexists(own.keys.use(ANNA), '!moved'))) return;
    outcomes.push((await calculate(fixture, late)).outcome);
  });
  const merged = { grants: 2, counters: 0, calculations: 1, holds: 1, isRepeated: false };
  expect(await merging).toEqual({ outcome: 'merged', merged });
  expect(outcomes).toEqual(['changed']);
  expect(await redis.client.keys(`*${late.calculationId}*`)).toEqual([]);
});

test('a commit in the old slot while there is nothing to move: it stays there', async () => {
  const { redis, store: own } = fixture;
  const commit = commitOf();
  // After the calculation was looked for, and before the index leads on.
  const store = meddledStore(own, (commands) => (commands === 2 ? calculate(fixture, commit) : undefined));
  const moved = await moveCalculation(store, ANNA, BERIT, commit.calculationId);
  expect(moved).toEqual({ isMoved: false, hasHold: false });
  expect(await redis.client.exists(own.keys.calculation(ANNA, commit.calculationId))).toBe(1);
});
