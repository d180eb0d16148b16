/** Sales and returns, by what the headers of their scripts promise. */
import { describe, expect, test } from 'vitest';
import { useFixture } from './fixture.ts';
import { useScripts } from './script-stage.ts';

const fixture = useFixture();
const scripts = useScripts(fixture);
const { run, isIn, isAbout } = scripts;
const VOUCHERS = 'vouchers';
const [CALC, ANSWER, HOLD, USE, HELD, DUE, _RETURNS, EVENTS] = [
  'calc',
  'answer',
  'hold',
  'use',
  'held',
  'due',
  'returns',
  'events',
] as const;
const FAR_MS = Date.UTC(2100, 0, 1);
const [RETENTION_MS, KEPT_MS] = [60_000, 500_000];
const APPLIED = '["applied","t"]';
const record = () => fixture.redis.client.hgetall(CALC);

/** A committed calculation, open unless `more` says otherwise, with the hold of its uses. */
async function put({ hold = true, ...more }: Record<string, string | number | boolean> = {}): Promise<void> {
  const { client } = fixture.redis;
  const fields = {
    state: 'open',
    fp: 'print',
    deadline: FAR_MS,
    holds: 'a=2/3',
    status: 'applied',
    venue: 'oslo',
    at: 7,
    ...more,
  };
  await client.hset(CALC, fields as Record<string, string | number>);
  // A sold calculation has an end, and its returns end with it.
  await client.pexpire(CALC, 400_000);
  if (hold) await client.hset(HOLD, 'id', `${String(fields.deadline)} ${String(fields.holds)}`);
}

