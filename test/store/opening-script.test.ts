/** The one script that begins a calculation, and the release of a superseded one elsewhere, by what their headers promise. */
import { describe, expect, test } from 'vitest';
import { useFixture } from './fixture.ts';
import { useScripts } from './script-stage.ts';

const fixture = useFixture();
const scripts = useScripts(fixture);
const { run, isIn, isAbout } = scripts;
const [RATE, INDEX, DUE, MEMBER, USE, HOLD, HELD, HOLDS_DUE] = [
  'rate',
  'index',
  'due',
  'member',
  'use',
  'hold',
  'held',
  'holds-due',
] as const;
const FAR_MS = Date.UTC(2100, 0, 1);
const SECOND_US = 1_000_000;

describe('open-calculation', () => {
  const open = async ({ until = FAR_MS, uses = 1, wanted = [] as string[] } = {}) => {
    const keys = [RATE, INDEX, DUE, MEMBER, USE, HOLD, HELD, HOLDS_DUE];
    const args = [100 * SECOND_US, 2, until, 'id', 'anna print', 5_000, 60_000, 30_000, uses, ...wanted];
    const [atMs, ...rest] = await run('open-calculation', keys, args);
    expect(isIn(atMs, 0)).toBe(true);
    return rest;
  };

  test('takes a token, claims the ID, notes it and reads the member', async () => {
    const { client } = fixture.redis;
    await client.hset(MEMBER, { status: 'active' });
    await client.hset(USE, { a: 1 });
    await client.hset(HOLD, { h: `${FAR_MS} a=1/2`, ended: `${scripts.nowMs - 1} a=1/2` });
    expect(await open()).toEqual(['opened', ['status', 'active'], ['a', '1'], ['h', `${FAR_MS} a=1/2`], [], 0]);
    const [member, print, deadline, tail] = (await client.get(INDEX))!.split(' ');
    expect([member, print, isIn(deadline, 5_000), tail]).toEqual(['anna', 'print', true, '-']);
    expect(isAbout(await client.pttl(INDEX), 60_000)).toBe(true);
    expect(isIn(await client.zscore(DUE, 'id'), 30_000)).toBe(true);
    expect(await client.exists(RATE)).toBe(1);
  });

  test('reads of many holds the wanted ones, and of a programme without limits none', async () => {
    const { client } = fixture.redis;
    await client.hset(HOLD, Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`h${at}`, `${FAR_MS} a=1/99`])));
    expect(await open({ wanted: ['h3', 'h7'] })).toEqual([
      ...['opened', [], [], ['h3', `${FAR_MS} a=1/99`, 'h7', `${FAR_MS} a=1/99`], ['a', '40'], 1],
    ]);
    await client.del(INDEX);
    expect(await open({ uses: 0 })).toEqual(['opened', [], [], [], [], 0]);
  });

  test('of a known ID only takes the token', async () => {
    const { client } = fixture.redis;
    await client.set(INDEX, 'berit other 5 -');
    expect(await open()).toEqual(['known', 'berit other 5 -']);
    expect(await client.exists(DUE)).toBe(0);
    expect(await client.exists(RATE)).toBe(1);
  });

  test('is refused when the bucket is empty, and then does nothing', async () => {
    const { client } = fixture.redis;
    await open();
    await open();
    await client.del(INDEX, DUE);
    const [outcome, waitUs] = await open();
    expect([outcome, waitUs > 95 * SECOND_US, waitUs <= 100 * SECOND_US]).toEqual(['refused', true, true]);
    expect(await client.exists(INDEX, DUE)).toBe(0);
  });

  test('that is too late takes nothing', async () => {
    expect(await open({ until: scripts.nowMs - 1 })).toEqual(['too_late']);
    expect(await fixture.redis.client.keys('*')).toEqual([]);
  });
});

describe('release-superseded', () => {
  const release = () => run('release-superseded', ['calc', HOLD, HELD, HOLDS_DUE], ['old', 'next', 'oslo', 60_000]);

  test('releases a calculation of the same venue, and says what its counters have to give back', async () => {
    const { client } = fixture.redis;
    await client.hset('calc', { state: 'open', venue: 'oslo', fp: 'x', common: 'c/a=1/1' });
    await client.hset(HOLD, { old: `${FAR_MS} a=1/1` });
    expect(await release()).toEqual([1, 1, 'c/a=1/1']);
    expect(await client.exists(HOLD)).toBe(0);
    expect(await client.hgetall('calc')).toMatchObject({
      state: 'superseded',
      supersededBy: 'next',
      commonDue: 'release',
    });
    expect(isAbout(await client.pttl('calc'), 60_000)).toBe(true);
    // A process may have died before it told the counters.
    expect(await release()).toEqual([0, 1, 'c/a=1/1']);
    await client.hset('calc', 'commonDue', 'consume');
    expect(await release()).toEqual([0, 1, '']);
    await client.hdel('calc', 'commonDue');
    expect(await release()).toEqual([0, 1, '']);
  });

  test('marks one that was never committed, and leaves one of another venue alone', async () => {
    const { client } = fixture.redis;
    expect(await release()).toEqual([0, 0, '']);
    expect(await client.hgetall('calc')).toEqual({ state: 'superseded', supersededBy: 'next' });
    await client.del('calc');
    await client.hset('calc', { state: 'open', venue: 'bergen', fp: 'x' });
    await client.hset(HOLD, { old: `${FAR_MS} a=1/1` });
    expect(await release()).toEqual([0, 1, '']);
    expect(await client.exists(HOLD)).toBe(1);
  });
});
