/** What benefits cost: a sale is counted once, whoever tells of it. */

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { calculate, report, useFixture } from './fixture.ts';

const fixture = useFixture();

const GIVEN = { programmeId: 'coffee-club', currency: 'NOK', benefits: [{ benefitId: 'half', units: 2, saved: 500 }] };
const OF = { given: GIVEN, venueId: 'oslo-central', total: 100 };

test('an event whose process died before it was told is counted by the repeated one, and by one of many', async () => {
  const { commit } = await calculate(fixture, { given: GIVEN });
  await report(fixture, commit.calculationId, 'applied');
  const key = fixture.store.keys.calculation(commit.member, commit.calculationId);
  await fixture.redis.client.hset(key, 'event', 1);
  const told = await Promise.all(Array.from({ length: 8 }, () => report(fixture, commit.calculationId, 'applied')));
  const counted = told.filter((each) => each.counted);
  expect(counted).toMatchObject([{ outcome: 'duplicate', counted: [{ of: OF }] }]);
  // It is booked when the sale was, whoever tells of it.
  const soldAt = await fixture.redis.client.hget(key, 'soldAt');
  expect(counted).toMatchObject([{ counted: [{ bookedAtMs: Number(soldAt) }] }]);
});

test('an answer that comes after its sale has given nothing, though its event is told', async () => {
  const calculationId = randomUUID();
  expect(await report(fixture, calculationId, 'applied')).toEqual({ outcome: 'unknown_calculation' });
  await calculate(fixture, { calculationId, given: GIVEN });
  const again = await report(fixture, calculationId, 'applied');
  expect(again).toMatchObject({ outcome: 'duplicate', counted: [{ of: undefined }] });
  expect(await report(fixture, calculationId, 'cancelled')).toMatchObject({ outcome: 'conflict', of: undefined });
});

test.each([
  ['cancelled', GIVEN.benefits],
  ['failed', GIVEN.benefits],
  ['unchanged', GIVEN.benefits],
  ['cancelled', []],
  ['failed', []],
  ['member_not_found', []],
])('%s sells nothing of a basket that was given %j', async (status, benefits) => {
  const { commit } = await calculate(fixture, { given: { ...GIVEN, benefits } });
  expect(await report(fixture, commit.calculationId, status)).toMatchObject({
    outcome: 'recorded',
    counted: [{ of: undefined }],
  });
});

test('a basket that was sold unchanged, as it was answered, counts with what was paid and by whom', async () => {
  const { commit } = await calculate(fixture, { given: { ...GIVEN, benefits: [] }, tier: 'gold', share: 'spring' });
  expect(await report(fixture, commit.calculationId, 'unchanged')).toMatchObject({
    counted: [{ of: { given: { benefits: [] }, total: 100, tier: 'gold', share: 'spring', venueId: 'oslo-central' } }],
  });
});

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
