/** The commit of a calculation, by what the header of its script promises: what it decides, and what is in Redis after it. */
import { describe, expect, test } from 'vitest';
import { BreakerOpen } from '../../src/redis/failure.ts';
import { runScript } from '../../src/store/scripts.ts';
import { until } from '../support/wait.ts';
import { useFixture } from './fixture.ts';
import { plain } from './plain.ts';
import { useScripts } from './script-stage.ts';

const fixture = useFixture();
const scripts = useScripts(fixture);
const { isIn, isAbout } = scripts;
const [CALC, ANSWER, HOLD, USE, OLDER, HELD] = ['calc', 'answer', 'hold', 'use', 'older', 'held'] as const;
const [HOLDS_DUE, INDEX, DUE] = ['holds-due', 'index', 'due'] as const;
const FAR_MS = Date.UTC(2100, 0, 1);
const [HOLD_MS, ANSWER_MS, RETENTION_MS] = [30_000, 60_000, 90_000];
const [LOOK_MS, OVER_MS] = [30_000, 5_000];

/** The script's arguments by name; a test names those that it is about. */
const USUAL = {
  ...{ id: 'new', print: 'print', deadline: FAR_MS, holdMs: HOLD_MS, answerMs: ANSWER_MS, retentionMs: RETENTION_MS },
  ...{ answer: 'bytes', venue: 'oslo', uses: '', superseded: '', pending: '', sale: '', successor: '' },
  ...{ status: 'applied', total: '', kept: '', tier: '', share: '', reason: '', common: '', lent: 0 },
  ...{ member: 'anna', entry: 'claimed', look: LOOK_MS, over: OVER_MS, given: '' },
};
type Arguments = typeof USUAL;

const commit = async (more: Partial<Arguments> = {}, { older = OLDER as string } = {}) => {
  const { given, ...named } = { ...USUAL, ...more };
  const args = [...Object.values(named), ...(given === '' ? [] : given.split(' '))];
  const keys = [CALC, ANSWER, HOLD, USE, older, HELD, HOLDS_DUE, INDEX, DUE];
  // While the breaker is open, because Redis was silent for a moment on a busy machine, nothing is sent.
  return until('the script to be sent', () =>
    runScript(fixture.store.connection, 'commit-calculation', keys, args).then(plain, (error: unknown) => {
      if (!(error instanceof BreakerOpen)) throw error;
      return undefined;
    }),
  );
};
const record = () => fixture.redis.client.hgetall(CALC);
const committed = (more: Partial<Record<number, unknown>> = {}) =>
  Object.values({ ...['committed', 0, 0, '', '', 0], ...more });

