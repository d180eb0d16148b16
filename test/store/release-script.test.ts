/** The release of a superseded calculation elsewhere, by what the header of its script promises. */
import { describe, expect, test } from 'vitest';
import { useFixture } from './fixture.ts';
import { useScripts } from './script-stage.ts';

const fixture = useFixture();
const scripts = useScripts(fixture);
const { run, isAbout } = scripts;
const [HOLD, HELD, HOLDS_DUE] = ['hold', 'held', 'holds-due'] as const;
const FAR_MS = Date.UTC(2100, 0, 1);

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
