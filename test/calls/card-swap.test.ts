/** A basket of another member supersedes one: its answer is given once it is committed, and the release is completed by whoever comes later. */

import { fingerprintOf } from '@loyalty/contract/fingerprint';
import { describe, expect, test } from 'vitest';
import { calculateBasket } from '../../src/calls/basket-call.ts';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { findStoredAnswer } from '../../src/store/calculations.ts';
import { findCalculation } from '../../src/store/find-calculation.ts';
import { eventStream } from '../../src/store/keys.ts';
import type { Store } from '../../src/store/store.ts';
import { monotonicMs } from '../../src/telemetry/stopwatch.ts';
import { erase, sweepOnce } from '../support/plain-books.ts';
import { CLUB, ofAnna, ofBerit, tokenOf } from './support/club.ts';
import { ask, callOf, interrupted, tellSale, useTill } from './support/till.ts';

const till = useTill(CLUB);
const [ANNA, BERIT] = [tokenOf('anna'), tokenOf('berit')];

/** Anna's coupon is held by a basket, which one of Berit supersedes. */
async function swap() {
  const older = ofAnna();
  expect((await ask(till.context, older)).answer).toEqual({ status: 'applied', total: 8_000 });
  return { older, newer: { ...ofBerit(), supersedesCalculationId: older.calculationId } };
}

/** A store in which something happens before each command in Anna's slot. */
const atAnna = (happens: () => Promise<unknown>): Store =>
  interrupted(till.context.store, (key) => key?.includes(`{${ANNA}}`) === true, happens);
const away = () => atAnna(() => Promise.reject(new StoreUnavailable('the master is away')));
/** Nothing of the swap is left to do. */
async function expectReleased(older: string, newer: string) {
  const { client } = till.redis;
  const { store } = till.context;
  expect(await findCalculation(store, older)).toMatchObject({ state: 'superseded', supersededBy: newer });
  expect(await client.hexists(store.keys.hold(ANNA), older)).toBe(0);
  expect(await client.hget(store.keys.calculation(BERIT, newer), 'release')).toBeNull();
}
const dueAt = async (id: string) =>
  Number(await till.redis.client.zscore(till.context.store.keys.examinations(eventStream(id)), id));
async function sweepAt(...ids: string[]) {
  const { keys } = till.context.store;
  for (const id of ids) await till.redis.client.zadd(keys.examinations(eventStream(id)), 'XX', 1, id);
  return sweepOnce(till.context.store);
}

describe('the answer of a basket whose card was swapped', () => {
  test('is given when Redis accepts no writes after its commit', async () => {
    const { client } = till.redis;
    const { older, newer } = await swap();
    const full = atAnna(() => client.config('SET', 'maxmemory', '1'));
    const { answer, facts } = await ask({ ...till.context, store: full }, newer).finally(() =>
      client.config('SET', 'maxmemory', '0'),
    );
    expect(answer).toEqual({ status: 'applied', total: 60_000 });
    expect(facts).toMatchObject({ holdsMade: 1 });
    expect(facts).not.toHaveProperty('holdsReleased');
    expect((await findCalculation(till.context.store, older.calculationId))?.state).toBe('open');
    // The same call again completes the release.
    expect((await ask(till.context, newer)).outcome).toMatchObject({ isReplayed: true });
    await expectReleased(older.calculationId, newer.calculationId);
  });

  test("is given, and given again, while the other member's master is away", async () => {
    const { older, newer } = await swap();
    const context = { ...till.context, store: away() };
    const { outcome } = await ask(context, newer);
    expect(outcome).toMatchObject({ kind: 'answer', isReplayed: false });
    const print = () => fingerprintOf(Buffer.from(JSON.stringify(newer)));
    expect(await findStoredAnswer(context.store, newer.calculationId, BERIT, print)).toMatchObject({
      outcome: 'replay',
    });
    const again = await ask(context, newer);
    expect(again.outcome).toEqual({ ...outcome, isReplayed: true });
    expect(await findStoredAnswer(till.context.store, newer.calculationId, BERIT, print)).toMatchObject({
      outcome: 'replay',
    });
    await expectReleased(older.calculationId, newer.calculationId);
  });

  test("does not wait longer for the other member's slot than the call has time", async () => {
    const { newer } = await swap();
    const silent = atAnna(() => new Promise(() => undefined));
    const call = callOf(newer, { deadlineMs: monotonicMs() + 2_000 });
    const outcome = await calculateBasket({ ...till.context, store: silent }, call);
    expect(outcome).toMatchObject({ kind: 'answer', isReplayed: false });
    const print = () => fingerprintOf(call.body);
    const stored = findStoredAnswer(silent, newer.calculationId, BERIT, print, () => 0);
    expect(await stored).toMatchObject({ outcome: 'replay' });
  });

  test('is given when the second step meets a bug, which is told', async () => {
    const { newer } = await swap();
    const told: string[] = [];
    const tell = ({ message }: Error) => void told.push(message);
    till.context.store.connection.once('failedStep', tell);
    const broken = atAnna(() => Promise.reject(new Error('a bug')));
    const { answer } = await ask({ ...till.context, store: broken }, newer);
    expect(answer).toEqual({ status: 'applied', total: 60_000 });
    expect(told).toEqual(['a bug']);
  });
});

