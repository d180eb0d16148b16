/** The search of sales: through all streams, newest first, each event once, and in steps where there are many. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { appendEvent, eventText } from '../../src/store/events.ts';
import { type SoldEvent, searchSales } from '../../src/store/sale-search.ts';
import { calculate, report, useFixture } from './fixture.ts';

const fixture = useFixture();
const SALE = {
  result: 'recorded',
  status: 'applied',
  transactionId: 't',
  venueId: 'oslo',
} as const;
const ALL = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, matches: () => true, most: 100 };

const append1 = (calculationId: string, more: object = {}) =>
  appendEvent(fixture.store, calculationId, eventText({ calculationId, ...SALE, benefits: [], uses: [], ...more }));

async function append(count: number, more: object = {}): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const calculationId of ids) await append1(calculationId, more);
  return ids;
}

test('events of all streams come in order of time, and one that was appended twice comes once', async () => {
  const ids = await append(40);
  await append1(ids[39]!);
  const { events, beforeMs } = await searchSales(fixture.store, ALL);
  expect(beforeMs).toBeUndefined();
  expect(new Set(events.map(({ calculationId }) => calculationId))).toEqual(new Set(ids));
  expect(events).toHaveLength(40);
  const times = events.map(({ atMs }) => atMs);
  expect(times).toEqual(times.toSorted((one, other) => other - one));
});

test('steps find everything once, whatever a step may look at', async () => {
  const ids = await append(60);
  const found: string[] = [];
  let toMs: number | undefined = ALL.toMs;
  for (let steps = 0; toMs !== undefined && steps < 100; steps += 1) {
    const { events, beforeMs } = await searchSales(fixture.store, { ...ALL, toMs, most: 7 }, steps % 2 === 0 ? 5 : 50);
    found.push(...events.map(({ calculationId = '' }) => calculationId));
    toMs = beforeMs;
  }
  expect(found.toSorted()).toEqual(ids.toSorted());
});

test('what matches is found with why it was answered so, and what lies outside the time is not', async () => {
  const { commit } = await calculate(fixture, { status: 'unchanged', reason: 'basket_too_small' });
  await report(fixture, commit.calculationId, 'unchanged');
  await append(5, { venueId: 'bergen', benefits: [{ benefitId: 'twenty', units: 2, saved: 500 }] });
  const matches = ({ reason }: SoldEvent) => reason === 'basket_too_small';
  const [event, ...others] = (await searchSales(fixture.store, { ...ALL, matches })).events;
  expect(others).toEqual([]);
  expect(event).toMatchObject({ calculationId: commit.calculationId, status: 'unchanged', answered: 'unchanged' });
  const bergen = (await searchSales(fixture.store, { ...ALL, matches: ({ venueId }) => venueId === 'bergen' })).events;
  expect(bergen[0]!.benefits).toMatchObject([{ benefitId: 'twenty', units: 2, saved: 500 }]);
  expect((await searchSales(fixture.store, { ...ALL, toMs: event!.atMs })).events).toEqual([]);
});

test('in the place of an outcome against which a person decided stands the decision, also where that sale is appended again later', async () => {
  const { store, redis } = fixture;
  const at = (ms: number) => ({ calculationId: 'decided', at: new Date(ms).toISOString() });
  await appendAt([1_001], at(1_001), 0);
  await appendAt([1_002], { ...at(1_002), result: 'resolved', status: 'cancelled' }, 1);
  await appendAt([1_003], at(1_001), 2);
  await redis.client.zadd(store.keys.decisions(), 1_002, 'decided');
  const { events } = await searchSales(store, ALL);
  expect(events.map(({ result, status, atMs }) => [result, status, atMs])).toEqual([['recorded', 'cancelled', 1_002]]);
});

/** Appends events at given instants, by turns to all streams or to one; their IDs are their numbers. */
async function appendAt(instants: readonly number[], words: object = {}, stream?: number) {
  const { redis, store } = fixture;
  const pipeline = redis.client.pipeline();
  for (const [number, atMs] of instants.entries()) {
    const event = JSON.stringify({ calculationId: String(number), ...SALE, ...words });
    pipeline.xadd(store.keys.events(stream ?? number % 4), `${atMs}-*`, 'event', event);
  }
  await pipeline.exec();
}

