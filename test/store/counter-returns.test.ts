/** What a counter over all members is given back, and what its record notes of it, by what their scripts promise. */
import { describe, expect, test } from 'vitest';
import {
  finishCommonScript,
  forgetCommonScript,
  giveBackCommonScript,
  noteOverScript,
} from '../../src/store/scripts/common-limits.ts';
import { useFixture } from './fixture.ts';
import { useScripts } from './script-stage.ts';

const fixture = useFixture();
const scripts = useScripts(fixture);
const { call, isIn, isAbout } = scripts;

const [CALC, USE, SETTLED] = ['calculation', 'use', 'settled'] as const;
const RETENTION_MS = 120_000;
const FAR_MS = Date.UTC(2100, 0, 1);

describe('give-back-common', () => {
  const left = async () => Number(await fixture.redis.client.hget(USE, 'gift'));
  /** Returns what is left consumed. */
  const giveBack = async (step: string, units: number, retentionMs = RETENTION_MS) => {
    await call(giveBackCommonScript, { step, usageKey: 'gift', units, retentionMs });
    return left();
  };

  test('gives back once, and no more than is consumed', async () => {
    const { client } = fixture.redis;
    await client.hset(USE, 'gift', 3);
    expect(await giveBack('a r-1', 2)).toBe(1);
    expect(await giveBack('a r-1', 2)).toBe(1);
    expect(await giveBack('a r-2', 2)).toBe(0);
    expect(isIn(await client.zscore(SETTLED, 'a r-1'), RETENTION_MS)).toBe(true);
    await client.del(USE);
    await giveBack('a r-3', 2);
    expect(await client.exists(USE)).toBe(0);
  });

  test('is known as done for as long as its sale is kept, whatever ends sooner', async () => {
    const { client } = fixture.redis;
    await client.hset(USE, 'gift', 9);
    await giveBack('a r-1', 1);
    await giveBack('a r-2', 1, 900_000);
    expect(isAbout(await client.pttl(SETTLED), 900_000)).toBe(true);
    await giveBack('b r-1', 1);
    expect(isAbout(await client.pttl(SETTLED), 900_000)).toBe(true);
    expect(await giveBack('a r-2', 1)).toBe(6);
  });
});

describe('finish-common, note-over and forget-common', () => {
  const finish = (ending: 'consume' | 'release') => call(finishCommonScript, { ending });

  test('an ending is noted once', async () => {
    const { client } = fixture.redis;
    await client.hset(CALC, { commonDue: 'consume', over: 1 });
    expect(await finish('release')).toBe(false);
    expect(await client.hgetall(CALC)).toEqual({ commonDue: 'consume', over: '1' });
    expect(await finish('consume')).toBe(true);
    expect(await client.hgetall(CALC)).toEqual({ over: '1' });
    expect(await finish('consume')).toBe(false);
    await client.del(CALC);
    await client.hset(CALC, 'commonDue', 'release');
    expect(await finish('release')).toBe(true);
    expect(await client.exists(CALC)).toBe(0);
  });

  test('what a sale took past several limits is added up in its record, and makes none where it is gone', async () => {
    const { client } = fixture.redis;
    const note = (overRedeemed: number) => call(noteOverScript, { overRedeemed });
    await note(2);
    expect(await client.exists(CALC)).toBe(0);
    await client.hset(CALC, 'state', 'sold');
    await note(2);
    await note(3);
    expect(await client.hgetall(CALC)).toEqual({ state: 'sold', over: '5' });
  });

  test('a consumed calculation is forgotten a little later, and one that is not known stays so', async () => {
    const { client } = fixture.redis;
    await client.zadd(SETTLED, FAR_MS, 'a');
    await call(forgetCommonScript, { calculationId: 'a', knownMs: 1_000 });
    await call(forgetCommonScript, { calculationId: 'b', knownMs: 1_000 });
    expect(await client.zrange(SETTLED, '0', '-1')).toEqual(['a']);
    expect(isIn(await client.zscore(SETTLED, 'a'), 1_000)).toBe(true);
  });
});
