/** The release of a superseded calculation elsewhere, by what its script promises. */
import { describe, expect, test } from 'vitest';
import { releaseSupersededScript } from '../../src/store/scripts/calculations.ts';
import { useFixture } from './fixture.ts';
import { useScripts } from './script-stage.ts';

const fixture = useFixture();
const scripts = useScripts(fixture);
const { call, isAbout } = scripts;
const [CALC, HOLD] = ['calculation', 'hold'] as const;
const FAR_MS = Date.UTC(2100, 0, 1);

describe('release-superseded', () => {
  const release = () =>
    call(releaseSupersededScript, { calculationId: 'old', successorId: 'next', venueId: 'oslo', retentionMs: 60_000 });
  const reply = (holdsReleased: number, isCommitted: boolean, common = '') => ({ holdsReleased, isCommitted, common });

  test('releases a calculation of the same venue, and says what its counters have to give back', async () => {
    const { client } = fixture.redis;
    await client.hset(CALC, { state: 'open', venue: 'oslo', fp: 'x', common: 'c/a=1/1' });
    await client.hset(HOLD, { old: `${FAR_MS} a=1/1` });
    expect(await release()).toEqual(reply(1, true, 'c/a=1/1'));
    expect(await client.exists(HOLD)).toBe(0);
    expect(await client.hgetall(CALC)).toMatchObject({
      state: 'superseded',
      supersededBy: 'next',
      commonDue: 'release',
    });
    expect(isAbout(await client.pttl(CALC), 60_000)).toBe(true);
    // A process may have died before it told the counters.
    expect(await release()).toEqual(reply(0, true, 'c/a=1/1'));
    await client.hset(CALC, 'commonDue', 'consume');
    expect(await release()).toEqual(reply(0, true));
    await client.hdel(CALC, 'commonDue');
    expect(await release()).toEqual(reply(0, true));
  });

  test('marks one that was never committed, and leaves one of another venue alone', async () => {
    const { client } = fixture.redis;
    expect(await release()).toEqual(reply(0, false));
    expect(await client.hgetall(CALC)).toEqual({ state: 'superseded', supersededBy: 'next' });
    await client.del(CALC);
    await client.hset(CALC, { state: 'open', venue: 'bergen', fp: 'x' });
    await client.hset(HOLD, { old: `${FAR_MS} a=1/1` });
    expect(await release()).toEqual(reply(0, true));
    expect(await client.exists(HOLD)).toBe(1);
  });
});
