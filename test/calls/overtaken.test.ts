/** What has come between what a basket call has read and its commit: the commit sees it, and the call goes on by it. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { calculateBasket } from '../../src/calls/basket-call.ts';
import { outcomeOfError, tooLate } from '../../src/calls/result.ts';
import { findCalculation } from '../../src/store/find-calculation.ts';
import { readIndexEntry } from '../../src/store/index-entry.ts';
import { writeMembers } from '../../src/store/member-writes.ts';
import { mergeMembers } from '../../src/store/merge.ts';
import { monotonicMs } from '../../src/telemetry/stopwatch.ts';
import type { BasketBody } from '../support/wire.ts';
import { basketNow, CLUB, ofAnna, ofBerit, tokenOf } from './support/club.ts';
import { ask, callOf, tellSale, useTill, whilePriced } from './support/till.ts';

const till = useTill(CLUB);
const recordOf = (id: string) => findCalculation(till.context.store, id);
/** Asks for a basket; meanwhile something happens. */
const askWhile = (basket: BasketBody, happens: () => Promise<unknown>) =>
  ask(whilePriced(till.context, happens), basket);

describe('a sale event came between', () => {
  test('the basket is answered, holds nothing, and is sold', async () => {
    const basket = ofAnna();
    const { answer, facts } = await askWhile(basket, () => tellSale(till, basket.calculationId));
    expect(answer).toEqual({ status: 'applied', total: 8_000 });
    expect(facts).not.toHaveProperty('holdsMade');
    expect(await recordOf(basket.calculationId)).toMatchObject({ state: 'sold' });
    expect(await till.redis.client.hlen(till.context.store.keys.hold(tokenOf('anna')))).toBe(0);
    // The same event again knows that it is told already, and another outcome is a conflict.
    expect((await tellSale(till, basket.calculationId)).facts.result).toBe('duplicate');
    const other = await tellSale(till, basket.calculationId, { status: 'cancelled' });
    expect(other.outcome).toMatchObject({ refusal: { code: 'idempotency_conflict' } });
  });

  test('of the basket that this one supersedes: its units are not given back', async () => {
    const first = ofBerit(6);
    await ask(till.context, first);
    const next = { ...ofBerit(6), supersedesCalculationId: first.calculationId };
    const { answer, facts } = await askWhile(next, () => tellSale(till, first.calculationId));
    expect([answer?.total, facts.shortages]).toEqual([54_000, 1]);
    expect(facts).not.toHaveProperty('holdsReleased');
    expect(await recordOf(first.calculationId)).toMatchObject({ state: 'sold' });
  });
});

test('a successor came between, and has its coupon: the basket is answered as superseded, and holds nothing', async () => {
  const basket = ofAnna();
  const successor = ofAnna({ supersedesCalculationId: basket.calculationId });
  const { answer, facts } = await askWhile(basket, () => ask(till.context, successor));
  expect(answer).toEqual({ status: 'applied', total: 9_000 });
  expect(facts).not.toHaveProperty('holdsMade');
  expect(await recordOf(basket.calculationId)).toMatchObject({
    ...{ state: 'superseded', supersededBy: successor.calculationId },
  });
  expect(await till.redis.client.hkeys(till.context.store.keys.hold(tokenOf('anna')))).toEqual([
    successor.calculationId,
  ]);
});

test('discounts of our own that came back are counted once, though the basket is priced again', async () => {
  const first = ofAnna();
  await ask(till.context, first);
  const basket = basketNow([{ existing: 2_000 }, {}], {
    ...{ loyaltyId: 'anna', supersedesCalculationId: first.calculationId },
  });
  const { facts } = await askWhile(basket, () => tellSale(till, basket.calculationId, { status: 'cancelled' }));
  expect(facts.ownDiscountsReturned).toBe(1);
});

