/** A receipt says that an event is on the disk only when it is, whatever was said before, and a crash proves it. */
import { randomUUID } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { memoryStore, type OutboxStore, type SaleEvent, saleEventOf } from 'loyalty-basket-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../../../test/support/cleanup.ts';
import { until } from '../../../test/support/wait.ts';
import { endingOf, openClient, richBasket, SECRET, useDouble } from './fixture.ts';
import { OutboxProcess } from './outbox-driver.ts';

/** Nobody listens there, so every event stays in the outbox. */
const NOWHERE = 'http://127.0.0.1:1';
const stage = useDouble();

function cancelled(): SaleEvent {
  return { calculationId: randomUUID(), status: 'cancelled' };
}

/** What a new process finds in the outbox of one that was killed. */
async function afterCrash(outbox: string) {
  const faults: string[] = [];
  const named: string[][] = [];
  const client = await openClient(NOWHERE, stage, {
    outbox,
    onFault: (detail, calculationIds) => {
      faults.push(detail);
      named.push([...calculationIds]);
    },
  });
  return { client, faults, named };
}

describe('on a full disk', () => {
  let outbox: string;
  let till: OutboxProcess;

  beforeEach(async () => {
    outbox = join(temporaryDirectory(), 'outbox.log');
    till = await OutboxProcess.start(NOWHERE, SECRET.toString('hex'), outbox);
  });
  afterEach(() => till.kill());

  test('no report of a refused event is durable, at once or again; it is told once, and gone after a crash', async () => {
    const [kept, refused] = [cancelled(), cancelled()];
    expect(await till.reportSale(kept)).toEqual({ outcome: 'queued', isDurable: true });
    till.limitFiles(statSync(outbox).size + 20);
    const receipts = await Promise.all([1, 2, 3].map(() => till.reportSale(refused)));
    expect(receipts.map(({ isDurable }) => isDurable)).toEqual([false, false, false]);
    expect(await till.reportSale(refused)).toEqual({ outcome: 'repeated', isDurable: false });
    expect(till.faults).toEqual([
      { detail: expect.stringMatching(/could not be written: EFBIG/), calculationIds: [refused.calculationId] },
    ]);
    await till.kill();
    const { client } = await afterCrash(outbox);
    expect(client.pendingSales).toBe(1);
    expect(await client.reportSale(kept)).toEqual({ outcome: 'repeated', isDurable: true });
    expect(await client.reportSale(refused)).toEqual({ outcome: 'queued', isDurable: true });
    await client.close();
  });

  test('a refused event is on the disk when there is room, by itself and by the next report', async () => {
    const [waiting, again] = [cancelled(), cancelled()];
    till.limitFiles(20);
    await till.reportSale(waiting);
    till.limitFiles('unlimited');
    await until('the event in the file', () =>
      readFileSync(outbox, 'utf8').includes(`${waiting.calculationId}","status`),
    );
    expect(await till.reportSale(waiting)).toEqual({ outcome: 'repeated', isDurable: true });
    till.limitFiles(statSync(outbox).size + 20);
    expect(await till.reportSale(again)).toMatchObject({ isDurable: false });
    till.limitFiles('unlimited');
    expect(await till.reportSale(again)).toEqual({ outcome: 'repeated', isDurable: true });
    await till.kill();
    const { client } = await afterCrash(outbox);
    expect(client.pendingSales).toBe(2);
    await client.close();
  });
});

test('an event that was taken before a kill is sent after it, few are sent twice, and none later on', async () => {
  const outbox = join(temporaryDirectory(), 'outbox.log');
  const till = await OutboxProcess.start(stage.double.baseUrl, SECRET.toString('hex'), outbox);
  const taken: string[] = [];
  const sell = async (): Promise<void> => {
    const event = cancelled();
    if ((await till.reportSale(event)).isDurable) taken.push(event.calculationId);
    await sell();
  };
  for (let tills = 0; tills < 6; tills += 1) void sell();
  await until('some sales', () => taken.length > 60);
  await till.kill();
  const sent = () => stage.double.seen.filter(({ path }) => path === '/v1/pos/sale').map((seen) => seen.idempotencyKey);
  const drain = async (): Promise<void> => {
    const client = await openClient(stage.double.baseUrl, stage, { outbox });
    await until('everything to be sent', () => client.pendingSales === 0);
    await client.close();
  };
  await drain();
  const all = sent();
  expect(taken.filter((calculationId) => !all.includes(calculationId))).toEqual([]);
  // Four are under way at once, and as many may have been answered when the process was killed.
  expect(all.length - new Set(all).size).toBeLessThanOrEqual(4);
  await drain();
  expect(sent()).toEqual(all);
});

describe('a second report', () => {
  /** A client whose store takes or refuses a write when the test says so. */
  async function openWithSlowStore() {
    const writes: { readonly take: () => void; readonly refuse: () => void }[] = [];
    const store: OutboxStore = {
      ...memoryStore(),
      append: () =>
        new Promise((resolve, reject) => writes.push({ take: resolve, refuse: () => reject(new Error('full')) })),
    };
    const client = await openClient(NOWHERE, stage, { outbox: store });
    const writeOf = (number: number) => until(`write ${number}`, () => writes[number - 1]);
    return { client, writes, writeOf };
  }

  test('waits until the first is written', async () => {
    const { client, writes, writeOf } = await openWithSlowStore();
    const event = cancelled();
    const order: string[] = [];
    const first = client.reportSale(event).then(() => order.push('first'));
    const write = await writeOf(1);
    const second = client.reportSale(event).then(({ isDurable }) => order.push(`second ${isDurable}`));
    // Whoever does not wait for the write needs nothing but these turns.
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual([]);
    write.take();
    await Promise.all([first, second]);
    expect(order.toSorted()).toEqual(['first', 'second true']);
    expect(writes).toHaveLength(1);
    await client.close();
  });

  test('is not durable when the first was refused, although the next write is under way', async () => {
    const { client, writeOf } = await openWithSlowStore();
    const [event, other] = [cancelled(), cancelled()];
    const first = client.reportSale(event);
    const write = await writeOf(1);
    const receipts = [first, client.reportSale(event), client.reportSale(other)];
    write.refuse();
    expect(await Promise.all(receipts.slice(0, 2))).toMatchObject([{ isDurable: false }, { isDurable: false }]);
    (await writeOf(2)).take();
    expect(await receipts[2]).toMatchObject({ outcome: 'queued', isDurable: true });
    await client.close();
  });
});

