/** What benefits cost: a sale is counted once whoever tells of it, and a day's sums take each report once. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { addCosts, type CostChange, readCosts } from '../../src/store/costs.ts';
import { readIndexEntry } from '../../src/store/index-entry.ts';
import { settleSale } from '../../src/store/sales.ts';
import { calculate, report, useFixture } from './fixture.ts';

const fixture = useFixture();

const GIVEN = { programmeId: 'coffee-club', currency: 'NOK', benefits: [{ benefitId: 'half', units: 2, saved: 500 }] };
const GAVE = { ...GIVEN, venueId: 'oslo-central', atMs: expect.any(Number), turnover: 100, tier: '', share: '' };
const CHANGE: CostChange = {
  fate: 'sold',
  programmeId: 'coffee-club',
  benefitId: 'half',
  currency: 'NOK',
  baskets: 1,
  units: 2,
  saved: 500,
};
const DAY = new Date().toISOString().slice(0, 10);

test('the first event of a sale counts, and none that comes again', async () => {
  const startMs = Date.now() - 60_000;
  const { commit } = await calculate(fixture, { given: GIVEN });
  const first = await report(fixture, commit.calculationId, 'applied');
  expect(first).toMatchObject({ outcome: 'recorded', isCounted: true, gave: GAVE });
  expect('gave' in first && first.gave?.atMs).toBeGreaterThan(startMs);
  for (let again = 0; again < 3; again += 1) {
    const repeated = await report(fixture, commit.calculationId, 'applied');
    expect(repeated).toEqual({ outcome: 'duplicate', isCounted: false, gave: undefined });
  }
});

test('an event whose process died before it was told is counted by the repeated one, and by one of many', async () => {
  const { commit } = await calculate(fixture, { given: GIVEN });
  await report(fixture, commit.calculationId, 'applied');
  const key = fixture.store.keys.calculation(commit.member, commit.calculationId);
  await fixture.redis.client.hset(key, 'event', 1);
  const told = await Promise.all(Array.from({ length: 8 }, () => report(fixture, commit.calculationId, 'applied')));
  const counted = told.filter((each) => 'isCounted' in each && each.isCounted);
  expect(counted).toEqual([{ outcome: 'duplicate', isCounted: true, gave: GAVE }]);
});

test('an answer that comes after its sale has given nothing, though its event is told', async () => {
  const calculationId = randomUUID();
  expect(await report(fixture, calculationId, 'applied')).toEqual({ outcome: 'unknown_calculation' });
  await calculate(fixture, { calculationId, given: GIVEN });
  const again = await report(fixture, calculationId, 'applied');
  expect(again).toEqual({ outcome: 'duplicate', isCounted: true, gave: undefined });
  expect(await report(fixture, calculationId, 'cancelled')).toEqual({ outcome: 'conflict' });
});

test('a call whose time is up counts nothing, and the repeated event counts instead', async () => {
  const { commit } = await calculate(fixture, { given: GIVEN });
  const sale = {
    calculationId: commit.calculationId,
    status: 'applied',
    transactionId: 't-1',
    failureReason: undefined,
  };
  const entry = await readIndexEntry(fixture.store, commit.calculationId);
  const late = { remainingMs: () => 10, redisMs: Number.MAX_SAFE_INTEGER };
  const first = await settleSale(fixture.store, sale, entry, late);
  expect(first).toMatchObject({ outcome: 'recorded', isCounted: false, gave: undefined });
  const again = await report(fixture, commit.calculationId, 'applied');
  expect(again).toEqual({ outcome: 'duplicate', isCounted: true, gave: GAVE });
});

test.each(['cancelled', 'failed', 'unchanged'])('%s gives nothing', async (status) => {
  const { commit } = await calculate(fixture, { given: GIVEN });
  const more = status === 'failed' ? { failureReason: 'timeout' } : {};
  const reported = await report(fixture, commit.calculationId, status, more);
  expect(reported).toMatchObject({ outcome: 'recorded', isCounted: true, gave: undefined });
});

test('a basket that was sold unchanged, as it was answered, counts with what was paid and by whom', async () => {
  const { commit } = await calculate(fixture, { given: { ...GIVEN, benefits: [] }, tier: 'gold', share: 'spring' });
  expect(await report(fixture, commit.calculationId, 'unchanged')).toMatchObject({
    isCounted: true,
    gave: { benefits: [], turnover: 100, tier: 'gold', share: 'spring', venueId: 'oslo-central' },
  });
});

test('a sale that is taken back is told of once, and only where it had given something', async () => {
  const { commit } = await calculate(fixture, { given: GIVEN });
  await report(fixture, commit.calculationId, 'applied');
  const otherReceipt = await report(fixture, commit.calculationId, 'applied', { transactionId: 't-2' });
  expect(otherReceipt).toEqual({ outcome: 'conflict' });
  expect(await report(fixture, commit.calculationId, 'cancelled')).toEqual({ outcome: 'conflict', tookBack: GAVE });
  expect(await report(fixture, commit.calculationId, 'cancelled')).toEqual({ outcome: 'conflict' });
  expect(await report(fixture, commit.calculationId, 'unchanged')).toEqual({ outcome: 'conflict' });

  const { commit: unsold } = await calculate(fixture, { given: GIVEN });
  await report(fixture, unsold.calculationId, 'cancelled');
  expect(await report(fixture, unsold.calculationId, 'applied')).toEqual({ outcome: 'conflict' });
  expect(await report(fixture, unsold.calculationId, 'failed')).toEqual({ outcome: 'conflict' });
});

test('reports of several processes add up, and one that comes again adds nothing', async () => {
  const { store } = fixture;
  await addCosts(store, DAY, { process: 'a', number: 1 }, [CHANGE, { ...CHANGE, currency: 'SEK' }]);
  await addCosts(store, DAY, { process: 'a', number: 1 }, [CHANGE, { ...CHANGE, currency: 'SEK' }]);
  await addCosts(store, DAY, { process: 'b', number: 1 }, [CHANGE]);
  await addCosts(store, DAY, { process: 'a', number: 2 }, [{ ...CHANGE, fate: 'undone' }]);
  const none = { baskets: 0, units: 0, saved: 0 };
  const once = { baskets: 1, units: 2, saved: 500 };
  const names = { programmeId: 'coffee-club', benefitId: 'half' };
  expect(await readCosts(store, DAY)).toEqual([
    { ...names, currency: 'NOK', sold: { baskets: 2, units: 4, saved: 1_000 }, undone: once },
    { ...names, currency: 'SEK', sold: once, undone: none },
  ]);
  expect(await readCosts(store, '2020-01-01')).toEqual([]);
});

test('a day is kept for two weeks, and one before them is not begun', async () => {
  const { redis, store } = fixture;
  await addCosts(store, DAY, { process: 'a', number: 1 }, [CHANGE]);
  const days = (await redis.client.pttl(store.keys.costs(DAY))) / 86_400_000;
  expect(days).toBeGreaterThan(14.9);
  expect(days).toBeLessThan(16.1);
  await addCosts(store, '2020-01-01', { process: 'a', number: 2 }, [CHANGE]);
  expect(await redis.client.exists(store.keys.costs('2020-01-01'))).toBe(0);
});
