/** Sale events, and the usual way of a basket call, on a real Redis: what the till is told, and what is noted of it. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createUsualCall } from '../../src/calls/usual-call.ts';
import { readIndexEntry } from '../../src/store/index-entry.ts';
import { EVENT_STREAMS } from '../../src/store/keys.ts';
import { writeMembers } from '../../src/store/members.ts';
import { monotonicMs, Stopwatch, WORKER_PHASES } from '../../src/telemetry/stopwatch.ts';
import { CLUB, ofAnna } from './support/club.ts';
import { ask, DOOR, interrupted, taskOf, tellSale, useTill } from './support/till.ts';

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
    const { redemption, ...rest } = outcome as { redemption?: object };
    expect(rest).toEqual(told('recorded'));
    expect(redemption).toMatchObject({ fate: 'sold', turnover: 8_000, benefits: [{ benefitId: 'single-use' }] });
    expect(facts).toEqual({
      ...{ status: 'applied', result: 'recorded', isLate: false, overRedeemed: 0, holdsConsumed: 1 },
    });
    expect(phases).toEqual(['parse', 'commit']);
  });

  test('of a cancelled basket releases its hold', async () => {
    const { outcome, facts } = await tellSale(till, await answered(), { status: 'cancelled' });
    expect(outcome).toEqual(told('recorded'));
    expect(facts).toEqual({
      ...{ status: 'cancelled', result: 'recorded', isLate: false, overRedeemed: 0, holdsReleased: 1 },
    });
  });

  test('of a basket that held nothing neither consumes nor releases', async () => {
    const { facts } = await tellSale(till, await answered(ofAnna({ loyaltyId: 'carla' })));
    expect(facts).toEqual({ status: 'applied', result: 'recorded', isLate: false, overRedeemed: 0 });
  });

  test('that comes again is a duplicate, and is not counted again', async () => {
    const calculationId = await answered();
    await tellSale(till, calculationId);
    const { outcome, facts } = await tellSale(till, calculationId);
    expect(outcome).toEqual(told('duplicate'));
    expect(facts).toEqual({ status: 'applied', result: 'duplicate' });
  });

  test('that comes again after a process died before it told it is a duplicate, and is counted', async () => {
    const calculationId = await answered();
    const streams = Array.from({ length: EVENT_STREAMS }, (_, at) => till.context.store.keys.events(at));
    const dying = interrupted(
      till.context.store,
      (key) => streams.includes(key ?? ''),
      () => Promise.reject(new Error('the process died')),
    );
    const context = { ...till.context, store: dying };
    await expect(tellSale({ ...till, context }, calculationId)).rejects.toThrow('the process died');
    const { outcome } = await tellSale(till, calculationId);
    expect(outcome).toMatchObject({ ...told('duplicate'), redemption: { fate: 'sold', turnover: 8_000 } });
  });

  test('that says otherwise than the first is a conflict, and the sale is counted as undone', async () => {
    const calculationId = await answered();
    await tellSale(till, calculationId);
    const { outcome, facts } = await tellSale(till, calculationId, { status: 'cancelled' });
    expect(outcome).toMatchObject({
      kind: 'refusal',
      refusal: { code: 'idempotency_conflict', message: 'Another outcome was recorded before.' },
      redemption: { fate: 'undone', turnover: 8_000 },
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

  test('finds its basket by the entry that the gateway has read, though that ended a moment later', async () => {
    const calculationId = await answered();
    const key = till.context.store.keys.index(calculationId);
    const indexEntry = (await till.redis.client.getdel(key))!;
    const { facts } = await tellSale(till, calculationId, {}, { indexEntry });
    expect(facts).toMatchObject({ result: 'recorded', holdsConsumed: 1 });
  });

  test('that Redis gets after its deadline changes nothing', async () => {
    const calculationId = await answered();
    const { outcome, facts } = await tellSale(till, calculationId, {}, { redisDeadlineMs: 1 });
    const refusal = { code: 'unavailable', message: 'The call could not be finished in time.' };
    expect(outcome).toMatchObject({ kind: 'refusal', refusal });
    expect(facts).toEqual({ status: 'applied' });
    expect((await tellSale(till, calculationId)).facts.result).toBe('recorded');
  });
});

test('a sale event whose time is over is not sent to Redis at all', async () => {
  const calculationId = await answered();
  const late = tellSale(till, calculationId, {}, { deadlineMs: monotonicMs() - 1 });
  await expect(late).rejects.toThrow('the deadline has passed');
  expect((await tellSale(till, calculationId)).facts.result).toBe('recorded');
});

describe('the usual call on the event loop', () => {
  const ask = (basket = ofAnna(), door = DOOR) => {
    const stopwatch = new Stopwatch(undefined, WORKER_PHASES.basket);
    return createUsualCall(till.context)(taskOf(basket), door, stopwatch);
  };

  test('ends with the answer, its facts and its phases', async () => {
    const result = await ask();
    expect(result).toMatchObject({
      ...{ kind: 'answer', isReplayed: false, facts: { venueId: 'oslo-central', status: 'applied', holdsMade: 1 } },
      phases: { parse: expect.any(Number), commit: expect.any(Number) },
    });
  });

  test('goes the long way where the ID was seen before', async () => {
    const basket = ofAnna();
    await ask(basket);
    const result = await ask(basket);
    expect(result.kind).toBe('known');
    expect(result).not.toHaveProperty('facts');
  });

  test('is refused when nobody waits for it any more, and says in which phase', async () => {
    expect(await ask(ofAnna(), { ...DOOR, isOver: () => true })).toMatchObject({
      ...{ kind: 'refusal', refusal: { code: 'unavailable' }, facts: { reason: expect.any(String) } },
      phases: { parse: expect.any(Number) },
    });
  });

  test('leaves a member with very many grants to a thread', async () => {
    const grants = Array.from({ length: 500 }, (_, at) => ({ benefitId: 'triple', grantId: `g-${at}`, quantity: 1 }));
    const anna = { programmeId: 'coffee-club', loyaltyId: 'anna', status: 'active', grants } as const;
    await writeMembers(till.context.store, [anna]);
    expect((await ask()).kind).toBe('too much work');
  });
});