describe('a calculation without an event', () => {
  test('is named after a crash, until it is reported', async () => {
    const outbox = join(temporaryDirectory(), 'outbox.log');
    const till = await OutboxProcess.start(stage.double.baseUrl, SECRET.toString('hex'), outbox);
    const reported = await till.calculateBasket(richBasket('member'));
    await till.reportSale(saleEventOf(reported, 'r-1'));
    const replaced = await till.calculateBasket(richBasket('member'));
    const { calculationId } = await till.calculateBasket(
      richBasket('member', { supersedesCalculationId: replaced.calculationId }),
    );
    await till.kill();
    const { client, faults, named } = await afterCrash(outbox);
    expect(client.unreportedSales).toEqual([{ calculationId, calledAtMs: expect.any(Number) }]);
    expect(faults).toEqual([expect.stringContaining('unreportedSales')]);
    expect(named).toEqual([[calculationId]]);
    // The checkouts of this process are its own affair.
    await client.calculateBasket(richBasket('member'));
    expect(client.unreportedSales).toHaveLength(1);
    expect(await client.reportSale({ calculationId, status: 'cancelled' })).toMatchObject({ outcome: 'queued' });
    expect(client.unreportedSales).toEqual([]);
    await client.close();
  });

  test('is on the disk before its answer is given', async () => {
    const outbox = join(temporaryDirectory(), 'outbox.log');
    const client = await openClient(stage.double.baseUrl, stage, { outbox });
    for (let count = 0; count < 20; count += 1) {
      const { calculationId } = await client.calculateBasket(richBasket('member'));
      expect(readFileSync(outbox, 'utf8')).toContain(calculationId);
    }
    await client.close();
  });

  test('does not hold the till when the disk hangs', async () => {
    const store: OutboxStore = { ...memoryStore(), append: () => new Promise(() => {}), close: async () => {} };
    const client = await openClient(stage.double.baseUrl, stage, { outbox: store, limits: { attemptTimeoutMs: 100 } });
    expect(await client.calculateBasket(richBasket('member'))).toMatchObject({ status: 'applied' });
  });
});

describe('nothing is silent', () => {
  test('a stopped event is told again by the next process', async () => {
    const store = memoryStore();
    const outcome = await stage.client.calculateBasket(richBasket('misbehave-sale-conflict'));
    const endings: typeof stage.endings = [];
    const client = await openClient(stage.double.baseUrl, { ...stage, endings }, { outbox: store });
    await client.reportSale(saleEventOf(outcome, 'r-1'));
    await endingOf({ endings }, outcome.calculationId);
    await client.close();
    const told: unknown[] = [];
    const next = await openClient(NOWHERE, stage, { outbox: store, onFault: (...fault) => told.push(fault) });
    expect(told).toEqual([[expect.stringContaining('stoppedSales'), [outcome.calculationId]]]);
    await next.close();
  });

  test.each([
    ['an event without a transaction', { calculationId: randomUUID(), status: 'applied' }],
    ['a calculation ID that is none', { calculationId: 'nonsense', status: 'cancelled' }],
    ['nothing', null],
  ])('%s is told', async (_what, event) => {
    const told: unknown[] = [];
    const client = await openClient(NOWHERE, stage, { onFault: (...fault) => told.push(fault) });
    expect(await client.reportSale(event as SaleEvent)).toMatchObject({ outcome: 'invalid', isDurable: false });
    expect(told).toEqual([[expect.stringContaining('is not sent'), [String(event?.calculationId)]]]);
    await client.close();
  });

  test('without a callback a fault is a warning of the process', async () => {
    const warnings: Error[] = [];
    const listener = (warning: Error) => warnings.push(warning);
    process.on('warning', listener);
    const path = join(temporaryDirectory(), 'outbox.log');
    const { calculationId } = cancelled();
    writeFileSync(path, `00000000 {"calculationId":"${calculationId}"\n`);
    const options = { outbox: path, onFault: undefined } as unknown as Parameters<typeof openClient>[2];
    const client = await openClient(NOWHERE, stage, options);
    await until('the warning', () =>
      warnings.some(({ name, message }) => /Loyalty/.test(name) && message.includes(calculationId)),
    );
    process.off('warning', listener);
    await client.close();
  });
});

test('a basket that is none resolves like everything else', async () => {
  const venueless = { context: { venueId: Object.create(null) } };
  for (const basket of [venueless, null, undefined, 5, 'basket', {}, { calculationId: 7 }]) {
    const outcome = await stage.client.calculateBasket(basket as never);
    expect(outcome).toMatchObject({ status: 'failed', failureReason: expect.any(String), isSaleEventDue: false });
    expect(outcome.basket).toBe(basket);
  }
  expect(stage.calls.slice(-6).map(({ venueId }) => venueId)).toEqual(['', '', '', '', '', '']);
});
