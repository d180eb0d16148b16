/** The search of sales: through all streams, newest first, each event once, and in steps where there are many. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { appendEvent } from '../../src/store/events.ts';
import { searchSales } from '../../src/store/sale-search.ts';
import { calculate, report, useFixture } from './fixture.ts';

const fixture = useFixture();
const SALE = { result: 'recorded', status: 'applied', transactionId: 't', failureReason: '', venueId: 'oslo' } as const;
const ALL = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, matches: () => true, most: 100 };

async function append(count: number, more: object = {}): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const calculationId of ids) await appendEvent(fixture.store, { calculationId, ...SALE, ...more });
  return ids;
}

test('events of all streams come in order of time, and one that was appended twice comes once', async () => {
  const ids = await append(40);
  await appendEvent(fixture.store, { calculationId: ids[39]!, ...SALE });
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
    found.push(...events.map(({ calculationId }) => calculationId));
    toMs = beforeMs;
  }
  expect(found.toSorted()).toEqual(ids.toSorted());
});

test('what matches is found with why it was answered so, and what lies outside the time is not', async () => {
  const { commit } = await calculate(fixture, { status: 'unchanged', reason: 'basket_too_small' });
  await report(fixture, commit.calculationId, 'unchanged');
  await append(5, { venueId: 'bergen', benefits: 'twenty=2/500' });
  const matches = ({ reason }: { reason: string }) => reason === 'basket_too_small';
  const [event, ...others] = (await searchSales(fixture.store, { ...ALL, matches })).events;
  expect(others).toEqual([]);
  expect(event).toMatchObject({ calculationId: commit.calculationId, status: 'unchanged', answered: 'unchanged' });
  const bergen = (await searchSales(fixture.store, { ...ALL, matches: ({ venueId }) => venueId === 'bergen' })).events;
  expect(bergen[0]!.benefits).toEqual([{ benefitId: 'twenty', units: 2, saved: 500 }]);
  expect((await searchSales(fixture.store, { ...ALL, toMs: event!.atMs })).events).toEqual([]);
});
