/** What benefits cost: a sale is counted once, whoever tells of it. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { readIndexEntry } from '../../src/store/index-entry.ts';
import { settleSale } from '../../src/store/sales.ts';
import { calculate, report, useFixture } from './fixture.ts';

const fixture = useFixture();

const GIVEN = { programmeId: 'coffee-club', currency: 'NOK', benefits: [{ benefitId: 'half', units: 2, saved: 500 }] };
const OF = { given: GIVEN, venueId: 'oslo-central', total: 100 };

test('the first event of a sale counts, and none that comes again', async () => {
  const startMs = Date.now() - 60_000;
  const { commit } = await calculate(fixture, { given: GIVEN });
  const first = await report(fixture, commit.calculationId, 'applied');
  expect(first).toMatchObject({ outcome: 'recorded', isCounted: true, of: OF });
  expect('of' in first && first.of?.answeredAtMs).toBeGreaterThan(startMs);
  for (let again = 0; again < 3; again += 1) {
    const repeated = await report(fixture, commit.calculationId, 'applied');
    expect(repeated).toMatchObject({ outcome: 'duplicate', isCounted: false, of: undefined });
  }
});

test('an event whose process died before it was told is counted by the repeated one, and by one of many', async () => {
  const { commit } = await calculate(fixture, { given: GIVEN });
  await report(fixture, commit.calculationId, 'applied');
  const key = fixture.store.keys.calculation(commit.member, commit.calculationId);
  await fixture.redis.client.hset(key, 'event', 1);
  const told = await Promise.all(Array.from({ length: 8 }, () => report(fixture, commit.calculationId, 'applied')));
  const counted = told.filter((each) => 'isCounted' in each && each.isCounted);
  expect(counted).toMatchObject([{ outcome: 'duplicate', isCounted: true, of: OF }]);
  // It is booked when the sale was, whoever tells of it.
  const soldAt = await fixture.redis.client.hget(key, 'soldAt');
  expect(counted).toMatchObject([{ bookedAtMs: Number(soldAt) }]);
});

test('an answer that comes after its sale has given nothing, though its event is told', async () => {
  const calculationId = randomUUID();
  expect(await report(fixture, calculationId, 'applied')).toEqual({ outcome: 'unknown_calculation' });
  await calculate(fixture, { calculationId, given: GIVEN });
  const again = await report(fixture, calculationId, 'applied');
  expect(again).toMatchObject({ outcome: 'duplicate', isCounted: true, of: undefined });
  expect(await report(fixture, calculationId, 'cancelled')).toMatchObject({ outcome: 'conflict', of: undefined });
});

test('a call whose time is up counts nothing and is refused, so that the event is repeated and counts then', async () => {
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
  expect(first).toEqual({ outcome: 'too_late' });
  const again = await report(fixture, commit.calculationId, 'applied');
  expect(again).toMatchObject({ outcome: 'duplicate', isCounted: true, of: OF });
});

test.each(['cancelled', 'failed', 'unchanged'])('%s gives nothing', async (status) => {
  const { commit } = await calculate(fixture, { given: GIVEN });
  const more = status === 'failed' ? { failureReason: 'timeout' } : {};
  const reported = await report(fixture, commit.calculationId, status, more);
  expect(reported).toMatchObject({ outcome: 'recorded', isCounted: true, of: undefined });
});

test('a basket that was sold unchanged, as it was answered, counts with what was paid and by whom', async () => {
  const { commit } = await calculate(fixture, { given: { ...GIVEN, benefits: [] }, tier: 'gold', share: 'spring' });
  expect(await report(fixture, commit.calculationId, 'unchanged')).toMatchObject({
    isCounted: true,
    of: { given: { benefits: [] }, total: 100, tier: 'gold', share: 'spring', venueId: 'oslo-central' },
  });
});

test.each(['cancelled', 'failed', 'member_not_found'])(
  '%s counts no turnover, also where nothing was given',
  async (status) => {
    const { commit } = await calculate(fixture, { given: { ...GIVEN, benefits: [] } });
    expect(await report(fixture, commit.calculationId, status)).toMatchObject({ isCounted: true, of: undefined });
  },
);

test('a second outcome is told of once, with what the calculation gave, whatever the first one was', async () => {
  const { commit } = await calculate(fixture, { given: GIVEN });
  await report(fixture, commit.calculationId, 'applied');
  const otherReceipt = await report(fixture, commit.calculationId, 'applied', { transactionId: 't-2' });
  expect(otherReceipt).toMatchObject({
    outcome: 'conflict',
    of: OF,
    funders: new Map(),
    bookedAtMs: expect.any(Number),
  });
  for (const status of ['cancelled', 'unchanged', 'cancelled'])
    expect(await report(fixture, commit.calculationId, status)).toMatchObject({ outcome: 'conflict', of: undefined });

  const { commit: unsold } = await calculate(fixture, { given: GIVEN, uses: [] });
  await report(fixture, unsold.calculationId, 'cancelled');
  expect(await report(fixture, unsold.calculationId, 'applied')).toMatchObject({ outcome: 'conflict', of: OF });
  expect(await report(fixture, unsold.calculationId, 'failed')).toMatchObject({ outcome: 'conflict', of: undefined });
});
