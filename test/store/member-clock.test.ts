/** The clock of a test member: it ends by itself, outlives writers of members, and makes older what Redis' clock ends. */

import { expect, test } from 'vitest';
import { noteExamination } from '../../src/store/examinations.ts';
import { ageCalculations, moveClock } from '../../src/store/member-clock.ts';
import { replaceMember, writeMembers } from '../../src/store/member-writes.ts';
import { readMember, type StoredMember } from '../../src/store/members.ts';
import { sweepOnce } from '../support/plain-books.ts';
import { until } from '../support/wait.ts';
import { ANNA, BERIT, calculate, countUnits, report, useFixture } from './fixture.ts';
import { divertedStore } from './meddled-store.ts';
import { readEvents } from './read-events.ts';

const fixture = useFixture();
const anna: StoredMember = { programmeId: 'coffee-club', loyaltyId: 'anna', status: 'active', grants: ['coffee'] };
const read = (token = ANNA) => readMember(fixture.store, { ...anna, token }, true);

const MINUTE_MS = 60_000;
/** As long as the fixture holds, keeps answers and keeps calculations. */
const [HOLD_MS, ANSWER_MS, KEPT_MS] = [60_000, 60_000, 120_000];

test('it is ahead for a while, and then right again by itself', async () => {
  await writeMembers(fixture.store, [anna]);
  expect(await read()).toMatchObject({ movedMs: 0, member: anna });
  await moveClock(fixture.store, ANNA, -5 * MINUTE_MS, MINUTE_MS);
  const moved = await read();
  expect(moved).toMatchObject({ movedMs: -5 * MINUTE_MS, member: anna });
  expect(moved.clockEndsMs).toBeGreaterThan(moved.nowMs);
  expect((await read(BERIT)).movedMs).toBe(0);

  await moveClock(fixture.store, ANNA, MINUTE_MS, 20);
  await until('its end', async () => (await read()).movedMs === 0);
  expect(await read()).not.toHaveProperty('clockEndsMs');

  await moveClock(fixture.store, ANNA, MINUTE_MS, MINUTE_MS);
  await moveClock(fixture.store, ANNA, 0, 0);
  expect((await read()).movedMs).toBe(0);
});

test('whoever writes the member leaves its clock alone, and sees no change in it', async () => {
  await writeMembers(fixture.store, [anna]);
  await moveClock(fixture.store, ANNA, MINUTE_MS, MINUTE_MS);
  expect(await writeMembers(fixture.store, [anna])).toBe(0);
  const gold = { ...anna, tier: 'gold' };
  expect(await writeMembers(fixture.store, [gold])).toBe(1);
  expect(await read()).toMatchObject({ movedMs: MINUTE_MS, member: gold });
  expect(await replaceMember(fixture.store, anna, anna)).toBe(false);
  expect(await replaceMember(fixture.store, gold, anna)).toBe(true);
  expect(await read()).toMatchObject({ movedMs: MINUTE_MS, member: anna });
});

async function timesLeft(calculationId: string) {
  const { redis, store } = fixture;
  const keys = [
    store.keys.answer(ANNA, calculationId),
    store.keys.calculation(ANNA, calculationId),
    store.keys.index(calculationId),
  ];
  return Promise.all(keys.map((key) => redis.client.pttl(key)));
}

test('half as old: nothing ends yet, and everything sooner', async () => {
  const { commit } = await calculate(fixture);
  expect(await ageCalculations(fixture.store, ANNA, HOLD_MS / 2)).toEqual({ calculations: 1, holds: 0, answers: 0 });
  const [answer, calculation, index] = await timesLeft(commit.calculationId);
  expect(answer).toBeLessThanOrEqual(ANSWER_MS - HOLD_MS / 2);
  for (const left of [calculation, index]) expect(left).toBeLessThanOrEqual(KEPT_MS - HOLD_MS / 2);
  expect(await countUnits(fixture)).toEqual({ consumed: 0, over: 0, held: 1 });
});

test('past its hold: the unit is free, the sweep tells it, and a sale comes late', async () => {
  const { commit } = await calculate(fixture);
  await noteExamination(fixture.store, commit.calculationId, false);
  const other = await calculate(fixture, { member: BERIT });
  expect(await ageCalculations(fixture.store, ANNA, HOLD_MS)).toEqual({ calculations: 1, holds: 1, answers: 1 });
  expect(await countUnits(fixture)).toEqual({ consumed: 0, over: 0, held: 0 });
  expect(await countUnits(fixture, BERIT)).toEqual({ consumed: 0, over: 0, held: 1 });
  expect((await timesLeft(other.commit.calculationId))[2]).toBeGreaterThan(KEPT_MS - HOLD_MS);
  expect((await calculate(fixture)).outcome).toBe('committed');

  expect(await sweepOnce(fixture.store)).toMatchObject({ expired: 1, holds: 1 });
  expect(await readEvents(fixture)).toMatchObject([{ calculationId: commit.calculationId, result: 'expired' }]);
  expect(await report(fixture, commit.calculationId, 'applied')).toMatchObject({ outcome: 'recorded', isLate: true });
});

test('past its retention: a sold one is forgotten, an open one is still swept', async () => {
  const [sold, open] = [await calculate(fixture), await calculate(fixture, { uses: [] })];
  await noteExamination(fixture.store, open.commit.calculationId, false);
  await report(fixture, sold.commit.calculationId, 'applied');
  expect(await ageCalculations(fixture.store, ANNA, 10 * KEPT_MS)).toMatchObject({ calculations: 2, answers: 2 });
  expect(await timesLeft(sold.commit.calculationId)).toEqual([-2, -2, -2]);
  expect((await timesLeft(open.commit.calculationId)).map((left) => left > 0)).toEqual([false, true, true]);
  expect((await report(fixture, sold.commit.calculationId, 'applied')).outcome).toBe('unknown_calculation');
  expect(await sweepOnce(fixture.store)).toMatchObject({ expired: 1 });
});

test('an ID that another member has taken over stays as it is', async () => {
  const { commit } = await calculate(fixture);
  const { redis, store } = fixture;
  await redis.client.del(store.keys.answer(ANNA, commit.calculationId));
  await calculate(fixture, { calculationId: commit.calculationId, member: BERIT });
  const before = await redis.client.pttl(store.keys.index(commit.calculationId));
  await ageCalculations(store, ANNA, KEPT_MS - MINUTE_MS);
  expect(await redis.client.pttl(store.keys.index(commit.calculationId))).toBeGreaterThan(before - MINUTE_MS);
});

test('one that is forgotten while it is looked at counts as found, and as nothing else', async () => {
  const { commit } = await calculate(fixture);
  const { redis, store } = fixture;
  const key = store.keys.calculation(ANNA, commit.calculationId);
  const forgetting = divertedStore(store, async (own, send) => {
    // The script's first key leads to its server.
    if (own === store.keys.hold(ANNA)) await redis.client.del(key, store.keys.answer(ANNA, commit.calculationId));
    return send();
  });
  expect(await ageCalculations(forgetting, ANNA, HOLD_MS)).toEqual({ calculations: 1, holds: 0, answers: 0 });
});
