/** The scripts of a counter over all members, each by what it promises: replies, and what is in Redis after it. */
import { describe, expect, test } from 'vitest';
import {
  confirmCommonScript,
  endCommonScript,
  holdCommonScript,
  readCommonScript,
} from '../../src/store/scripts/common-limits.ts';
import { ANNA, useFixture } from './fixture.ts';
import { useScripts } from './script-stage.ts';

const fixture = useFixture();
const scripts = useScripts(fixture);
const { call, zadd, isIn, isAbout } = scripts;

const [USE, HOLD, HELD, DUE, OPEN, SETTLED] = ['use', 'hold', 'held', 'holdsDue', 'unconfirmed', 'settled'] as const;
const [CALL_MS, LASTS_MS, RETENTION_MS] = [5_000, 60_000, 120_000];
const FAR_MS = Date.UTC(2100, 0, 1);

type Wish = Partial<Parameters<typeof holdCommonScript>[2]>;
const hold = (calculationId: string, more: Wish = {}) => {
  const usual = { usageKey: 'gift', units: 1, limit: 3, supersedes: undefined, callOverMs: CALL_MS, holdMs: LASTS_MS };
  return call(holdCommonScript, { calculationId, member: ANNA, ...usual, ...more });
};
const short = (left: number, overdue: readonly string[] = []) => ({ outcome: 'short', left, overdue });
const HELD_ALL = { outcome: 'held' };
const confirm = (calculationId: string, use = 'gift=1/3') =>
  call(confirmCommonScript, { calculationId, member: ANNA, use });
const end = (calculationId: string, ending: 'consume' | 'release' | 'lapse', use = 'gift=1/3') =>
  call(endCommonScript, { calculationId, member: ANNA, use, ending, retentionMs: RETENTION_MS });
const read = (...wanted: string[]) => call(readCommonScript, { usageKey: 'gift', wanted });
const counter = (more: object = {}) => ({
  ...{ consumed: 0, overRedeemed: 0, held: 0, own: 0, overdue: [], sinceMs: undefined },
  ...more,
});

/** Holds of others, live until the far future unless another instant is given. */
async function put(ids: readonly string[], use = 'gift=1/3', until = FAR_MS): Promise<void> {
  await fixture.redis.client.hset(HOLD, Object.fromEntries(ids.map((id) => [id, `${until} ${use}`])));
}