describe('another process has committed the ID', () => {
  test('for the same body: its bytes are given', async () => {
    const basket = ofBerit();
    let first: Awaited<ReturnType<typeof ask>> | undefined;
    const { outcome, facts } = await askWhile(basket, async () => {
      first = await ask(till.context, basket);
    });
    expect(outcome).toEqual({ ...first!.outcome, isReplayed: true });
    expect(facts).toMatchObject({ isReplayed: true, status: 'applied' });
    expect(facts).not.toHaveProperty('holdsMade');
    expect(await till.redis.client.hlen(till.context.store.keys.hold(tokenOf('berit')))).toBe(1);
  });

  test('for another body: 409, and the answer stays', async () => {
    const basket = ofBerit();
    const other = { ...ofBerit(2), calculationId: basket.calculationId };
    const { outcome } = await askWhile(basket, () => ask(till.context, other));
    expect(outcome).toMatchObject({ kind: 'refusal', refusal: { code: 'idempotency_conflict' } });
    expect((await ask(till.context, other)).outcome).toMatchObject({ kind: 'answer', isReplayed: true });
  });

  test('for another member: 409 as well', async () => {
    const basket = ofBerit();
    const other = { ...basket, loyaltyId: 'anna' };
    const { outcome } = await askWhile(basket, () => ask(till.context, other));
    expect(outcome).toMatchObject({ kind: 'refusal', refusal: { code: 'idempotency_conflict' } });
    expect((await readIndexEntry(till.context.store, basket.calculationId))?.member).toBe(tokenOf('anna'));
  });

  test('and its stored answer cannot be given again: a fault of ours', async () => {
    const basket = ofAnna();
    const { outcome, facts } = await askWhile(basket, async () => {
      await ask(till.context, basket);
      await till.redis.client.set(till.context.store.keys.answer(tokenOf('anna'), basket.calculationId), 'no answer');
    });
    expect(outcome).toMatchObject({ refusal: { code: 'internal_error' }, fault: expect.stringContaining('replayed') });
    expect(facts.unreplayable).toBe(true);
  });

  test('many at once for one ID: one answer, one hold', async () => {
    const basket = ofBerit(6);
    const ended = await Promise.all(Array.from({ length: 20 }, () => ask(till.context, basket)));
    expect(ended.filter(({ facts }) => facts.holdsMade === 1)).toHaveLength(1);
    expect(new Set(ended.map(({ outcome }) => outcome.kind === 'answer' && String(outcome.body))).size).toBe(1);
  });
});

describe('the member was merged between', () => {
  beforeEach(async () => {
    const members = till.context.environment.members;
    await writeMembers(till.context.store, members);
  });
  const mergeBerit = () => mergeMembers(till.context.store, 'coffee-club', 'berit', 'anna');

  test('the basket is read and priced again as the other one, and nothing of it is left at the first', async () => {
    const basket = ofBerit();
    const { outcome, facts } = await askWhile(basket, mergeBerit);
    expect(outcome.kind).toBe('answer');
    expect(facts).toMatchObject({ status: 'applied' });
    expect((await readIndexEntry(till.context.store, basket.calculationId))?.member).toBe(tokenOf('anna'));
    const left = await till.redis.client.keys(`*{${tokenOf('berit')}}*${basket.calculationId}`);
    expect(left).toEqual([]);
    expect((await tellSale(till, basket.calculationId)).facts.result).toBe('recorded');
    expect((await ask(till.context, basket)).outcome).toMatchObject({ isReplayed: true });
  });

  test('units that it had used are used up for the basket that goes on as the other one', async () => {
    const sold = ofBerit(6);
    await ask(till.context, sold);
    await tellSale(till, sold.calculationId);
    await till.redis.client.hset(till.context.store.keys.member(tokenOf('anna')), 'grants', '["triple"]');
    const basket = ofBerit(6);
    const { answer } = await askWhile(basket, mergeBerit);
    expect(answer?.total).toBe(54_000);
  });

  test('and the answer of before it is given again', async () => {
    const basket = ofBerit();
    const first = await ask(till.context, basket);
    await mergeBerit();
    const again = await ask(till.context, basket);
    expect(again.outcome).toEqual({ ...first.outcome, isReplayed: true });
  });
});

test('an ID that changes again and again ends with its deadline', async () => {
  const basket = ofAnna();
  const { keys } = till.context.store;
  const { price } = till.context.threads;
  const call = callOf(basket);
  let changes = 0;
  const restless = {
    ...till.context,
    inlineBytes: 0,
    threads: {
      ...till.context.threads,
      price: async (...args: Parameters<typeof price>) => {
        changes += 1;
        const entry = `- - 0 superseded:${randomUUID()}`;
        await till.redis.client.set(keys.index(basket.calculationId), entry);
        if (changes === 3) Object.assign(call, { deadlineMs: monotonicMs() });
        return price(...args);
      },
    },
  };
  const ended = calculateBasket(restless, call).catch((error: unknown) => outcomeOfError(error));
  expect(await ended).toMatchObject({ refusal: tooLate().refusal });
  expect(changes).toBe(3);
});
