/** The scripts of a merge of members and of counters given back by hand, each by what it promises. */
import { beforeEach, describe, expect, test } from 'vitest';
import { leadIndexScript } from '../../src/store/scripts/index-entries.ts';
import { giveBackScript } from '../../src/store/scripts/members.ts';
import { adoptMemberScript } from '../../src/store/scripts/merges.ts';
import {
  adoptCalculationScript,
  dropCalculationScript,
  readCalculationScript,
} from '../../src/store/scripts/owned-keys.ts';
import { ANNA, BERIT, useFixture } from './fixture.ts';
import { useScripts } from './script-stage.ts';

const fixture = useFixture();
const scripts = useScripts(fixture);
const { call, isAbout } = scripts;
const FAR_MS = Date.UTC(2100, 0, 1);
const [CALC, ANSWER, RETURNS, HOLD, HELD, DUE] = [
  'calculation',
  'answer',
  'returns',
  'hold',
  'held',
  'holdsDue',
] as const;
const [MEMBER, USE, MERGED, INDEX, EVENTS] = ['member', 'use', 'merged', 'index', 'events'] as const;
const others = [RETURNS];

describe('read-calculation', () => {
  /** What is read, as texts. */
  const read = async () => {
    const kinds = ['hash', 'string', 'hash'];
    const { hold, contents } = await call(readCalculationScript, { calculationId: 'id', kinds }, { others });
    return {
      hold: hold?.toString(),
      contents: contents.map(({ lifetimeMs, words }) => [lifetimeMs, words.map(String)] as const),
    };
  };

  test('reads all that is stored, with how long it is kept', async () => {
    const { client } = fixture.redis;
    await client.hset(CALC, { state: 'open' });
    await client.pexpire(CALC, 10_000);
    await client.set(ANSWER, 'bytes', 'PX', 20_000);
    await client.hset(RETURNS, { n: '1' });
    await client.pexpire(RETURNS, 30_000);
    await client.hset(HOLD, { id: '7 a=1/1', other: '8 a=1/1' });
    const { hold, contents } = await read();
    expect(hold).toBe('7 a=1/1');
    expect(contents.map(([, words]) => words)).toEqual([['state', 'open'], ['bytes'], ['n', '1']]);
    for (const [at, [lifetime]] of contents.entries()) expect(isAbout(lifetime, 10_000 * (at + 1))).toBe(true);
  });

  test('reads an answer alone, a record alone, and nothing', async () => {
    const { client } = fixture.redis;
    expect(await read()).toEqual({ hold: undefined, contents: [] });
    await client.set(ANSWER, 'bytes');
    expect((await read()).contents).toEqual([
      [-2, []],
      [-1, ['bytes']],
      [-2, []],
    ]);
    await client.del(ANSWER);
    await client.hset(CALC, { state: 'sold' });
    expect((await read()).contents).toEqual([
      [-1, ['state', 'sold']],
      [-2, []],
      [-2, []],
    ]);
  });
});