const foundBy = async (question: object, mostLookedAt?: number) => {
  const { events, beforeMs } = await searchSales(fixture.store, { ...ALL, ...question }, mostLookedAt);
  return { found: events.map(({ atMs }) => atMs), beforeMs };
};

test('a search ends with as many as are wanted, and with all of the last millisecond', async () => {
  await appendAt([1_001, 1_001, 1_002, 1_003, 1_003, 1_003, 1_004]);
  expect(await foundBy({ most: 2 })).toEqual({ found: [1_004, 1_003, 1_003, 1_003], beforeMs: 1_003 });
  expect(await foundBy({ most: 1 })).toEqual({ found: [1_004], beforeMs: 1_004 });
  expect(await foundBy({ most: 2, toMs: 1_003 })).toEqual({ found: [1_002, 1_001, 1_001], beforeMs: undefined });
  expect(await foundBy({ most: 6 })).toMatchObject({ beforeMs: undefined });
});

test('a search that finds nothing among as many as it looks at goes on before them', async () => {
  await appendAt([1_001, 1_002, 1_003, 1_004]);
  const first = { matches: ({ atMs }: { atMs: number }) => atMs === 1_001 };
  expect(await foundBy(first, 2)).toEqual({ found: [], beforeMs: 1_003 });
  expect(await foundBy({ ...first, toMs: 1_003 }, 2)).toEqual({ found: [1_001], beforeMs: undefined });
});

test('the time begins with its first millisecond and ends before its last', async () => {
  await appendAt([1_001, 1_002, 1_003]);
  expect((await foundBy({ fromMs: 1_001, toMs: 1_003 })).found).toEqual([1_002, 1_001]);
  expect((await foundBy({ fromMs: 1_002, toMs: 1_004 })).found).toEqual([1_003, 1_002]);
  const nothing = { found: [], beforeMs: undefined };
  for (const [fromMs, toMs] of [
    [1_002, 1_002],
    [0, 0],
    [1_003, 1_001],
  ]) {
    expect(await foundBy({ fromMs, toMs })).toEqual(nothing);
  }
});

test.each([500, 1_001])('a stream with %d events is read to its end', async (count) => {
  const instants = Array.from({ length: count }, (_, at) => 1_000 + at);
  await appendAt(instants, {}, 2);
  const { found, beforeMs } = await foundBy({ most: 5_000 });
  expect([found.length, found[0], found.at(-1), beforeMs]).toEqual([count, 999 + count, 1_000, undefined]);
});

test('an entry of an older version, whose facts are fields of their own, is found with them', async () => {
  const { redis, store } = fixture;
  const facts = {
    calculationId: 'old',
    result: 'recorded',
    status: 'applied',
    transactionId: 't',
    failureReason: '',
    venueId: 'oslo',
  };
  const sold = { ...facts, benefits: 'twenty=2/500', uses: 'coffee:*=1/1', late: '1', overRedeemed: '0' };
  const back = { ...facts, result: 'returned', returnId: 'r-1', refund: '700', lines: '[]' };
  await redis.client.xadd(store.keys.events(0), '1001-0', ...Object.entries(sold).flat());
  await redis.client.xadd(store.keys.events(1), '1002-0', ...Object.entries(back).flat());
  const { events } = await searchSales(store, ALL);
  const common = { calculationId: 'old', status: 'applied', transactionId: 't', venueId: 'oslo' };
  expect(events).toEqual([
    { ...common, result: 'returned', atMs: 1_002, returnId: 'r-1', refund: 700, benefits: [], late: false },
    {
      ...common,
      result: 'recorded',
      atMs: 1_001,
      benefits: [{ benefitId: 'twenty', units: 2, saved: 500 }],
      late: true,
    },
  ]);
});

test('each return of a sale is found by itself', async () => {
  const back = { calculationId: 'sold', result: 'returned', refund: 700 };
  for (const returnId of ['r-1', 'r-2', 'r-2'])
    await appendAt([returnId === 'r-1' ? 1_001 : 1_002], { ...back, returnId });
  const { events } = await searchSales(fixture.store, ALL);
  expect(events.map(({ returnId }) => returnId)).toEqual(['r-2', 'r-1']);
});
