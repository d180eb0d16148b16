/** What no call shows of the short scripts: when a calculation is looked at, the instant and the retention of events, and what an error says. */
import { expect, test } from 'vitest';
import { forgetExaminationScript, noteExaminationScript } from '../../src/store/scripts/calculations.ts';
import { holdCommonScript } from '../../src/store/scripts/common-limits.ts';
import { appendEventScript } from '../../src/store/scripts/environment.ts';
import { claimIndexScript } from '../../src/store/scripts/index-entries.ts';
import { endGrantScript } from '../../src/store/scripts/members.ts';
import { settleScript } from '../../src/store/scripts/sales.ts';
import { ANNA, useFixture } from './fixture.ts';
import { useScripts } from './script-stage.ts';

const fixture = useFixture();
const scripts = useScripts(fixture);
const { call, isIn } = scripts;
const EXAMINATIONS = 'examinations';

test('what a call notes again keeps the earlier time, but not one at which that call may not be over', async () => {
  const { client } = fixture.redis;
  const at = async (id: string) => Number(await client.zscore(EXAMINATIONS, id)) - scripts.nowMs;
  const note = (lookMs: number, callOverMs: number | undefined, ...calculationIds: string[]) =>
    call(noteExaminationScript, { lookMs, callOverMs, calculationIds });
  const before = { past: -9_000, now: 10, soon: 20_000, far: 90_000 };
  for (const [id, inMs] of Object.entries(before)) await client.zadd(EXAMINATIONS, scripts.nowMs + inMs, id);
  await note(50_000, 5_000, 'past', 'now', 'soon', 'far', 'new');
  expect(await at('soon')).toBe(20_000);
  for (const id of ['past', 'now']) expect(isIn(await client.zscore(EXAMINATIONS, id), 5_000)).toBe(true);
  for (const id of ['far', 'new']) expect(isIn(await client.zscore(EXAMINATIONS, id), 50_000)).toBe(true);
  await note(5_000, 5_000, 'soon');
  expect(isIn(await client.zscore(EXAMINATIONS, 'soon'), 5_000)).toBe(true);
  // A look that is put off is put off only where it is noted.
  await note(70_000, undefined, 'soon', 'unknown');
  expect(isIn(await client.zscore(EXAMINATIONS, 'soon'), 70_000)).toBe(true);
  expect(await client.zscore(EXAMINATIONS, 'unknown')).toBeNull();
});

test('events are removed when the retention is over, by the clock of Redis', async () => {
  const { client } = fixture.redis;
  const append = (retentionMs: number, atMs?: number) =>
    call(appendEventScript, { event: '{"a":1}', retentionMs, atMs });
  await client.xadd('events', 1, 'old', '1');
  await append(Number.MAX_SAFE_INTEGER);
  const [old, [id, [field, text]]] = (await client.xrange('events', '-', '+')) as [unknown, [string, string[]]];
  expect([old, isIn(id.split('-')[0], 0), field]).toEqual([['1-0', ['old', '1']], true, 'event']);
  const { at, ...event } = JSON.parse(text!);
  expect([event, isIn(Date.parse(at), 0)]).toEqual([{ a: 1 }, true]);
  // Redis removes whole nodes of a stream, of a hundred entries each.
  await client.del('events');
  for (let entry = 1; entry < 250; entry += 1) await client.xadd('events', entry, 'old', '1');
  await append(1_000_000);
  expect(await client.xlen('events')).toBeLessThan(150);
  // What is booked later says when that was.
  for (const instant of [
    '1969-12-31T23:59:59.999Z',
    '2000-02-29T00:00:00.000Z',
    '2026-12-31T23:59:59.001Z',
    '2100-03-01T12:34:56.789Z',
  ]) {
    await append(1_000_000, Date.parse(instant));
    const [[, words]] = (await client.xrevrange('events', '+', '-', 'COUNT', 1)) as [[string, string[]]];
    expect(JSON.parse(words[1]!)).toEqual({ a: 1, at: instant });
  }
});

test('a second claim of the same member keeps its tail, and the later end of both calls', async () => {
  const { client } = fixture.redis;
  const claim = async (leftMs: number) => {
    const asked = { member: 'anna', leftMs, tail: '-', retentionMs: 60_000, longestMs: 20_000 };
    await call(claimIndexScript, { ...asked, replaceable: undefined, deadlineMs: undefined, event: '' });
    return (await client.get('index'))!.split(' ');
  };
  await client.set('index', `anna first ${scripts.nowMs + 90_000} sale:t`);
  expect(await claim(5_000)).toEqual(['anna', '-', `${scripts.nowMs + 90_000}`, 'sale:t']);
  await client.set('index', `anna first ${scripts.nowMs + 1_000} -`);
  expect(isIn((await claim(5_000))[2], 5_000)).toBe(true);
});

test('a grant ends once, with its event, unless its end was changed since it was found', async () => {
  const { client } = fixture.redis;
  const end = (endsMs: string) =>
    call(endGrantScript, { name: 'anna g', endsMs, laterMs: undefined, event: '{"a":1}', retentionMs: 60_000 });
  await client.zadd('grantsDue', 7, 'anna g');
  expect([await end('8'), await end('7'), await end('7')]).toEqual([false, true, false]);
  expect(await client.xlen('events')).toBe(1);
});

test('a sale is refused whose event was made from another answer, or before another sale', async () => {
  const { client } = fixture.redis;
  await client.hset('calculation', { state: 'open', fp: 'print', at: 7, deadline: Date.UTC(2100, 0, 1) });
  const settle = (read: { answeredRead?: number; saleRead?: string }) =>
    call(settleScript, {
      ...{ calculationId: 'sold', outcome: '["applied"]', consumes: true, deadlineMs: Date.UTC(2100, 0, 1) },
      ...{ retentionMs: 60_000, keptMs: 60_000, event: '{"a":1}', stateRead: 'open' },
      ...{ answeredRead: 7, saleRead: undefined, ...read },
    });
  for (const read of [{ answeredRead: 8 }, { answeredRead: undefined }, { saleRead: 'other' }]) {
    expect(await settle(read as object)).toEqual({ outcome: 'changed' });
  }
  expect(await client.exists('events')).toBe(0);
  expect(await settle({})).toMatchObject({ outcome: 'recorded' });
});

test('a counter that is short names up to sixteen unconfirmed holds whose calls are over', async () => {
  const { client } = fixture.redis;
  const hold = () =>
    call(holdCommonScript, {
      ...{ calculationId: 'a', member: ANNA, usageKey: 'gift', units: 4, limit: 3, supersedes: undefined },
      ...{ callOverMs: 5_000, holdMs: 60_000 },
    });
  await client.zadd('unconfirmed', 1, 'berit b', Date.UTC(2100, 0, 1), 'dina d');
  expect(await hold()).toEqual({ outcome: 'short', left: 3, overdue: ['berit b'] });
  for (let number = 0; number < 20; number += 1) await client.zadd('unconfirmed', 1, `eva ${number}`);
  expect(await hold()).toMatchObject({ overdue: { length: 16 } });
});

test('an error of a script says which one it is of, and quotes the line', async () => {
  const { client } = fixture.redis;
  await client.set(EXAMINATIONS, 'no list');
  const forget = () => call(forgetExaminationScript, { calculationId: 'id' });
  const quoted = /^WRONGTYPE .* \[forget-examination: .*redis\.call\('Z.*\]$/;
  await client.script('FLUSH');
  // Sent whole, and by its hash.
  await expect(forget()).rejects.toThrow(quoted);
  await expect(forget()).rejects.toThrow(quoted);
});
