/** Sales and returns, by what the headers of their scripts promise. */
import { describe, expect, test } from 'vitest';
import { useFixture } from './fixture.ts';
import { useScripts } from './script-stage.ts';

const fixture = useFixture();
const scripts = useScripts(fixture);
const { run, isIn, isAbout } = scripts;
const [CALC, ANSWER, HOLD, USE, HELD, DUE, RETURNS] = [
  'calc',
  'answer',
  'hold',
  'use',
  'held',
  'due',
  'returns',
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
  const reply = (outcome = APPLIED, { consumes = 1, until = FAR_MS, lines = 0 } = {}) =>
    run(
      'settle-sale',
      [CALC, HOLD, USE, ANSWER, HELD, DUE],
      ['id', outcome, consumes, until, RETENTION_MS, KEPT_MS, lines],
    );

  /** The reply, without the instant of the booking at its end, which is that of the record. */
  const settle = async (...asked: Parameters<typeof reply>) => {
    const parts = await reply(...asked);
    if (parts[0] !== 'recorded' && parts[0] !== 'duplicate') return parts;
    expect(String(parts.at(-1))).toBe((await record())['soldAt']);
    return parts.slice(0, -1);
  };

  /** The reply's fields behind its outcome, of which a test names those that differ. */
  const told = (more: Partial<Record<number, unknown>> = {}) =>
    Object.values({ ...[0, 0, 'a=2/3', 'applied', 'oslo', 1, 1, '', '7', '', '', '', '', '', '', '', ''], ...more });

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
    const more = { 15: 'c/a=1/1', 16: 'consume' };
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
      ...told({ 15: 'c/a=1/1', 16: 'release' }),
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
      return ['conflict', isNew, 'oslo', 'x', `${scripts.nowMs - 1}`, '5', 'gold', 's', expect.any(String)];
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
    expect((await settle('["cancelled"]', { consumes: 0 })).slice(0, 4)).toEqual(['conflict', 1, '', '']);
    expect(await client.exists(USE)).toBe(0);
  });

  test('of a member that was merged leads to the other one', async () => {
    await put();
    await fixture.redis.client.hset(USE, '!moved', 'berit');
    expect(await settle()).toEqual(['moved', 'berit']);
    expect(await record()).toMatchObject({ state: 'open' });
  });

  test('keeps the answer for returns, and tells basket and answer for the lines of its event', async () => {
    const { client } = fixture.redis;
    const basket = 'k'.repeat(64 * 16 + 5);
    const answer = 'z'.repeat(128);
    const pieces = Array.from({ length: 17 }, (_, at) => [`b${at}`, basket.slice(at * 64, at * 64 + 64)]);
    await put(Object.fromEntries(pieces));
    await client.set(ANSWER, answer);
    expect(await settle(APPLIED, { lines: 1 })).toEqual(['recorded', ...told({ 6: 0, 13: basket, 14: answer })]);
    expect(await record()).toMatchObject({ a0: answer.slice(0, 64), a1: answer.slice(64) });
    expect(await record()).not.toHaveProperty('a2');
    await client.hset(CALC, 'at', 1);
    await client.del(ANSWER);
    expect(await settle(APPLIED, { lines: 1 })).toEqual(['duplicate', ...told({ 8: '1', 13: basket, 14: answer })]);
    expect((await settle()).slice(-4)).toEqual(['', '', '', '']);
  });

  test.each([
    ['changed nothing', { status: 'unchanged' }, APPLIED, 1],
    ['was not used', {}, '["cancelled"]', 0],
  ])('keeps no answer that %s', async (_case, more, outcome, consumes) => {
    await put(more);
    await fixture.redis.client.set(ANSWER, 'bytes');
    expect((await settle(outcome, { consumes, lines: 1 })).slice(-4)).toEqual(['', '', '', '']);
    expect(await record()).not.toHaveProperty('a0');
  });
});

