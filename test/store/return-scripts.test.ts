/** Returns, by what the headers of their scripts promise. */
import { describe, expect, test } from 'vitest';
import { useFixture } from './fixture.ts';
import { useScripts } from './script-stage.ts';

const fixture = useFixture();
const scripts = useScripts(fixture);
const { run, isIn, isAbout } = scripts;
const [CALC, _ANSWER, HOLD, USE, _HELD, _DUE, RETURNS, EVENTS] = [
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
const [RETENTION_MS, _KEPT_MS] = [60_000, 500_000];
const _APPLIED = '["applied","t"]';
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

describe('book-return', () => {
  /** The reply; of a booking without its instant, which is that of the record. */
  const book = async (id: string, before: number, ...counters: (string | number)[]) => {
    const args = [id, `the return ${id}`, before, '', RETENTION_MS, ...counters];
    const parts = await run('book-return', [CALC, RETURNS, USE, 'vouchers', EVENTS], args);
    if (parts[0] !== 'booked') return parts;
    expect(await fixture.redis.client.hget(RETURNS, `r:${id}`)).toContain(`${parts[3]} `);
    return parts.slice(0, 3);
  };

  test('books returns one by one, gives uses back, and says the same again', async () => {
    const { client } = fixture.redis;
    await put({ state: 'sold' });
    await client.pexpire(CALC, 50_000);
    await client.hset(USE, { a: 5, b: 1 });
    expect(await book('r-1', 0, 'a', 2, 'b', 3)).toEqual(['booked', 1, 0]);
    expect(await client.hgetall(USE)).toEqual({ a: '3', b: '0' });
    const text = (await client.hget(RETURNS, 'r:r-1'))!;
    expect([isIn(text.split(' ')[0], 0), text.split(' ').slice(1).join(' ')]).toEqual([true, '1 the return r-1']);
    expect(await client.hmget(RETURNS, 'd:r-1', 'n')).toEqual(['1', '1']);
    expect(isAbout(await client.pttl(RETURNS), 50_000)).toBe(true);
    expect(await book('r-1', 0, 'a', 2)).toEqual(['known', text, 1, 1, 0]);
    expect(await book('r-2', 0)).toEqual(['changed']);
    expect(await book('r-2', 1)).toEqual(['booked', 1, 0]);
    await client.hdel(RETURNS, 'd:r-1');
    expect(await book('r-1', 0)).toEqual(['known', text, 0, 0, 0]);
    expect(await client.hget(USE, 'a')).toBe('3');
  });

  test('appends its event in the same step, and says so when the return comes again', async () => {
    await put({ state: 'sold' });
    const args = ['r-1', 'the return', 0, '{"a":1}', RETENTION_MS];
    const [CALC_KEYS] = [[CALC, RETURNS, USE, 'vouchers', EVENTS]];
    expect((await run('book-return', CALC_KEYS!, args)).slice(0, 3)).toEqual(['booked', 1, 1]);
    expect((await run('book-return', CALC_KEYS!, args)).slice(2)).toEqual([1, 1, 1]);
    expect(await fixture.redis.client.xlen(EVENTS)).toBe(1);
  });

  test('of a sale that an earlier version took out of the costs by a later event counts no costs', async () => {
    await put({ state: 'sold', undone: 1, conflicts: 1 });
    expect(await book('r-1', 0)).toEqual(['booked', 0, 0]);
    expect((await book('r-1', 1)).slice(2)).toEqual([1, 0, 0]);
    expect(await book('r-2', 1)).toEqual(['booked', 0, 0]);
    expect(await record()).toMatchObject({ undone: '1' });
  });

  test('of a sale that another event came for only after the first return counts its costs', async () => {
    await put({ state: 'sold' });
    expect(await book('r-1', 0)).toEqual(['booked', 1, 0]);
    await fixture.redis.client.hset(CALC, 'conflicts', 1);
    expect(await book('r-2', 1)).toEqual(['booked', 1, 0]);
    expect(await record()).not.toHaveProperty('undone');
  });

  test('of a sale with returns of an earlier version counts its costs, unless another event came as well', async () => {
    const { client } = fixture.redis;
    const bookedBefore = async (more: Record<string, number>) => {
      await put({ state: 'sold', undone: 1, ...more });
      await client.hset(RETURNS, { 'r:r-1': '7 1 the return r-1', n: 1 });
    };
    await bookedBefore({});
    expect(await book('r-2', 1)).toEqual(['booked', 1, 0]);
    await client.flushall();
    await bookedBefore({ conflicts: 1 });
    expect(await book('r-2', 1)).toEqual(['booked', 0, 0]);
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
