/** The commit of a calculation, by what its script promises: what it decides, and what is in Redis after it. */
import { describe, expect, test } from 'vitest';
import {
  ANSWER,
  ANSWER_MS,
  CALC,
  committed,
  FAR_MS,
  HOLD,
  HOLD_MS,
  OLDER,
  RETENTION_MS,
  shortage,
  USE,
  useCommits,
} from './commit-stage.ts';
import { useFixture } from './fixture.ts';
import { useScripts } from './script-stage.ts';

const fixture = useFixture();
const scripts = useScripts(fixture);
const { isIn, isAbout } = scripts;
const { commit, record } = useCommits(fixture);

describe('a first commit', () => {
  test('stores the answer and all that is known of the calculation', async () => {
    const { client } = fixture.redis;
    const kept = 'k'.repeat(129);
    const facts = { total: 100, tier: 'gold', share: 's', reason: 'why', kept: Buffer.from(kept), given: ['a', 'b'] };
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

  test('takes its hold', async () => {
    const { client } = fixture.redis;
    expect(await commit({ uses: 'a=2/3 b=1/1' })).toEqual(committed({ holdsMade: 1 }));
    const { deadline, holds } = await record();
    expect(holds).toBe('a=2/3 b=1/1');
    expect(await client.hgetall(HOLD)).toEqual({ new: `${deadline} a=2/3 b=1/1` });
    expect(isAbout(await client.pttl(HOLD), HOLD_MS)).toBe(true);
  });

  test('notes the uses of limits over all members, which hold them already', async () => {
    expect(await commit({ common: 'c/a=1/3' })).toEqual(committed({ holdsMade: 1, holdsCommon: true }));
    expect(await record()).toMatchObject({ common: 'c/a=1/3' });
    expect(Object.values(await fixture.redis.client.hgetall(HOLD))).toEqual([expect.stringMatching(/^\d+ a=1\/3$/)]);
  });

  test('notes which calculation is still to be released elsewhere', async () => {
    expect(await commit({ supersededElsewhere: 'other' })).toEqual(committed({ pendingRelease: 'other' }));
    expect(await record()).toMatchObject({ release: 'other' });
  });

  test('is too late after its deadline, and then stores nothing', async () => {
    expect(await commit({ deadlineMs: scripts.nowMs - 1 })).toEqual({ outcome: 'too_late' });
    expect(await fixture.redis.client.keys('*')).toEqual([]);
  });
});

describe('a repeated commit', () => {
  test('is answered with what is stored, and one of another body is a conflict', async () => {
    await commit({ supersededElsewhere: 'other' });
    const before = await record();
    expect(await commit({ storedForm: Buffer.from('later'), deadlineMs: 0 })).toEqual({
      outcome: 'replay',
      stored: Buffer.from('bytes'),
      pendingRelease: 'other',
    });
    expect(await commit({ fingerprint: 'another' })).toEqual({ outcome: 'conflict' });
    expect(await record()).toEqual(before);
    await fixture.redis.client.hdel(CALC, 'release');
    expect(await commit()).toEqual({ outcome: 'replay', stored: Buffer.from('bytes'), pendingRelease: '' });
  });

  test('of an answer that has expired begins anew: the record and the hold of the earlier one do not count', async () => {
    const { client } = fixture.redis;
    await commit({ uses: 'a=2/2', total: 7, tier: 'gold' });
    await client.del(ANSWER);
    expect(await commit({ fingerprint: 'later' })).toEqual(committed());
    expect(await record()).toMatchObject({ fp: 'later', state: 'open' });
    expect(Object.keys(await record())).not.toEqual(expect.arrayContaining(['holds', 'total', 'tier']));
    expect(await client.exists(HOLD)).toBe(0);
  });

  test('may use what its own earlier hold held', async () => {
    await commit({ uses: 'a=2/2' });
    await fixture.redis.client.del(ANSWER);
    expect(await commit({ uses: 'a=2/2' })).toEqual(committed({ holdsMade: 1 }));
    await fixture.redis.client.del(ANSWER);
    expect(await commit({ uses: 'a=3/2' })).toEqual(shortage({ a: 2 }));
  });

  test('of a sold calculation keeps the record that was sold, for as long as it is kept', async () => {
    const { client } = fixture.redis;
    await client.hset(CALC, { state: 'sold', fp: 'first', total: '7' });
    await client.pexpire(CALC, 500_000);
    expect(await commit({ total: 8, uses: 'a=1/1', common: 'c/a=1/1' })).toEqual(committed());
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
    expect(await commit({ uses: 'a=3/4 b=1/2 c=1/1' })).toEqual(shortage({ a: 2, b: 0, c: 1 }));
    expect(await client.exists(ANSWER, CALC)).toBe(0);
    expect(await commit({ uses: 'a=2/4' })).toEqual(committed({ holdsMade: 1 }));
    expect(await client.hkeys(HOLD)).toEqual(['other', 'new']);
  });

  test('in items is no limit in baskets of the same name', async () => {
    await fixture.redis.client.hset(USE, { 'a:*': 2, 'a#items:*': 1 });
    expect(await commit({ uses: 'a#items:*=4/4' })).toEqual(shortage({ 'a#items:*': 3 }));
    expect(await commit({ uses: 'a:*=2/4' })).toEqual(committed({ holdsMade: 1 }));
    await fixture.redis.client.flushall();
    expect(await commit({ uses: 'a#items:*=4/4' })).toEqual(committed({ holdsMade: 1 }));
  });

  test('has nothing for a member with 20,000 open calculations, unless it replaces one of them', async () => {
    const { client } = fixture.redis;
    for (let from = 0; from < 20_000; from += 1_000) {
      const open = Array.from({ length: 1_000 }, (_, at) => [`h${from + at}`, `${FAR_MS} b=1/1`]);
      await client.hset(HOLD, ...open.flat());
    }
    await client.hdel(HOLD, 'h19999');
    await client.hset(OLDER, { state: 'open', venue: 'oslo', fp: 'x' });
    expect(await commit({ calculationId: 'last', uses: 'a=1/9' })).toEqual(committed({ holdsMade: 1 }));
    await client.del(ANSWER, CALC);
    expect(await commit({ uses: 'a=1/9' })).toEqual(shortage({ a: 0 }));
    expect(await commit({ uses: 'a=1/9', supersededHere: 'h0' })).toEqual(
      committed({ holdsMade: 1, holdsReleased: 1 }),
    );
    await client.del(ANSWER);
    expect(await commit({ uses: 'a=2/9' })).toEqual(committed({ holdsMade: 1 }));
  });
});

describe('a superseded calculation', () => {
  const older = (more: object = {}) =>
    fixture.redis.client.hset(OLDER, { state: 'open', venue: 'oslo', fp: 'x', ...more });

  test('is released by the commit, which may use what it held', async () => {
    const { client } = fixture.redis;
    await older({ common: 'c/b=1/1' });
    await client.hset(HOLD, { old: `${FAR_MS} a=2/2` });
    expect(await commit({ uses: 'a=3/2', supersededHere: 'old' })).toEqual(shortage({ a: 2 }));
    expect(await commit({ uses: 'a=2/2', supersededHere: 'old' })).toEqual(
      committed({ holdsMade: 1, holdsReleased: 1, pendingRelease: 'old', givenBack: 'c/b=1/1' }),
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
    expect(await commit({ supersededHere: 'old' })).toEqual(committed());
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
    expect(await commit({ supersededHere: 'old' })).toEqual(committed());
    expect(await client.hgetall(OLDER)).toEqual({ state: 'open', venue: 'oslo', fp: 'x', ...more });
    await client.del(ANSWER, CALC);
    expect(await commit({ uses: 'a=1/2', supersededHere: 'old' })).toEqual(shortage({ a: 0 }));
  });

  test('that was never committed is marked here, and is still to be marked in the index', async () => {
    expect(await commit({ supersededHere: 'old' })).toEqual(committed({ pendingRelease: 'old' }));
    expect(await fixture.redis.client.hgetall(OLDER)).toEqual({ state: 'superseded', supersededBy: 'new' });
    expect(await record()).toMatchObject({ release: 'old' });
  });

  test('does not lend what the commit does not end', async () => {
    await older({ state: 'sold' });
    expect(await commit({ supersededHere: 'old', common: 'c/a=1/1', isLent: true })).toEqual({ outcome: 'not_lent' });
    expect(await fixture.redis.client.exists(ANSWER, CALC)).toBe(0);
    expect(await commit({ common: 'c/a=1/1', isLent: true, saleBefore: '["applied"]' })).toEqual(committed());
    await fixture.redis.client.flushall();
    await older();
    expect(await commit({ supersededHere: 'old', common: 'c/a=1/1', isLent: true })).toEqual(
      committed({ holdsMade: 1, holdsCommon: true }),
    );
  });
});

describe('an outcome that came before the commit', () => {
  test('of a sale is kept: the calculation holds nothing, and its event is due', async () => {
    expect(await commit({ uses: 'a=1/1', common: 'c/a=1/1', saleBefore: '["applied"]' })).toEqual(committed());
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
    expect(await commit({ uses: 'a=1/1', common: 'c/a=1/1', successorBefore: 'next' })).toEqual(committed());
    expect(await record()).toMatchObject({
      ...{ state: 'superseded', supersededBy: 'next', holds: 'a=1/1', common: 'c/a=1/1' },
    });
    expect(await fixture.redis.client.exists(HOLD)).toBe(0);
  });

  test('of a successor that the record knows counts before another one', async () => {
    await fixture.redis.client.hset(CALC, { state: 'superseded', supersededBy: 'first' });
    expect(await commit({ uses: 'a=1/0', successorBefore: 'second' })).toEqual(committed());
    expect(await record()).toMatchObject({ state: 'superseded', supersededBy: 'first' });
  });
});
