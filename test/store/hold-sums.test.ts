/** Holds of a member with many of them: the sums beside them, whoever writes, ends and reads. */
import { expect, test } from 'vitest';
import { useFixture } from './fixture.ts';
import { useScripts } from './script-stage.ts';

const fixture = useFixture();
const scripts = useScripts(fixture);
const { run } = scripts;
const VOUCHERS = 'vouchers';
const [CALC, ANSWER, HOLD, USE, OLDER, HELD, DUE, MEMBER] = [
  'calc',
  'answer',
  'hold',
  'use',
  'older',
  'held',
  'due',
  'member',
] as const;
const FAR_MS = Date.UTC(2100, 0, 1);
const HOLD_MS = 30_000;

/** Commits a calculation that holds `uses`. */
const commit = async (id: string, uses: string, superseded = '') => {
  await fixture.redis.client.del(CALC, ANSWER);
  const [outcome, ...rest] = await run(
    'commit-calculation',
    [CALC, ANSWER, HOLD, USE, OLDER, HELD, DUE, 'no-index', 'no-due'],
    [
      ...[id, 'print', FAR_MS, HOLD_MS, 60_000, 60_000, 'bytes', 'oslo', uses, superseded, '', '', '', 'applied'],
      ...['', '', '', '', '', '', 0, 'anna', 'claimed', 0, 0],
    ],
  );
  return outcome === 'shortage' ? [outcome, ...rest] : outcome;
};
const release = (id: string) => run('release-superseded', [CALC, HOLD, HELD, DUE], [id, 'next', 'oslo', 60_000]);

/** Holds that stand there without sums. */
const put = (from: number, to: number, deadline = FAR_MS, uses = 'a=1/1000') =>
  fixture.redis.client.hset(
    HOLD,
    Object.fromEntries(Array.from({ length: to - from }, (_, at) => [`h${from + at}`, `${deadline} ${uses}`])),
  );

const sums = () => fixture.redis.client.hgetall(HELD);
const dueCount = () => fixture.redis.client.zcard(DUE);
const members = async (withUses = 1, ...ids: string[]) =>
  (await run('read-member', [MEMBER, USE, HOLD, HELD, DUE], [withUses, ...ids])).slice(1);

test('up to 32 holds have no sums; the one after has, with those of all', async () => {
  await put(0, 31);
  await commit('x', 'a=1/1000 b=2/1000');
  expect([await sums(), await dueCount()]).toEqual([{}, 0]);
  await commit('y', 'b=3/1000');
  expect([await sums(), await dueCount()]).toEqual([{ a: '32', b: '5' }, 33]);
  const ends = (await fixture.redis.client.hget(HOLD, 'y'))!.split(' ')[0];
  expect(await fixture.redis.client.zscore(DUE, 'y')).toBe(ends);
});

test('sums follow each hold that is made and released, and go when few are left', async () => {
  await put(0, 33);
  await commit('x', 'b=2/1000');
  await commit('y', 'b=3/1000 c=1/1000');
  expect([await sums(), await dueCount()]).toEqual([{ a: '33', b: '5', c: '1' }, 35]);
  expect(await release('y')).toEqual([1, 1, '']);
  expect([await sums(), await dueCount()]).toEqual([{ a: '33', b: '2' }, 34]);
  expect(await release('nobody')).toEqual([0, 1, '']);
  await fixture.redis.client.del(CALC);
  await release('h0');
  expect([await sums(), await dueCount()]).toEqual([{ a: '32', b: '2' }, 33]);
  await fixture.redis.client.del(CALC);
  await release('h1');
  expect(await fixture.redis.client.exists(HELD, DUE)).toBe(0);
  expect(await fixture.redis.client.hlen(HOLD)).toBe(32);
});

test('sums and list end with the holds, and live longer with a hold that does', async () => {
  const { client } = fixture.redis;
  await put(0, 33);
  await client.pexpire(HOLD, 5_000);
  await commit('x', 'a=1/1000');
  const lives = async () =>
    (await Promise.all([client.pttl(HOLD), client.pttl(HELD), client.pttl(DUE)])).map(
      (ms) => ms > 20_000 && ms <= HOLD_MS,
    );
  expect(await lives()).toEqual([true, true, true]);
  await Promise.all([HOLD, HELD, DUE].map((key) => client.pexpire(key, 5_000)));
  await commit('y', 'a=1/1000');
  expect(await lives()).toEqual([true, true, true]);
});