describe('adopt-calculation', () => {
  const adopt = (
    hold = '',
    answer = '',
    [calcMs, answerMs, returnsMs] = [10_000, 20_000, 30_000],
    rows = ['state', 'open'],
    returns = ['n', '1', 'r', 'x'],
  ) =>
    call(
      adoptCalculationScript,
      {
        ...{ calculationId: 'id', holdMs: 60_000, hold: hold === '' ? undefined : Buffer.from(hold) },
        contents: [
          ...['hash', calcMs!, rows.length, ...rows],
          ...(answer === '' ? ['string', answerMs!, 0] : ['string', answerMs!, 1, answer]),
          ...['hash', returnsMs!, returns.length, ...returns],
        ],
      },
      { others },
    );
  const reply = (isWritten: boolean, hasHold: boolean) => ({ isWritten, hasHold });

  test('writes record, answer, returns and hold, each for as long as it is kept', async () => {
    const { client } = fixture.redis;
    expect(await adopt(`${FAR_MS} a=2/3`, 'bytes')).toEqual(reply(true, true));
    expect(await client.hgetall(CALC)).toEqual({ state: 'open' });
    expect(await client.hgetall(RETURNS)).toEqual({ n: '1', r: 'x' });
    expect(await client.get(ANSWER)).toBe('bytes');
    expect(await client.hgetall(HOLD)).toEqual({ id: `${FAR_MS} a=2/3` });
    expect(isAbout(await client.pttl(CALC), 10_000)).toBe(true);
    expect(isAbout(await client.pttl(ANSWER), 20_000)).toBe(true);
    expect(isAbout(await client.pttl(RETURNS), 30_000)).toBe(true);
    expect(isAbout(await client.pttl(HOLD), 60_000)).toBe(true);
  });

  test('leaves one alone that is there, be it the record or the answer', async () => {
    const { client } = fixture.redis;
    await client.hset(CALC, { state: 'sold' });
    expect(await adopt(`${FAR_MS} a=2/3`)).toEqual(reply(false, false));
    await client.del(CALC);
    await client.set(ANSWER, 'earlier');
    expect(await adopt(`${FAR_MS} a=2/3`, 'bytes')).toEqual(reply(false, false));
    expect(await client.exists(CALC, RETURNS, HOLD)).toBe(0);
  });

  test('writes no hold that has ended, none that is there already, and no answer that has no time left', async () => {
    const { client } = fixture.redis;
    expect(await adopt(`${scripts.nowMs - 1} a=2/3`, 'bytes', [10_000, 0, 30_000])).toEqual(reply(true, false));
    expect(await client.exists(ANSWER, HOLD)).toBe(0);
    await client.flushall();
    expect(await adopt()).toEqual(reply(true, false));
    expect(await client.exists(ANSWER, HOLD)).toBe(0);
    await client.flushall();
    await adopt(`${FAR_MS} a=2/3`);
    expect(await client.exists(ANSWER)).toBe(0);
    await client.flushall();
    await client.hset(HOLD, { id: `${FAR_MS} a=1/3` });
    expect(await adopt(`${FAR_MS} a=2/3`)).toEqual(reply(true, false));
    expect(await client.hget(HOLD, 'id')).toBe(`${FAR_MS} a=1/3`);
  });

  test('keeps without an end what had none', async () => {
    const { client } = fixture.redis;
    await adopt('', '', [-1, 0, -1]);
    expect(await Promise.all([client.pttl(CALC), client.pttl(RETURNS)])).toEqual([-1, -1]);
    await client.flushall();
    await adopt('', '', [10_000, 0, 0]);
    expect(await client.exists(RETURNS)).toBe(0);
  });
});

test('the sums of many holds follow one that is adopted, and one that is dropped', async () => {
  const { client } = fixture.redis;
  await client.hset(HOLD, Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`h${at}`, `${FAR_MS} a=1/99`])));
  const contents = ['hash', 10_000, 2, 'state', 'open', ...['string', 0, 0], ...['hash', 0, 0]];
  const adopted = { calculationId: 'id', holdMs: 60_000, hold: Buffer.from(`${FAR_MS} a=2/99`), contents };
  await call(adoptCalculationScript, adopted, { others });
  expect([await client.hgetall(HELD), await client.zcard(DUE)]).toEqual([{ a: '42' }, 41]);
  await call(dropCalculationScript, { calculationId: 'id' }, { others });
  expect([await client.hgetall(HELD), await client.zcard(DUE)]).toEqual([{ a: '40' }, 40]);
});

describe('drop-calculation', () => {
  test('removes record, answer, returns and hold, and nothing of others', async () => {
    const { client } = fixture.redis;
    await client.hset(CALC, { state: 'open' });
    await client.set(ANSWER, 'bytes');
    await client.hset(RETURNS, { n: '1' });
    await client.hset(HOLD, { id: `${FAR_MS} a=1/1`, other: `${FAR_MS} a=1/1` });
    await call(dropCalculationScript, { calculationId: 'id' }, { others });
    expect(await client.keys('*')).toEqual([HOLD]);
    expect(await client.hkeys(HOLD)).toEqual(['other']);
  });
});

