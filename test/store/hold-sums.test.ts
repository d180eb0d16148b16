/** Holds of a member with many of them: the sums beside them, whoever writes, ends and reads. */
import { expect, test } from 'vitest';
import { expireScript, releaseSupersededScript } from '../../src/store/scripts/calculations.ts';
import { endCommonScript, holdCommonScript, readCommonScript } from '../../src/store/scripts/common-limits.ts';
import { readCountersScript, readMemberScript } from '../../src/store/scripts/members.ts';
import { settleScript } from '../../src/store/scripts/sales.ts';
import { ANSWER, CALC, FAR_MS, HOLD, HOLD_MS, OLDER, shortage, USE, useCommits } from './commit-stage.ts';
import { ANNA, useFixture } from './fixture.ts';
import { useScripts } from './script-stage.ts';

const fixture = useFixture();
const scripts = useScripts(fixture);
const { call } = scripts;
const commits = useCommits(fixture);
const [HELD, DUE, MEMBER] = ['held', 'holdsDue', 'member'] as const;

/** Commits a calculation that holds `uses`; its word, or what is left. */
const commit = async (calculationId: string, uses: string, supersededHere = '') => {
  await fixture.redis.client.del(CALC, ANSWER);
  const reply = await commits.commit({ calculationId, uses, supersededHere });
  return reply.outcome === 'shortage' ? reply : reply.outcome;
};
const release = (calculationId: string) =>
  call(releaseSupersededScript, { calculationId, successorId: 'next', venueId: 'oslo', retentionMs: 60_000 });

/** Holds that stand there without sums. */
const put = (from: number, to: number, deadline = FAR_MS, uses = 'a=1/1000') =>
  fixture.redis.client.hset(
    HOLD,
    Object.fromEntries(Array.from({ length: to - from }, (_, at) => [`h${from + at}`, `${deadline} ${uses}`])),
  );

const sums = () => fixture.redis.client.hgetall(HELD);
const dueCount = () => fixture.redis.client.zcard(DUE);
const members = async (...wanted: string[]) => {
  const { uses, holds, held, form } = await call(readMemberScript, { withUses: true, wanted });
  return [...[uses, holds, held].map((fields) => Object.fromEntries(fields)), form];
};

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
  expect(await release('y')).toEqual({ holdsReleased: 1, isCommitted: true, common: '' });
  expect([await sums(), await dueCount()]).toEqual([{ a: '33', b: '2' }, 34]);
  expect((await release('nobody')).holdsReleased).toBe(0);
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
  await commits.commit({ calculationId: 'y', uses: 'b=1/9' });
  expect([await sums(), await dueCount()]).toEqual([{ a: '40', b: '1' }, 41]);
});

test('a limit counts the sums, without holds that have ended', async () => {
  await put(0, 40);
  expect(await commit('w', 'a=1/40')).toEqual(shortage({ a: 0 }));
  expect(await commit('x', 'a=1/41')).toBe('committed');
  expect(await commit('y', 'a=1/41')).toEqual(shortage({ a: 0 }));
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
  const unasked = await call(readMemberScript, { withUses: false, wanted: [] });
  expect(unasked).toMatchObject({ fields: new Map([['status', 'active']]), uses: new Map(), form: 0 });
  await put(0, 2);
  const few = { h0: `${FAR_MS} a=1/1000`, h1: `${FAR_MS} a=1/1000` };
  expect(await members('h0')).toEqual([{ a: '1' }, few, {}, 0]);
  await put(2, 33);
  expect(await members('h0', 'none', 'h1')).toEqual([{ a: '1' }, few, { a: '33' }, 1]);
  expect(await members()).toEqual([{ a: '1' }, {}, { a: '33' }, 1]);
  // With sums beside the holds, of which one has ended.
  await commit('x', 'a=1/1000');
  await client.hset(HOLD, 'h0', `${scripts.nowMs - 1} a=1/1000`);
  await client.zadd(DUE, scripts.nowMs - 1, 'h0');
  expect(await members()).toEqual([{ a: '1' }, {}, { a: '33' }, 1]);
});

test('more than 128 counters are left to be asked for', async () => {
  const { client } = fixture.redis;
  const counters = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`u${at}`, at]));
  await client.hset(USE, counters(128));
  await put(0, 1);
  const holds = { h0: `${FAR_MS} a=1/1000` };
  expect((await members()).slice(1)).toEqual([holds, {}, 0]);
  await client.hset(USE, counters(129));
  expect(await members()).toEqual([{}, holds, {}, 3]);
  await put(1, 40);
  expect(await members('h0')).toEqual([{}, holds, {}, 2]);
  await client.del(USE);
  expect((await members('h0')).at(-1)).toBe(1);
  await commit('x', 'a=1/1000');
  await client.hset(HELD, counters(127));
  expect((await members('h0')).at(-1)).toBe(1);
  await client.hset(HELD, counters(128));
  expect((await members('h0')).at(-1)).toBe(2);
});