describe('a release that was lost after the commit', () => {
  const failed = (id: string) => tellSale(till, id, { status: 'failed', failureReason: 'http_error' });

  test.each([
    ['while its successor is open', async () => undefined],
    ['after its successor has failed', failed],
    ['after its successor was sold', (id: string) => tellSale(till, id)],
  ])('is completed soon after the call, %s', async (_case, tell) => {
    const { older, newer } = await swap();
    const store = away();
    const { answer } = await ask({ ...till.context, store }, newer);
    expect(answer?.status).toBe('applied');
    await tell(newer.calculationId);
    // Of the two the successor is looked at first, although it came later.
    expect(await dueAt(newer.calculationId)).toBeLessThan(await dueAt(older.calculationId));
    expect(await sweepAt(newer.calculationId)).toMatchObject({ expired: 0 });
    await expectReleased(older.calculationId, newer.calculationId);
    expect((await ask(till.context, ofAnna())).answer).toEqual({ status: 'applied', total: 8_000 });
    expect(await sweepAt(older.calculationId)).toMatchObject({ expired: 0 });
  });

  test('is completed when its successor expires, which is looked at again at its own time', async () => {
    const { older, newer } = await swap();
    await ask({ ...till.context, store: away() }, newer);
    const { keys } = till.context.store;
    const calculation = keys.calculation(BERIT, newer.calculationId);
    await till.redis.client.hset(calculation, 'deadline', 1);
    expect(await sweepAt(newer.calculationId)).toMatchObject({ expired: 1 });
    await expectReleased(older.calculationId, newer.calculationId);
  });

  test("is completed before its successor's member is erased, also by an erasure that is repeated", async () => {
    const { older, newer } = await swap();
    const store = away();
    await ask({ ...till.context, store }, newer);
    await expect(erase(store, BERIT)).rejects.toThrow(StoreUnavailable);
    await erase(till.context.store, BERIT);
    expect(await till.redis.client.keys(`*${BERIT}*`)).toEqual([]);
    await expectReleased(older.calculationId, newer.calculationId);
    expect((await ask(till.context, ofAnna())).answer).toEqual({ status: 'applied', total: 8_000 });
  });

  test('is not put off by another body with the same ID', async () => {
    const { older, newer } = await swap();
    await ask({ ...till.context, store: away() }, newer);
    const { supersedesCalculationId, ...other } = newer;
    expect((await ask(till.context, other)).outcome).toMatchObject({ kind: 'refusal' });
    expect(await dueAt(newer.calculationId)).toBeLessThan(await dueAt(older.calculationId));
    await sweepAt(newer.calculationId);
    await expectReleased(older.calculationId, newer.calculationId);
  });

  test('leaves its successor noted for its own expiry', async () => {
    const { newer } = await swap();
    await ask(till.context, newer);
    const before = await dueAt(newer.calculationId);
    await sweepAt(newer.calculationId);
    expect(await dueAt(newer.calculationId)).toBeGreaterThan(before);
  });
});