describe('settle-sale', () => {
  const reply = async (outcome = APPLIED, { consumes = 1, until = FAR_MS, event = '' } = {}) => {
    // As somebody calls it who has just read the calculation.
    const { at = '', sale = '' } = await record();
    const args = ['id', outcome, consumes, until, RETENTION_MS, KEPT_MS, event, at, sale];
    return run('settle-sale', [CALC, HOLD, USE, ANSWER, HELD, DUE, VOUCHERS, EVENTS], args);
  };
  const events = async () =>
    (await fixture.redis.client.xrange(EVENTS, '-', '+')).map(([, [, text]]) => JSON.parse(text!));

  /** The reply, with the instant of the booking at its end, which is that of the record. */
  const settle = async (...asked: Parameters<typeof reply>) => {
    const parts = await reply(...asked);
    if (parts[0] !== 'recorded' && parts[0] !== 'duplicate') return parts;
    expect(String(parts.at(-1))).toBe((await record())['soldAt']);
    return parts;
  };

  /** The reply's fields behind its outcome, of which a test names those that differ. */
  const told = (more: Partial<Record<number, unknown>> = {}) =>
    Object.values({
      ...[0, 0, 'a=2/3', 'applied', 'oslo', 'event', 1, '', '7', '', '', '', '', '', '', expect.any(String)],
      ...more,
    });

  test('books the uses of a sale that was in time', async () => {
    const { client } = fixture.redis;
    await put({ total: 5, tier: 'gold', share: 's', reason: 'why', g0: 'x', g1: 'y' });
    expect(await settle()).toEqual(['recorded', ...told({ 7: 'xy', 9: '5', 10: 'gold', 11: 's', 12: 'why' })]);
    expect(await client.hget(USE, 'a')).toBe('2');
    expect(await client.exists(HOLD)).toBe(0);
    const { state, sale, soldAt, event, late, commonDue } = await record();
    expect([state, sale, isIn(soldAt, 0), event]).toEqual(['sold', APPLIED, true, '1']);
    expect([late, commonDue]).toEqual([undefined, undefined]);
    expect(isAbout(await client.pttl(CALC), KEPT_MS)).toBe(true);
  });

  test('says again what it said when the same event comes again', async () => {
    await put({ common: 'c/a=1/1' });
    const more = { 13: 'c/a=1/1', 14: 'consume' };
    expect(await settle()).toEqual(['recorded', ...told(more)]);
    // The answer came before the sale, or the events would be in another order.
    await fixture.redis.client.hset(CALC, 'at', scripts.nowMs - 1);
    expect(await settle()).toEqual(['duplicate', ...told({ ...more, 8: `${scripts.nowMs - 1}` })]);
    await fixture.redis.client.hset(CALC, 'at', FAR_MS);
    expect(await settle()).toEqual(['duplicate', ...told({ ...more, 8: '' })]);
    expect(await fixture.redis.client.hget(USE, 'a')).toBe('2');
  });

  test('releases the hold of a sale that uses nothing, and how uses of all members end', async () => {
    const { client } = fixture.redis;
    await put({ common: 'c/a=1/1' });
    expect(await settle('["cancelled"]', { consumes: 0 })).toEqual([
      'recorded',
      ...told({ 13: 'c/a=1/1', 14: 'release' }),
    ]);
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
    expect(await settle()).toEqual(['recorded', ...told({ 0: 1, 1: 2 })]);
    expect(await client.hmget(USE, 'a', 'a!over')).toEqual(['4', '2']);
    expect(await record()).toMatchObject({ late: '1', over: '2' });
    expect((await settle()).slice(0, 3)).toEqual(['duplicate', 1, 2]);
  });

  test('of a calculation without uses is in time without a hold', async () => {
    await put({ holds: '', hold: false });
    await fixture.redis.client.hdel(CALC, 'holds', 'at');
    expect(await settle()).toEqual(['recorded', ...told({ 2: '', 8: '' })]);
  });

  test('keeps the first outcome, and the first other one for a person to decide, which has figures once', async () => {
    const { client } = fixture.redis;
    await put({ total: 5, tier: 'gold', share: 's', g0: 'x' });
    await settle('["cancelled"]', { consumes: 0 });
    await client.hset(CALC, 'at', scripts.nowMs - 1);
    await client.set(ANSWER, 'bytes');
    const conflict = (isNew: number) => {
      return ['conflict', 0, isNew, 'oslo', 'x', `${scripts.nowMs - 1}`, '5', 'gold', 's', expect.any(String)];
    };
    const first = await settle();
    expect(first).toEqual(conflict(1));
    expect(isIn(String(first.at(-1)), 0)).toBe(true);
    // It consumes, so goods of it may come back once somebody decides for it.
    expect(await record()).toMatchObject({ sale: '["cancelled"]', second: APPLIED, conflicts: '1', a0: 'bytes' });
    expect(await settle('["failed"]', { consumes: 0 })).toEqual(conflict(0));
    expect(await settle()).toEqual(conflict(0));
    expect(await record()).toMatchObject({ second: APPLIED, conflicts: '3' });
    expect(await client.exists(USE)).toBe(0);
  });

  test('is refused after the instant it must be booked by, and changes nothing', async () => {
    await put();
    const before = await record();
    expect(await settle(APPLIED, { until: scripts.nowMs - 1 })).toEqual(['too_late']);
    expect(await record()).toEqual(before);
  });

  test('of a calculation that is not committed stands as a tombstone for the retention', async () => {
    const { client } = fixture.redis;
    expect(await settle()).toEqual(['unknown']);
    expect(await record()).toMatchObject({ state: 'sold', sale: APPLIED });
    expect(isAbout(await client.pttl(CALC), RETENTION_MS)).toBe(true);
    expect(await settle()).toEqual(['unknown']);
    expect((await settle('["cancelled"]', { consumes: 0 })).slice(0, 5)).toEqual(['conflict', 0, 1, '', '']);
    expect(await client.exists(USE)).toBe(0);
  });

  test('of a member that was merged leads to the other one', async () => {
    await put();
    await fixture.redis.client.hset(USE, '!moved', 'berit');
    expect(await settle()).toEqual(['moved', 'berit']);
    expect(await record()).toMatchObject({ state: 'open' });
  });

  test('keeps the answer for returns', async () => {
    const answer = 'z'.repeat(128);
    await put();
    await fixture.redis.client.set(ANSWER, answer);
    expect(await settle()).toEqual(['recorded', ...told({ 6: 0 })]);
    expect(await record()).toMatchObject({ a0: answer.slice(0, 64), a1: answer.slice(64) });
    expect(await record()).not.toHaveProperty('a2');
  });

  test.each([
    ['changed nothing', { status: 'unchanged' }, APPLIED, 1],
    ['was not used', {}, '["cancelled"]', 0],
  ])('keeps no answer that %s', async (_case, more, outcome, consumes) => {
    await put(more);
    await fixture.redis.client.set(ANSWER, 'bytes');
    await settle(outcome, { consumes });
    expect(await record()).not.toHaveProperty('a0');
  });

  test('appends its event in the same step, with what it alone knows, and says that only the counting is left', async () => {
    await put({ deadline: 1 });
    await fixture.redis.client.hset(USE, 'a', 2);
    expect(await settle(APPLIED, { event: '{"a":1}' })).toEqual(['recorded', ...told({ 0: 1, 1: 1, 5: 'count' })]);
    expect(await events()).toEqual([{ a: 1, late: true, overRedeemed: 1, at: expect.any(String) }]);
    const { event, soldAt } = await record();
    expect([event, Date.parse((await events())[0].at)]).toEqual(['2', Number(soldAt)]);
    await settle(APPLIED, { event: '{"a":1}' });
    expect(await events()).toHaveLength(1);
  });

  test('leaves the event of a sale under a limit over all members to its caller', async () => {
    await put({ common: 'c/a=1/1' });
    expect((await settle(APPLIED, { event: '{"a":1}' }))[6]).toBe('event');
    expect(await events()).toEqual([]);
  });

  test('appends the first event that says otherwise, and asks for one that could not be appended until it is', async () => {
    await put();
    await settle(APPLIED, { event: '{"a":1}' });
    expect((await settle('["cancelled"]', { consumes: 0 }))[1]).toBe(0);
    expect((await settle('["failed"]', { consumes: 0 }))[1]).toBe(0);
    await fixture.redis.client.hdel(CALC, 'untold');
    expect((await settle('["failed"]', { consumes: 0, event: '{"b":1}' }))[1]).toBe(1);
    expect(await events()).toHaveLength(1);
    await fixture.redis.client.flushall();
    await put();
    await settle(APPLIED, { event: '{"a":1}' });
    for (const outcome of ['["failed"]', '["failed"]']) {
      expect((await settle(outcome, { consumes: 0, event: '{"b":1}' }))[1]).toBe(1);
    }
    expect(await events()).toMatchObject([{ a: 1 }, { b: 1 }]);
  });

  test('refuses an event that was made from another answer, or before another sale', async () => {
    await put();
    const args = ['id', APPLIED, 1, FAR_MS, RETENTION_MS, KEPT_MS, '{"a":1}'];
    const keys = [CALC, HOLD, USE, ANSWER, HELD, DUE, VOUCHERS, EVENTS];
    const before = await record();
    for (const read of [
      ['8', ''],
      ['', ''],
      ['7', 'other'],
    ]) {
      expect(await run('settle-sale', keys, [...args, ...read])).toEqual(['changed']);
    }
    expect(await record()).toEqual(before);
  });
});

describe('tell-sale', () => {
  test('appends an event that is due, once, with the instant of its sale', async () => {
    const tell = () => run('tell-sale', [CALC, EVENTS], ['{"a":1}', RETENTION_MS, 1_763_724_600_123]);
    await put({ state: 'sold', event: 1 });
    expect([await tell(), await tell()]).toEqual([1, 0]);
    const entries = await fixture.redis.client.xrange(EVENTS, '-', '+');
    expect(entries.map(([, [, text]]) => JSON.parse(text!))).toEqual([{ a: 1, at: '2025-11-21T11:30:00.123Z' }]);
    expect(await record()).toMatchObject({ event: '2' });
  });
});
