/** The calculation ID that a commit claims and notes, by what its script promises. */
import { describe, expect, test } from 'vitest';
import {
  ANSWER,
  CALC,
  committed,
  DUE,
  INDEX,
  LOOK_MS,
  OVER_MS,
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
const { commit } = useCommits(fixture);

describe('the ID of a commit', () => {
  const entry = async () => (await fixture.redis.client.get(INDEX))?.split(' ');

  test('that nobody has is claimed and noted for expiry with it', async () => {
    const { client } = fixture.redis;
    expect(await commit({ entryRead: '' })).toEqual(committed());
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
    await commit({ entryRead: '' });
    expect(Number(await client.zscore(DUE, 'new'))).toBe(scripts.nowMs + 20_000);
    await client.del(ANSWER, CALC, INDEX);
    await client.zadd(DUE, 1, 'new');
    await commit({ entryRead: '' });
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
    expect(await commit({ entryRead: read, uses: 'a=1/1', supersededHere: 'old' })).toEqual({ outcome: 'changed' });
    expect(await client.keys('*')).toEqual(before);
    expect((await entry())?.join(' ')).toBe(present);
  });

  test('keeps the tail of the entry that was read, and the longer time of a sold one', async () => {
    const { client } = fixture.redis;
    await client.set(INDEX, '- - 0 sale:["failed","",""]', 'PX', 500_000);
    expect(await commit({ entryRead: '- - 0 sale:["failed","",""]', saleBefore: '["failed","",""]' })).toEqual(
      committed(),
    );
    expect((await entry())!.slice(3)).toEqual(['sale:["failed","",""]']);
    expect(isAbout(await client.pttl(INDEX), 500_000)).toBe(true);
  });

  test('is taken over from an earlier claim of the same member, with the body that is committed', async () => {
    await fixture.redis.client.set(INDEX, 'anna earlier 05 -');
    expect(await commit({ entryRead: 'anna earlier 05 -' })).toEqual(committed());
    expect((await entry())!.slice(0, 2)).toEqual(['anna', 'print']);
  });

  test('is answered with what is stored or a conflict before anything else is looked at', async () => {
    await commit({ entryRead: '' });
    expect(await commit({ entryRead: '' })).toEqual({
      outcome: 'replay',
      stored: Buffer.from('bytes'),
      pendingRelease: '',
    });
    expect(await commit({ entryRead: '', fingerprint: 'other' })).toEqual({ outcome: 'conflict' });
  });

  test.each(['', 'claimed'])('of a member that was merged meanwhile is read again (%j)', async (read) => {
    const { client } = fixture.redis;
    await client.hset(USE, '!moved', 'berit');
    expect(await commit({ entryRead: read, uses: 'a=1/1' })).toEqual({ outcome: 'changed' });
    expect(await client.keys('*')).toEqual([USE]);
  });

  test('that comes too late is not claimed either', async () => {
    expect(await commit({ entryRead: '', deadlineMs: scripts.nowMs - 1 })).toEqual({ outcome: 'too_late' });
    expect(await fixture.redis.client.keys('*')).toEqual([]);
  });

  test('is not claimed by a commit that is short, or not lent', async () => {
    expect(await commit({ entryRead: '', uses: 'a=2/1' })).toEqual(shortage({ a: 1 }));
    expect(await commit({ entryRead: '', common: 'c/a=1/1', isLent: true })).toEqual({ outcome: 'not_lent' });
    expect(await fixture.redis.client.exists(INDEX, DUE)).toBe(0);
  });
});