test('a commit that ends another calculation, or that comes again, leaves the sums right', async () => {
  const { client } = fixture.redis;
  await put(0, 40);
  await commit('x', 'a=2/1000');
  await client.hset(OLDER, { state: 'open', venue: 'oslo', fp: 'x' });
  await commit('y', 'a=1/1000', 'x');
  expect([await sums(), await dueCount(), await client.hexists(HOLD, 'x')]).toEqual([{ a: '41' }, 41, 0]);
  // The answer has expired, and its record is still there.
  await client.del(ANSWER);
  const args = ['y', 'print', FAR_MS, HOLD_MS, 60_000, 60_000, 'bytes', 'oslo', 'b=1/9', '', '', '', '', 'applied'];
  const keys = [CALC, ANSWER, HOLD, USE, OLDER, HELD, DUE, 'no-index', 'no-due'];
  await run('commit-calculation', keys, [...args, '', '', '', '', '', '', 0, 'anna', 'claimed', 0, 0]);
  expect([await sums(), await dueCount()]).toEqual([{ a: '40', b: '1' }, 41]);
});

test('a limit counts the sums, without holds that have ended', async () => {
  await put(0, 40);
  expect(await commit('w', 'a=1/40')).toEqual(['shortage', 'a', 0]);
  expect(await commit('x', 'a=1/41')).toBe('committed');
  expect(await commit('y', 'a=1/41')).toEqual(['shortage', 'a', 0]);
  await fixture.redis.client.hset(HOLD, 'h0', `${scripts.nowMs - 1} a=1/1000`);
  await fixture.redis.client.zadd(DUE, scripts.nowMs - 1, 'h0');
  expect(await commit('y', 'a=1/41')).toBe('committed');
  expect([await sums(), await dueCount(), await fixture.redis.client.hexists(HOLD, 'h0')]).toEqual([
    { a: '41' },
    41,
    0,
  ]);
});

test('where a hold is there without its sums, or the sums without it, they are counted anew', async () => {
  const { client } = fixture.redis;
  await put(0, 40);
  await commit('x', 'a=1/1000');
  await put(40, 42);
  await client.hset(HOLD, 'ended', `${scripts.nowMs - 1} a=9/9`);
  expect(await commit('y', 'a=1/44')).toBe('committed');
  expect([await sums(), await dueCount(), await client.hexists(HOLD, 'ended')]).toEqual([{ a: '44' }, 44, 0]);
  await client.hdel(HOLD, 'h0');
  await release('h0');
  expect(await client.exists(HELD, DUE)).toBe(0);
  await commit('z', 'b=1/1');
  expect([await sums(), await dueCount()]).toEqual([{ a: '43', b: '1' }, 44]);
});

test('a member is read with all of few holds, and with sums and the wanted ones of many', async () => {
  const { client } = fixture.redis;
  await client.hset(MEMBER, { status: 'active' });
  await client.hset(USE, { a: 1 });
  expect(await members(0)).toEqual([['status', 'active'], [], [], [], 0]);
  await put(0, 2);
  const few = ['h0', `${FAR_MS} a=1/1000`, 'h1', `${FAR_MS} a=1/1000`];
  expect(await members(1, 'h0')).toEqual([['status', 'active'], ['a', '1'], few, [], 0]);
  await put(2, 33);
  expect(await members(1, 'h0', 'none', 'h1')).toEqual([['status', 'active'], ['a', '1'], few, ['a', '33'], 1]);
  expect(await members(1)).toEqual([['status', 'active'], ['a', '1'], [], ['a', '33'], 1]);
  // With sums beside the holds, of which one has ended.
  await commit('x', 'a=1/1000');
  await client.hset(HOLD, 'h0', `${scripts.nowMs - 1} a=1/1000`);
  await client.zadd(DUE, scripts.nowMs - 1, 'h0');
  expect(await members(1)).toEqual([['status', 'active'], ['a', '1'], [], ['a', '33'], 1]);
});

test('more than 128 counters are left to be asked for', async () => {
  const { client } = fixture.redis;
  const counters = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`u${at}`, at]));
  await client.hset(USE, counters(128));
  await put(0, 1);
  const holds = ['h0', `${FAR_MS} a=1/1000`];
  expect((await members()).slice(2)).toEqual([holds, [], 0]);
  await client.hset(USE, counters(129));
  expect(await members()).toEqual([[], [], holds, [], 3]);
  await put(1, 40);
  expect(await members(1, 'h0')).toEqual([[], [], holds, [], 2]);
  await client.del(USE);
  expect((await members(1, 'h0')).at(-1)).toBe(1);
  await commit('x', 'a=1/1000');
  await client.hset(HELD, counters(127));
  expect((await members(1, 'h0')).at(-1)).toBe(1);
  await client.hset(HELD, counters(128));
  expect((await members(1, 'h0')).at(-1)).toBe(2);
});

