/** How long consumption is kept: until its period has ended in every time zone, and the retention after it, so that no member's hash grows for ever. */
import { readFileSync } from 'node:fs';
import { type Period, parseDate, periodName } from '@loyalty/engine/compile/calendar';
import { expect, test } from 'vitest';
import { Random } from '../../packages/simulator/src/random.ts';
import { endCommonScript } from '../../src/store/scripts/common-limits.ts';
import { ANNA, calculate, report, useFixture } from './fixture.ts';
import { useScripts } from './script-stage.ts';

const fixture = useFixture();
const scripts = useScripts(fixture);
const { isIn } = scripts;
const USE = 'use';
const DAY_MS = 86_400_000;
const RETENTION_MS = 7 * DAY_MS;
const FARTHEST_MS = 731.5 * DAY_MS;

let sales = 0;
/** A sale consumes a unit of each. */
const consume = async (...usages: string[]) => {
  sales += 1;
  const use = usages.map((usage) => `${usage}=1/999`).join(' ');
  const sale = { calculationId: `sale-${sales}`, member: ANNA, use, ending: 'consume' } as const;
  await scripts.call(endCommonScript, { ...sale, holdMs: 0, retentionMs: RETENTION_MS });
};
const endOfHash = () => fixture.redis.client.call('PEXPIRETIME', USE) as Promise<number>;
const fields = async () => {
  const entries = Object.entries(await fixture.redis.client.hgetall(USE));
  return Object.fromEntries(entries.filter(([name, value]) => !name.endsWith('!since') || value === '5'));
};
const storedEnd = async (usage: string) => Number(await fixture.redis.client.hget(USE, `${usage}!end`));

const daysAhead = (days: number) => Math.floor(scripts.nowMs / DAY_MS) + days;
/** The counter of a day, and until when it is kept: half a day after midnight at Greenwich the day is over everywhere. */
const ofDay = (day: number) => `b:${periodName('day', day)}`;
const keptUntil = (day: number) => (day + 1) * DAY_MS + DAY_MS / 2 + RETENTION_MS;

/** The first day that does not belong to the day's period any more, by the calendar that names the periods. */
function endOf(period: Period, day: number): number {
  let end = day + 1;
  while (periodName(period, end) === periodName(period, day)) end += 1;
  return end;
}

test('the scripts know the end of every period that the calendar names', async () => {
  const include = readFileSync(new URL('../../src/store/scripts/periods.include.lua', import.meta.url), 'utf8');
  const script = `${include}\nlocal ends = {}\nfor at, usage in ipairs(ARGV) do ends[at] = period_end_day(usage) or -1 end\nreturn ends`;
  const random = new Random(12);
  const [first, last] = [parseDate('1969-12-01') as number, parseDate('2199-12-31') as number];
  // Every day of the years to come, of which a few at random would miss the turn of a month, a leap year or ISO's 53rd week.
  const near = Array.from({ length: 1500 }, (_, at) => daysAhead(at));
  const drawn = Array.from({ length: 200 }, () => random.between(first, last));
  // A till's year 9999 may be the next one where its venue is.
  const days = [...near, ...drawn, parseDate('2024-12-30') as number, (parseDate('9999-12-31') as number) + 1];
  for (const period of ['day', 'week', 'month', 'year'] as const) {
    const usages = days.map((day) => `a.b-${random.between(0, 9)}_W:${periodName(period, day)}`);
    expect(await fixture.redis.client.eval(script, 0, ...usages)).toEqual(days.map((day) => endOf(period, day)));
  }
  expect(await fixture.redis.client.eval(script, 0, 'once:*', 'odd:thing', 'odd', 'daily:2026-11-21!over')).toEqual([
    -1, -1, -1, -1,
  ]);
});

test('a sale of a period that is over is kept for the retention from the sale on, and its end is stored', async () => {
  for (const period of ['2020-02-29', '2020-W53', '2020-02', '2020', '-5-01', '00-1-12-31', '00-1-W52']) {
    await fixture.redis.client.del(USE);
    await consume(`b:${period}`);
    expect([period, isIn(await storedEnd(`b:${period}`), RETENTION_MS)]).toEqual([period, true]);
    expect(isIn(await endOfHash(), RETENTION_MS)).toBe(true);
  }
});

