/** How long consumption is kept: until its period has ended in every time zone, and the retention after it. */
import { expect, test } from 'vitest';
import { endCommonScript } from '../../src/store/scripts/common-limits.ts';
import { ANNA, useFixture } from './fixture.ts';
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
  await scripts.call(endCommonScript, {
    calculationId: `sale-${sales}`,
    member: ANNA,
    use: usages.map((usage) => `${usage}=1/999`).join(' '),
    ending: 'consume',
    retentionMs: RETENTION_MS,
  });
};
const endOfHash = () => fixture.redis.client.call('PEXPIRETIME', USE) as Promise<number>;
const fields = async () => {
  const entries = Object.entries(await fixture.redis.client.hgetall(USE));
  return Object.fromEntries(entries.filter(([name, value]) => !name.endsWith('!since') || value === '5'));
};
const storedEnd = async (usage: string) => Number(await fixture.redis.client.hget(USE, `${usage}!end`));

/** Half a day after midnight at Greenwich the day is over everywhere. */
const keptUntil = (firstDayAfterMs: number) => firstDayAfterMs + DAY_MS / 2 + RETENTION_MS;
const pad = (number: number) => String(number).padStart(2, '0');

/** Every day of the two years to come, of which a few at random would miss the turn of a month, a leap year or ISO's 53rd week. */
const days = (): Date[] => {
  const midnight = Math.floor(scripts.nowMs / DAY_MS) * DAY_MS;
  return Array.from({ length: 710 }, (_, at) => new Date(midnight + (at + 1) * DAY_MS));
};

/** ISO 8601: the week belongs to the year of its Thursday. */
function weekOf(day: Date): { name: string; nextMs: number } {
  const monday = day.getTime() - ((day.getUTCDay() + 6) % 7) * DAY_MS;
  const thursday = new Date(monday + 3 * DAY_MS);
  const newYear = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  const week = Math.floor((thursday.getTime() - newYear) / DAY_MS / 7) + 1;
  return { name: `${thursday.getUTCFullYear()}-W${pad(week)}`, nextMs: monday + 7 * DAY_MS };
}

const periodsOf = (day: Date): { name: string; nextMs: number }[] => {
  const [year, month, date] = [day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate()];
  return [
    { name: `${year}-${pad(month + 1)}-${pad(date)}`, nextMs: Date.UTC(year, month, date + 1) },
    weekOf(day),
    { name: `${year}-${pad(month + 1)}`, nextMs: Date.UTC(year, month + 1, 1) },
    { name: `${year}`, nextMs: Date.UTC(year + 1, 0, 1) },
  ];
};

test('days, weeks, months and years of the next two years are kept until they are over everywhere', async () => {
  const known = new Map(
    days()
      .flatMap(periodsOf)
      .map(({ name, nextMs }) => [name, nextMs]),
  );
  // What ends further away than the longest period is bounded, which another test looks at.
  const near = [...known].filter(
    ([, nextMs]) => keptUntil(nextMs) < scripts.nowMs + FARTHEST_MS + RETENTION_MS && nextMs > scripts.nowMs,
  );
  expect(near.length).toBeGreaterThan(800);
  const ends: [string, number][] = [];
  for (const [name] of near) {
    await fixture.redis.client.del(USE);
    await consume(`b:${name}`);
    ends.push([name, await endOfHash()]);
  }
  expect(ends).toEqual(near.map(([name, nextMs]) => [name, keptUntil(nextMs)]));
}, 120_000);

test('a sale of a period that is over is kept for the retention from the sale on, and its end is stored', async () => {
  for (const period of ['2020-02-29', '2020-W53', '2020-02', '2020', '-5-01']) {
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
  const [soon, late] = [days()[2]!, days()[40]!].map((day) => periodsOf(day)[0]!);
  await consume(`b:${soon!.name}`);
  await consume(`b:${late!.name}`);
  expect(await endOfHash()).toBe(keptUntil(late!.nextMs));
  await consume(`b:${soon!.name}`);
  expect(await endOfHash()).toBe(keptUntil(late!.nextMs));
});

test('a sale removes counters that have ended, with what is stored beside them', async () => {
  const { client } = fixture.redis;
  await client.hset(USE, {
    'b:2020': 3,
    'b:2020!over': 1,
    'c:2021': 1,
    'c:2021!end': scripts.nowMs - 1,
    'd:2021': 1,
    'd:2021!end': scripts.nowMs + DAY_MS,
  });
  for (let sale = 0; sale < 15; sale += 1) await consume('e:*');
  expect(await fields()).toEqual({ 'd:2021': '1', 'd:2021!end': `${scripts.nowMs + DAY_MS}`, 'e:*': '15' });
});

test('a hash with an end keeps it while a counter in it is past its limit', async () => {
  const { client } = fixture.redis;
  const [soon] = periodsOf(days()[2]!);
  // What is marked beside a counter is no lifetime.
  await client.hset(USE, { [`b:${soon!.name}`]: 1, [`b:${soon!.name}!over`]: 1 });
  await client.pexpire(USE, DAY_MS);
  for (let sale = 0; sale < 20; sale += 1) await consume(`b:${soon!.name}`);
  expect(await endOfHash()).toBeGreaterThan(0);
  expect(await fields()).toEqual({ [`b:${soon!.name}`]: '21', [`b:${soon!.name}!over`]: '1' });
});

test('a lifetime among many counters keeps the hash from the first sale on', async () => {
  const { client } = fixture.redis;
  const [soon] = periodsOf(days()[2]!);
  const many = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`c${at}:${soon!.name}`, 1]));
  await client.hset(USE, many);
  await client.pexpire(USE, DAY_MS);
  await consume('e:*');
  expect(await endOfHash()).toBe(-1);
  await client.del(USE);
  await client.hset(USE, { ...many, 'e:*': 1 });
  await consume(`b:${soon!.name}`);
  expect(await endOfHash()).toBe(-1);
});

test('a sale of many counters looks at several for each', async () => {
  const { client } = fixture.redis;
  await client.hset(USE, Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`old${at}:2020`, 1])));
  await consume(...Array.from({ length: 8 }, (_, at) => `e${at}:*`));
  expect(Object.keys(await fields()).filter((name) => name.startsWith('old'))).toEqual([]);
});