describe('a first commit', () => {
  test('stores the answer and all that is known of the calculation', async () => {
    const { client } = fixture.redis;
    const kept = 'k'.repeat(129);
    const facts = { total: '100', tier: 'gold', share: 's', reason: 'why', kept, given: 'a b' };
    expect(await commit(facts)).toEqual(committed());
    const { at, deadline, ...rest } = await record();
    expect([isIn(at, 0), isIn(deadline, HOLD_MS)]).toEqual([true, true]);
    expect(rest).toEqual({
      ...{ fp: 'print', venue: 'oslo', status: 'applied', total: '100', tier: 'gold', share: 's', reason: 'why' },
      ...{ g0: 'a', g1: 'b', b0: kept.slice(0, 64), b1: kept.slice(64, 128), b2: 'k', state: 'open' },
    });
    expect(await client.get(ANSWER)).toBe('bytes');
    expect(isAbout(await client.pttl(ANSWER), ANSWER_MS)).toBe(true);
    expect(isAbout(await client.pttl(CALC), RETENTION_MS)).toBe(true);
  });

  test('stores nothing that is not there', async () => {
    await commit();
    expect(Object.keys(await record()).sort()).toEqual(['at', 'deadline', 'fp', 'state', 'status', 'venue']);
  });

  test('stores each fact by itself', async () => {
    await commit({ share: 's' });
    expect(await record()).toMatchObject({ share: 's' });
    expect(Object.keys(await record())).toHaveLength(7);
  });

  test('takes its hold', async () => {
    const { client } = fixture.redis;
    expect(await commit({ uses: 'a=2/3 b=1/1' })).toEqual(committed({ 1: 1 }));
    const { deadline, holds } = await record();
    expect(holds).toBe('a=2/3 b=1/1');
    expect(await client.hgetall(HOLD)).toEqual({ new: `${deadline} a=2/3 b=1/1` });
    expect(isAbout(await client.pttl(HOLD), HOLD_MS)).toBe(true);
  });

  test('notes the uses of limits over all members, which hold them already', async () => {
    expect(await commit({ common: 'c/a=1/3' })).toEqual(committed({ 1: 1, 5: 1 }));
    expect(await record()).toMatchObject({ common: 'c/a=1/3' });
    expect(await fixture.redis.client.exists(HOLD)).toBe(0);
  });

  test('notes which calculation is still to be released elsewhere', async () => {
    expect(await commit({ pending: 'other' })).toEqual(committed({ 3: 'other' }));
    expect(await record()).toMatchObject({ release: 'other' });
  });

  test('is too late after its deadline, and then stores nothing', async () => {
    expect(await commit({ deadline: scripts.nowMs - 1 })).toEqual(['too_late']);
    expect(await fixture.redis.client.keys('*')).toEqual([]);
  });
});

describe('the ID of a commit', () => {
  const entry = async () => (await fixture.redis.client.get(INDEX))?.split(' ');

  test('that nobody has is claimed and noted for expiry with it', async () => {
    const { client } = fixture.redis;
    expect(await commit({ entry: '' })).toEqual(committed());
    const [member, print, deadline, tail] = (await entry())!;
    // The call has committed, so that nobody waits for it.
    expect([member, print, isIn(deadline, 0), tail]).toEqual(['anna', 'print', true, '-']);
    expect(isAbout(await client.pttl(INDEX), RETENTION_MS)).toBe(true);
    expect(isIn(await client.zscore(DUE, 'new'), LOOK_MS)).toBe(true);
  });

  test('that was claimed before is neither claimed nor noted here', async () => {
    expect(await commit()).toEqual(committed());
    expect(await fixture.redis.client.exists(INDEX, DUE)).toBe(0);
  });

  test('that is noted for an earlier time keeps it, but is not looked at before its call is over', async () => {
    const { client } = fixture.redis;
    await client.zadd(DUE, scripts.nowMs + 20_000, 'new');
    await commit({ entry: '' });
    expect(Number(await client.zscore(DUE, 'new'))).toBe(scripts.nowMs + 20_000);
    await client.del(ANSWER, CALC, INDEX);
    await client.zadd(DUE, 1, 'new');
    await commit({ entry: '' });
    expect(isIn(await client.zscore(DUE, 'new'), OVER_MS)).toBe(true);
  });

  test.each([
    ['a claim of another member', '', 'berit other 5 -'],
    ['a sale', '', '- - 0 sale:["applied"]'],
    ['a successor, beside a claim of its own', 'anna print 5 -', 'anna print 5 superseded:next'],
    ['nothing, where there was a claim', 'anna print 5 -', undefined],
  ])('has changed: %s; nothing is written', async (_case, read, present) => {
    const { client } = fixture.redis;
    if (present !== undefined) await client.set(INDEX, present, 'PX', 70_000);
    const before = await client.keys('*');
    expect(await commit({ entry: read, uses: 'a=1/1', superseded: 'old' })).toEqual(['changed']);
    expect(await client.keys('*')).toEqual(before);
    expect((await entry())?.join(' ')).toBe(present);
  });

  test('keeps the tail of the entry that was read, and the longer time of a sold one', async () => {
    const { client } = fixture.redis;
    await client.set(INDEX, '- - 0 sale:["failed","",""]', 'PX', 500_000);
    expect(await commit({ entry: '- - 0 sale:["failed","",""]', sale: '["failed","",""]' })).toEqual(committed());
    expect((await entry())!.slice(3)).toEqual(['sale:["failed","",""]']);
    expect(isAbout(await client.pttl(INDEX), 500_000)).toBe(true);
  });

  test('is taken over from an earlier claim of the same member, with the body that is committed', async () => {
    await fixture.redis.client.set(INDEX, 'anna earlier 05 -');
    expect(await commit({ entry: 'anna earlier 05 -' })).toEqual(committed());
    expect((await entry())!.slice(0, 2)).toEqual(['anna', 'print']);
  });

  test('is answered with what is stored or a conflict before anything else is looked at', async () => {
    await commit({ entry: '' });
    expect(await commit({ entry: '' })).toEqual(['replay', 'bytes', '']);
    expect(await commit({ entry: '', print: 'other' })).toEqual(['conflict']);
  });

  test.each(['', 'claimed'])('of a member that was merged meanwhile is read again (%j)', async (read) => {
    const { client } = fixture.redis;
    await client.hset(USE, '!moved', 'berit');
    expect(await commit({ entry: read, uses: 'a=1/1' })).toEqual(['changed']);
    expect(await client.keys('*')).toEqual([USE]);
  });

  test('that comes too late is not claimed either', async () => {
    expect(await commit({ entry: '', deadline: scripts.nowMs - 1 })).toEqual(['too_late']);
    expect(await fixture.redis.client.keys('*')).toEqual([]);
  });

  test('is not claimed by a commit that is short, or not lent', async () => {
    expect(await commit({ entry: '', uses: 'a=2/1' })).toEqual(['shortage', 'a', 1]);
    expect(await commit({ entry: '', common: 'c/a=1/1', lent: 1 })).toEqual(['not_lent']);
    expect(await fixture.redis.client.exists(INDEX, DUE)).toBe(0);
  });
});