test('a till whose clock is years ahead has its consumption kept no longer than any other', async () => {
  await consume('b:2999-01-01');
  expect(isIn(await storedEnd('b:2999-01-01'), FARTHEST_MS + RETENTION_MS)).toBe(true);
  expect(isIn(await endOfHash(), FARTHEST_MS + RETENTION_MS)).toBe(true);
});

test('a till whose clock stands still names the same day for ever, and gets the benefit of that day once', async () => {
  const uses = [{ usageKey: 'daily:2014-03-02', units: 1, limit: 1 }];
  const { commit } = await calculate(fixture, { uses });
  await report(fixture, commit.calculationId, 'applied');
  expect(await calculate(fixture, { uses })).toMatchObject({ outcome: 'shortage' });
});

test('the consumption of a lifetime has no end, and keeps all that is beside it', async () => {
  await consume('b:2020');
  await consume('c:*');
  expect(await endOfHash()).toBe(-1);
  await consume('b:2020');
  expect(await endOfHash()).toBe(-1);
  expect(await fields()).toMatchObject({ 'b:2020': '2', 'c:*': '1' });
  expect(await fields()).not.toHaveProperty('c:*!end');
});

test('a hash is kept for as long as the longest of its counters', async () => {
  const [soon, late] = [daysAhead(2), daysAhead(40)];
  await consume(ofDay(soon));
  expect(await endOfHash()).toBe(keptUntil(soon));
  await consume(ofDay(late));
  await consume(ofDay(soon));
  expect(await endOfHash()).toBe(keptUntil(late));
});

test('a sale removes counters that have ended, with what is stored beside them', async () => {
  const { client } = fixture.redis;
  const lasting = {
    'd:2021': '1',
    'd:2021!end': `${scripts.nowMs + DAY_MS}`,
    'odd:thing': '1',
    [ofDay(daysAhead(0))]: '1',
  };
  await client.hset(USE, { 'b:2020': 3, 'b:2020!over': 1, 'c:2021': 1, 'c:2021!end': scripts.nowMs - 1, ...lasting });
  for (let sale = 0; sale < 30; sale += 1) await consume('e:*');
  expect(await fields()).toEqual({ ...lasting, 'e:*': '30' });
});

test('a hash with an end keeps it while a counter in it is past its limit', async () => {
  const { client } = fixture.redis;
  const soon = ofDay(daysAhead(2));
  // What is marked beside a counter is no lifetime.
  await client.hset(USE, { [soon]: 1, [`${soon}!over`]: 1 });
  await client.pexpire(USE, DAY_MS);
  for (let sale = 0; sale < 20; sale += 1) await consume(soon);
  expect(await endOfHash()).toBeGreaterThan(0);
  expect(await fields()).toEqual({ [soon]: '21', [`${soon}!over`]: '1' });
});

test('a lifetime among many counters keeps the hash from the first sale on', async () => {
  const { client } = fixture.redis;
  const day = periodName('day', daysAhead(2));
  const many = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`c${at}:${day}`, 1]));
  await client.hset(USE, many);
  await client.pexpire(USE, DAY_MS);
  await consume('e:*');
  expect(await endOfHash()).toBe(-1);
  await client.del(USE);
  await client.hset(USE, { ...many, 'e:*': 1 });
  await consume(`b:${day}`);
  expect(await endOfHash()).toBe(-1);
});

test('a sale of many counters looks at several for each', async () => {
  const { client } = fixture.redis;
  await client.hset(USE, Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`old${at}:2020`, 1])));
  await consume(...Array.from({ length: 8 }, (_, at) => `e${at}:*`));
  expect(Object.keys(await fields()).filter((name) => name.startsWith('old'))).toEqual([]);
});

test('a sale looks at a few fields only, and sales get through hundreds that have ended', async () => {
  const { client } = fixture.redis;
  const first = parseDate('2014-03-02') as number;
  await client.hset(USE, ...Array.from({ length: 600 }, (_, at) => [ofDay(first + at), '1']).flat());
  let left = await client.hlen(USE);
  let count = 0;
  for (; left > 20; count += 1) {
    await consume('e:*');
    const now = await client.hlen(USE);
    expect(left - now).toBeLessThanOrEqual(4);
    left = now;
  }
  expect(count).toBeLessThan(300);
});
