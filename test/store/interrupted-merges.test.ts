/** What comes between the steps of a merge: other merges, erasures, changes, calls and the end of the process. */

import { CALLER_TIMEOUT_MS } from '@loyalty/contract/limits';
import { describe, expect, test } from 'vitest';
import { eraseMember } from '../../src/store/erasure.ts';
import { readIndexEntry } from '../../src/store/index-entry.ts';
import { replaceMember, writeMembers } from '../../src/store/member-writes.ts';
import { readMember } from '../../src/store/members.ts';
import { mergeMembers } from '../../src/store/merge.ts';
import { closeCounters, moveCalculation } from '../../src/store/merged.ts';
import { releaseSupersededScript } from '../../src/store/scripts/calculations.ts';
import { sleep } from '../support/wait.ts';
import { ANNA, BERIT, calculate, commitOf, countUnits, report, useFixture } from './fixture.ts';
import { type Meddle, meddledStore } from './meddled-store.ts';
import { anna, berit, CARL, CLUB, COFFEE, carl, mergesIn } from './merge-fixture.ts';

const fixture = useFixture();
const { merge, resolve } = mergesIn(fixture);

describe('what comes between the steps of a merge', () => {
  const meddled = (meddle: Meddle) => meddledStore(fixture.store, meddle);
  const mark = (member: typeof ANNA, into: string) =>
    fixture.redis.client.hset(fixture.store.keys.member(member), 'into', JSON.stringify(into));
  const intoOf = (member: typeof ANNA) => fixture.redis.client.hget(fixture.store.keys.member(member), 'into');
  const [MARKS, ASKS, ADOPTS] = [3, 4, 12];

  test('another merge of the same member: it stays with that one', async () => {
    await writeMembers(fixture.store, [anna, berit]);
    const store = meddled((commands) => (commands === MARKS ? mark(ANNA, 'carl') : undefined));
    const outcome = { outcome: 'elsewhere', which: 'old', into: 'carl' };
    expect(await mergeMembers(store, CLUB, 'anna', 'berit')).toEqual(outcome);
    expect(await intoOf(ANNA)).toBe('"carl"');
  });

  test.each([
    ['which is taken back', undefined],
    ['which stays where it was begun before', 'berit'],
  ])('a merge in the other direction: this one ends with its mark, %s', async (_, begun) => {
    await writeMembers(fixture.store, [anna, berit]);
    if (begun !== undefined) await mark(ANNA, begun);
    let marked: Promise<unknown> | undefined;
    // It asks for both members at once.
    const store = meddled((commands) => {
      if (commands >= ASKS) marked ??= mark(BERIT, 'carl');
      return marked;
    });
    const outcome = { outcome: 'elsewhere', which: 'new', into: 'carl' };
    expect(await mergeMembers(store, CLUB, 'anna', 'berit')).toEqual(outcome);
    expect(await intoOf(ANNA)).toBe(begun === undefined ? null : `"${begun}"`);
  });

  test('a basket of the new member: what the old one holds of a grant is held', async () => {
    await writeMembers(fixture.store, [anna, berit]);
    const ONE = [{ usageKey: 'tea', units: 1, limit: 1 }];
    await calculate(fixture, { uses: ONE });
    let isAsked = false;
    const store = meddled(async () => {
      const { member } = await readMember(fixture.store, { ...berit, token: BERIT }, true);
      if (isAsked || !member?.grants.includes('tea')) return;
      isAsked = true;
      expect(await calculate(fixture, { member: BERIT, uses: ONE })).toMatchObject({ outcome: 'shortage' });
    });
    expect(await mergeMembers(store, CLUB, 'anna', 'berit')).toMatchObject({ merged: { holds: 1 } });
    expect(isAsked).toBe(true);
  });

  test('a supersession before a calculation has moved: what it held is not held', async () => {
    await writeMembers(fixture.store, [anna, berit]);
    const { commit } = await calculate(fixture, { uses: COFFEE });
    const { calculationId, venueId } = commit;
    const { connection, keys } = fixture.store;
    const store = meddled(async () => {
      if (!(await fixture.redis.client.hexists(keys.hold(BERIT), calculationId))) return;
      const released = { calculationId, successorId: 'successor', venueId, retentionMs: 60_000 };
      await releaseSupersededScript(connection, keys.everyKeyOf(ANNA, calculationId), released);
    });
    await mergeMembers(store, CLUB, 'anna', 'berit');
    expect((await countUnits(fixture, BERIT)).held).toBe(0);
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
    await writeMembers(fixture.store, [anna, berit]);
    const { redis, store: own } = fixture;
    const store = meddled((commands) =>
      commands === ADOPTS - 1 ? redis.client.del(own.keys.member(BERIT)) : undefined,
    );
    expect(await mergeMembers(store, CLUB, 'anna', 'berit')).toEqual(nobody);
    await expectOnHerOwn();
  });

  test('the end of the process and an erasure of the new member: repeated, the merge is taken back', async () => {
    await writeMembers(fixture.store, [anna, berit]);
    const store = meddled((commands) => (commands === ADOPTS ? Promise.reject(new Error('it dies')) : undefined));
    await expect(mergeMembers(store, CLUB, 'anna', 'berit')).rejects.toThrow('it dies');
    await eraseMember(fixture.store, BERIT);
    expect(await merge('anna', 'berit')).toEqual(nobody);
    await expectOnHerOwn();
  });

  test('a grant that comes while the old member is led on: it is refused and not lost', async () => {
    await writeMembers(fixture.store, [anna, berit]);
    const store = meddled(async (commands) => {
      if (commands !== ADOPTS) return;
      expect(await replaceMember(fixture.store, anna, { ...anna, grants: [...anna.grants, 'soup'] })).toBe(false);
    });
    expect(await mergeMembers(store, CLUB, 'anna', 'berit')).toMatchObject({ outcome: 'merged' });
  });

  test('a call that closes the counters, and a merge in the other direction: its mark is taken back with the counters', async () => {
    await writeMembers(fixture.store, [anna, berit]);
    let closed: Promise<unknown> | undefined;
    const store = meddled((commands) => {
      if (commands >= ASKS)
        closed ??= closeCounters(fixture.store, ANNA, BERIT, 'berit').then(() => mark(BERIT, 'carl'));
      return closed;
    });
    expect(await mergeMembers(store, CLUB, 'anna', 'berit')).toMatchObject({ outcome: 'elsewhere', which: 'new' });
    await expectOnHerOwn();
  });

  test.each([
    ['before it asks for grants and counters', ADOPTS],
    ['after it has got them', ADOPTS + 2],
  ])('a merge of the new member into a third one, %s: all three are one, and nothing is had twice', async (_, at) => {
    await writeMembers(fixture.store, [anna, berit, carl]);
    await calculate(fixture, { uses: COFFEE });
    const { commit: sold } = await calculate(fixture, { uses: COFFEE });
    await report(fixture, sold.calculationId, 'applied');
    const store = meddled((commands) => (commands === at ? merge('berit', 'carl') : undefined));
    expect(await mergeMembers(store, CLUB, 'anna', 'berit')).toMatchObject({ outcome: 'merged' });
    expect(await merge('anna', 'berit')).toMatchObject({ outcome: 'merged', merged: { grants: 0, counters: 0 } });
    expect(await resolve('anna')).toBe('carl');
    const { member } = await readMember(fixture.store, { ...carl, token: CARL }, true);
    expect(member?.grants.toSorted()).toEqual(['cake', 'tea']);
    expect((await countUnits(fixture, CARL)).consumed).toBe(1);
  });

  test('a process that dies while its new member is merged: repeated, the merge goes on into the third one', async () => {
    await writeMembers(fixture.store, [anna, berit, carl]);
    const store = meddled((commands) =>
      commands === ADOPTS ? merge('berit', 'carl').then(() => Promise.reject(new Error('it dies'))) : undefined,
    );
    await expect(mergeMembers(store, CLUB, 'anna', 'berit')).rejects.toThrow('it dies');
    expect(await merge('anna', 'berit')).toMatchObject({ outcome: 'merged', merged: { grants: 2, isRepeated: false } });
    await writeMembers(fixture.store, [{ ...carl, loyaltyId: 'dora' }]);
    await merge('carl', 'dora');
    expect(await merge('anna', 'berit')).toMatchObject({ outcome: 'merged', merged: { grants: 0, isRepeated: true } });
  });

  test('a change of the new member: it is kept, and the grants come to it', async () => {
    await writeMembers(fixture.store, [anna, berit]);
    const silver = { ...berit, tier: 'silver' };
    const store = meddled((commands) => (commands === ADOPTS ? writeMembers(fixture.store, [silver]) : undefined));
    expect(await mergeMembers(store, CLUB, 'anna', 'berit')).toMatchObject({
      merged: { grants: 2, isRepeated: false },
    });
    const { member } = await readMember(fixture.store, { ...berit, token: BERIT }, true);
    expect(member).toEqual({ ...silver, grants: ['cake', 'tea'] });
  });

  test('changes without end: the merge is given up after a hundred tries', async () => {
    await writeMembers(fixture.store, [anna, berit]);
    let tries = 0;
    const store = meddled((commands) => {
      if (commands < ADOPTS || (commands - ADOPTS) % 2 === 1) return undefined;
      tries += 1;
      return writeMembers(fixture.store, [{ ...berit, tier: `t${commands}` }]);
    });
    await expect(mergeMembers(store, CLUB, 'anna', 'berit')).rejects.toThrow('again and again');
    expect(tries).toBe(100);
  });

  test('the commit of a call that had begun before: it moves too, once such a call is over at the latest', async () => {
    const { redis, store: own } = fixture;
    await writeMembers(own, [anna, berit]);
    const { commit: early } = await calculate(fixture, { uses: COFFEE });
    // The search looks for answers last: the late commit comes when all has been looked for once.
    await redis.client.del(own.keys.calculation(ANNA, early.calculationId));
    const late = commitOf({ uses: COFFEE });
    let isOver: boolean | undefined;
    const store = meddled(async () => {
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
    expect(await mergeMembers(store, CLUB, 'anna', 'berit')).toEqual({ outcome: 'merged', merged });
    expect(isOver).toBe(true);
    expect((await readIndexEntry(own, late.calculationId))?.member).toBe(BERIT);
    expect(await countUnits(fixture, BERIT)).toEqual({ consumed: 0, over: 0, held: 2 });
  });

  test('the commit of a call that had read before: it reads again, and nothing of it is in the old slot', async () => {
    const { redis, store: own } = fixture;
    await writeMembers(own, [anna, berit]);
    await calculate(fixture, { uses: COFFEE });
    const late = commitOf({ uses: COFFEE });
    const outcomes: string[] = [];
    const store = meddled(async () => {
      if (outcomes.length > 0 || !(await redis.client.hexists(own.keys.use(ANNA), '!moved'))) return;
      outcomes.push((await calculate(fixture, late)).outcome);
    });
    const merged = { grants: 2, counters: 0, calculations: 1, holds: 1, isRepeated: false };
    expect(await mergeMembers(store, CLUB, 'anna', 'berit')).toEqual({ outcome: 'merged', merged });
    expect(outcomes).toEqual(['changed']);
    expect(await redis.client.keys(`*${late.calculationId}*`)).toEqual([]);
  });

  test('a commit in the old slot while there is nothing to move: it stays there', async () => {
    const { redis, store: own } = fixture;
    const commit = commitOf();
    // After the calculation was looked for, and before the index leads on.
    const store = meddled((commands) => (commands === 2 ? calculate(fixture, commit) : undefined));
    const moved = await moveCalculation(store, ANNA, BERIT, commit.calculationId);
    expect(moved).toEqual({ isMoved: false, hasHold: false });
    expect(await redis.client.exists(own.keys.calculation(ANNA, commit.calculationId))).toBe(1);
  });
});