describe('hold-common', () => {
  test('holds the units for the call and the life of a calculation', async () => {
    const { client } = fixture.redis;
    expect(await hold('a', { units: 2 })).toEqual(HELD_ALL);
    const [deadline, uses] = (await client.hget(HOLD, 'a'))!.split(' ');
    expect([isIn(deadline, CALL_MS + LASTS_MS), uses]).toEqual([true, 'gift=2/3']);
    expect(isAbout(await client.pttl(HOLD), CALL_MS + LASTS_MS)).toBe(true);
    expect(isIn(await client.zscore(OPEN, `${ANNA} a`), CALL_MS)).toBe(true);
    expect(isAbout(await client.pttl(OPEN), CALL_MS + LASTS_MS)).toBe(true);
  });

  test('says what is left when that is too little, and holds nothing then', async () => {
    const { client } = fixture.redis;
    await client.hset(USE, 'gift', 1);
    await put(['b']);
    await put(['ended'], 'gift=1/3', scripts.nowMs - 1);
    expect(await hold('a', { units: 2 })).toEqual(short(1));
    expect(await client.hexists(HOLD, 'a')).toBe(0);
    expect(await hold('a')).toEqual(HELD_ALL);
    expect(await hold('c')).toEqual(short(0));
    await client.hset(USE, 'gift', 9);
    expect(await hold('c')).toEqual(short(0));
    expect(await client.hexists(HOLD, 'ended')).toBe(0);
  });

  test('names up to sixteen unconfirmed holds whose calls are over', async () => {
    const { client } = fixture.redis;
    await zadd(OPEN, { 'berit b': scripts.nowMs - 2, 'cecilie c': scripts.nowMs - 1, 'dina d': FAR_MS });
    expect(await hold('a', { units: 4 })).toEqual(short(3, ['berit b', 'cecilie c']));
    for (let number = 0; number < 20; number += 1) await client.zadd(OPEN, 1, `eva ${number}`);
    expect(await hold('a', { units: 4 })).toMatchObject({ overdue: { length: 16 } });
  });

  test('covers a repetition of the call that wants less, and one that wants more', async () => {
    const { client } = fixture.redis;
    await hold('a', { units: 2, callOverMs: 30_000 });
    expect(await hold('a', { units: 1 })).toEqual(HELD_ALL);
    expect(await client.hget(HOLD, 'a')).toMatch(/ gift=2\/3$/);
    expect(isIn(await client.zscore(OPEN, `${ANNA} a`), 30_000)).toBe(true);
    expect(await hold('a', { units: 3 })).toEqual(HELD_ALL);
    expect(await client.hget(HOLD, 'a')).toMatch(/ gift=3\/3$/);
    expect(await hold('a', { units: 4 })).toEqual(short(3));
  });

  test('lends the units of the calculation that the commit ends, and says so', async () => {
    await put(['old'], 'gift=2/3');
    expect(await hold('z', { units: 2, supersedes: 'old' })).toEqual({ outcome: 'lent', left: 1 });
    await end('z', 'release');
    expect(await hold('a', { units: 1, supersedes: 'old' })).toEqual(HELD_ALL);
    expect(await hold('b', { units: 2, supersedes: 'old' })).toEqual({ outcome: 'lent', left: 0 });
    expect(await hold('c', { units: 3, supersedes: 'old' })).toEqual(short(0));
    expect(await hold('d', { supersedes: 'none' })).toEqual(short(0));
  });

  test('does not lend its own units to itself', async () => {
    await hold('a', { units: 2 });
    expect(await hold('a', { units: 4, supersedes: 'a' })).toEqual(short(3));
  });

  test('does not lend what has ended', async () => {
    await fixture.redis.client.hset(USE, 'gift', 3);
    await put(['old'], 'gift=2/3', scripts.nowMs - 1);
    expect(await hold('a', { supersedes: 'old' })).toEqual(short(0));
  });

  test('holds nothing for a calculation that is sold already', async () => {
    const { client } = fixture.redis;
    await client.zadd(SETTLED, FAR_MS, 'a');
    expect(await hold('a', { units: 9 })).toEqual(HELD_ALL);
    expect(await client.exists(HOLD, OPEN)).toBe(0);
  });
});

describe('confirm-common', () => {
  test('keeps the hold that was committed for as long as it lasts', async () => {
    const { client } = fixture.redis;
    await hold('a');
    const before = await client.hget(HOLD, 'a');
    await zadd(OPEN, { 'berit a': 1, [`${ANNA} b`]: 1 });
    await confirm('a');
    expect(await client.hget(HOLD, 'a')).toBe(before);
    expect(await client.zrange(OPEN, '0', '-1')).toEqual([`${ANNA} b`, 'berit a']);
  });

  test('holds no more than was committed, until the same instant', async () => {
    const { client } = fixture.redis;
    await hold('a', { units: 3 });
    const [deadline] = (await client.hget(HOLD, 'a'))!.split(' ');
    await client.persist(HOLD);
    await confirm('a', 'gift=2/3');
    expect(await client.hget(HOLD, 'a')).toBe(`${deadline} gift=2/3`);
    expect(isAbout(await client.pttl(HOLD), CALL_MS + LASTS_MS)).toBe(true);
    expect(await read()).toEqual(counter({ held: 2 }));
  });

  test('leaves a hold that has ended as it is, and makes none', async () => {
    const { client } = fixture.redis;
    await put(['a'], 'gift=3/3', scripts.nowMs - 1);
    await confirm('a');
    expect(await client.hgetall(HOLD)).toEqual({ a: `${scripts.nowMs - 1} gift=3/3` });
    await confirm('b');
    expect(await client.hkeys(HOLD)).toEqual(['a']);
  });

  test('keeps the sums of a counter with many holds right', async () => {
    const { client } = fixture.redis;
    await put(
      Array.from({ length: 40 }, (_, at) => `b${at}`),
      'gift=1/99',
    );
    await hold('a', { units: 3, limit: 99 });
    expect(await client.hget(HELD, 'gift')).toBe('43');
    await confirm('a', 'gift=1/99');
    expect(await client.hget(HELD, 'gift')).toBe('41');
    expect(await client.zscore(DUE, 'a')).toBe((await client.hget(HOLD, 'a'))!.split(' ')[0]);
  });
});

