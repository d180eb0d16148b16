/** Basket calls on a real Redis: what is answered, and what a basket does to the one that it supersedes. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { buryIndexEntry, readIndexEntry } from '../../src/store/index-entry.ts';
import { writeMembers } from '../../src/store/member-writes.ts';
import { basketNow, CLUB, ofAnna, tokenOf } from './support/club.ts';
import { ask, useTill } from './support/till.ts';

const till = useTill(CLUB);
const indexOf = async (calculationId: string) => (await readIndexEntry(till.context.store, calculationId))?.text;
const mergeIntoAnna = (loyaltyId: string) =>
  till.redis.client.hset(till.context.store.keys.member(tokenOf(loyaltyId)), 'into', '"anna"');

describe('a basket call', () => {
  test('answers a basket that nobody has seen, and says which benefit it holds', async () => {
    const { outcome, answer, facts, phases } = await ask(till.context, ofAnna());
    expect(answer).toEqual({ status: 'applied', total: 8_000 });
    expect(outcome).toMatchObject({ isReplayed: false });
    expect(outcome).not.toHaveProperty('record');
    expect(facts).toEqual({
      ...{ venueId: 'oslo-central', status: 'applied', holdsMade: 1, clockOffsetSeconds: expect.any(Number) },
      gapOfTotal: 0,
    });
    expect(phases).toEqual(['member', 'price', 'commit']);
    // Nothing is noted of a predecessor that there is not.
    expect(await till.redis.client.keys('*undefined*')).toEqual([]);
  });

  test('gives the answer of before again, whoever was priced meanwhile', async () => {
    const basket = ofAnna();
    const first = await ask(till.context, basket);
    await ask(till.context, ofAnna());
    const { outcome, facts, phases } = await ask(till.context, basket);
    expect(outcome).toEqual({ ...first.outcome, isReplayed: true });
    expect(facts).toEqual({ venueId: 'oslo-central', status: 'applied', isReplayed: true });
    expect(phases).toEqual(['member', 'replay']);
  });

  test('takes a large basket to a thread, and gives its answer', async () => {
    const { answer, phases } = await ask({ ...till.context, inlineBytes: 0 }, ofAnna());
    expect(answer).toEqual({ status: 'applied', total: 8_000 });
    expect(phases).toEqual(['member', 'price', 'worker', 'commit']);
  });

  test('takes a member with very many grants to a thread', async () => {
    const grants = Array.from({ length: 500 }, (_, at) => ({ benefitId: 'triple', grantId: `g-${at}`, quantity: 1 }));
    const anna = { programmeId: 'coffee-club', loyaltyId: 'anna', status: 'active', grants } as const;
    await writeMembers(till.context.store, [anna]);
    const { answer, phases } = await ask(till.context, ofAnna());
    expect(answer?.status).toBe('applied');
    expect(phases).toEqual(['member', 'price', 'worker', 'commit']);
  });

  test('is priced in place, whatever work that is, where the threads have another configuration', async () => {
    const threads = { ...till.context.threads, price: async () => undefined };
    const { answer, phases } = await ask({ ...till.context, inlineBytes: 0, threads }, ofAnna());
    expect(answer).toEqual({ status: 'applied', total: 8_000 });
    expect(phases).toContain('worker');
  });

  test('goes on as the member into whom its own was merged', async () => {
    const { store } = till.context;
    await writeMembers(store, till.context.environment.members);
    await mergeIntoAnna('carla');
    const basket = ofAnna({ loyaltyId: 'carla' });
    const { answer } = await ask(till.context, basket);
    expect(answer).toEqual({ status: 'applied', total: 8_000 });
    expect((await readIndexEntry(store, basket.calculationId))?.member).toBe(tokenOf('anna'));
  });
});

describe('a basket that supersedes another one', () => {
  const successorOf = (supersedesCalculationId: string, existing: number) =>
    basketNow([{ existing }, {}], { loyaltyId: 'anna', supersedesCalculationId });

  test('takes its holds over, and notes a discount that is ours', async () => {
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
  expect(phases).toEqual(['lookup']);
});
