/** What a counter over all members is given back, and what its record notes of it, by what the headers of their scripts promise. */
import { describe, expect, test } from 'vitest';
import { useFixture } from './fixture.ts';
import { useScripts } from './script-stage.ts';

const fixture = useFixture();
const scripts = useScripts(fixture);
const { run, isIn, isAbout } = scripts;

const [USE, SETTLED] = ['use', 'settled'] as const;
const RETENTION_MS = 120_000;
const FAR_MS = Date.UTC(2100, 0, 1);

describe('give-back-common', () => {
  const giveBack = (step: string, units: number, keptMs = RETENTION_MS) =>
    run('give-back-common', [USE, SETTLED], [step, 'gift', units, keptMs]);

  test('gives back once, and no more than is consumed', async () => {
    const { client } = fixture.redis;
    await client.hset(USE, 'gift', 3);
    expect(await giveBack('a r-1', 2)).toBe(2);
    expect(await giveBack('a r-1', 2)).toBe(0);
    expect(await giveBack('a r-2', 2)).toBe(1);
    expect(await client.hget(USE, 'gift')).toBe('0');
    expect(isIn(await client.zscore(SETTLED, 'a r-1'), RETENTION_MS)).toBe(true);
    await client.del(USE);
    expect(await giveBack('a r-3', 2)).toBe(0);
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
    expect(await giveBack('a r-2', 1)).toBe(0);
  });

  test('gives back the units past the limit first', async () => {
    const { client } = fixture.redis;
    await client.hset(USE, { gift: 5, 'gift!over': 3 });
    expect(await giveBack('a r-1', 2)).toBe(2);
    expect(await client.hgetall(USE)).toEqual({ gift: '3', 'gift!over': '1' });
    expect(await giveBack('a r-2', 2)).toBe(2);
    expect(await client.hgetall(USE)).toEqual({ gift: '1', 'gift!over': '0' });
  });
});

describe('finish-common, note-over and forget-common', () => {
  const finish = (how: string) => run('finish-common', ['calc'], [how]);

  test('an ending is noted once', async () => {
    const { client } = fixture.redis;
    await client.hset('calc', { commonDue: 'consume', over: 1 });
    expect(await finish('release')).toBe(0);
    expect(await client.hgetall('calc')).toEqual({ commonDue: 'consume', over: '1' });
    expect(await finish('consume')).toBe(1);
    expect(await client.hgetall('calc')).toEqual({ over: '1' });
    expect(await finish('consume')).toBe(0);
    await client.del('calc');
    await client.hset('calc', 'commonDue', 'release');
    expect(await finish('release')).toBe(1);
    expect(await client.exists('calc')).toBe(0);
  });

  test('what a sale took past several limits is added up in its record, and makes none where it is gone', async () => {
    const { client } = fixture.redis;
    const note = (units: number) => run('note-over', ['calc'], [units]);
    expect(await note(2)).toBe(0);
    expect(await client.exists('calc')).toBe(0);
    await client.hset('calc', 'state', 'sold');
    expect([await note(2), await note(3)]).toEqual([1, 1]);
    expect(await client.hgetall('calc')).toEqual({ state: 'sold', over: '5' });
  });

  test('a consumed calculation is forgotten a little later, and one that is not known stays so', async () => {
    const { client } = fixture.redis;
    await client.zadd(SETTLED, FAR_MS, 'a');
    await run('forget-common', [SETTLED], ['a', 1_000]);
    await run('forget-common', [SETTLED], ['b', 1_000]);
    expect(await client.zrange(SETTLED, '0', '-1')).toEqual(['a']);
    expect(isIn(await client.zscore(SETTLED, 'a'), 1_000)).toBe(true);
  });
});