describe('a repeated commit', () => {
  test('is answered with what is stored, and one of another body is a conflict', async () => {
    await commit({ pending: 'other' });
    const before = await record();
    expect(await commit({ answer: 'later', deadline: 0 })).toEqual(['replay', 'bytes', 'other']);
    expect(await commit({ print: 'another' })).toEqual(['conflict']);
    expect(await record()).toEqual(before);
    await fixture.redis.client.hdel(CALC, 'release');
    expect(await commit()).toEqual(['replay', 'bytes', '']);
  });

  test('of an answer that has expired begins anew: the record and the hold of the earlier one do not count', async () => {
    const { client } = fixture.redis;
    await commit({ uses: 'a=2/2', total: '7', tier: 'gold' });
    await client.del(ANSWER);
    expect(await commit({ print: 'later' })).toEqual(committed());
    expect(await record()).toMatchObject({ fp: 'later', state: 'open' });
    expect(Object.keys(await record())).not.toEqual(expect.arrayContaining(['holds', 'total', 'tier']));
    expect(await client.exists(HOLD)).toBe(0);
  });

  test('may use what its own earlier hold held', async () => {
    await commit({ uses: 'a=2/2' });
    await fixture.redis.client.del(ANSWER);
    expect(await commit({ uses: 'a=2/2' })).toEqual(committed({ 1: 1 }));
    await fixture.redis.client.del(ANSWER);
    expect(await commit({ uses: 'a=3/2' })).toEqual(['shortage', 'a', 2]);
  });

  test('of a sold calculation keeps the record that was sold, for as long as it is kept', async () => {
    const { client } = fixture.redis;
    await client.hset(CALC, { state: 'sold', fp: 'first', total: '7' });
    await client.pexpire(CALC, 500_000);
    expect(await commit({ total: '8', uses: 'a=1/1', common: 'c/a=1/1' })).toEqual(committed());
    expect(await record()).toEqual({ state: 'sold', fp: 'print', total: '7' });
    expect(isAbout(await client.pttl(CALC), 500_000)).toBe(true);
    await client.del(ANSWER);
    await client.pexpire(CALC, 75_000);
    await commit();
    expect(isAbout(await client.pttl(CALC), RETENTION_MS)).toBe(true);
    expect(await client.exists(HOLD)).toBe(0);
  });
});

