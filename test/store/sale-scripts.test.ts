/** Sales and returns, by what their scripts promise. */
import { describe, expect, test } from 'vitest';
import { settleScript, tellSaleScript } from '../../src/store/scripts/sales.ts';
import { useFixture } from './fixture.ts';
import { ANSWER, CALC, FAR_MS, HOLD, KEPT_MS, RETENTION_MS, USE, useCalculation } from './sale-stage.ts';
import { useScripts } from './script-stage.ts';

const fixture = useFixture();
const scripts = useScripts(fixture);
const { call, isIn, isAbout } = scripts;
const { put, record, events } = useCalculation(fixture);
const APPLIED = '["applied","t"]';

describe('settle-sale', () => {
  type Args = Parameters<typeof settleScript>[2];
  /** The reply; a sale that is booked says the instant of its record. */
  const settle = async (outcome = APPLIED, more: Partial<Args> = {}) => {
    // As somebody calls it who has just read the calculation.
    const { at, sale } = await record();
    const reply = await call(settleScript, {
      calculationId: 'id',
      outcome,
      consumes: outcome === APPLIED,
      deadlineMs: FAR_MS,
      retentionMs: RETENTION_MS,
      keptMs: KEPT_MS,
      event: '',
      answeredRead: at === undefined ? undefined : Number(at),
      saleRead: sale,
      ...more,
    });
    if (reply.outcome === 'recorded' || reply.outcome === 'duplicate') {
      expect(String(reply.bookedAtMs)).toBe((await record())['soldAt']);
    }
    return reply;
  };

  /** What the reply tells, of which a test names what differs. */
  const told = (outcome: 'recorded' | 'duplicate', more: object = {}) => ({
    outcome,
    isLate: false,
    overRedeemed: 0,
    due: 'event',
    isClaimable: true,
    ending: '',
    bookedAtMs: expect.any(Number),
    ...more,
  });

  test('books the uses of a sale that was in time', async () => {
    const { client } = fixture.redis;
    await put();
    expect(await settle()).toEqual(told('recorded'));
    expect(await client.hget(USE, 'a')).toBe('2');
    expect(await client.exists(HOLD)).toBe(0);
    const { state, sale, soldAt, event, late, commonDue } = await record();
    expect([state, sale, isIn(soldAt, 0), event]).toEqual(['sold', APPLIED, true, '1']);
    expect([late, commonDue]).toEqual([undefined, undefined]);
    expect(isAbout(await client.pttl(CALC), KEPT_MS)).toBe(true);
  });

  test('says again what it said when the same event comes again', async () => {
    await put({ common: 'c/a=1/1' });
    const more = { ending: 'consume' };
    expect(await settle()).toEqual(told('recorded', more));
    expect(await settle()).toEqual(told('duplicate', more));
    expect(await fixture.redis.client.hget(USE, 'a')).toBe('2');
  });

  test('releases the hold of a sale that uses nothing, and how uses of all members end', async () => {
    const { client } = fixture.redis;
    await put({ common: 'c/a=1/1' });
    expect(await settle('["cancelled"]')).toEqual(told('recorded', { ending: 'release' }));
    expect(await client.exists(HOLD, USE)).toBe(0);
    expect(await record()).toMatchObject({ commonDue: 'release' });
  });

  test.each([
    ['whose time is over', { deadline: 1 }],
    ['that is superseded', { state: 'superseded' }],
    ['whose hold another call took away', { hold: false }],
  ])('books a sale of a calculation %s as late, and what it takes past the limit', async (_case, more) => {
    const { client } = fixture.redis;
    await put(more);
    await client.hset(USE, 'a', 2);
    await client.hset(HOLD, 'other', `${FAR_MS} a=1/3`);
    expect(await settle()).toEqual(told('recorded', { isLate: true, overRedeemed: 2 }));
    expect(await client.hmget(USE, 'a', 'a!over')).toEqual(['4', '2']);
    expect(await record()).toMatchObject({ late: '1', over: '2' });
    expect(await settle()).toMatchObject({ outcome: 'duplicate', isLate: true, overRedeemed: 2 });
  });

  test('of a calculation without uses is in time without a hold', async () => {
    await put({ holds: '', hold: false });
    await fixture.redis.client.hdel(CALC, 'holds', 'at');
    expect(await settle()).toEqual(told('recorded'));
  });

  test('keeps the first outcome, and the first other one for a person to decide, which has figures once', async () => {
    const { client } = fixture.redis;
    await put();
    await settle('["cancelled"]');
    await client.set(ANSWER, 'bytes');
    const conflict = (isNew: boolean) => ({
      outcome: 'conflict',
      isTold: false,
      isNew,
      bookedAtMs: expect.any(Number),
    });
    const first = await settle();
    expect(first).toEqual(conflict(true));
    expect(first.outcome === 'conflict' && isIn(first.bookedAtMs, 0)).toBe(true);
    // It consumes, so goods of it may come back once somebody decides for it.
    expect(await record()).toMatchObject({ sale: '["cancelled"]', second: APPLIED, conflicts: '1', a0: 'bytes' });
    expect(await settle('["failed"]')).toEqual(conflict(false));
    expect(await settle()).toEqual(conflict(false));
    expect(await record()).toMatchObject({ second: APPLIED, conflicts: '3' });
    expect(await client.exists(USE)).toBe(0);
  });

  test('is refused after the instant it must be booked by, and changes nothing', async () => {
    await put();
    const before = await record();
    expect(await settle(APPLIED, { deadlineMs: scripts.nowMs - 1 })).toEqual({ outcome: 'too_late' });
    expect(await record()).toEqual(before);
  });

  test('of a calculation that is not committed stands as a tombstone for the retention', async () => {
    const { client } = fixture.redis;
    expect(await settle()).toEqual({ outcome: 'unknown' });
    expect(await record()).toMatchObject({ state: 'sold', sale: APPLIED });
    expect(isAbout(await client.pttl(CALC), RETENTION_MS)).toBe(true);
    expect(await settle()).toEqual({ outcome: 'unknown' });
    expect(await settle('["cancelled"]')).toMatchObject({ outcome: 'conflict', isNew: true });
    expect(await client.exists(USE)).toBe(0);
  });

  test('of a member that was merged leads to the other one', async () => {
    await put();
    await fixture.redis.client.hset(USE, '!moved', 'berit');
    expect(await settle()).toEqual({ outcome: 'moved', into: 'berit' });
    expect(await record()).toMatchObject({ state: 'open' });
  });

  test('keeps the answer for returns', async () => {
    const answer = 'z'.repeat(128);
    await put();
    await fixture.redis.client.set(ANSWER, answer);
    expect(await settle()).toEqual(told('recorded', { isClaimable: false }));
    expect(await record()).toMatchObject({ a0: answer.slice(0, 64), a1: answer.slice(64) });
    expect(await record()).not.toHaveProperty('a2');
  });

  test.each([
    ['changed nothing', { status: 'unchanged' }, APPLIED],
    ['was not used', {}, '["cancelled"]'],
  ])('keeps no answer that %s', async (_case, more, outcome) => {
    await put(more);
    await fixture.redis.client.set(ANSWER, 'bytes');
    await settle(outcome);
    expect(await record()).not.toHaveProperty('a0');
  });

  test('appends its event in the same step, with what it alone knows, and says that only the counting is left', async () => {
    await put({ deadline: 1 });
    await fixture.redis.client.hset(USE, 'a', 2);
    const reply = await settle(APPLIED, { event: '{"a":1}' });
    expect(reply).toEqual(told('recorded', { isLate: true, overRedeemed: 1, due: 'count' }));
    expect(await events()).toEqual([{ a: 1, late: true, overRedeemed: 1, at: expect.any(String) }]);
    const { event, soldAt } = await record();
    expect([event, Date.parse((await events())[0].at)]).toEqual(['2', Number(soldAt)]);
    await settle(APPLIED, { event: '{"a":1}' });
    expect(await events()).toHaveLength(1);
  });

  test('leaves the event of a sale under a limit over all members to its caller', async () => {
    await put({ common: 'c/a=1/1' });
    expect(await settle(APPLIED, { event: '{"a":1}' })).toMatchObject({ due: 'event' });
    expect(await events()).toEqual([]);
  });

  test('appends the first event that says otherwise, and asks for one that could not be appended until it is', async () => {
    await put();
    await settle(APPLIED, { event: '{"a":1}' });
    expect(await settle('["cancelled"]')).toMatchObject({ isTold: false });
    expect(await settle('["failed"]')).toMatchObject({ isTold: false });
    await fixture.redis.client.hdel(CALC, 'untold');
    expect(await settle('["failed"]', { event: '{"b":1}' })).toMatchObject({ isTold: true });
    expect(await events()).toHaveLength(1);
    await fixture.redis.client.flushall();
    await put();
    await settle(APPLIED, { event: '{"a":1}' });
    for (const outcome of ['["failed"]', '["failed"]']) {
      expect(await settle(outcome, { event: '{"b":1}' })).toMatchObject({ isTold: true });
    }
    expect(await events()).toMatchObject([{ a: 1 }, { b: 1 }]);
  });

  test('refuses an event that was made from another answer, or before another sale', async () => {
    await put();
    const before = await record();
    for (const read of [{ answeredRead: 8 }, { answeredRead: undefined }, { saleRead: 'other' }]) {
      expect(await settle(APPLIED, { event: '{"a":1}', ...read })).toEqual({ outcome: 'changed' });
    }
    expect(await record()).toEqual(before);
  });
});

test('tell-sale appends an event that is due, once, with the instant of its sale', async () => {
  await put({ state: 'sold', event: 1 });
  const told = { event: '{"a":1}', retentionMs: RETENTION_MS, soldAtMs: 1_763_724_600_123 };
  for (let time = 0; time < 2; time += 1) await call(tellSaleScript, told);
  expect(await events()).toEqual([{ a: 1, at: '2025-11-21T11:30:00.123Z' }]);
  expect(await record()).toMatchObject({ event: '2' });
});
