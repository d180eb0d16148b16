/** The scripts that write members, each by what it promises. */
import { describe, expect, test } from 'vitest';
import {
  endGrantScript,
  eraseMemberScript,
  listGrantsDueScript,
  replaceMemberScript,
} from '../../src/store/scripts/members.ts';
import { useFixture } from './fixture.ts';
import { useScripts } from './script-stage.ts';

const fixture = useFixture();
const scripts = useScripts(fixture);
const { call } = scripts;
const FAR_MS = Date.UTC(2100, 0, 1);
const [MEMBER, USE, GRANTS_DUE, EVENTS] = ['member', 'use', 'grantsDue', 'events'] as const;
const told = async () => (await fixture.redis.client.xrange(EVENTS, '-', '+')).map(([, [, text]]) => JSON.parse(text!));

describe('replace-member', () => {
  type Words = readonly (string | number)[];
  const replace = (read: Words, written: Words, due: Words = [], ...told: Words) =>
    call(replaceMemberScript, { retentionMs: 60_000, read, written, due, told });
  const member = () => fixture.redis.client.hgetall(MEMBER);
  const GOLD = ['status', 'active', 'tier', 'gold'] as const;

  test('a member that is not there is written', async () => {
    expect(await replace(GOLD, ['status', 'active'])).toBe(false);
    expect(await replace([], GOLD)).toBe(true);
    expect(await member()).toEqual({ status: 'active', tier: 'gold' });
  });

  test('notes when grants end, and tells what became of them with the uses of those that are taken', async () => {
    const { client } = fixture.redis;
    const taken = (name: string, ends: number | '') => [`{"of":"${name || 'endless'}"}`, 'a/1:*', name, ends];
    await client.hset(USE, 'a/1:*', 3);
    await scripts.zadd(GRANTS_DUE, { 'anna noted': 5, 'anna endless-now': 5 });
    expect(
      await replace(
        [],
        GOLD,
        ['anna given', FAR_MS, 'anna endless-now', ''],
        ...['{"of":"given"}', '', '', ''],
        // Its end has come, but nobody has told it.
        ...taken('anna noted', 5),
        ...taken('anna ended before', 5),
        ...taken('anna of an older version', FAR_MS),
        ...taken('', ''),
      ),
    ).toBe(true);
    expect(await client.zrange(GRANTS_DUE, '0', '-1', 'WITHSCORES')).toEqual(['anna given', `${FAR_MS}`]);
    expect((await told()).map(({ of, used }) => [of, used])).toEqual([
      ['given', undefined],
      ['anna noted', 3],
      ['anna of an older version', 3],
      ['endless', 3],
    ]);
  });

  test('a member is replaced while it is as the caller read it', async () => {
    await fixture.redis.client.hset(MEMBER, { status: 'active', tier: 'gold', clock: '5 6' });
    for (const read of [
      ['status', 'active'],
      ['status', 'active', 'tier', 'silver'],
      ['status', 'blocked', 'tier', 'gold'],
      ['status', 'active', 'tier', 'gold', 'grants', '[]'],
    ]) {
      expect(await replace(read, ['status', 'paused', 'tier', 'gold'], ['anna g', 5], '{}', '', '', '')).toBe(false);
    }
    expect(await fixture.redis.client.exists(GRANTS_DUE, EVENTS)).toBe(0);
    expect(await replace(GOLD, ['status', 'paused', 'grants', '[]'])).toBe(true);
    expect(await member()).toEqual({ status: 'paused', grants: '[]', clock: '5 6' });
  });

  test('a member that is being merged is not replaced: what is written there, the other one would not get', async () => {
    await fixture.redis.client.hset(MEMBER, { status: 'active', into: '"berit"' });
    expect(await replace(['status', 'active'], ['status', 'active', 'grants', 'soup'])).toBe(false);
    expect(await member()).toEqual({ status: 'active', into: '"berit"' });
  });
});

describe('erase-member', () => {
  test('erases a member with the ends of its grants and an event, once', async () => {
    const { client } = fixture.redis;
    const erase = () => call(eraseMemberScript, { event: '{"a":1}', retentionMs: 60_000, names: ['anna g'] });
    await client.hset(MEMBER, { status: 'active' });
    await scripts.zadd(GRANTS_DUE, { 'anna g': 5, 'berit g': 5 });
    expect([await erase(), await erase()]).toEqual([true, false]);
    expect(await client.exists(MEMBER)).toBe(0);
    expect(await client.zrange(GRANTS_DUE, '0', '-1')).toEqual(['berit g']);
    expect(await told()).toEqual([{ a: 1, at: expect.any(String) }]);
  });
});

describe('list-grants-due and end-grant', () => {
  const end = (endsMs: number, laterMs?: number) =>
    call(endGrantScript, { name: 'anna g', endsMs: String(endsMs), laterMs, event: '{"a":1}', retentionMs: 60_000 });

  test('those whose end has come are listed, the earliest first', async () => {
    await scripts.zadd(GRANTS_DUE, { 'anna g': scripts.nowMs - 1, 'berit g': 7, 'carl g': FAR_MS });
    expect(await call(listGrantsDueScript, { most: 9 })).toEqual(['berit g', '7', 'anna g', `${scripts.nowMs - 1}`]);
    expect(await call(listGrantsDueScript, { most: 1 })).toEqual(['berit g', '7']);
  });

  test('one ends once, with its event, unless it was changed since it was found', async () => {
    await scripts.zadd(GRANTS_DUE, { 'anna g': 7 });
    expect([await end(8), await end(7), await end(7)]).toEqual([false, true, false]);
    expect(await told()).toEqual([{ a: 1, at: expect.any(String) }]);
  });

  test('one that ends later is noted for then', async () => {
    await scripts.zadd(GRANTS_DUE, { 'anna g': 7 });
    expect(await end(7, FAR_MS)).toBe(true);
    expect(await fixture.redis.client.zscore(GRANTS_DUE, 'anna g')).toBe(`${FAR_MS}`);
    expect(await told()).toEqual([]);
  });
});
