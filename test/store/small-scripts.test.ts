/** The short scripts, each by what it promises: notes, clocks and ages. */
import { describe, expect, test } from 'vitest';
import { forgetDueScript, listDueScript, noteDueScript } from '../../src/store/scripts/calculations.ts';
import { addCostRowsScript, appendEventScript, readClockScript } from '../../src/store/scripts/environment.ts';
import { ageIndexScript } from '../../src/store/scripts/index-entries.ts';
import { moveClockScript } from '../../src/store/scripts/members.ts';
import { ageCalculationScript } from '../../src/store/scripts/owned-keys.ts';
import { ANNA, BERIT, useFixture } from './fixture.ts';
import { useScripts } from './script-stage.ts';

const fixture = useFixture();
const scripts = useScripts(fixture);
const { call, zadd, isIn, isAbout } = scripts;
const [INDEX, DUE, MEMBER] = ['index', 'due', 'member'] as const;

describe('the list of what is due', () => {
  const note = (lookMs: number, callOverMs: number | undefined, ...calculationIds: string[]) =>
    call(noteDueScript, { lookMs, callOverMs, calculationIds });

  test('has calculations with the instant at which each is looked at', async () => {
    const { client } = fixture.redis;
    await note(5_000, 1_000, 'a', 'b');
    expect(await client.zrange(DUE, '0', '-1')).toEqual(['a', 'b']);
    expect(isIn(await client.zscore(DUE, 'b'), 5_000)).toBe(true);
    await note(50_000, undefined, 'b', 'c');
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
    await note(50_000, 5_000, 'past', 'now', 'soon', 'far', 'new');
    expect(await at('soon')).toBe(20_000);
    for (const id of ['past', 'now']) expect(isIn(await client.zscore(DUE, id), 5_000)).toBe(true);
    for (const id of ['far', 'new']) expect(isIn(await client.zscore(DUE, id), 50_000)).toBe(true);
    await note(5_000, 5_000, 'soon');
    expect(isIn(await client.zscore(DUE, 'soon'), 5_000)).toBe(true);
  });

  test('is rid of what was looked at, unless it was noted again', async () => {
    const { client } = fixture.redis;
    await zadd(DUE, { over: scripts.nowMs - 1, again: scripts.nowMs + 60_000 });
    for (const calculationId of ['over', 'again', 'unknown']) await call(forgetDueScript, { calculationId });
    expect(await client.zrange(DUE, '0', '-1')).toEqual(['again']);
  });

  test('is given the earliest first, and only what is due', async () => {
    await zadd(DUE, { b: scripts.nowMs - 1, a: scripts.nowMs - 2, z: scripts.nowMs - 3, c: scripts.nowMs + 60_000 });
    expect(await call(listDueScript, { most: 10 })).toEqual(['z', 'a', 'b']);
    expect(await call(listDueScript, { most: 2 })).toEqual(['z', 'a']);
  });
});

