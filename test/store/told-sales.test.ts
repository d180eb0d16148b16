/** What a sale event leaves besides its units: its receipt, how long it is kept, and nothing when it comes too late. */

import { randomUUID } from 'node:crypto';
import { COMMIT_MARGIN_MS } from '@loyalty/contract/limits';
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { type DescribeBasket, NOBODY, recordedEvent } from '../../src/store/calculation-events.ts';
import { readReceipt } from '../../src/store/receipts.ts';
import { readAnswered } from '../../src/store/stored-calculation.ts';
import { describeNothing } from '../support/plain-books.ts';
import { ANNA, calculate, countUnits, report, useFixture } from './fixture.ts';
import { readEvents } from './read-events.ts';

const fixture = useFixture();
const HOUR_MS = 3_600_000;

test('a sale event that Redis gets after its deadline books nothing, and counts when it comes again', async () => {
  const { calculationId } = (await calculate(fixture)).commit;
  const late = await report(fixture, calculationId, 'applied', { deadline: { redisMs: 1 } });
  expect(late).toEqual({ outcome: 'too_late' });
  expect(await countUnits(fixture)).toEqual({ consumed: 0, over: 0, held: 1 });
  expect(await readEvents(fixture)).toEqual([]);
  expect(await report(fixture, calculationId, 'applied')).toMatchObject({ outcome: 'recorded', counted: [{}] });
});

test('a sale event gives up on a calculation that is answered anew each time that it is read', async () => {
  const { redis, store } = fixture;
  const { calculationId } = (await calculate(fixture)).commit;
  const describe: DescribeBasket = async (stored) => {
    await redis.client.hincrby(store.keys.calculation(ANNA, calculationId), 'at', 1);
    return describeNothing(stored);
  };
  await expect(report(fixture, calculationId, 'applied', { describe })).rejects.toThrow(StoreUnavailable);
  expect(await countUnits(fixture)).toEqual({ consumed: 0, over: 0, held: 1 });
  expect(await report(fixture, calculationId, 'applied')).toMatchObject({ outcome: 'recorded', counted: [{}] });
  expect((await readEvents(fixture)).map(({ result }) => result)).toEqual(['recorded']);
});

test('a call that has as much time left as a commit needs still counts its sale', async () => {
  const { calculationId } = (await calculate(fixture)).commit;
  const deadline = { remainingMs: () => COMMIT_MARGIN_MS };
  const settled = await report(fixture, calculationId, 'applied', { deadline });
  expect(settled).toMatchObject({ outcome: 'recorded', counted: [{}] });
});

test('a repeated sale event of an unknown calculation writes nothing that could come too late', async () => {
  const failed = { transactionId: undefined, failureReason: 'declined' };
  const calculationId = randomUUID();
  await report(fixture, calculationId, 'failed', failed);
  const repeated = report(fixture, calculationId, 'failed', { ...failed, deadline: { redisMs: 1 } });
  expect(await repeated).toEqual({ outcome: 'unknown_calculation' });
});

test('a sale of a calculation that was never seen is told with all it says, and found by its receipt', async () => {
  const [known, unknown] = [(await calculate(fixture)).commit.calculationId, randomUUID()];
  await report(fixture, known, 'applied');
  const failed = { transactionId: 't-2', failureReason: 'the terminal was silent' };
  await report(fixture, unknown, 'failed', failed);
  await report(fixture, unknown, 'failed', failed);
  const told = { calculationId: unknown, result: 'unknown_calculation', status: 'failed', ...failed };
  const events = (await readEvents(fixture)).filter(({ calculationId }) => calculationId === unknown);
  // It is told once, however often it is reported.
  expect(events).toMatchObject([told]);
  expect(await readReceipt(fixture.store, 't-1')).toEqual([known]);
  expect(await readReceipt(fixture.store, 't-2')).toEqual([unknown]);
});

test('a sale event that came before its basket is booked when it is told, and tells nothing that nobody knows', async () => {
  const calculationId = randomUUID();
  await report(fixture, calculationId, 'failed', { failureReason: 'timeout' });
  const beforeMs = await fixture.redis.client.time().then(([seconds]) => Number(seconds) * 1000);
  await calculate(fixture, { calculationId });
  await report(fixture, calculationId, 'failed', { failureReason: 'timeout' });
  const events = await readEvents(fixture);
  const recorded = events.find((event) => event.calculationId === calculationId && event.result === 'recorded')!;
  expect(Date.parse(String(recorded['at']))).toBeGreaterThanOrEqual(beforeMs);
  const asked: string[] = [];
  const kept = (await readAnswered(fixture.store, { member: ANNA, calculationId }))!;
  const tell = (as: string) => () => {
    asked.push(as);
    return { benefits: [] };
  };
  const basket = { funders: NOBODY, asked: tell('asked'), answered: tell('answered'), sent: tell('sent') };
  await recordedEvent(fixture.store, kept, { calculationId, ...kept.sale! }, basket);
  expect(asked).toEqual(['asked']);
});

test('a sale with a receipt is found for as long as goods can be returned, and one without no longer than before', async () => {
  const { redis, store } = fixture;
  const { retentionMs } = store.periods;
  const longer = { ...fixture, store: { ...store, periods: { ...store.periods, soldMs: HOUR_MS } } };
  const livesOf = async (seller: typeof fixture, transactionId: string | undefined) => {
    const { calculationId } = (await calculate(fixture, { uses: [] })).commit;
    const [index, calculation] = [store.keys.index(calculationId), store.keys.calculation(ANNA, calculationId)];
    await redis.client.pexpire(index, retentionMs / 2);
    await report(seller, calculationId, transactionId === undefined ? 'cancelled' : 'applied', { transactionId });
    return Promise.all([redis.client.pttl(index), redis.client.pttl(calculation)]);
  };
  const [index, calculation] = await livesOf(longer, 't-1');
  expect(Math.min(index, calculation)).toBeGreaterThan(HOUR_MS / 2);
  for (const [seller, transactionId] of [
    [longer, undefined],
    // Here goods cannot be returned for longer than other calculations are kept.
    [fixture, 't-2'],
  ] as const) {
    const [index, calculation] = await livesOf(seller, transactionId);
    expect(index).toBeLessThanOrEqual(retentionMs / 2);
    expect(calculation).toBeLessThanOrEqual(retentionMs);
  }
});