describe('a limit', () => {
  test('is short by what is consumed and by what others hold; nothing is stored then', async () => {
    const { client } = fixture.redis;
    await client.hset(USE, { a: 1, b: 9 });
    await client.hset(HOLD, { other: `${FAR_MS} a=1/4`, ended: `${scripts.nowMs - 1} a=9/9` });
    expect(await commit({ uses: 'a=3/4 b=1/2 c=1/1' })).toEqual(['shortage', 'a', 2, 'b', 0, 'c', 1]);
    expect(await client.exists(ANSWER, CALC)).toBe(0);
    expect(await commit({ uses: 'a=2/4' })).toEqual(committed({ 1: 1 }));
    expect(await client.hkeys(HOLD)).toEqual(['other', 'new']);
  });

  test('in items is no limit in baskets of the same name', async () => {
    await fixture.redis.client.hset(USE, { 'a:*': 2, 'a#items:*': 1 });
    expect(await commit({ uses: 'a#items:*=4/4' })).toEqual(['shortage', 'a#items:*', 3]);
    expect(await commit({ uses: 'a:*=2/4' })).toEqual(committed({ 1: 1 }));
    await fixture.redis.client.flushall();
    expect(await commit({ uses: 'a#items:*=4/4' })).toEqual(committed({ 1: 1 }));
  });

  test('has nothing for a member with 20,000 open calculations, unless it replaces one of them', async () => {
    const { client } = fixture.redis;
    for (let from = 0; from < 20_000; from += 1_000) {
      const open = Array.from({ length: 1_000 }, (_, at) => [`h${from + at}`, `${FAR_MS} b=1/1`]);
      await client.hset(HOLD, ...open.flat());
    }
    await client.hdel(HOLD, 'h19999');
    await client.hset(OLDER, { state: 'open', venue: 'oslo', fp: 'x' });
    expect(await commit({ id: 'last', uses: 'a=1/9' })).toEqual(committed({ 1: 1 }));
    await client.del(ANSWER, CALC);
    expect(await commit({ uses: 'a=1/9' })).toEqual(['shortage', 'a', 0]);
    expect(await commit({ uses: 'a=1/9', superseded: 'h0' })).toEqual(committed({ 1: 1, 2: 1 }));
    await client.del(ANSWER);
    expect(await commit({ uses: 'a=2/9' })).toEqual(committed({ 1: 1 }));
  });
});