test('counters are read by name, with what is held of each', async () => {
  const { client } = fixture.redis;
  const read = (...names: string[]) => run('read-counters', [USE, HOLD, HELD, DUE], names);
  await client.hset(USE, { a: 3 });
  await put(0, 2);
  expect(await read('a', 'b')).toEqual([['3', null], []]);
  await put(2, 40);
  expect(await read('b', 'a')).toEqual([
    [null, '3'],
    [null, '40'],
  ]);
  await commit('x', 'a=2/1000');
  expect(await read('b', 'a')).toEqual([
    [null, '3'],
    [null, '42'],
  ]);
  // So many sums that they are asked for one by one, while no hold has ended.
  await client.hset(HELD, Object.fromEntries(Array.from({ length: 130 }, (_, at) => [`u${at}`, at])));
  expect(await read('u7', 'a', 'b')).toEqual([
    [null, '3', null],
    ['7', '42', null],
  ]);
  await client.hset(HOLD, 'h0', `${scripts.nowMs - 1} a=1/1000`);
  await client.zadd(DUE, scripts.nowMs - 1, 'h0');
  expect(await read('u7', 'a')).toEqual([
    [null, '3'],
    ['7', '41'],
  ]);
});

test('the sums of a counter over all members follow holds that come again, end and are sold', async () => {
  const { client } = fixture.redis;
  const hold = (id: string, units: number) =>
    run('hold-common', [USE, HOLD, HELD, DUE, 'open', 'settled'], [id, 'anna', 'a', units, 1000, '', 5_000, HOLD_MS]);
  const end = (id: string, how: string) =>
    run('end-common', [USE, HOLD, HELD, DUE, 'open', 'settled'], [id, 'anna', 'a=1/1', how, 60_000]);
  await put(0, 40);
  await put(40, 41, FAR_MS, 'b=5/1000');
  await hold('x', 2);
  await hold('y', 1);
  expect([await sums(), await dueCount()]).toEqual([{ a: '43', b: '5' }, 43]);
  await hold('x', 3);
  expect([await sums(), await dueCount()]).toEqual([{ a: '44', b: '5' }, 43]);
  expect((await run('read-common', [USE, HOLD, HELD, DUE, 'open'], ['a', 'x', 'h0'])).slice(0, 4)).toEqual([
    0, 0, 40, 4,
  ]);
  expect((await run('read-common', [USE, HOLD, HELD, DUE, 'open'], ['b'])).slice(0, 4)).toEqual([0, 0, 5, 0]);
  await end('x', 'release');
  expect([await sums(), await dueCount()]).toEqual([{ a: '41', b: '5' }, 42]);
  await end('y', 'consume');
  expect([await sums(), await dueCount()]).toEqual([{ a: '40', b: '5' }, 41]);
  // A sale without a hold counts what others hold, without the holds that have ended.
  await client.hset(HOLD, 'h0', `${scripts.nowMs - 1} a=1/1000`);
  await client.zadd(DUE, scripts.nowMs - 1, 'h0');
  expect(await end('z', 'consume')).toEqual([0, 40]);
  expect([await sums(), await dueCount()]).toEqual([{ a: '39', b: '5' }, 40]);
});

test('the sums follow a calculation that ends unsold, and one that is sold', async () => {
  const { client } = fixture.redis;
  await put(0, 40);
  await commit('x', 'a=2/1000');
  await client.hset(CALC, { deadline: scripts.nowMs - 1 });
  await client.hset(CALC, { at: 7 });
  await run('expire-calculation', [CALC, HOLD, HELD, DUE, 'events'], ['x', 5_000, '', 60_000, 7]);
  expect([await sums(), await dueCount()]).toEqual([{ a: '40' }, 40]);
  await commit('y', 'a=3/1000');
  await run(
    'settle-sale',
    [CALC, HOLD, USE, ANSWER, HELD, DUE, VOUCHERS, 'events'],
    ['y', '["applied"]', 1, FAR_MS, 60_000, 60_000, '', (await client.hget(CALC, 'at'))!, ''],
  );
  expect([await sums(), await dueCount()]).toEqual([{ a: '40' }, 40]);
  // A late sale counts what others hold, and writes nothing under the answer.
  await client.del(CALC, ANSWER, HELD, DUE);
  await client.hset(CALC, { state: 'superseded', fp: 'x', deadline: FAR_MS, holds: 'a=1/4', status: 'applied' });
  const late = await run(
    'settle-sale',
    [CALC, HOLD, USE, ANSWER, HELD, DUE, VOUCHERS, 'events'],
    ['z', '["applied"]', 1, FAR_MS, 60_000, 60_000, '', '', ''],
  );
  expect(late.slice(0, 3)).toEqual(['recorded', 1, 40]);
  expect(await client.exists(ANSWER)).toBe(0);
  expect([await sums(), await dueCount()]).toEqual([{ a: '40' }, 40]);
});