describe('book-return', () => {
  /** The reply; of a booking without its instant, which is that of the record. */
  const book = async (id: string, before: number, ...counters: (string | number)[]) => {
    const parts = await run('book-return', [CALC, RETURNS, USE], [id, `the return ${id}`, before, ...counters]);
    if (parts[0] !== 'booked') return parts;
    expect(await fixture.redis.client.hget(RETURNS, `r:${id}`)).toContain(`${parts[2]} `);
    return parts.slice(0, 2);
  };

  test('books returns one by one, gives uses back, and says the same again', async () => {
    const { client } = fixture.redis;
    await put({ state: 'sold' });
    await client.pexpire(CALC, 50_000);
    await client.hset(USE, { a: 5, b: 1 });
    expect(await book('r-1', 0, 'a', 2, 'b', 3)).toEqual(['booked', 1]);
    expect(await client.hgetall(USE)).toEqual({ a: '3', b: '0' });
    const text = (await client.hget(RETURNS, 'r:r-1'))!;
    expect([isIn(text.split(' ')[0], 0), text.split(' ').slice(1).join(' ')]).toEqual([true, '1 the return r-1']);
    expect(await client.hmget(RETURNS, 'd:r-1', 'n')).toEqual(['1', '1']);
    expect(isAbout(await client.pttl(RETURNS), 50_000)).toBe(true);
    expect(await book('r-1', 0, 'a', 2)).toEqual(['known', text, 1, 1]);
    expect(await book('r-2', 0)).toEqual(['changed']);
    expect(await book('r-2', 1)).toEqual(['booked', 1]);
    await client.hdel(RETURNS, 'd:r-1');
    expect(await book('r-1', 0)).toEqual(['known', text, 0, 0]);
    expect(await client.hget(USE, 'a')).toBe('3');
  });

  test('of a sale that an earlier version took out of the costs by a later event counts no costs', async () => {
    await put({ state: 'sold', undone: 1, conflicts: 1 });
    expect(await book('r-1', 0)).toEqual(['booked', 0]);
    expect((await book('r-1', 1)).slice(2)).toEqual([1, 0]);
    expect(await book('r-2', 1)).toEqual(['booked', 0]);
    expect(await record()).toMatchObject({ undone: '1' });
  });

  test('of a sale with returns of an earlier version counts its costs, unless another event came as well', async () => {
    const { client } = fixture.redis;
    const bookedBefore = async (more: Record<string, number>) => {
      await put({ state: 'sold', undone: 1, ...more });
      await client.hset(RETURNS, { 'r:r-1': '7 1 the return r-1', n: 1 });
    };
    await bookedBefore({});
    expect(await book('r-2', 1)).toEqual(['booked', 1]);
    await client.flushall();
    await bookedBefore({ conflicts: 1 });
    expect(await book('r-2', 1)).toEqual(['booked', 0]);
  });

  test('gives back no more of a counter than it has, and nothing to one that is gone', async () => {
    const { client } = fixture.redis;
    await put({ state: 'sold' });
    await client.hset(USE, { 'a#items:*': 1, 'a:*': 5 });
    await book('r-1', 0, 'a#items:*', 3);
    expect(await client.hgetall(USE)).toEqual({ 'a#items:*': '0', 'a:*': '5' });
    await book('r-2', 1, 'b:*', 1);
    expect(await client.hexists(USE, 'b:*')).toBe(0);
  });

  test('gives back the units past a limit first', async () => {
    const { client } = fixture.redis;
    await put({ state: 'sold' });
    await client.hset(USE, { a: 9, 'a!over': 3, b: 1, 'b!over': 1 });
    await book('r-1', 0, 'a', 2, 'b', 5);
    expect(await client.hgetall(USE)).toEqual({ a: '7', 'a!over': '1', b: '0', 'b!over': '0' });
    await book('r-2', 1, 'a', 5);
    expect(await client.hgetall(USE)).toMatchObject({ a: '2', 'a!over': '0' });
  });

  test('has nothing of a sale that is not there or not sold, and follows a merged member', async () => {
    expect(await book('r-1', 0)).toEqual(['gone']);
    await put();
    expect(await book('r-1', 0)).toEqual(['gone']);
    await fixture.redis.client.hset(USE, { '!moved': 'berit', 'a:*': 1, 'b:*': 2 });
    expect(await book('r-1', 0)).toEqual(['moved', 'berit', 2]);
    expect(await fixture.redis.client.exists(RETURNS)).toBe(0);
  });
});
