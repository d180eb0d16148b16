/** Settlement: recorded once, duplicates and conflicts told apart, late sales booked, unknown ones kept. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { commitCalculation } from '../../src/store/calculations.ts';
import { findAnswered } from '../../src/store/find-calculation.ts';
import { pseudonymOf } from '../../src/store/pseudonyms.ts';
import { ANNA, BERIT, calculate, commitOf, countUnits, openStore, report, useFixture } from './fixture.ts';
import { readEvents } from './read-events.ts';

const fixture = useFixture();
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test('applied consumes what was held and appends one event', async () => {
  const { commit } = await calculate(fixture);
  expect(await report(fixture, commit.calculationId, 'applied')).toMatchObject({
    outcome: 'recorded',
    isLate: false,
    hold: 'consumed',
    overRedeemed: 0,
  });
  expect(await countUnits(fixture)).toEqual({ consumed: 1, over: 0, held: 0 });
  expect(await readEvents(fixture)).toEqual([
    {
      calculationId: commit.calculationId,
      version: '1.0.0',
      result: 'recorded',
      at: expect.stringMatching(INSTANT),
      answeredAt: expect.stringMatching(INSTANT),
      status: 'applied',
      transactionId: 't-1',
      answered: 'applied',
      venueId: 'oslo-central',
      member: await pseudonymOf(fixture.store, ANNA),
      benefits: [],
      uses: [{ counter: 'coffee:*', units: 1, limit: 1 }],
      late: false,
      overRedeemed: 0,
    },
  ]);
});

test('the event tells what benefits gave, or offered to a cancelled sale, however many, and of any other sale nothing', async () => {
  const benefits = Array.from({ length: 40 }, (_, at) => ({
    benefitId: `benefit-${at}`,
    units: at + 1,
    saved: 100 * at,
  }));
  const known = { programmeId: 'coffee-club', member: await pseudonymOf(fixture.store, ANNA), currency: 'NOK' };
  for (const count of [0, 1, 3, 20, 40]) {
    const given = { programmeId: 'coffee-club', currency: 'NOK', benefits: benefits.slice(0, count) };
    for (const status of ['applied', 'cancelled', 'unchanged', 'failed']) {
      const { commit } = await calculate(fixture, { uses: [], given });
      await report(fixture, commit.calculationId, status);
      const event = (await readEvents(fixture)).find(({ calculationId }) => calculationId === commit.calculationId);
      expect(event).toMatchObject({
        ...known,
        benefits: status === 'unchanged' || status === 'failed' ? [] : given.benefits,
      });
    }
  }
});

test.each(['cancelled', 'failed', 'unchanged', 'member_not_found', 'not_applicable'])('%s releases', async (status) => {
  const { commit } = await calculate(fixture);
  expect(await report(fixture, commit.calculationId, status)).toMatchObject({ outcome: 'recorded' });
  expect(await countUnits(fixture)).toEqual({ consumed: 0, over: 0, held: 0 });
});

test('the same outcome is a duplicate, another one a conflict; the first stays', async () => {
  const { commit } = await calculate(fixture);
  await report(fixture, commit.calculationId, 'cancelled');
  expect(await report(fixture, commit.calculationId, 'cancelled')).toMatchObject({ outcome: 'duplicate' });
  expect(await report(fixture, commit.calculationId, 'applied')).toMatchObject({ outcome: 'conflict' });
  expect(await report(fixture, commit.calculationId, 'cancelled', { transactionId: 't-2' })).toMatchObject({
    outcome: 'conflict',
  });
  expect(await countUnits(fixture)).toEqual({ consumed: 0, over: 0, held: 0 });
  const { keys } = fixture.store;
  expect(await fixture.redis.client.hget(keys.calculation(commit.member, commit.calculationId), 'conflicts')).toBe('2');
  const [, ...conflicts] = await readEvents(fixture);
  // Of a sale the first event that says otherwise is told.
  expect(conflicts).toMatchObject([
    { result: 'conflict', status: 'applied', venueId: 'oslo-central', recorded: { status: 'cancelled' } },
  ]);
  const failed = (await calculate(fixture)).commit.calculationId;
  await report(fixture, failed, 'failed', { failureReason: 'timeout' });
  expect(await report(fixture, failed, 'failed', { failureReason: 'offline' })).toMatchObject({ outcome: 'conflict' });
});

test.each([
  ['reported first', []],
  ['repeated', ['applied']],
])(
  'of a sale that was %s after its answer had expired, the second outcome is kept and told once',
  async (_case, before) => {
    const { redis, store } = fixture;
    const { calculationId } = (await calculate(fixture)).commit;
    for (const status of before) await report(fixture, calculationId, status);
    await redis.client.del(store.keys.answer(ANNA, calculationId));
    await report(fixture, calculationId, 'applied');
    const conflict = { outcome: 'conflict', of: { calculationId, member: ANNA } };
    expect(await report(fixture, calculationId, 'cancelled')).toMatchObject(conflict);
    expect(await report(fixture, calculationId, 'cancelled')).toMatchObject({ outcome: 'conflict', of: undefined });
    const both = { sale: { status: 'applied' }, second: { status: 'cancelled' }, conflicts: 2 };
    expect(await findAnswered(store, calculationId)).toMatchObject(both);
    expect(await readEvents(fixture)).toMatchObject([
      { result: 'recorded', status: 'applied' },
      { result: 'conflict', status: 'cancelled', venueId: 'oslo-central', recorded: { status: 'applied' } },
    ]);
  },
);

test('100 identical events: one recorded, 99 duplicates, one event', async () => {
  const { commit } = await calculate(fixture);
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, () => report(fixture, commit.calculationId, 'applied')),
  );
  expect(outcomes.filter(({ outcome }) => outcome === 'recorded')).toHaveLength(1);
  expect(outcomes.filter(({ outcome }) => outcome === 'duplicate')).toHaveLength(99);
  expect(await countUnits(fixture)).toEqual({ consumed: 1, over: 0, held: 0 });
});

test('a sale after expiry is recorded as late; past the limit it counts as over-redeemed', async () => {
  const { redis } = fixture;
  const brief = { redis, store: await openStore(redis, 50) };
  const first = await calculate(brief);
  await sleep(80);
  const second = await calculate(fixture);
  expect(second.outcome).toBe('committed');
  expect(await report(fixture, first.commit.calculationId, 'applied')).toMatchObject({
    outcome: 'recorded',
    isLate: true,
    overRedeemed: 1,
  });
  expect(await countUnits(fixture)).toEqual({ consumed: 1, over: 1, held: 1 });
  await report(fixture, second.commit.calculationId, 'applied');
  expect(await countUnits(fixture)).toEqual({ consumed: 2, over: 1, held: 0 });
  brief.store.connection.close();
});

test('a calculation never seen is unknown, and holds nothing when it comes after its event', async () => {
  const calculationId = randomUUID();
  expect(await report(fixture, calculationId, 'failed')).toEqual({ outcome: 'unknown_calculation' });
  expect(await report(fixture, calculationId, 'failed')).toEqual({ outcome: 'unknown_calculation' });
  expect(await report(fixture, calculationId, 'applied')).toMatchObject({ outcome: 'conflict' });
  expect((await calculate(fixture, { calculationId })).outcome).toBe('committed');
  expect(await countUnits(fixture)).toEqual({ consumed: 0, over: 0, held: 0 });
  expect(await report(fixture, calculationId, 'failed')).toMatchObject({ outcome: 'duplicate' });
  expect(await report(fixture, calculationId, 'applied')).toMatchObject({ outcome: 'conflict', of: undefined });
  // Nothing was booked for it, so there is nothing to decide.
  expect((await findAnswered(fixture.store, calculationId))!.second).toBeUndefined();
});

test('an event between an earlier claim and its commit is unknown: the commit reads again, and holds nothing', async () => {
  const commit = commitOf({ member: BERIT });
  const { redis, store } = fixture;
  await redis.client.set(store.keys.index(commit.calculationId), `${BERIT} print 0 -`);
  expect(await report(fixture, commit.calculationId, 'failed')).toEqual({ outcome: 'unknown_calculation' });
  expect(await report(fixture, commit.calculationId, 'applied')).toMatchObject({ outcome: 'conflict', of: undefined });
  expect((await commitCalculation(store, commit)).outcome).toBe('changed');
  expect((await calculate(fixture, commit)).outcome).toBe('committed');
  expect(await countUnits(fixture, BERIT)).toEqual({ consumed: 0, over: 0, held: 0 });
});
