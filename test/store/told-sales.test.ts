/** What a sale event leaves besides its units: its receipt, how long it is kept, and nothing when it comes too late. */
import { randomUUID } from 'node:crypto';
import { COMMIT_MARGIN_MS } from '@loyalty/contract/limits';
import { expect, test } from 'vitest';
import { recordedEvent } from '../../src/store/calculation-events.ts';
import { readIndexEntry } from '../../src/store/index-entry.ts';
import { readReceipt } from '../../src/store/receipts.ts';
import { settleSale } from '../../src/store/sales.ts';
import { readAnswered } from '../../src/store/stored-calculation.ts';
import { ANNA, calculate, countUnits, report, useFixture } from './fixture.ts';
import { readEvents } from './read-events.ts';

const fixture = useFixture();
const HOUR_MS = 3_600_000;

test('a sale event that Redis gets after its deadline books nothing, and counts when it comes again', async () => {
  const { store } = fixture;
  const { calculationId } = (await calculate(fixture)).commit;
  const sale = { calculationId, status: 'applied', transactionId: 't-1', failureReason: undefined };
  const deadline = { remainingMs: () => 60_000, redisMs: 1 };
  const late = await settleSale(store, sale, await readIndexEntry(store, calculationId), deadline);
  expect(late).toEqual({ outcome: 'too_late' });
  expect(await countUnits(fixture)).toEqual({ consumed: 0, over: 0, held: 1 });
  expect(await readEvents(fixture)).toEqual([]);
  expect(await report(fixture, calculationId, 'applied')).toMatchObject({ outcome: 'recorded', isCounted: true });
});

test('a call that has as much time left as a commit needs still counts its sale', async () => {
  const { store } = fixture;
  const { calculationId } = (await calculate(fixture)).commit;
  const deadline = { remainingMs: () => COMMIT_MARGIN_MS, redisMs: Number.MAX_SAFE_INTEGER };
  const sale = { calculationId, status: 'applied', transactionId: 't-1', failureReason: undefined };
  const settled = await settleSale(store, sale, await readIndexEntry(store, calculationId), deadline);
  expect(settled).toMatchObject({ outcome: 'recorded', isCounted: true });
});

test('a repeated sale event of an unknown calculation writes nothing that could come too late', async () => {
  const { store } = fixture;
  const sale = { calculationId: randomUUID(), status: 'failed', transactionId: undefined, failureReason: 'declined' };
  await report(fixture, sale.calculationId, 'failed', sale);
  const entry = await readIndexEntry(store, sale.calculationId);
  const repeated = settleSale(store, sale, entry, { remainingMs: () => 60_000, redisMs: 1 });
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
  await recordedEvent(fixture.store, kept, { calculationId, ...kept.sale! }, async (_kept, as) => {
    asked.push(as);
    return { benefits: [] };
  });
  expect(asked).toEqual(['unsaid']);
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
