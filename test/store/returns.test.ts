/** What is kept of sales for their returns, for how long, and in which order returns are read. */

import { expect, test } from 'vitest';
import type { BookedReturn } from '../../src/store/booked-return.ts';
import type { Commit } from '../../src/store/calculations.ts';
import { findAnswered } from '../../src/store/find-calculation.ts';
import { claimIndexEntry } from '../../src/store/index-entry.ts';
import { bookReturn, readReturns } from '../../src/store/returns.ts';
import { type AnsweredCalculation, isSoldBefore } from '../../src/store/stored-calculation.ts';
import { describeNothing } from '../support/plain-books.ts';
import { ANNA, calculate, commitOf, countUnits, report, useFixture } from './fixture.ts';

const fixture = useFixture();
const SOLD_MS = 3_600_000;

async function sell(status = 'applied', more: Partial<Commit> = {}): Promise<AnsweredCalculation> {
  const { store } = fixture;
  const given = {
    programmeId: 'coffee-club',
    currency: 'NOK',
    benefits: [{ benefitId: 'coffee', units: 1, saved: 10 }],
  };
  const { commit } = await calculate(fixture, { given, kept: Buffer.from('kept'), ...more });
  const longer = { ...fixture, store: { ...store, periods: { ...store.periods, soldMs: SOLD_MS } } };
  await report(longer, commit.calculationId, status);
  return (await findAnswered(store, commit.calculationId))!;
}

function returnOf(returnId: string, more: Partial<BookedReturn> = {}): BookedReturn {
  const lines = [{ lineId: '1', quantity: 1, refund: 90 }];
  return { returnId, answer: { refund: 90, lines, kept: [] }, givenBack: [], ...more };
}

test('what was sold is read as it was stored', async () => {
  const sold = await sell();
  expect(sold).toMatchObject({
    sale: { status: 'applied', transactionId: 't-1' },
    status: 'applied',
    total: 100,
  });
  expect([sold.basket?.toString(), sold.answer?.toString()]).toEqual(['kept', 'as stored']);
  expect(sold.ownUses).toEqual([{ usageKey: 'coffee:*', units: 1, limit: 1 }]);
  expect(sold.given).toMatchObject({ currency: 'NOK', benefits: [{ benefitId: 'coffee', saved: 10 }] });
  // What goods that come back are booked under.
  const counted = await sell('applied', { uses: [], tier: 'gold', share: 'spring' });
  expect(counted).toMatchObject({ venueId: 'oslo-central', total: 100, tier: 'gold', share: 'spring' });
  expect((await sell('failed', { uses: [] })).answer).toBeUndefined();
  expect(await findAnswered(fixture.store, commitOf().calculationId)).toBeUndefined();
  const { commit: plain } = await calculate(fixture, { uses: [] });
  expect(await findAnswered(fixture.store, plain.calculationId)).toMatchObject({ given: undefined });
});

test('an answer that came after its sale is none that was sold; one of the same millisecond is', async () => {
  const { redis, store } = fixture;
  const { calculationId } = commitOf();
  await report(fixture, calculationId, 'applied');
  await calculate(fixture, { calculationId });
  const before = (await findAnswered(store, calculationId))!;
  expect([isSoldBefore(before), before.sale?.status]).toEqual([true, 'applied']);
  const sold = await sell();
  await redis.client.hset(store.keys.calculation(ANNA, sold.calculationId), 'soldAt', sold.answeredAtMs);
  expect(isSoldBefore((await findAnswered(store, sold.calculationId))!)).toBe(false);
});

