import { describe, expect, test } from 'vitest';
import { recordCalls } from '../../src/calls/recorded-call.ts';
import { decodeKeptBasket } from '../../src/calls/stored/kept-basket.ts';
import { loadEnvironment } from '../../src/programme/load.ts';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { findCalculation } from '../../src/store/find-calculation.ts';
import { readIndexEntry } from '../../src/store/index-entry.ts';
import { memberToken } from '../../src/store/keys.ts';
import { moveClock } from '../../src/store/member-clock.ts';
import { monotonicMs } from '../../src/telemetry/stopwatch.ts';
import { sleep } from '../support/wait.ts';
import { basketNow, CLUB, ofAnna, ofBerit, tokenOf } from './support/club.ts';
import { ask, interrupted, useTill, whilePriced } from './support/till.ts';

const till = useTill(CLUB);

test('a basket is priced again with what another till has left', async () => {
  const basket = ofBerit();
  const context = whilePriced(till.context, () => ask(till.context, ofBerit(2)));
  const { answer, facts, phases } = await ask(context, basket);
  expect(answer).toEqual({ status: 'applied', total: 64_000 });
  expect(facts).toMatchObject({ shortages: 1, holdsMade: 1 });
  expect(phases).toEqual(['member', 'price', 'worker', 'commit']);
  const kept = (await findCalculation(till.context.store, basket.calculationId))?.basket;
  expect(decodeKeptBasket(kept!).used.get('triple#items:*')).toBe(2);
});

test('a basket that is short again and again is answered without the scarce benefit', async () => {
  const { store } = till.context;
  const basket = ofBerit();
  // Before each of its commits another till takes one of six units.
  const takes = store.keys.use(tokenOf('berit'));
  const commitsTo = store.keys.calculation(tokenOf('berit'), basket.calculationId);
  const short = interrupted(
    store,
    (key) => key === commitsTo,
    () => till.redis.client.hincrby(takes, 'triple#items:*', 1),
  );
  const { answer, facts } = await ask({ ...till.context, store: short }, basket);
  expect([answer, facts.shortages]).toEqual([{ status: 'applied', total: 72_000 }, 4]);
  expect(await till.redis.client.hget(takes, 'triple#items:*')).toBe('5');
});

test('the other limited benefits of such a basket are given all the same', async () => {
  const [club] = CLUB.programmes;
  const [, single, triple] = club!.benefits as [object, object, object];
  const benefits = [
    { ...triple, appliesTo: { productGroupIds: ['cups'] } },
    { ...single, audience: 'everyone', appliesTo: { productGroupIds: ['buns'] } },
  ];
  const written = { ...CLUB, programmes: [{ ...club!, benefits }] };
  const environment = loadEnvironment(JSON.stringify(written), 'environment.yaml');
  const cups = { quantity: 8, productGroupId: 'cups' };
  const basket = basketNow([cups, { lineId: 'bun', productGroupId: 'buns' }], { loyaltyId: 'berit' });
  const { store } = till.context;
  const commitsTo = store.keys.calculation(tokenOf('berit'), basket.calculationId);
  const short = interrupted(
    store,
    (key) => key === commitsTo,
    () => till.redis.client.hincrby(store.keys.use(tokenOf('berit')), 'triple#items:*', 1),
  );
  const { answer, facts } = await ask({ ...till.context, environment, store: short }, basket);
  expect([answer, facts.shortages]).toEqual([{ status: 'applied', total: 88_000 }, 4]);
});

