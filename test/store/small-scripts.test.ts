/** The short scripts, each by what its header promises: notes, clocks and ages. */
import { describe, expect, test } from 'vitest';
import { useFixture } from './fixture.ts';
import { useScripts } from './script-stage.ts';

const fixture = useFixture();
const scripts = useScripts(fixture);
const { run, zadd, isIn, isAbout } = scripts;
const [INDEX, DUE, MEMBER] = ['index', 'due', 'member'] as const;

describe('the list of what is due', () => {
  test('has calculations with the instant at which each is looked at', async () => {
    const { client } = fixture.redis;
    expect(await run('note-due', [DUE], [5_000, 1_000, 'a', 'b'])).toBe(0);
    expect(await client.zrange(DUE, '0', '-1')).toEqual(['a', 'b']);
    expect(isIn(await client.zscore(DUE, 'b'), 5_000)).toBe(true);
    await run('note-due', [DUE], [50_000, '', 'b', 'c']);
    expect(await client.zrange(DUE, '0', '-1')).toEqual(['a', 'b']);
    expect(isIn(await client.zscore(DUE, 'b'), 50_000)).toBe(true);
  });

  test('keeps the earlier time of what a call notes again, but not one at which that call may not be over', async () => {
    const { client } = fixture.redis;
    const at = async (id: string) => Number(await client.zscore(DUE, id)) - scripts.nowMs;
    await zadd(DUE, {
      past: scripts.nowMs - 9_000,
      now: scripts.nowMs + 10,
      soon: scripts.nowMs + 20_000,
      far: scripts.nowMs + 90_000,
    });
    await run('note-due', [DUE], [50_000, 5_000, 'past', 'now', 'soon', 'far', 'new']);
    expect(await at('soon')).toBe(20_000);
    for (const id of ['past', 'now']) expect(isIn(await client.zscore(DUE, id), 5_000)).toBe(true);
    for (const id of ['far', 'new']) expect(isIn(await client.zscore(DUE, id), 50_000)).toBe(true);
    await run('note-due', [DUE], [5_000, 5_000, 'soon']);
    expect(isIn(await client.zscore(DUE, 'soon'), 5_000)).toBe(true);
  });

  test('is rid of what was looked at, unless it was noted again', async () => {
    const { client } = fixture.redis;
    await zadd(DUE, { over: scripts.nowMs - 1, again: scripts.nowMs + 60_000 });
    const forget = (id: string) => run('forget-due', [DUE], [id]);
    expect([await forget('over'), await forget('again'), await forget('unknown')]).toEqual([1, 0, 0]);
    expect(await client.zrange(DUE, '0', '-1')).toEqual(['again']);
  });

  test('is given the earliest first, and only what is due', async () => {
    await zadd(DUE, { b: scripts.nowMs - 1, a: scripts.nowMs - 2, z: scripts.nowMs - 3, c: scripts.nowMs + 60_000 });
    expect(await run('list-due', [DUE], [10])).toEqual(['z', 'a', 'b']);
    expect(await run('list-due', [DUE], [2])).toEqual(['z', 'a']);
  });
});

