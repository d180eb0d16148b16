/** What is left of a limit when a basket is priced on a real Redis: of the member's own, and of one that all share. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { decodeKeptBasket } from '../../src/calls/stored/kept-basket.ts';
import { loadEnvironment } from '../../src/programme/load.ts';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { commitCalculation } from '../../src/store/calculations.ts';
import { findAnswered } from '../../src/store/find-calculation.ts';
import { moveClock } from '../../src/store/member-clock.ts';
import { SINGLE_USE, TWENTY } from '../support/configuration.ts';
import { NOTHING_KEPT } from '../support/nothing-kept.ts';
import { until } from '../support/wait.ts';
import { basketNow, CLUB, ofAnna, ofBerit, tokenOf } from './support/club.ts';
import { ask, interrupted, useTill, whilePriced } from './support/till.ts';

const till = useTill(CLUB);
const usedOf = async (_loyaltyId: string, calculationId: string) =>
  decodeKeptBasket((await findAnswered(till.context.store, calculationId))!.basket!).used;

test('a member with very many counters is priced by those of its programme', async () => {
  const { store } = till.context;
  const others = Array.from({ length: 200 }, (_, at) => [`other-${at}:*`, '1']).flat();
  await till.redis.client.hset(store.keys.use(tokenOf('berit')), 'triple#items:*', 4, ...others);
  const basket = ofBerit();
  const { answer, facts } = await ask(till.context, basket);
  expect(answer).toEqual({ status: 'applied', total: 68_000 });
  expect(facts).not.toHaveProperty('shortages');
  expect((await usedOf('berit', basket.calculationId)).get('triple#items:*')).toBe(4);
});

describe('what is left of a limit is known before the price', () => {
  const [club] = CLUB.programmes;
  const contextOf = (benefit: object, member: object) => {
    const configuration = {
      ...CLUB,
      programmes: [{ ...club!, benefits: [benefit] }],
      members: [{ ...CLUB.members[0]!, ...member }],
    };
    return { ...till.context, environment: loadEnvironment(JSON.stringify(configuration), 'environment.yaml') };
  };
  const grants = [{ benefitId: 'twenty', grantId: 'card-7', quantity: 1 }];

  test.each([
    ['of everybody', { ...SINGLE_USE, audience: 'everyone' }, { grants: [] }],
    ['of those who are granted it', SINGLE_USE, {}],
    ['of a voucher', TWENTY, { grants }],
  ])('%s', async (_, benefit, member) => {
    const context = contextOf(benefit, member);
    expect((await ask(context, ofAnna())).answer).toMatchObject({ status: 'applied' });
    const { answer, facts } = await ask(context, ofAnna());
    expect([answer?.status, facts.shortages]).toEqual(['unchanged', undefined]);
  });

  test('of a member with very many holds, without those of its own and of its predecessor', async () => {
    const { store } = till.context;
    const first = ofBerit(6);
    await ask(till.context, first);
    for (let count = 0; count < 33; count += 1) {
      await commitCalculation(store, {
        ...{ calculationId: randomUUID(), member: tokenOf('berit'), fingerprint: 'print', stored: Buffer.from('{}') },
        ...{ venueId: 'oslo-central', status: 'applied', total: 1, supersedes: undefined, entry: undefined },
        ...{ uses: [{ usageKey: 'other:*', units: 1, limit: 99 }], deadlineMs: Date.UTC(2100, 0, 1) },
        ...NOTHING_KEPT,
        remainingMs: () => 60_000,
      });
    }
    await till.redis.client.del(store.keys.answer(tokenOf('berit'), first.calculationId));
    const again = await ask(till.context, first);
    expect([again.answer?.total, again.facts.shortages]).toEqual([42_000, undefined]);
    const next = { ...ofBerit(6), supersedesCalculationId: first.calculationId };
    const successor = await ask(till.context, next);
    expect([successor.answer?.total, successor.facts.shortages]).toEqual([42_000, undefined]);
    const usual = await ask(till.context, { ...ofBerit(6), supersedesCalculationId: next.calculationId });
    expect([usual.answer?.total, usual.facts.shortages]).toEqual([42_000, undefined]);
  });
});

describe('a limit that all members share', () => {
  const crowd = (loyaltyId: string, quantity: number, more: object = {}) =>
    basketNow([{ quantity, productGroupId: 'crowd' }], { loyaltyId, ...more });

  test('is held by whoever comes first, and the others get what is left', async () => {
    const first = crowd('carla', 7);
    expect((await ask(till.context, first)).answer).toEqual({ status: 'applied', total: 35_000 });
    const late = await ask(till.context, crowd('tester', 7));
    expect([late.answer, late.facts.shortages]).toEqual([{ status: 'applied', total: 51_000 }, undefined]);
    // It is counted for all, and stands beside the holds of the member without a counter of its own.
    const { store } = till.context;
    expect((await findAnswered(store, first.calculationId))?.commonUses.map(({ units }) => units)).toEqual([7]);
    const held = await till.redis.client.hget(store.keys.hold(tokenOf('carla')), first.calculationId);
    expect(held).toMatch(/^\d+ \S+~programme:\S+=7\/10$/);
    expect(await till.redis.client.hgetall(store.keys.use(tokenOf('carla')))).toEqual({});
  });

  test('is held for a moment until its commit is known, and then for as long as the basket', async () => {
    const { client } = till.redis;
    const unconfirmed = async () => {
      const [key] = await client.keys('*:unconfirmed:*');
      return key === undefined ? [] : client.zrange(key, 0, '-1', 'WITHSCORES');
    };
    const cut = interrupted(
      till.context.store,
      (key) => key === till.context.store.keys.calculation(tokenOf('carla'), lost.calculationId),
      () => Promise.reject(new StoreUnavailable('cut off')),
    );
    const lost = crowd('carla', 3);
    await expect(ask({ ...till.context, store: cut }, lost)).rejects.toThrow('cut off');
    const [, untilMs] = await unconfirmed();
    expect(Number(untilMs) - Date.now()).toBeLessThan(10 * 60_000);
    await client.flushall();
    await ask(till.context, crowd('tester', 3));
    await until('the confirmation', async () => (await unconfirmed()).length === 0);
  });

  test('stays held when the same call comes a second time', async () => {
    const basket = crowd('carla', 7);
    const context = whilePriced(till.context, () => ask(till.context, basket));
    expect((await ask(context, basket)).outcome).toMatchObject({ isReplayed: true });
    expect((await ask(till.context, crowd('tester', 10))).answer?.total).toBe(78_000);
  });

  test('is priced again when others were faster', async () => {
    const basket = crowd('carla', 10);
    const context = whilePriced(till.context, () => ask(till.context, crowd('tester', 7)));
    const { answer, facts } = await ask(context, basket);
    expect([answer, facts.shortages]).toEqual([{ status: 'applied', total: 78_000 }, 1]);
  });

  test('is given back at once by a call that held it, and then found another limit of its benefit used up', async () => {
    const [club] = CLUB.programmes;
    const crowdLimit = { quantity: 10, period: 'day', counts: 'items', of: 'programme', limitId: 'crowd' };
    const cups = { ...crowdLimit, quantity: 1, counts: 'baskets', limitId: 'cups' };
    const half = (benefitId: string, limit: object) => ({
      ...{ benefitId, kind: 'line_percent', percent: 50, audience: 'everyone', text: 'Half', limit },
      appliesTo: { productGroupIds: [benefitId] },
    });
    const benefits = [half('both', [crowdLimit, cups]), half('crowd', crowdLimit), half('cups', cups)];
    const members = CLUB.members.map((member) => ({ ...member, grants: [] }));
    const configuration = { ...CLUB, programmes: [{ ...club!, benefits }], members };
    const environment = loadEnvironment(JSON.stringify(configuration), 'environment.yaml');
    const context = { ...till.context, environment };
    const of = (group: string, loyaltyId: string, quantity: number, more: object = {}) =>
      basketNow([{ quantity, productGroupId: group }], { loyaltyId, ...more });

    const late = of('both', 'carla', 5);
    let faster: Awaited<ReturnType<typeof ask>> | undefined;
    const overtaken = whilePriced(context, async () => {
      faster = await ask(context, of('cups', 'tester', 5));
    });
    const { answer, facts } = await ask(overtaken, late);
    expect(faster?.answer).toEqual({ status: 'applied', total: 25_000 });
    expect([answer?.status, facts.shortages]).toEqual(['unchanged', 1]);
    let next = of('crowd', 'berit', 10);
    await until('all ten to be free again', async () => {
      const told = await ask(context, next);
      next = of('crowd', 'berit', 10, { supersedesCalculationId: next.calculationId });
      return told.answer?.total === 50_000;
    });
  });

  test('counts by the day of a member whose clock was moved', async () => {
    await ask(till.context, crowd('carla', 10));
    await moveClock(till.context.store, tokenOf('tester'), 24 * 3_600_000, 60_000);
    const basket = crowd('tester', 10);
    const { answer, facts } = await ask(till.context, basket);
    expect(answer).toEqual({ status: 'applied', total: 50_000 });
    expect(facts).toMatchObject({ clockMovedSeconds: 24 * 3_600 });
    expect(facts).not.toHaveProperty('clockOff');
  });
});
