/** Sale events on a real Redis: what the till is told, and what is noted of it. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { loadEnvironment } from '../../src/programme/load.ts';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { readIndexEntry } from '../../src/store/index-entry.ts';
import { monotonicMs } from '../../src/telemetry/stopwatch.ts';
import { readToldEvents } from '../support/told-events.ts';
import { sleep } from '../support/wait.ts';
import { CLUB, ofAnna, tokenOf } from './support/club.ts';
import { ask, interrupted, tellSale, useTill } from './support/till.ts';

const till = useTill(CLUB);

async function answered(basket = ofAnna()) {
  await ask(till.context, basket);
  return basket.calculationId;
}

describe('a sale event', () => {
  const told = (result: string) => ({
    kind: 'answer',
    body: Buffer.from(JSON.stringify({ result })),
    isReplayed: false,
  });

  test('of an answered basket consumes its hold, and is counted with what its benefits gave', async () => {
    const { outcome, facts, phases } = await tellSale(till, await answered());
    const { costEntries, ...rest } = outcome;
    expect(rest).toEqual(told('recorded'));
    expect(costEntries).toMatchObject([{ fate: 'sold', turnover: 8_000, benefits: [{ benefitId: 'single-use' }] }]);
    expect(facts).toEqual({
      ...{ status: 'applied', result: 'recorded', isLate: false, overRedeemed: 0, holdsConsumed: 1 },
    });
    expect(phases).toEqual(['lookup', 'commit']);
  });

  test.each([
    ['of a cancelled basket releases its hold', 'anna', 'cancelled', { holdsReleased: 1 }],
    ['of a basket that held nothing neither consumes nor releases', 'carla', 'applied', {}],
  ])('%s', async (_, loyaltyId, status, holds) => {
    const { outcome, facts } = await tellSale(till, await answered(ofAnna({ loyaltyId })), { status });
    expect(outcome).toMatchObject(told('recorded'));
    expect(facts).toEqual({ status, result: 'recorded', isLate: false, overRedeemed: 0, ...holds });
  });

  test('that comes again is a duplicate, and is not counted again', async () => {
    const calculationId = await answered();
    await tellSale(till, calculationId);
    const { outcome, facts } = await tellSale(till, calculationId);
    expect(outcome).toEqual(told('duplicate'));
    expect(facts).toEqual({ status: 'applied', result: 'duplicate' });
  });

  test('that comes again after a process died before it counted it is a duplicate, and is counted; its event is there once', async () => {
    const calculationId = await answered();
    const dying = interrupted(
      till.context.store,
      (key) => key.includes(':receipt:'),
      () => Promise.reject(new Error('the process died')),
    );
    const context = { ...till.context, store: dying };
    await expect(tellSale({ ...till, context }, calculationId)).rejects.toThrow('the process died');
    const { outcome } = await tellSale(till, calculationId);
    expect(outcome).toMatchObject({ ...told('duplicate'), costEntries: [{ fate: 'sold', turnover: 8_000 }] });
    expect(await readToldEvents(till.redis.client, calculationId)).toMatchObject([
      { result: 'recorded', total: 8_000 },
    ]);
  });

  test('whose index entry could not be kept for longer is counted by its repeated event', async () => {
    const calculationId = await answered();
    const index = till.context.store.keys.index(calculationId);
    const { connection, keys, periods } = till.context.store;
    let looks = 0;
    const away = interrupted(
      // A sale is kept for longer than other calculations.
      { connection, keys, periods: { ...periods, soldMs: 2 * periods.retentionMs } },
      (key) => key === index,
      async () => {
        looks += 1;
        if (looks > 1) throw new StoreUnavailable('the master of its slot is away');
      },
    );
    await expect(tellSale({ ...till, context: { ...till.context, store: away } }, calculationId)).rejects.toThrow(
      'away',
    );
    const { outcome } = await tellSale(till, calculationId);
    expect(outcome).toMatchObject({ ...told('duplicate'), costEntries: [{ fate: 'sold', turnover: 8_000 }] });
    expect(await readToldEvents(till.redis.client, calculationId)).toMatchObject([
      { result: 'recorded', total: 8_000 },
    ]);
  });

  test('of a configuration that could not be read when its event came again is counted by the next one', async () => {
    const calculationId = await answered();
    const { environment, store } = till.context;
    const isReceipt = (key: string) => key.includes(':receipt:');
    const dying = interrupted(store, isReceipt, () => Promise.reject(new Error('the process died')));
    const died = tellSale({ ...till, context: { ...till.context, store: dying } }, calculationId);
    await expect(died).rejects.toThrow('the process died');
    // By now another configuration is in force, and only Redis knows who paid under the one before.
    const renewed = loadEnvironment(
      JSON.stringify({ ...CLUB, rateLimit: { ...CLUB.rateLimit, burst: 77 } }),
      'environment.yaml',
    );
    let isAway = true;
    const isConfiguration = (key: string) => key === store.keys.configuration(environment.version);
    const away = interrupted(store, isConfiguration, async () => {
      if (isAway) throw new StoreUnavailable('the master of its slot is away');
    });
    const later = { ...till, context: { ...till.context, environment: renewed, store: away } };
    await expect(tellSale(later, calculationId)).rejects.toThrow('away');
    isAway = false;
    const { outcome } = await tellSale(later, calculationId);
    expect(outcome).toMatchObject({ ...told('duplicate'), costEntries: [{ fate: 'sold', turnover: 8_000 }] });
  });

  test('that says otherwise than the first is a conflict, which is counted', async () => {
    const calculationId = await answered();
    await tellSale(till, calculationId);
    const { outcome, facts } = await tellSale(till, calculationId, { status: 'cancelled' });
    expect(outcome).toMatchObject({
      kind: 'refusal',
      refusal: { code: 'idempotency_conflict', message: 'Another outcome was recorded before.' },
      costEntries: [{ fate: 'conflict', turnover: 8_000 }],
    });
    expect(facts).toEqual({ status: 'cancelled' });
  });

  test('of a basket that nobody has seen is kept, and says so', async () => {
    const calculationId = randomUUID();
    const { outcome, facts } = await tellSale(till, calculationId);
    expect(outcome).toEqual(told('unknown_calculation'));
    expect(facts).toEqual({ status: 'applied', result: 'unknown_calculation' });
    const { text } = (await readIndexEntry(till.context.store, calculationId))!;
    expect(text).toContain('receipt-1');
  });

  test('finds its basket by the entry that was read, though that ended a moment later', async () => {
    const calculationId = await answered();
    const { store } = till.context;
    const settles = store.keys.calculation(tokenOf('anna'), calculationId);
    const ending = interrupted(
      store,
      (key) => key === settles,
      () => till.redis.client.del(store.keys.index(calculationId)),
    );
    const { facts } = await tellSale({ ...till, context: { ...till.context, store: ending } }, calculationId);
    expect(facts).toMatchObject({ result: 'recorded', holdsConsumed: 1 });
  });

  test('that Redis gets after its deadline changes nothing', async () => {
    const calculationId = await answered();
    const { store } = till.context;
    const deadlineMs = monotonicMs() + 1_000;
    const settles = store.keys.calculation(tokenOf('anna'), calculationId);
    let looks = 0;
    const slow = interrupted(
      store,
      // It is read before it is settled.
      (key) => key === settles && ++looks === 2,
      () => sleep(deadlineMs + 5 - monotonicMs()),
    );
    const context = { ...till.context, store: slow };
    const { outcome, facts } = await tellSale({ ...till, context }, calculationId, {}, { deadlineMs });
    const refusal = { code: 'unavailable', message: 'The call could not be finished in time.' };
    expect(outcome).toMatchObject({ kind: 'refusal', refusal });
    expect(facts).toEqual({ status: 'applied', reason: 'deadline' });
    expect((await tellSale(till, calculationId)).facts.result).toBe('recorded');
  });
});

test('a sale event whose time is over is not sent to Redis at all', async () => {
  const calculationId = await answered();
  const late = tellSale(till, calculationId, {}, { deadlineMs: monotonicMs() - 1 });
  await expect(late).rejects.toThrow('the deadline has passed');
  expect((await tellSale(till, calculationId)).facts.result).toBe('recorded');
});