describe('clocks and ages', () => {
  test('the clock of a member is moved for a while, and set right', async () => {
    const { client } = fixture.redis;
    const move = (movedMs: number) => call(moveClockScript, { movedMs, lastsMs: 5_000 });
    await move(-7);
    const [by, until] = (await client.hget(MEMBER, 'clock'))!.split(' ');
    expect([by, isIn(until, 5_000)]).toEqual(['-7', true]);
    await move(0);
    expect(await client.exists(MEMBER)).toBe(0);
  });

  test('the clock of Redis is read', async () => {
    expect(isIn(await call(readClockScript, {}), 0)).toBe(true);
  });

  test('an index entry ends sooner, but leaves what an open calculation needs', async () => {
    const { client } = fixture.redis;
    /** Returns what is left. */
    const age = async (byMs: number, leastMs: number, member = ANNA) => {
      await call(ageIndexScript, { member, byMs, leastMs });
      return client.pttl(INDEX);
    };
    expect(await age(5, 0)).toBe(-2);
    await client.set(INDEX, `${ANNA} print 5 -`);
    expect(await age(5, 0)).toBe(-1);
    await client.pexpire(INDEX, 50_000);
    expect(isAbout(await age(20_000, 10_000, BERIT), 50_000)).toBe(true);
    expect(isAbout(await age(20_000, 10_000), 30_000)).toBe(true);
    expect(isAbout(await age(25_000, 10_000), 10_000)).toBe(true);
    // A time that is shorter than that stays as it is.
    expect(isAbout(await age(1_000, 20_000), 10_000)).toBe(true);
    expect(await age(20_000, 0)).toBe(-2);
  });

  const age = (byMs: number, leastMs = 0) =>
    call(ageCalculationScript, { calculationId: 'id', byMs, leastMs }, { others: ['returns'] });
  const open = (holdEnded: boolean, answerEnded: boolean, leftMs: unknown) => ({
    outcome: 'open',
    holdEnded,
    answerEnded,
    leftMs,
  });

  test('a calculation becomes older with its answer, its record and its hold', async () => {
    const { client } = fixture.redis;
    await client.hset('calculation', { state: 'open', deadline: scripts.nowMs + 50_000, aged: 1 });
    await client.pexpire('calculation', 90_000);
    await client.set('answer', 'bytes', 'PX', 70_000);
    await client.hset('returns', { n: '1' });
    await client.pexpire('returns', 90_000);
    await client.hset('hold', { id: `${scripts.nowMs + 50_000} a=1/1`, other: `${scripts.nowMs + 50_000} a=1/1` });
    await client.zadd('holdsDue', scripts.nowMs + 50_000, 'id');
    const aged = await age(10_000, 60_000);
    expect(aged).toEqual(open(false, false, expect.any(Number)));
    expect(aged.outcome === 'open' && isAbout(aged.leftMs, 40_000)).toBe(true);
    expect(await client.hgetall('calculation')).toEqual({
      state: 'open',
      deadline: `${scripts.nowMs + 40_000}`,
      aged: '10001',
    });
    expect(await client.hgetall('hold')).toEqual({
      ...{ id: `${scripts.nowMs + 40_000} a=1/1`, other: `${scripts.nowMs + 50_000} a=1/1` },
    });
    expect(await client.zscore('holdsDue', 'id')).toBe(`${scripts.nowMs + 40_000}`);
    expect(isAbout(await client.pttl('calculation'), 80_000)).toBe(true);
    expect(isAbout(await client.pttl('answer'), 60_000)).toBe(true);
    expect(isAbout(await client.pttl('returns'), 80_000)).toBe(true);
    expect(await age(40_000, 60_000)).toEqual(open(true, false, 0));
    expect(isAbout(await client.pttl('calculation'), 60_000)).toBe(true);
    expect(await age(40_000, 60_000)).toEqual(open(false, true, 0));
    expect(await client.exists('answer')).toBe(0);
  });

  test('a sold calculation becomes older without a hold, and a hold that nothing sums stays out of the sums', async () => {
    const { client } = fixture.redis;
    expect(await age(5)).toEqual({ outcome: 'gone' });
    await client.hset('calculation', { state: 'sold' });
    await client.pexpire('calculation', 50_000);
    expect(await age(10_000, 60_000)).toEqual({ outcome: 'aged', holdEnded: false, answerEnded: false });
    expect(await client.hgetall('calculation')).toEqual({ state: 'sold', aged: '10000' });
    expect(isAbout(await client.pttl('calculation'), 40_000)).toBe(true);
    await client.hset('hold', 'id', `${scripts.nowMs + 50_000} a=1/1`);
    await age(1_000);
    expect(await client.exists('holdsDue')).toBe(0);
    await age(60_000);
    expect(await client.exists('calculation')).toBe(0);
  });
});

describe('the events', () => {
  test('are removed when the retention is over, by the clock of Redis', async () => {
    const { client } = fixture.redis;
    const append = (retentionMs: number, atMs?: number) =>
      call(appendEventScript, { event: '{"a":1}', retentionMs, atMs });
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
    const add = (report: number, ...rows: (string | number)[]) =>
      call(addCostRowsScript, { process: 'p', report, forgottenMs: until, mostRows: 2, figures: 2, rows });
    expect([await add(1, 'a', '*', 1, 2), await add(1, 'a', '*', 1, 2)]).toEqual([true, false]);
    expect(await add(2, 'a', '*', 10, 20, 'b', '*', 3, 4, 'c', '*', 5, 6)).toBe(true);
    expect(await add(3, 'd', '*', 1, 1, 'b', '*', 1, 1)).toBe(true);
    expect(await client.hgetall('costRows')).toEqual({ p: '3', '!!rows': '3', a: '11 22', b: '4 5', '*': '6 7' });
    expect(await client.call('PEXPIRETIME', 'costRows')).toBe(until);
  });
});

test('an error of a script says which one it is of, and quotes the line', async () => {
  const { client } = fixture.redis;
  await client.set(DUE, 'no list');
  const forget = () => call(forgetDueScript, { calculationId: 'id' });
  const quoted = /^WRONGTYPE .* \[forget-due: .*redis\.call\('Z.*\]$/;
  await client.script('FLUSH');
  // Sent whole, and by its hash.
  await expect(forget()).rejects.toThrow(quoted);
  await expect(forget()).rejects.toThrow(quoted);
});