describe('a superseded calculation', () => {
  const older = (more: object = {}) =>
    fixture.redis.client.hset(OLDER, { state: 'open', venue: 'oslo', fp: 'x', ...more });

  test('is released by the commit, which may use what it held', async () => {
    const { client } = fixture.redis;
    await older({ common: 'c/b=1/1' });
    await client.hset(HOLD, { old: `${FAR_MS} a=2/2` });
    expect(await commit({ uses: 'a=3/2', superseded: 'old' })).toEqual(['shortage', 'a', 2]);
    expect(await commit({ uses: 'a=2/2', superseded: 'old' })).toEqual(
      committed({ 1: 1, 2: 1, 3: 'old', 4: 'c/b=1/1' }),
    );
    expect(await client.hgetall(OLDER)).toMatchObject({
      state: 'superseded',
      supersededBy: 'new',
      commonDue: 'release',
    });
    expect(isAbout(await client.pttl(OLDER), RETENTION_MS)).toBe(true);
    expect(await client.hkeys(HOLD)).toEqual(['new']);
    // Until the counters have been told.
    expect(await record()).toMatchObject({ release: 'old' });
  });

  test('without uses of limits over all members has none to give back', async () => {
    await older();
    expect(await commit({ superseded: 'old' })).toEqual(committed());
    expect(await fixture.redis.client.hexists(OLDER, 'commonDue')).toBe(0);
    expect(await record()).not.toHaveProperty('release');
  });

  test.each([
    ['of another venue', { venue: 'bergen' }],
    ['that is sold', { state: 'sold' }],
  ])('%s stays as it is, with its hold', async (_case, more) => {
    const { client } = fixture.redis;
    await older(more);
    await client.hset(HOLD, { old: `${FAR_MS} a=2/2` });
    expect(await commit({ superseded: 'old' })).toEqual(committed());
    expect(await client.hgetall(OLDER)).toEqual({ state: 'open', venue: 'oslo', fp: 'x', ...more });
    await client.del(ANSWER, CALC);
    expect(await commit({ uses: 'a=1/2', superseded: 'old' })).toEqual(['shortage', 'a', 0]);
  });

  test('that was never committed is marked here, and is still to be marked in the index', async () => {
    expect(await commit({ superseded: 'old' })).toEqual(committed({ 3: 'old' }));
    expect(await fixture.redis.client.hgetall(OLDER)).toEqual({ state: 'superseded', supersededBy: 'new' });
    expect(await record()).toMatchObject({ release: 'old' });
  });

  test('does not lend what the commit does not end', async () => {
    await older({ state: 'sold' });
    expect(await commit({ superseded: 'old', common: 'c/a=1/1', lent: 1 })).toEqual(['not_lent']);
    expect(await fixture.redis.client.exists(ANSWER, CALC)).toBe(0);
    expect(await commit({ common: 'c/a=1/1', lent: 1, sale: '["applied"]' })).toEqual(committed());
    await fixture.redis.client.flushall();
    await older();
    expect(await commit({ superseded: 'old', common: 'c/a=1/1', lent: 1 })).toEqual(committed({ 1: 1, 5: 1 }));
  });
});

describe('an outcome that came before the commit', () => {
  test('of a sale is kept: the calculation holds nothing, and its event is due', async () => {
    expect(await commit({ uses: 'a=1/1', common: 'c/a=1/1', sale: '["applied"]' })).toEqual(committed());
    const { at, deadline, ...rest } = await record();
    expect([isIn(at, 0), isIn(deadline, HOLD_MS)]).toEqual([true, true]);
    expect(rest).toEqual({
      ...{ fp: 'print', venue: 'oslo', status: 'applied', state: 'sold', event: '1', sale: '["applied"]' },
    });
    expect(await fixture.redis.client.exists(HOLD)).toBe(0);
  });

  test('of a sale that the record knows is kept as it is there', async () => {
    await fixture.redis.client.hset(CALC, { state: 'sold', sale: '["cancelled"]' });
    await commit({ uses: 'a=1/1' });
    expect(await record()).toMatchObject({ state: 'sold', sale: '["cancelled"]', event: '1' });
    expect(await record()).not.toHaveProperty('holds');
  });

  test('of a successor is kept: it holds nothing, and a late sale finds its uses', async () => {
    expect(await commit({ uses: 'a=1/1', common: 'c/a=1/1', successor: 'next' })).toEqual(committed());
    expect(await record()).toMatchObject({
      ...{ state: 'superseded', supersededBy: 'next', holds: 'a=1/1', common: 'c/a=1/1' },
    });
    expect(await fixture.redis.client.exists(HOLD)).toBe(0);
  });

  test('of a successor that the record knows counts before another one', async () => {
    await fixture.redis.client.hset(CALC, { state: 'superseded', supersededBy: 'first' });
    expect(await commit({ uses: 'a=1/0', successor: 'second' })).toEqual(committed());
    expect(await record()).toMatchObject({ state: 'superseded', supersededBy: 'first' });
  });
});