describe('two processes that know a venue under two programmes', () => {
  const [club] = CLUB.programmes;
  const renamed = {
    ...CLUB,
    venues: CLUB.venues.map((venue) => ({ ...venue, programmeId: 'tea-club' })),
    programmes: [{ ...club!, programmeId: 'tea-club' }],
    members: [],
  };
  const other = () => ({ ...till.context, environment: loadEnvironment(JSON.stringify(renamed), 'environment.yaml') });

  test('give the answer of whoever was first, and 409 for another body', async () => {
    const basket = ofAnna();
    const first = await ask(till.context, basket);
    const second = await ask(other(), basket);
    expect(second.answer).toEqual(first.answer);
    expect(second).toMatchObject({ outcome: { isReplayed: true }, facts: { venueId: 'oslo-central' } });
    expect(second.facts).not.toHaveProperty('unreplayable');
    const changed = await ask(other(), ofAnna({ calculationId: basket.calculationId }));
    expect(changed.outcome).toMatchObject({ kind: 'refusal', refusal: { code: 'idempotency_conflict' } });
  });

  test('price anew what has expired meanwhile, for the member of their own programme', async () => {
    const basket = ofAnna();
    await ask(till.context, basket);
    const { store } = till.context;
    await till.redis.client.del(store.keys.answer(tokenOf('anna'), basket.calculationId));
    const { outcome } = await ask(other(), basket);
    expect(outcome).toMatchObject({ kind: 'answer', isReplayed: false });
    expect((await readIndexEntry(store, basket.calculationId))?.member).toBe(memberToken('tea-club', 'anna'));
  });

  test('give one answer also where both have read that nobody knows the ID', async () => {
    const basket = ofAnna();
    let first: Awaited<ReturnType<typeof ask>> | undefined;
    const commits = till.context.store.keys.calculation(memberToken('tea-club', 'anna'), basket.calculationId);
    const late = interrupted(
      till.context.store,
      (key) => key === commits,
      async () => {
        first ??= await ask(till.context, basket);
      },
    );
    const { outcome } = await ask({ ...other(), store: late }, basket);
    expect(outcome).toEqual({ ...first!.outcome, isReplayed: true });
  });

  test('tell of an answer that cannot be given again', async () => {
    const basket = ofAnna();
    await ask(till.context, basket);
    const { store } = till.context;
    await till.redis.client.set(store.keys.answer(tokenOf('anna'), basket.calculationId), 'no answer');
    const { outcome, facts } = await ask(other(), basket);
    expect([outcome.kind, facts.unreplayable]).toEqual(['refusal', true]);
  });
});

test('a commit that reaches Redis too late is not made', async () => {
  const { store } = till.context;
  const basket = ofAnna();
  const calculation = store.keys.calculation(tokenOf('anna'), basket.calculationId);
  const deadlineMs = monotonicMs() + 500;
  const slow = interrupted(
    store,
    (key) => key === calculation,
    () => sleep(deadlineMs - 25 - monotonicMs()),
  );
  // A machine that stands still may be too late before.
  const late = await ask({ ...till.context, store: slow }, basket, { deadlineMs }).catch(() => undefined);
  expect(late?.answer).toBeUndefined();
  expect(await till.redis.client.exists(calculation)).toBe(0);
});

describe('a member that nobody knows', () => {
  const strange = () => basketNow([{}], { loyaltyId: 'nobody' });

  test('is not told so while the data of Redis is gone', async () => {
    const store = { ...till.context.store, guard: { name: 'a set that is gone' } };
    await expect(ask({ ...till.context, store }, strange())).rejects.toThrow(StoreUnavailable);
    expect((await ask({ ...till.context, store }, ofAnna())).answer?.status).toBe('applied');
  });
});

describe('a recorded call', () => {
  const recorder = (sample: number) => ({
    ...till.context,
    recording: recordCalls({ sample, key: Buffer.alloc(32, 7) }),
  });
  const recordOf = (outcome: object) =>
    'recordingLines' in outcome ? String(outcome.recordingLines).trim().split('\n') : undefined;

  test('has what it was priced with, and a retry is not recorded twice', async () => {
    const basket = ofAnna();
    const { outcome } = await ask(recorder(1), basket);
    const [line, more] = recordOf(outcome)!;
    expect(more).toBeUndefined();
    expect(JSON.parse(line!)).toMatchObject({
      ...{ configuration: till.context.environment.version, used: {}, answer: { status: 'applied', total: 8_000 } },
      ...{ member: { status: 'active', grants: ['single-use'] }, clockOffsetMs: expect.any(Number) },
      basket: { requestedAt: basket.requestedAt },
    });
    expect(recordOf((await ask(recorder(1), basket)).outcome)).toBeUndefined();
    expect((await ask(recorder(0), ofAnna())).outcome).not.toHaveProperty('recordingLines');
  });

  test('has the end of the basket that it supersedes, and the time of a moved clock', async () => {
    const first = ofAnna();
    await ask(till.context, first);
    await moveClock(till.context.store, tokenOf('anna'), 60_000, 60_000);
    const { outcome } = await ask(recorder(1), ofAnna({ supersedesCalculationId: first.calculationId }));
    const [record, end] = recordOf(outcome)!.map((line) => JSON.parse(line));
    expect(end).toMatchObject({ end: { calculationId: first.calculationId, kind: 'superseded' } });
    expect(Date.parse(record.basket.requestedAt) - Date.parse(first.requestedAt)).toBeGreaterThanOrEqual(60_000);
  });
});