test('counters are read by name, with what is held of each', async () => {
  const { client } = fixture.redis;
  const read = async (...usageKeys: string[]) => {
    const { consumed, held } = await call(readCountersScript, { usageKeys });
    return [consumed, held];
  };
  await client.hset(USE, { a: 3 });
  await put(0, 2);
  expect(await read('a', 'b')).toEqual([[3, undefined], []]);
  await put(2, 40);
  expect(await read('b', 'a')).toEqual([
    [undefined, 3],
    [undefined, 40],
  ]);
  await commit('x', 'a=2/1000');
  expect(await read('b', 'a')).toEqual([
    [undefined, 3],
    [undefined, 42],
  ]);
  // So many sums that they are asked for one by one, while no hold has ended.
  await client.hset(HELD, Object.fromEntries(Array.from({ length: 130 }, (_, at) => [`u${at}`, at])));
  expect(await read('u7', 'a', 'b')).toEqual([
    [undefined, 3, undefined],
    [7, 42, undefined],
  ]);
  await client.hset(HOLD, 'h0', `${scripts.nowMs - 1} a=1/1000`);
  await client.zadd(DUE, scripts.nowMs - 1, 'h0');
  expect(await read('u7', 'a')).toEqual([
    [undefined, 3],
    [7, 41],
  ]);
});

test('the sums of a counter over all members follow holds that come again, end and are sold', async () => {
  const { client } = fixture.redis;
  const hold = (calculationId: string, units: number) =>
    call(holdCommonScript, {
      ...{ calculationId, member: ANNA, usageKey: 'a', units, limit: 1000, supersedes: undefined },
      ...{ callOverMs: 5_000, holdMs: HOLD_MS },
    });
  const end = (calculationId: string, ending: 'consume' | 'release') =>
    call(endCommonScript, { calculationId, member: ANNA, use: 'a=1/1', ending, retentionMs: 60_000 });
  const read = (usageKey: string, ...wanted: string[]) => call(readCommonScript, { usageKey, wanted });
  await put(0, 40);
  await put(40, 41, FAR_MS, 'b=5/1000');
  await hold('x', 2);
  await hold('y', 1);
  expect([await sums(), await dueCount()]).toEqual([{ a: '43', b: '5' }, 43]);
  await hold('x', 3);
  expect([await sums(), await dueCount()]).toEqual([{ a: '44', b: '5' }, 43]);
  expect(await read('a', 'x', 'h0')).toMatchObject({ consumed: 0, held: 40, own: 4 });
  expect(await read('b')).toMatchObject({ consumed: 0, held: 5, own: 0 });
  await end('x', 'release');
  expect([await sums(), await dueCount()]).toEqual([{ a: '41', b: '5' }, 42]);
  await end('y', 'consume');
  expect([await sums(), await dueCount()]).toEqual([{ a: '40', b: '5' }, 41]);
  // A sale without a hold counts what others hold, without the holds that have ended.
  await client.hset(HOLD, 'h0', `${scripts.nowMs - 1} a=1/1000`);
  await client.zadd(DUE, scripts.nowMs - 1, 'h0');
  expect(await end('z', 'consume')).toBe(40);
  expect([await sums(), await dueCount()]).toEqual([{ a: '39', b: '5' }, 40]);
});

test('the sums follow a calculation that ends unsold, and one that is sold', async () => {
  const { client } = fixture.redis;
  await put(0, 40);
  await commit('x', 'a=2/1000');
  await client.hset(CALC, { deadline: scripts.nowMs - 1, at: 7 });
  await call(expireScript, { calculationId: 'x', appendedMs: 5_000, event: '', retentionMs: 60_000, answeredRead: 7 });
  expect([await sums(), await dueCount()]).toEqual([{ a: '40' }, 40]);
  const settle = async (calculationId: string) => {
    const at = await client.hget(CALC, 'at');
    return call(settleScript, {
      ...{ calculationId, outcome: '["applied"]', consumes: true, deadlineMs: FAR_MS, event: '' },
      ...{ retentionMs: 60_000, keptMs: 60_000, answeredRead: at ? Number(at) : undefined, saleRead: undefined },
    });
  };
  await commit('y', 'a=3/1000');
  await settle('y');
  expect([await sums(), await dueCount()]).toEqual([{ a: '40' }, 40]);
  // A late sale counts what others hold, and writes nothing under the answer.
  await client.del(CALC, ANSWER, HELD, DUE);
  await client.hset(CALC, { state: 'superseded', fp: 'x', deadline: FAR_MS, holds: 'a=1/4', status: 'applied' });
  expect(await settle('z')).toMatchObject({ outcome: 'recorded', isLate: true, overRedeemed: 40 });
  expect(await client.exists(ANSWER)).toBe(0);
  expect([await sums(), await dueCount()]).toEqual([{ a: '40' }, 40]);
});