describe('adopt-member', () => {
  const adopt = (
    counters: readonly (string | number)[],
    {
      lasts = 10_000,
      read = ['status', 'active', 'tier', 'gold'],
      written = ['grants', '[]', 'status', 'active'],
      event = '',
    } = {},
  ) =>
    call(adoptMemberScript, {
      ...{ from: ANNA, loyaltyId: '"anna"', lifetimeMs: lasts, grants: '', event, retentionMs: 60_000 },
      ...{ read, written, due: [], booked: [], counters },
    });

  beforeEach(async () => {
    await fixture.redis.client.hset(MEMBER, { status: 'active', tier: 'gold', clock: '5 6' });
  });

  test('gives the member grants and counters once; its moved clock stays', async () => {
    const { client } = fixture.redis;
    await client.hset(USE, { a: 1 });
    expect(await adopt(['a', 2, 'b', 3], { event: '{"a":1}' })).toBe('adopted');
    expect(await adopt(['a', 2, 'b', 3], { event: '{"a":1}' })).toBe('adopted_before');
    expect(await client.xlen(EVENTS)).toBe(1);
    expect(await client.hgetall(MEMBER)).toEqual({ status: 'active', grants: '[]', clock: '5 6' });
    expect(await client.hgetall(USE)).toEqual({ a: '3', b: '3' });
    expect(await client.hgetall(MERGED)).toEqual({ [ANNA]: '"anna"' });
  });

  test('keeps of two ends of a counter the later one', async () => {
    const { client } = fixture.redis;
    await client.hset(USE, { 'a!end': 1_800_000_000_000, 'b!end': 5 });
    await adopt(['a!end', 1_700_000_000_000, 'b!end', 1_700_000_000_000, 'c!end', 7]);
    expect(await client.hgetall(USE)).toEqual({ 'a!end': '1800000000000', 'b!end': '1700000000000', 'c!end': '7' });
  });

  test.each([
    ['has fewer fields', ['status', 'active', 'tier', 'gold', 'grants', '[]']],
    ['has another value', ['status', 'blocked', 'tier', 'gold']],
    ['has another value of a later field', ['status', 'active', 'tier', 'silver']],
    ['has more fields', ['status', 'active']],
    ['has another name of a field', ['state', 'active', 'tier', 'gold']],
  ])('leaves a member alone that %s than the caller read', async (_case, read) => {
    const { client } = fixture.redis;
    expect(await adopt(['a', 1], { read })).toBe('changed');
    expect(await client.exists(USE, MERGED)).toBe(0);
    expect(await client.hgetall(MEMBER)).toEqual({ status: 'active', tier: 'gold', clock: '5 6' });
  });

  test('leaves a member alone that was merged itself', async () => {
    await fixture.redis.client.hset(MEMBER, 'into', 'berit');
    expect(await adopt(['a', 1])).toBe('changed');
  });

  test.each([
    ['longer than before', 20_000, 10_000, 20_000],
    ['as long as before, when that is longer', 10_000, 20_000, 20_000],
    ['without an end', -1, 10_000, -1],
    ['without an end, as before', 20_000, -1, -1],
    ['as long as before, when nothing comes', 0, 10_000, 10_000],
    ['as long as those that come, when there were none', 10_000, -2, 10_000],
  ])('keeps the counters %s', async (_case, lasts, before, expected) => {
    const { client } = fixture.redis;
    if (before !== -2) await client.hset(USE, 'old', 1);
    if (before > 0) await client.pexpire(USE, before);
    await adopt(['a', 1], { lasts });
    const lifetime = await client.pttl(USE);
    expect(expected === -1 ? lifetime === -1 : isAbout(lifetime, expected)).toBe(true);
  });
});

test('an index entry of the merged member leads to the other one, for as long as before', async () => {
  const { client } = fixture.redis;
  const lead = () => call(leadIndexScript, { from: ANNA, into: BERIT });
  await lead();
  expect(await client.exists(INDEX)).toBe(0);
  await client.set(INDEX, 'cecilie print 5 -');
  await lead();
  expect(await client.get(INDEX)).toBe('cecilie print 5 -');
  await client.set(INDEX, `${ANNA} print 5 sale:anna x`, 'PX', 10_000);
  await lead();
  expect(await client.get(INDEX)).toBe(`${BERIT} print 5 sale:anna x`);
  expect(isAbout(await client.pttl(INDEX), 10_000)).toBe(true);
});

describe('give-back', () => {
  const giveBack = (units: number) => call(giveBackScript, { usageKey: 'a:*', units });

  test('gives back what is consumed, and nothing when that is less', async () => {
    const { client } = fixture.redis;
    await client.hset(USE, { 'a:*': 3, 'b:*': 9 });
    expect(await giveBack(4)).toEqual({ outcome: 'too_many', consumed: 3 });
    expect(await giveBack(2)).toEqual({ outcome: 'given_back', consumed: 1 });
    expect(await giveBack(1)).toEqual({ outcome: 'given_back', consumed: 0 });
    expect(await giveBack(1)).toEqual({ outcome: 'too_many', consumed: 0 });
    expect(await client.hgetall(USE)).toEqual({ 'a:*': '0', 'b:*': '9' });
  });

  test('gives nothing back to a member that was merged', async () => {
    await fixture.redis.client.hset(USE, { 'a:*': 3, '!moved': 'berit' });
    expect(await giveBack(1)).toEqual({ outcome: 'merged' });
  });
});
