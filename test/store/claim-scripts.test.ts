/** The scripts of an index entry, each by what it promises: who has an ID, until when, and which tombstone. */
import { describe, expect, test } from 'vitest';
import type { MemberToken } from '../../src/store/keys.ts';
import { claimIndexScript, eraseIndexScript, markClaimScript } from '../../src/store/scripts/index-entries.ts';
import { useFixture } from './fixture.ts';
import { useScripts } from './script-stage.ts';

const fixture = useFixture();
const scripts = useScripts(fixture);
const { call, isIn, isAbout } = scripts;
const [INDEX, EVENTS] = ['index', 'events'] as const;
const RETENTION_MS = 60_000;

describe('claim-index', () => {
  const claim = (member: string, more: Partial<Parameters<typeof claimIndexScript>[2]> = {}) =>
    call(claimIndexScript, {
      ...{ member, fingerprint: 'print', leftMs: 5_000, tail: '-', retentionMs: RETENTION_MS, longestMs: 20_000 },
      ...{ replaceable: undefined, deadlineMs: undefined, event: '' },
      ...more,
    });
  const written = (tail = '-') => ({ outcome: 'written', tail });
  const present = (entry: string, isPast: boolean) => ({ outcome: 'present', entry, isPast });
  const entry = async () => (await fixture.redis.client.get(INDEX))!.split(' ');

  test('claims an ID that nobody has, until the call is over', async () => {
    expect(await claim('anna')).toEqual(written());
    const [member, print, deadline, tail] = await entry();
    expect([member, print, isIn(deadline, 5_000), tail]).toEqual(['anna', 'print', true, '-']);
    expect(isAbout(await fixture.redis.client.pttl(INDEX), RETENTION_MS)).toBe(true);
  });

  test('writes a tombstone without a deadline, which no claim takes for its own', async () => {
    expect(await claim('-', { leftMs: 0, tail: 'sale:t' })).toEqual(written('sale:t'));
    expect(await fixture.redis.client.get(INDEX)).toBe('- print 0 sale:t');
    expect(await claim('-', { leftMs: 0, tail: 'superseded:u', event: '{"a":1}' })).toEqual(
      present('- print 0 sale:t', true),
    );
    expect(await fixture.redis.client.exists(EVENTS)).toBe(0);
    expect(await claim('anna')).toEqual(present('- print 0 sale:t', true));
  });

  test('keeps the fingerprint and the tail of the member that has it, and the later deadline', async () => {
    await fixture.redis.client.set(INDEX, `anna first ${scripts.nowMs + 90_000} sale:t`, 'PX', 90_000);
    expect(await claim('anna', { fingerprint: 'second' })).toEqual(written('sale:t'));
    expect(await entry()).toEqual(['anna', 'first', `${scripts.nowMs + 90_000}`, 'sale:t']);
    expect(isAbout(await fixture.redis.client.pttl(INDEX), 90_000)).toBe(true);
  });

  test('moves the deadline of its own earlier claim to the later one', async () => {
    await fixture.redis.client.set(INDEX, `anna first ${scripts.nowMs + 1_000} -`);
    await claim('anna');
    expect(isIn((await entry())[2], 5_000)).toBe(true);
  });

  test.each([
    ['whose call is not over', 10_000, false],
    ['whose call is over', -1, true],
    ['whose deadline is further away than any call lasts', 40_000, true],
  ])('leaves the entry of another member %s', async (_case, aheadMs, isPast) => {
    const entryRead = `berit print ${scripts.nowMs + aheadMs} -`;
    await fixture.redis.client.set(INDEX, entryRead);
    expect(await claim('anna')).toEqual(present(entryRead, isPast));
    expect(await fixture.redis.client.get(INDEX)).toBe(entryRead);
  });

  test('replaces the entry that the caller has read', async () => {
    const entryRead = 'berit print 5 -';
    await fixture.redis.client.set(INDEX, entryRead);
    expect(await claim('anna', { replaceable: entryRead })).toEqual(written());
    const [member, , deadline] = await entry();
    expect([member, isIn(deadline, 5_000)]).toEqual(['anna', true]);
  });

  test('appends what a tombstone tells, with its instant', async () => {
    await claim('-', { leftMs: 0, tail: 'sale:t', event: '{"a":1}' });
    const [[, words]] = (await fixture.redis.client.xrange(EVENTS, '-', '+')) as [[string, string[]]];
    expect([words[0], JSON.parse(words[1]!)]).toEqual(['event', { a: 1, at: expect.stringMatching(/Z$/) }]);
    expect(isIn(Date.parse(JSON.parse(words[1]!).at), 0)).toBe(true);
  });

  test('writes nothing when it is too late', async () => {
    expect(await claim('anna', { deadlineMs: scripts.nowMs - 1 })).toEqual({ outcome: 'too_late' });
    expect(await fixture.redis.client.exists(INDEX)).toBe(0);
    expect(await claim('anna', { deadlineMs: scripts.nowMs + 60_000 })).toEqual(written());
  });
});

describe('erase-index', () => {
  test('the entry of a member that is erased goes, and that of another one stays', async () => {
    const { client } = fixture.redis;
    const erase = (member: string) => call(eraseIndexScript, { member: member as MemberToken });
    await erase('anna');
    await client.set(INDEX, 'annabel print 5 -');
    await erase('anna');
    expect(await client.exists(INDEX)).toBe(1);
    await erase('annabel');
    expect(await client.exists(INDEX)).toBe(0);
  });
});

describe('mark-claim', () => {
  const mark = (tail: string, member = 'anna', event = '') =>
    call(markClaimScript, { member: member as MemberToken, tail, event, retentionMs: RETENTION_MS });

  test('marks a claim of the member, and nothing of another one', async () => {
    const { client } = fixture.redis;
    expect(await mark('sale:t')).toBe(false);
    expect(await client.exists(INDEX)).toBe(0);
    await client.set(INDEX, 'anna print 05 -', 'PX', 10_000);
    expect(await mark('sale:t', 'berit')).toBe(false);
    expect(await mark('superseded:u')).toBe(true);
    expect(await client.get(INDEX)).toBe('anna print 05 superseded:u');
    expect(isAbout(await client.pttl(INDEX), RETENTION_MS)).toBe(true);
  });

  test('a sale takes the place of a successor, and nothing that of a sale', async () => {
    const { client } = fixture.redis;
    await client.set(INDEX, 'anna print 5 superseded:u', 'PX', 90_000);
    expect(await mark('superseded:v')).toBe(true);
    expect(await client.get(INDEX)).toBe('anna print 5 superseded:u');
    expect(await mark('sale:t', 'anna', '{"a":1}')).toBe(true);
    expect(await mark('sale:w', 'anna', '{"a":1}')).toBe(true);
    expect(await client.xlen(EVENTS)).toBe(1);
    expect(await mark('superseded:v')).toBe(true);
    expect(await client.get(INDEX)).toBe('anna print 5 sale:t');
    expect(isAbout(await client.pttl(INDEX), 90_000)).toBe(true);
  });
});
