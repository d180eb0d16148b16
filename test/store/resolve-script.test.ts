/** A person's decision between two outcomes, in the slot of the calculation: uses move once, and nothing is decided twice. */
import { expect, test } from 'vitest';
import { decide, finishDecision, readDecisions } from '../../src/store/decisions.ts';
import { findAnswered } from '../../src/store/find-calculation.ts';
import type { AnsweredCalculation } from '../../src/store/stored-calculation.ts';
import { describeNothing } from '../support/plain-books.ts';
import { ANNA, BERIT, calculate, countUnits, report, useFixture } from './fixture.ts';

const fixture = useFixture();

/** A calculation of one unit of a limit of one, with these outcomes in their order. */
async function told(...statuses: string[]): Promise<AnsweredCalculation> {
  const { commit } = await calculate(fixture, { kept: Buffer.from('kept') });
  for (const status of statuses) {
    await report(fixture, commit.calculationId, status, status === 'cancelled' ? { transactionId: undefined } : {});
  }
  return (await findAnswered(fixture.store, commit.calculationId))!;
}

const again = async ({ calculationId }: AnsweredCalculation) => (await findAnswered(fixture.store, calculationId))!;
const resolve = (record: AnsweredCalculation, outcome: 'first' | 'second' = 'second') =>
  decide(fixture.store, record, { outcome, who: 'operator', reason: 'why' }, describeNothing);

test('a use is given back when the second outcome is no sale, and only once', async () => {
  const record = await told('applied', 'cancelled');
  expect(await countUnits(fixture)).toMatchObject({ consumed: 1 });
  const all = await Promise.all(Array.from({ length: 4 }, () => resolve(record)));
  expect(all.map(({ outcome }) => outcome).sort()).toEqual(['known', 'known', 'known', 'resolved']);
  expect(await countUnits(fixture)).toMatchObject({ consumed: 0, over: 0 });
  expect(await again(record)).toMatchObject({
    sale: { status: 'cancelled' },
    second: { status: 'cancelled' },
    due: { decisionDue: 'count' },
    decision: { outcome: 'second', reason: 'why', first: { status: 'applied', transactionId: 't-1' } },
  });
  expect(await resolve(record, 'first')).toEqual({ outcome: 'known', decided: 'second' });
});

test('a use is booked when the second outcome is a sale, past the limit if others have it by then', async () => {
  const record = await told('cancelled', 'applied', 'failed');
  const other = await told('applied');
  expect(await resolve(record)).toEqual({ outcome: 'resolved' });
  expect(await countUnits(fixture)).toEqual({ consumed: 2, over: 1, held: 0 });
  expect(await again(record)).toMatchObject({ sale: { status: 'applied' }, overRedeemed: 1 });
  // Goods of it may come back long after the answer is forgotten.
  expect((await again(record)).answer?.toString()).toBe('as stored');
  expect(await resolve(other)).toEqual({ outcome: 'none' });
  // The record is kept for returns from now on.
  const key = fixture.store.keys.calculation(ANNA, record.calculationId);
  expect(await fixture.redis.client.pttl(key)).toBeGreaterThan(fixture.store.periods.retentionMs - 10_000);
});

test('another receipt of the same sale moves no use, and the first outcome none either', async () => {
  const record = await told('applied');
  await report(fixture, record.calculationId, 'applied', { transactionId: 't-2' });
  // The event would not be of what was read.
  expect(await resolve(record)).toEqual({ outcome: 'again' });
  expect(await resolve(await again(record))).toEqual({ outcome: 'resolved' });
  expect(await countUnits(fixture)).toEqual({ consumed: 1, over: 0, held: 0 });
  expect((await again(record)).sale?.transactionId).toBe('t-2');
  await fixture.redis.client.flushall();
  const first = await told('applied', 'cancelled');
  expect(await resolve(first, 'first')).toEqual({ outcome: 'resolved' });
  expect(await countUnits(fixture)).toMatchObject({ consumed: 1 });
  expect((await again(first)).sale?.status).toBe('applied');
});

test('a sale whose event nobody had told before the decision is told and counted by nobody after it', async () => {
  const record = await told('applied', 'cancelled');
  const key = fixture.store.keys.calculation(ANNA, record.calculationId);
  await fixture.redis.client.hset(key, 'event', 1);
  expect(await resolve(record, 'first')).toEqual({ outcome: 'resolved' });
  const decided = await again(record);
  // Nor by the call that booked it, should that ask whether it was given the sale.
  expect(decided).toMatchObject({ isUndone: true, countedBy: '-' });
  expect(await report(fixture, record.calculationId, 'applied')).toEqual({ outcome: 'duplicate' });
  // Its event stands in the place of the one that may be missing.
  await finishDecision(fixture.store, decided, decided.decision!);
  expect([...(await readDecisions(fixture.store)).keys()]).toEqual([record.calculationId]);
  expect(await again(record)).toMatchObject({ isUndone: false, due: { decisionDue: undefined } });
});

test('a calculation whose member was merged is decided where it has moved to, after its uses', async () => {
  const record = await told('applied', 'cancelled');
  const { redis, store } = fixture;
  await redis.client.hset(store.keys.use(ANNA), '!moved', BERIT);
  await expect(resolve(record)).rejects.toThrow('a merge of the member is under way');
  await redis.client.del(store.keys.use(ANNA));
  await redis.client.hset(store.keys.use(ANNA), '!moved', BERIT);
  await redis.client.hset(store.keys.use(BERIT), 'coffee:*', 1);
  expect(await resolve(record)).toEqual({ outcome: 'again' });
  expect(await resolve(await again(record))).toEqual({ outcome: 'resolved' });
  expect(await countUnits(fixture, BERIT)).toMatchObject({ consumed: 0 });
});

test('two outcomes that were reported after the answer had expired are decided as any others', async () => {
  const { redis, store } = fixture;
  const { calculationId } = await told();
  await redis.client.del(store.keys.answer(ANNA, calculationId));
  for (const status of ['applied', 'cancelled']) await report(fixture, calculationId, status);
  expect(await resolve((await findAnswered(store, calculationId))!)).toEqual({ outcome: 'resolved' });
  expect(await countUnits(fixture)).toMatchObject({ consumed: 0 });
  expect(await report(fixture, calculationId, 'cancelled')).toMatchObject({ outcome: 'duplicate' });
});
