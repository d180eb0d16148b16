/** What the script of a return promises about records of earlier versions and counters that have less than comes back. */
import { describe, expect, test } from 'vitest';
import { bookReturnScript } from '../../src/store/scripts/sales.ts';
import { useFixture } from './fixture.ts';
import { CALC, RETENTION_MS, RETURNS, USE, useCalculation } from './sale-stage.ts';
import { useScripts } from './script-stage.ts';

const fixture = useFixture();
const { call } = useScripts(fixture);
const { put, record } = useCalculation(fixture);

describe('book-return', () => {
  type Args = Parameters<typeof bookReturnScript>[2];
  /** The reply; a booking says the instant of its record. */
  const book = async (returnId: string, count: number, givenBack: Args['givenBack'] = []) => {
    const booked = `the return ${returnId}`;
    const reply = await call(bookReturnScript, {
      returnId,
      booked,
      count,
      event: '',
      retentionMs: RETENTION_MS,
      givenBack,
    });
    if (reply.outcome !== 'booked') return reply;
    const { atMs, ...told } = reply;
    expect(await fixture.redis.client.hget(RETURNS, `r:${returnId}`)).toContain(`${atMs} `);
    return told;
  };
  const booked = (isCounted: boolean) => ({ outcome: 'booked', isCounted, isTold: false });

  test('of a sale that an earlier version took out of the costs by a later event counts no costs', async () => {
    await put({ state: 'sold', undone: 1, conflicts: 1 });
    expect(await book('r-1', 0)).toEqual(booked(false));
    expect(await book('r-1', 1)).toMatchObject({ isDue: true, isCounted: false, isTold: false });
    expect(await book('r-2', 1)).toEqual(booked(false));
    expect(await record()).toMatchObject({ undone: '1' });
  });

  test('of a sale that another event came for only after the first return counts its costs', async () => {
    await put({ state: 'sold' });
    expect(await book('r-1', 0)).toEqual(booked(true));
    await fixture.redis.client.hset(CALC, 'conflicts', 1);
    expect(await book('r-2', 1)).toEqual(booked(true));
    expect(await record()).not.toHaveProperty('undone');
  });

  test('of a sale with returns of an earlier version counts its costs, unless another event came as well', async () => {
    const { client } = fixture.redis;
    const bookedBefore = async (more: Record<string, number>) => {
      await put({ state: 'sold', undone: 1, ...more });
      await client.hset(RETURNS, { 'r:r-1': '7 1 the return r-1', n: 1 });
    };
    await bookedBefore({});
    expect(await book('r-2', 1)).toEqual(booked(true));
    await client.flushall();
    await bookedBefore({ conflicts: 1 });
    expect(await book('r-2', 1)).toEqual(booked(false));
  });

  test('gives back no more of a counter than it has, and nothing to one that is gone', async () => {
    const { client } = fixture.redis;
    await put({ state: 'sold' });
    await client.hset(USE, { 'a#items:*': 1, 'a:*': 5 });
    await book('r-1', 0, ['a#items:*', 3]);
    expect(await client.hgetall(USE)).toEqual({ 'a#items:*': '0', 'a:*': '5' });
    await book('r-2', 1, ['b:*', 1]);
    expect(await client.hexists(USE, 'b:*')).toBe(0);
  });

  test('gives back the units past a limit first', async () => {
    const { client } = fixture.redis;
    await put({ state: 'sold' });
    await client.hset(USE, { a: 9, 'a!over': 3, b: 1, 'b!over': 1 });
    await book('r-1', 0, ['a', 2, 'b', 5]);
    expect(await client.hgetall(USE)).toEqual({ a: '7', 'a!over': '1', b: '0', 'b!over': '0' });
    await book('r-2', 1, ['a', 5]);
    expect(await client.hgetall(USE)).toMatchObject({ a: '2', 'a!over': '0' });
  });
});
