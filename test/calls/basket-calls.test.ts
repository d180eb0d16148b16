/** Basket calls on a real Redis: what is answered, and what a basket does to the one that it supersedes. */
import { randomUUID } from 'node:crypto';
import { PoolUnavailable } from '@loyalty/contract/unavailable';
import { describe, expect, test } from 'vitest';
import { type PricingTask, priceTask } from '../../src/calls/pricing.ts';
import { loadEnvironment } from '../../src/programme/load.ts';
import { readIndexEntry } from '../../src/store/index-entry.ts';
import { writeMembers } from '../../src/store/member-writes.ts';
import { configurationOf, memberOf, TWENTY } from '../support/configuration.ts';
import { basketNow, CLUB, ofAnna, tokenOf } from './support/club.ts';
import { ask, useTill } from './support/till.ts';

const till = useTill(CLUB);
const EVERYBODY = { audience: 'everyone', text: 'For all' } as const;
/** A club in which lines of many units can be dealt out in thousands of ways, and may be for a second. */
const MANY_DEALS = configurationOf({
  programme: {
    maximumSteps: 1_000_000,
    benefits: [
      ...Array.from({ length: 20 }, (_, at) => ({
        ...{ ...TWENTY, ...EVERYBODY, benefitId: `percent-${at}`, percent: 10 + at },
        limit: { quantity: 7, period: 'week', counts: 'items' },
      })),
      ...[2, 3, 4].flatMap((quantity) => [
        {
          ...{ ...EVERYBODY, benefitId: `one-more-than-${quantity}`, kind: 'buy_x_get_y' },
          ...{ buy: { quantity, combinable: true }, get: { quantity: 1 } },
        },
        {
          ...{ ...EVERYBODY, benefitId: `bundle-of-${quantity}`, kind: 'bundle_price' },
          ...{ bundlePrice: quantity * 2_500, items: [{ quantity }] },
        },
      ]),
    ],
  } as object,
  members: [memberOf('anna')],
});
const indexOf = async (calculationId: string) => (await readIndexEntry(till.context.store, calculationId))?.text;
const mergeIntoAnna = (loyaltyId: string) =>
  till.redis.client.hset(till.context.store.keys.member(tokenOf(loyaltyId)), 'into', '"anna"');

describe('a basket call', () => {
  test('answers a basket that nobody has seen, and says which benefit it holds', async () => {
    const { outcome, answer, facts, phases } = await ask(till.context, ofAnna());
    expect(answer).toEqual({ status: 'applied', total: 8_000 });
    expect(outcome).toMatchObject({ isReplayed: false });
    expect(outcome).not.toHaveProperty('recordingLines');
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

  test('is priced in place where the threads have another configuration', async () => {
    const threads = { ...till.context.threads, price: async () => undefined };
    const { answer, phases } = await ask({ ...till.context, inlineBytes: 0, threads }, ofAnna());
    expect(answer).toEqual({ status: 'applied', total: 8_000 });
    expect(phases).toContain('worker');
  });

  test('is refused there if it would hold every other call for long', async () => {
    const environment = loadEnvironment(JSON.stringify(MANY_DEALS), 'environment.yaml');
    const context = { ...till.context, environment };
    const basket = basketNow(
      Array.from({ length: 40 }, (_, at) => ({ unitPrice: 3_000 + 137 * at, quantity: 20 })),
      { loyaltyId: 'anna' },
    );
    const threads = { ...till.context.threads, price: async () => undefined };
    const refused = ask({ ...context, threads }, basket);
    await expect(refused).rejects.toThrow(new PoolUnavailable('The threads have another configuration.'));
    const unhurried = { ...till.context.threads, price: async (task: PricingTask) => priceTask(environment, task) };
    expect((await ask({ ...context, threads: unhurried }, basket)).answer?.status).toBe('applied');
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

  test('counts the amounts of a predecessor that has lines without a benefit, each once', async () => {
    const first = basketNow([{ noDiscount: true }, {}], { loyaltyId: 'anna' });
    await ask(till.context, first);
    const { facts } = await ask(till.context, successorOf(first.calculationId, 2_000));
    expect(facts.ownDiscountsReturned).toBe(1);
    const twice = basketNow([{ existing: 2_000 }, { existing: 2_000 }], {
      loyaltyId: 'anna',
      supersedesCalculationId: first.calculationId,
    });
    expect((await ask(till.context, twice)).facts.ownDiscountsReturned).toBe(1);
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
});

test('a claim ends with its call', async () => {
  const basket = ofAnna();
  const redisMs = async () => {
    const [seconds, micros] = (await till.redis.client.time()).map(Number) as [number, number];
    return seconds * 1_000 + Math.floor(micros / 1_000);
  };
  const beforeMs = await redisMs();
  await ask(till.context, basket);
  const [, , ends] = (await indexOf(basket.calculationId))!.split(' ');
  expect(Number(ends)).toBeGreaterThanOrEqual(beforeMs);
  // Long before the call's deadline.
  expect(Number(ends)).toBeLessThanOrEqual(await redisMs());
});
