/** The outbox before a double: one event per calculation, none for a superseded one, nothing lost by a restart. */
import { randomUUID } from 'node:crypto';
import { memoryStore, type OutboxStore, type SaleEvent, saleEventOf } from 'loyalty-basket-client';
import { describe, expect, test } from 'vitest';
import { saleOf } from '../../../test/support/baskets.ts';
import { sleep, until } from '../../../test/support/wait.ts';
import { endingOf, openClient, richBasket, useDouble } from './fixture.ts';

const stage = useDouble();

function eventsFor(calculationId: string) {
  return stage.double.seen.filter(({ path, idempotencyKey: key }) => path.endsWith('/sale') && key === calculationId);
}

function event(calculationId: string, status = 'applied'): SaleEvent {
  return saleOf(calculationId, status) as SaleEvent;
}

describe('exactly one event', () => {
  test('is sent, however often it is reported', async () => {
    const outcome = await stage.client.calculateBasket(richBasket('member'));
    const sale = saleEventOf(outcome, 'receipt-1');
    const receipts = await Promise.all(Array.from({ length: 20 }, () => stage.client.reportSale(sale)));
    expect(receipts.filter((receipt) => receipt.outcome === 'queued')).toHaveLength(1);
    expect(receipts.filter((receipt) => receipt.outcome === 'repeated')).toHaveLength(19);
    expect(await endingOf(stage, outcome.calculationId)).toMatchObject({ result: 'recorded' });
    expect(await stage.client.reportSale(sale)).toMatchObject({ outcome: 'repeated' });
    await sleep(50);
    expect(eventsFor(outcome.calculationId)).toHaveLength(1);
  });

  test('and the first outcome decides', async () => {
    const outcome = await stage.client.calculateBasket(richBasket('member'));
    const { calculationId } = outcome;
    await stage.client.reportSale(saleEventOf(outcome, 'receipt-1'));
    expect(await stage.client.reportSale(event(calculationId, 'cancelled'))).toMatchObject({ outcome: 'conflicting' });
    await endingOf(stage, calculationId);
    expect(await stage.client.reportSale(event(calculationId, 'cancelled'))).toMatchObject({ outcome: 'conflicting' });
    await sleep(50);
    expect(eventsFor(calculationId)).toHaveLength(1);
  });
});

describe('a superseded calculation', () => {
  test('gets no event', async () => {
    const first = await stage.client.calculateBasket(richBasket('member'));
    const second = await stage.client.calculateBasket(
      richBasket('member', { supersedesCalculationId: first.calculationId }),
    );
    expect(await stage.client.reportSale(saleEventOf(first, 'r-1'))).toMatchObject({ outcome: 'superseded' });
    expect(await stage.client.reportSale(saleEventOf(second, 'r-1'))).toMatchObject({ outcome: 'queued' });
    await endingOf(stage, second.calculationId);
    expect(eventsFor(first.calculationId)).toEqual([]);
  });

  test('may be cancelled, once, when its successor never arrived', async () => {
    const store = memoryStore();
    const endings: typeof stage.endings = [];
    const client = await openClient(stage.double.baseUrl, { ...stage, endings }, { outbox: store });
    const first = await client.calculateBasket(richBasket('member'));
    const { calculationId } = first;
    // The second one ends without an answer.
    await client.calculateBasket(richBasket('misbehave-reset', { supersedesCalculationId: calculationId }));
    expect(await client.reportSale(saleEventOf(first, 'r-1'))).toMatchObject({ outcome: 'superseded' });
    expect(await client.reportSale(event(calculationId, 'cancelled'))).toMatchObject({ outcome: 'queued' });
    expect(await endingOf({ endings }, calculationId)).toMatchObject({ outcome: 'settled' });
    expect(await client.reportSale(event(calculationId, 'cancelled'))).toMatchObject({ outcome: 'repeated' });
    expect(await client.reportSale(saleEventOf(first, 'r-1'))).toMatchObject({ outcome: 'conflicting' });
    await client.close();
    const later = await openClient(stage.double.baseUrl, { ...stage, endings }, { outbox: store });
    expect(await later.reportSale(event(calculationId, 'cancelled'))).toMatchObject({ outcome: 'repeated' });
    expect(eventsFor(calculationId)).toHaveLength(1);
    await later.close();
  });

  test('that was reported before stays reported', async () => {
    const first = await stage.client.calculateBasket(richBasket('member'));
    await stage.client.reportSale(saleEventOf(first, 'r-1'));
    await stage.client.calculateBasket(richBasket('member', { supersedesCalculationId: first.calculationId }));
    expect(await endingOf(stage, first.calculationId)).toMatchObject({ result: 'recorded' });
  });
});

