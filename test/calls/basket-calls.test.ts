/** Basket calls on a real Redis: what was opened, what others did meanwhile, and what is kept of an answer. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { buryIndexEntry, readIndexEntry } from '../../src/store/index-entry.ts';
import { writeMembers } from '../../src/store/members.ts';
import { monotonicMs } from '../../src/telemetry/stopwatch.ts';
import { basketNow, CLUB, ofAnna, tokenOf } from './support/club.ts';
import { ask, DOOR, openStore, useTill } from './support/till.ts';

const till = useTill(CLUB);
const indexOf = async (calculationId: string) => (await readIndexEntry(till.context.store, calculationId))?.text;
const mergeIntoAnna = (loyaltyId: string) =>
  till.redis.client.hset(till.context.store.keys.member(tokenOf(loyaltyId)), 'into', '"anna"');

describe('the usual way', () => {
  test('answers a basket that nobody has seen, and says which benefit it holds', async () => {
    const basket = ofAnna();
    const { outcome, answer, facts, phases } = await ask(till.context, basket);
    expect(answer).toEqual({ status: 'applied', total: 8_000 });
    expect(outcome).toMatchObject({ isReplayed: false });
    expect(outcome).not.toHaveProperty('record');
    expect(facts).toEqual({
      ...{ venueId: 'oslo-central', status: 'applied', holdsMade: 1, clockOffsetSeconds: expect.any(Number) },
    });
    expect(phases).toEqual(['parse', 'member', 'price', 'commit']);
    const looked = await ask(till.context, ofAnna({ loyaltyId: 'carla' }));
    expect(looked.phases).toEqual(phases);
    // Nothing is noted of a predecessor that there is not.
    expect(await till.redis.client.keys('*undefined*')).toEqual([]);
  });

  test('is not for a body with a fault, nor before the clock of Redis is known', async () => {
    const wrong = await ask(till.context, ofAnna({ currency: 'SEK' }));
    expect([wrong.outcome, wrong.phases]).toEqual([{ kind: 'unopened' }, ['parse']]);
    const store = await openStore(till.redis, till.context.store.periods);
    const early = await ask({ ...till.context, store }, ofAnna());
    expect([early.outcome, early.phases]).toEqual([{ kind: 'unopened' }, []]);
    store.connection.close();
    expect(await till.redis.client.keys('*')).toEqual([]);
  });

  test('is not for the last moments of a call', async () => {
    const basket = ofAnna();
    const late = await ask(till.context, basket, DOOR, { deadlineMs: monotonicMs() + 40 });
    expect([late.outcome, late.phases]).toEqual([{ kind: 'unopened' }, ['parse', 'member']]);
    expect(await indexOf(basket.calculationId)).toBeUndefined();
  });

  test('ends at an ID that was seen before, with its entry and the time of Redis', async () => {
    const basket = ofAnna();
    await ask(till.context, basket);
    const { outcome } = await ask(till.context, basket);
    const [seconds = 0] = await till.redis.client.time();
    const redisNowMs = expect.toSatisfy((ms: number) => Math.abs(ms - Number(seconds) * 1000) < 60_000);
    expect(outcome).toEqual({ kind: 'known', entry: await indexOf(basket.calculationId), redisNowMs });
  });

  test('ends where the bucket has no token', async () => {
    const door = { ...DOOR, rateLimit: { sustained: 0.1, burst: 1 } };
    await ask(till.context, ofAnna(), door);
    const basket = ofAnna();
    const { outcome } = await ask(till.context, basket, door);
    expect(outcome).toEqual({ kind: 'refused by the bucket', retryAfterSeconds: 10 });
    expect(await indexOf(basket.calculationId)).toBeUndefined();
    // Redis is asked again after a rest.
    await sleep(1_001);
  });

  test('takes its claim back when the caller has gone', async () => {
    const basket = ofAnna();
    const gone = ask(till.context, basket, { ...DOOR, isOver: () => true });
    await expect(gone).rejects.toThrow('nobody waits for the call');
    expect(await indexOf(basket.calculationId)).toBeUndefined();
  });

  test('is not for a member who was merged: the call goes on as the other one', async () => {
    const { store } = till.context;
    await writeMembers(store, till.context.environment.members);
    await mergeIntoAnna('carla');
    const basket = ofAnna({ loyaltyId: 'carla' });
    const { outcome } = await ask(till.context, basket);
    expect(outcome).toMatchObject({ kind: 'known', entry: expect.stringContaining(tokenOf('carla')) });
    expect(await indexOf(basket.calculationId)).toBeUndefined();
    const { answer } = await ask(till.context, basket);
    expect(answer).toEqual({ status: 'applied', total: 8_000 });
    expect((await readIndexEntry(store, basket.calculationId))?.member).toBe(tokenOf('anna'));
  });
});

describe('a basket that supersedes another one', () => {
  const successorOf = (supersedesCalculationId: string, existing: number) =>
    basketNow([{ existing }, {}], { loyaltyId: 'anna', supersedesCalculationId });

  test.each([
    ['the usual way', ask as typeof ask],
    ['looked up', ask],
  ])('%s: takes its holds over, and notes a discount that is ours', async (_, ask) => {
    const first = ofAnna();
    await ask(till.context, first);
    // The predecessor has taken 2000, which its successor sends as the staff's.
    const ours = successorOf(first.calculationId, 2_000);
    const { facts } = await ask(till.context, ours);
    expect(facts).toMatchObject({ holdsMade: 1, holdsReleased: 1, ownDiscountsReturned: 1 });
    const other = await ask(till.context, successorOf(ours.calculationId, 1_999));
    expect(other.facts).toMatchObject({ holdsMade: 1, holdsReleased: 1 });
    expect(other.facts).not.toHaveProperty('ownDiscountsReturned');
    expect((await ask(till.context, successorOf(randomUUID(), 2_000))).facts).not.toHaveProperty(
      'ownDiscountsReturned',
    );
    expect((await ask(till.context, ofAnna({ lines: ours.lines, totals: ours.totals }))).facts).not.toHaveProperty(
      'ownDiscountsReturned',
    );
  });

  test('counts the amounts of a predecessor that has lines without a benefit', async () => {
    const first = basketNow([{ noDiscount: true }, {}], { loyaltyId: 'anna' });
    await ask(till.context, first);
    const { facts } = await ask(till.context, successorOf(first.calculationId, 2_000));
    expect(facts.ownDiscountsReturned).toBe(1);
  });

  test('is answered also where the answer before cannot be read', async () => {
    const first = ofAnna();
    await ask(till.context, first);
    const key = till.context.store.keys.answer(tokenOf('anna'), first.calculationId);
    await till.redis.client.del(key);
    await till.redis.client.lpush(key, 'a list is no answer');
    const { answer, facts } = await ask(till.context, successorOf(first.calculationId, 2_000));
    expect([answer?.status, facts.ownDiscountsReturned]).toEqual(['applied', undefined]);
  });

  test('is told to the predecessor: a late basket with its ID takes no hold', async () => {
    const first = ofAnna();
    await ask(till.context, successorOf(first.calculationId, 0));
    const late = await ask(till.context, first);
    expect([late.answer?.status, late.facts.holdsMade]).toEqual(['applied', undefined]);
  });
});

test('after a sale event that came first a basket takes no hold', async () => {
  const basket = ofAnna();
  await buryIndexEntry(till.context.store, basket.calculationId, { kind: 'sale', outcome: 'failed' });
  const { facts } = await ask(till.context, basket);
  expect(facts).toMatchObject({ status: 'applied' });
  expect(facts).not.toHaveProperty('holdsMade');
});

test('a claim ends with its call', async () => {
  const basket = ofAnna();
  await ask(till.context, basket);
  const [, , ends] = (await indexOf(basket.calculationId))!.split(' ');
  expect(Number(ends) - Date.now()).toBeLessThan(10 * 60_000);
});

test('a body with a fault is refused', async () => {
  const { outcome, phases } = await ask(till.context, ofAnna({ currency: 'SEK' }));
  expect(outcome).toMatchObject({ kind: 'refusal', refusal: { code: 'unknown_currency' } });
  expect(phases).toEqual(['parse']);
});