describe('end-common', () => {
  test('consumes what a sale took, once, and notes since when', async () => {
    const { client } = fixture.redis;
    await hold('a');
    expect(await end('a', 'consume')).toBe(0);
    expect(await client.hget(USE, 'gift')).toBe('1');
    const since = await client.hget(USE, 'gift!since');
    expect(isIn(since, 0)).toBe(true);
    expect(await client.exists(HOLD, OPEN)).toBe(0);
    expect(isIn(await client.zscore(SETTLED, 'a'), RETENTION_MS)).toBe(true);
    expect(isAbout(await client.pttl(SETTLED), RETENTION_MS)).toBe(true);
    expect(await end('a', 'consume')).toBe(0);
    await client.hset(USE, 'gift!since', 7);
    await end('b', 'consume');
    expect(await client.hmget(USE, 'gift', 'gift!since')).toEqual(['2', '7']);
  });

  test('counts what a sale without a hold took past the limit, beside what others hold', async () => {
    const { client } = fixture.redis;
    await client.hset(USE, 'gift', 1);
    await put(['b', 'c']);
    expect(await end('a', 'consume', 'gift=2/3')).toBe(2);
    expect(await client.hmget(USE, 'gift', 'gift!over')).toEqual(['3', '2']);
    expect(await end('d', 'consume')).toBe(1);
    expect(await client.hmget(USE, 'gift', 'gift!over')).toEqual(['4', '3']);
  });

  test('forgets settled calculations whose retention is over', async () => {
    const { client } = fixture.redis;
    await zadd(SETTLED, { x: scripts.nowMs - 1, y: scripts.nowMs - 2, z: FAR_MS });
    await end('a', 'consume');
    expect(await client.zrange(SETTLED, '0', '-1')).toEqual(['a', 'z']);
    await zadd(SETTLED, { x: scripts.nowMs - 1 });
    await end('b', 'consume');
    expect(await client.zrange(SETTLED, '0', '-1')).toEqual(['a', 'b', 'z']);
  });

  test('releases a hold, and changes nothing where there is none', async () => {
    const { client } = fixture.redis;
    await hold('a');
    expect(await end('a', 'release')).toBe(0);
    expect(await end('a', 'release')).toBe(0);
    expect(await client.exists(HOLD, OPEN, USE, SETTLED)).toBe(0);
    await put(['b'], 'gift=1/3', scripts.nowMs - 1);
    expect(await end('b', 'release')).toBe(0);
    expect(await client.exists(HOLD)).toBe(0);
  });

  test('lets a hold lapse only when its call is over and nobody has confirmed it', async () => {
    const { client } = fixture.redis;
    await hold('a');
    expect(await end('a', 'lapse')).toBe(0);
    expect(await client.exists(HOLD, OPEN)).toBe(2);
    await client.zadd(OPEN, scripts.nowMs - 1, `${ANNA} a`);
    expect(await end('a', 'lapse')).toBe(0);
    expect(await client.exists(HOLD, OPEN)).toBe(0);
    await hold('b');
    await confirm('b');
    expect(await end('b', 'lapse')).toBe(0);
    expect(await client.hexists(HOLD, 'b')).toBe(1);
  });
});

describe('read-common', () => {
  test.each([3, 40])(
    'says what is consumed, past the limit, and held by others and by the caller, of %i holds',
    async (count) => {
      const { client } = fixture.redis;
      await client.hset(USE, { gift: 7, 'gift!over': 2, 'gift!since': 5 });
      await put(
        Array.from({ length: count }, (_, at) => `h${at}`),
        'gift=2/99',
      );
      await put(['ended'], 'gift=1/99', scripts.nowMs - 1);
      await zadd(OPEN, { 'anna x': 1, 'anna y': FAR_MS });
      const facts = { consumed: 7, overRedeemed: 2, overdue: ['anna x'], sinceMs: 5 };
      expect(await read('h0', 'h1', 'ended', 'none')).toEqual(counter({ ...facts, held: 2 * (count - 2), own: 4 }));
      expect(await read()).toEqual(counter({ ...facts, held: 2 * count }));
    },
  );

  test('of a new counter says that nothing is there', async () => {
    expect(await read('a')).toEqual(counter());
  });
});