test('a client of its own store finds there what the one before left', async () => {
  const store = memoryStore();
  const lost = await openClient('http://127.0.0.1:1', stage, { outbox: store });
  const superseded = randomUUID();
  const calculationIds = Array.from({ length: 50 }, () => randomUUID());
  for (const calculationId of calculationIds) await lost.reportSale(event(calculationId, 'cancelled'));
  await lost.calculateBasket(richBasket('member', { supersedesCalculationId: superseded }));
  expect(lost.pendingSales).toBe(50);
  await lost.close();
  const found = await openClient(stage.double.baseUrl, stage, { outbox: store });
  await until('everything to be sent', () => found.pendingSales === 0);
  for (const id of calculationIds) expect(await endingOf(stage, id)).toMatchObject({ result: 'unknown_calculation' });
  expect(await found.reportSale(event(superseded))).toMatchObject({ outcome: 'superseded' });
  await found.close();
});

test('an event that stopped can be sent again by support', async () => {
  const outcome = await stage.client.calculateBasket(richBasket('misbehave-sale-conflict'));
  const store = memoryStore();
  const endings: typeof stage.endings = [];
  const client = await openClient(stage.double.baseUrl, { ...stage, endings }, { outbox: store });
  await client.reportSale(saleEventOf(outcome, 'r-1'));
  expect(await endingOf({ endings }, outcome.calculationId)).toMatchObject({
    outcome: 'stopped',
    detail: '409 idempotency_conflict',
  });
  expect(client.stoppedSales).toMatchObject([{ detail: '409 idempotency_conflict' }]);
  await client.close();
  const reopened = await openClient(stage.double.baseUrl, { ...stage, endings }, { outbox: store });
  expect(reopened.stoppedSales).toHaveLength(1);
  expect(reopened.pendingSales).toBe(0);
  expect(await reopened.resendStoppedSales()).toBe(1);
  await until('the second refusal', () => endings.length === 2);
  await reopened.close();
});

test('an event is given up at the horizon, with its last refusal', async () => {
  const endings: typeof stage.endings = [];
  const client = await openClient(
    'http://127.0.0.1:1',
    { ...stage, endings },
    {
      saleBackoff: { firstDelayMs: 20, longestDelayMs: 50, horizonMs: 300 },
    },
  );
  const calculationId = randomUUID();
  await client.reportSale(event(calculationId, 'cancelled'));
  const ending = await endingOf({ endings }, calculationId);
  expect(ending).toMatchObject({ outcome: 'stopped', detail: expect.stringContaining('no answer in time') });
  await client.close();
});

test('while the service is away one event at a time asks for it', async () => {
  const retries: string[] = [];
  const client = await openClient('http://127.0.0.1:1', stage, {
    saleBackoff: { firstDelayMs: 50, longestDelayMs: 100 },
    onSaleRetry: (calculationId) => retries.push(calculationId),
  });
  for (let count = 0; count < 200; count += 1) await client.reportSale(event(randomUUID(), 'cancelled'));
  await until('several attempts', () => retries.length > 3);
  expect(retries.length).toBeLessThan(30);
  await client.close();
});

test('a callback may close the client', async () => {
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  const client = await openClient(stage.double.baseUrl, stage, {
    onSaleEnding: ({ outcome }) => client.close().then(() => resolve(outcome)),
  });
  await client.reportSale(event(randomUUID(), 'cancelled'));
  expect(await ended).toBe('settled');
});

test('a store that fails loses no event while the process lives', async () => {
  const faults: string[] = [];
  const store: OutboxStore = { ...memoryStore(), append: () => Promise.reject(new Error('no space left on device')) };
  const client = await openClient(stage.double.baseUrl, { ...stage, faults }, { outbox: store });
  const outcome = await client.calculateBasket(richBasket('member'));
  expect(await client.reportSale(saleEventOf(outcome, 'r-1'))).toEqual({ outcome: 'queued', isDurable: false });
  expect(await endingOf(stage, outcome.calculationId)).toMatchObject({ result: 'recorded' });
  expect(faults).toContain('the outbox could not be written: no space left on device');
  await client.close();
});

test('the store is compacted, and holds what still matters', async () => {
  const store = memoryStore();
  const client = await openClient(stage.double.baseUrl, stage, { outbox: store });
  const calculationIds = Array.from({ length: 3_000 }, () => randomUUID());
  await Promise.all(calculationIds.map((id) => client.reportSale(event(id, 'cancelled'))));
  await until('everything to be sent', () => client.pendingSales === 0, 20_000);
  await client.close();
  // Two records of each were written, and one is left of all that were answered before it was compacted.
  expect((await store.load()).length).toBeLessThan(4_500);
  const reopened = await openClient(stage.double.baseUrl, stage, { outbox: store });
  expect(reopened.pendingSales).toBe(0);
  expect(await reopened.reportSale(event(calculationIds[0]!, 'cancelled'))).toMatchObject({ outcome: 'repeated' });
  expect(await reopened.reportSale(event(calculationIds[0]!))).toMatchObject({ outcome: 'conflicting' });
  await reopened.close();
}, 40_000);