describe('clocks and ages', () => {
  test('the clock of a member is moved for a while, and set right', async () => {
    const { client } = fixture.redis;
    const move = (byMs: number) => run('move-clock', [MEMBER], [byMs, 5_000]);
    expect(await move(-7)).toBe(1);
    const [by, until] = (await client.hget(MEMBER, 'clock'))!.split(' ');
    expect([by, isIn(until, 5_000)]).toEqual(['-7', true]);
    expect(await move(0)).toBe(0);
    expect(await client.exists(MEMBER)).toBe(0);
  });

  test('the clock of Redis is read', async () => {
    expect(isIn(await run('read-clock', [MEMBER], []), 0)).toBe(true);
  });

  test('an index entry ends sooner, but leaves what an open calculation needs', async () => {
    const { client } = fixture.redis;
    const age = (byMs: number, leastMs: number, member = 'anna') => run('age-index', [INDEX], [member, byMs, leastMs]);
    expect(await age(5, 0)).toBe(-2);
    await client.set(INDEX, 'anna print 5 -');
    expect([await age(5, 0), await age(5, 0, 'berit')]).toEqual([-1, -2]);
    await client.pexpire(INDEX, 50_000);
    expect(isAbout(await age(20_000, 10_000), 30_000)).toBe(true);
    expect(isAbout(await client.pttl(INDEX), 30_000)).toBe(true);
    expect(isAbout(await age(25_000, 10_000), 10_000)).toBe(true);
    // A time that is shorter than that stays as it is.
    expect(isAbout(await age(1_000, 20_000), 10_000)).toBe(true);
    expect(await age(20_000, 0)).toBe(0);
    expect(await client.exists(INDEX)).toBe(0);
  });

  const age = (byMs: number, leastMs = 0) =>
    run('age-calculation', ['hold', 'held', 'holds-due', 'calc', 'answer', 'returns'], ['id', byMs, leastMs]);

  test('a calculation becomes older with its answer, its record and its hold', async () => {
    const { client } = fixture.redis;
    await client.hset('calc', { state: 'open', deadline: scripts.nowMs + 50_000, aged: 1 });
    await client.pexpire('calc', 90_000);
    await client.set('answer', 'bytes', 'PX', 70_000);
    await client.hset('returns', { n: '1' });
    await client.pexpire('returns', 90_000);
    await client.hset('hold', { id: `${scripts.nowMs + 50_000} a=1/1`, other: `${scripts.nowMs + 50_000} a=1/1` });
    await client.zadd('holds-due', scripts.nowMs + 50_000, 'id');
    const [outcome, holdEnded, answerEnded, leftMs] = await age(10_000, 60_000);
    expect([outcome, holdEnded, answerEnded, isAbout(leftMs, 40_000)]).toEqual(['open', 0, 0, true]);
    expect(await client.hgetall('calc')).toEqual({
      state: 'open',
      deadline: `${scripts.nowMs + 40_000}`,
      aged: '10001',
    });
    expect(await client.hgetall('hold')).toEqual({
      ...{ id: `${scripts.nowMs + 40_000} a=1/1`, other: `${scripts.nowMs + 50_000} a=1/1` },
    });
    expect(await client.zscore('holds-due', 'id')).toBe(`${scripts.nowMs + 40_000}`);
    expect(isAbout(await client.pttl('calc'), 80_000)).toBe(true);
    expect(isAbout(await client.pttl('answer'), 60_000)).toBe(true);
    expect(isAbout(await client.pttl('returns'), 80_000)).toBe(true);
    expect(await age(40_000, 60_000)).toEqual(['open', 1, 0, 0]);
    expect(isAbout(await client.pttl('calc'), 60_000)).toBe(true);
    expect(await age(40_000, 60_000)).toEqual(['open', 0, 1, 0]);
    expect(await client.exists('answer')).toBe(0);
  });

  test('a sold calculation becomes older without a hold, and a hold that nothing sums stays out of the sums', async () => {
    const { client } = fixture.redis;
    expect(await age(5)).toEqual(['gone']);
    await client.hset('calc', { state: 'sold' });
    await client.pexpire('calc', 50_000);
    expect(await age(10_000, 60_000)).toEqual(['aged', 0, 0]);
    expect(await client.hgetall('calc')).toEqual({ state: 'sold', aged: '10000' });
    expect(isAbout(await client.pttl('calc'), 40_000)).toBe(true);
    await client.hset('hold', 'id', `${scripts.nowMs + 50_000} a=1/1`);
    await age(1_000);
    expect(await client.exists('holds-due')).toBe(0);
    await age(60_000);
    expect(await client.exists('calc')).toBe(0);
  });
});

describe('the events', () => {
  test('are removed when the retention is over, by the clock of Redis', async () => {
    const { client } = fixture.redis;
    const append = (retentionMs: number, atMs: number | '' = '') =>
      run('append-event', ['events'], ['{"a":1}', retentionMs, atMs]);
    await client.xadd('events', 1, 'old', '1');
    await append(Number.MAX_SAFE_INTEGER);
    const [old, [id, [field, text]]] = (await client.xrange('events', '-', '+')) as [unknown, [string, string[]]];
    expect([old, isIn(id.split('-')[0], 0), field]).toEqual([['1-0', ['old', '1']], true, 'event']);
    const { at, ...event } = JSON.parse(text!);
    expect([event, isIn(Date.parse(at), 0)]).toEqual([{ a: 1 }, true]);
    // Redis removes whole nodes of a stream, of a hundred entries each.
    await client.del('events');
    for (let entry = 1; entry < 250; entry += 1) await client.xadd('events', entry, 'old', '1');
    await append(1_000_000);
    expect(await client.xlen('events')).toBeLessThan(150);
    // What is booked later says when that was.
    for (const instant of [
      '1969-12-31T23:59:59.999Z',
      '2000-02-29T00:00:00.000Z',
      '2026-12-31T23:59:59.001Z',
      '2100-03-01T12:34:56.789Z',
    ]) {
      await append(1_000_000, Date.parse(instant));
      const [[, words]] = (await client.xrevrange('events', '+', '-', 'COUNT', 1)) as [[string, string[]]];
      expect(JSON.parse(words[1]!)).toEqual({ a: 1, at: instant });
    }
  });
});

describe('the sums of costs', () => {
  const until = Date.UTC(2100, 0, 1);

  test('count a report once, in up to so many rows a day, and others in a row that is for all', async () => {
    const { client } = fixture.redis;
    const add = (report: number, ...rest: (string | number)[]) =>
      run('add-cost-rows', ['rows'], ['p', report, until, 2, 2, ...rest]);
    expect([await add(1, 'a', '*', 1, 2), await add(1, 'a', '*', 1, 2)]).toEqual([1, 0]);
    expect(await add(2, 'a', '*', 10, 20, 'b', '*', 3, 4, 'c', '*', 5, 6)).toBe(1);
    expect(await add(3, 'd', '*', 1, 1, 'b', '*', 1, 1)).toBe(1);
    expect(await client.hgetall('rows')).toEqual({ p: '3', '!!rows': '3', a: '11 22', b: '4 5', '*': '6 7' });
    expect(await client.call('PEXPIRETIME', 'rows')).toBe(until);
  });
});