test('after the return of units past the limit, the next ones past it are counted again', async () => {
  const { redis, store } = fixture;
  const late = async () => {
    const sold = await calculate(fixture, { kept: Buffer.from('kept') });
    await redis.client.del(store.keys.hold(ANNA));
    return sold.commit.calculationId;
  };
  const [first, second, third] = [await late(), await late(), await late()];
  expect(await report(fixture, first, 'applied')).toMatchObject({ overRedeemed: 0 });
  expect(await report(fixture, second, 'applied')).toMatchObject({ overRedeemed: 1 });
  const sold = (await findAnswered(store, second))!;
  await bookReturn(store, sold, returnOf('a', { givenBack: [['coffee:*', 1]] }), 0, describeNothing);
  expect(await countUnits(fixture)).toEqual({ consumed: 1, over: 0, held: 0 });
  expect(await report(fixture, third, 'applied')).toMatchObject({ overRedeemed: 1 });
  expect(await countUnits(fixture)).toEqual({ consumed: 2, over: 1, held: 0 });
});

test('a return counts no costs where version 0.2 had taken its sale out of them by a later event, and counts them else', async () => {
  const { redis, store } = fixture;
  const sold = await sell();
  const key = store.keys.calculation(ANNA, sold.calculationId);
  const book = (returnId: string, count: number) => bookReturn(store, sold, returnOf(returnId), count, describeNothing);
  // That version wrote the mark for a return too.
  await redis.client.hset(key, 'undone', 1);
  expect(await book('a', 0)).toMatchObject({ outcome: 'booked', owesCosts: true });
  await redis.client.hset(key, 'conflicts', 1);
  expect(await book('b', 1)).toMatchObject({ outcome: 'booked', owesCosts: false });
  expect(await book('b', 1)).toMatchObject({ outcome: 'known', isDue: true, owesCosts: false });
  await redis.client.hdel(key, 'undone');
  expect(await book('c', 2)).toMatchObject({ outcome: 'booked', owesCosts: true });
});

test('a sold calculation, its index entry and its receipt outlive the retention, also when its ID is used again', async () => {
  const { redis, store } = fixture;
  const sold = await sell();
  const { calculationId } = sold;
  await bookReturn(store, sold, returnOf('a'), 0, describeNothing);
  await redis.client.del(store.keys.answer(ANNA, calculationId));
  await claimIndexEntry(store, calculationId, ANNA, () => 400);
  await calculate(fixture, { calculationId });
  const kept = [
    store.keys.calculation(ANNA, calculationId),
    store.keys.index(calculationId),
    store.keys.receipt('t-1'),
  ];
  for (const key of [...kept, store.keys.returns(ANNA, calculationId)]) {
    expect(await redis.client.pttl(key), key).toBeGreaterThan(SOLD_MS / 2);
  }
  const { commit } = await calculate(fixture, { uses: [] });
  await report(fixture, commit.calculationId, 'cancelled', { transactionId: undefined });
  for (const key of [store.keys.calculation(ANNA, commit.calculationId), store.keys.index(commit.calculationId)]) {
    expect(await redis.client.pttl(key), key).toBeLessThan(SOLD_MS / 2);
  }
});

test('returns are read in the order of their numbers, whatever Redis lists first', async () => {
  const { redis, store } = fixture;
  const { calculationId } = commitOf();
  const booked = (number: number) =>
    `1732190000000 ${number} ${JSON.stringify([returnOf('x').answer, [['a:*', number]]])}`;
  const key = store.keys.returns(ANNA, calculationId);
  await redis.client.hset(key, { 'r:c': booked(10), 'd:c': '1', 'r:a': booked(1), 'r:b': booked(9) });
  const returns = await readReturns(store, ANNA, calculationId);
  expect(returns.map(({ returnId, number, givenBack }) => [returnId, number, givenBack])).toEqual(
    Object.entries({ a: 1, b: 9, c: 10 }).map(([returnId, number]) => [returnId, number, [['a:*', number]]]),
  );
  expect(returns[0]).toMatchObject({ atMs: 1_732_190_000_000, answer: { refund: 90 } });
});

test('an ID that was claimed and never answered is no sale', async () => {
  const { calculationId } = commitOf();
  await claimIndexEntry(fixture.store, calculationId, ANNA, () => 400);
  expect(await findAnswered(fixture.store, calculationId)).toBeUndefined();
});
