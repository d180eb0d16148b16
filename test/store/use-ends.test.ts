/** Consumption ends with its period and the retention, so that a member's hash does not grow for ever. */
import { readFileSync } from 'node:fs';
import { type Period, parseDate, periodName } from '@loyalty/engine/compile/calendar';
import { expect, test } from 'vitest';
import { Random } from '../../packages/simulator/src/random.ts';
import { ANNA, calculate, report, useFixture } from './fixture.ts';

const fixture = useFixture();

const DAY_MS = 86_400_000;
const HALF_DAY_MS = DAY_MS / 2;
const DOZEN_YEARS_AGO = '2014-03-02';
const today = Math.floor(Date.now() / DAY_MS);

const use = () => fixture.store.keys.use(ANNA);
const fields = () => fixture.redis.client.hgetall(use());
const daily = (day: number) => `daily:${periodName('day', day)}`;

/** A sale that consumes one unit under the key. */
async function sell(usageKey: string, limit = 1) {
  const { commit } = await calculate(fixture, { uses: [{ usageKey, units: 1, limit }] });
  return report(fixture, commit.calculationId, 'applied');
}

/** Sales of another benefit until a field has gone: each looks at some fields only, drawn at random. */
async function sellUntilGone(field: string) {
  for (let sales = 0; (await fixture.redis.client.hexists(use(), field)) === 1; sales += 1) {
    expect(sales).toBeLessThan(100);
    await sell(daily(today), 1000);
  }
}

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
  const drawn = Array.from({ length: 200 }, () => random.between(first, last));
  // A till's year 9999 may be the next one where its venue is.
  const days = [...drawn, parseDate('2024-12-30') as number, (parseDate('9999-12-31') as number) + 1];
  for (const period of ['day', 'week', 'month', 'year'] as const) {
    const usages = days.map((day) => `a.b-${random.between(0, 9)}_W:${periodName(period, day)}`);
    expect(await fixture.redis.client.eval(script, 0, ...usages)).toEqual(days.map((day) => endOf(period, day)));
  }
  expect(await fixture.redis.client.eval(script, 0, 'once:*', 'odd:thing', 'odd', 'daily:2026-11-21!over')).toEqual([
    -1, -1, -1, -1,
  ]);
});

test('sales remove what has ended with all that belongs to it, and nothing else', async () => {
  const { retentionMs } = fixture.store.periods;
  const ended = Math.floor((Date.now() - retentionMs - HALF_DAY_MS) / DAY_MS) - 1;
  const [gone, kept] = [daily(ended), daily(ended + 3)];
  const lasting = { 'once:*': '1', 'odd:thing': '1', [kept]: '1', [`${kept}!over`]: '1' };
  await fixture.redis.client.hset(use(), { [gone]: '2', [`${gone}!over`]: '1', [`${gone}!end`]: '1', ...lasting });
  await sellUntilGone(gone);
  const { [daily(today)]: _, ...left } = await fields();
  expect(left).toEqual(lasting);
});

test('a hash whose every field ends, ends with the last of them; with a lifetime it is kept for good', async () => {
  const { client } = fixture.redis;
  const { retentionMs } = fixture.store.periods;
  const endMs = (day: number) => day * DAY_MS + HALF_DAY_MS + retentionMs;
  await sell(`yearly:${periodName('year', today)}`);
  expect(await client.pexpiretime(use())).toBe(endMs(endOf('year', today)));
  await sell(daily(today));
  expect(await client.pexpiretime(use())).toBe(endMs(endOf('year', today)));
  await sell(`yearly:${periodName('year', today + 370)}`);
  expect(await client.pexpiretime(use())).toBe(endMs(endOf('year', today + 370)));
  await sell('once:*');
  await sell(daily(today + 1));
  expect(await client.pttl(use())).toBe(-1);
});

test('what is consumed in a period long over counts for the retention from then on', async () => {
  const { redis, store } = fixture;
  const usageKey = `daily:${DOZEN_YEARS_AGO}`;
  await sell(usageKey);
  await sell(daily(today));
  // A till whose clock stands still names the same day for ever, and gets the benefit of that day once.
  const again = await calculate(fixture, { uses: [{ usageKey, units: 1, limit: 1 }] });
  expect(again).toMatchObject({ outcome: 'shortage', left: new Map([[usageKey, 0]]) });
  const kept = await fields();
  expect(kept[usageKey]).toBe('1');
  expect(Number(kept[`${usageKey}!end`]) - Date.now()).toBeGreaterThan(store.periods.retentionMs - 60_000);
  await redis.client.hset(use(), `${usageKey}!end`, Date.now() - 1);
  await sellUntilGone(usageKey);
  expect(Object.keys(await fields())).toEqual([daily(today)]);
});

test('a sale looks at a few fields only, and sales get through thousands that have ended', async () => {
  const { client } = fixture.redis;
  const first = parseDate(DOZEN_YEARS_AGO) as number;
  const old = Array.from({ length: 600 }, (_, at) => [daily(first + at), '1']).flat();
  await client.hset(use(), ...old);
  let left = await client.hlen(use());
  let sales = 0;
  for (; left > 20; sales += 1) {
    await sell(daily(today), 1_000_000);
    const now = await client.hlen(use());
    expect(left - now).toBeLessThanOrEqual(4);
    left = now;
  }
  expect(sales).toBeLessThan(300);
});
