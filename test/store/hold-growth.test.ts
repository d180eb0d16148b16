/** One member with thousands of open calculations: a call costs what it costs with one, and nothing is given twice. */
import { expect, test } from 'vitest';
import { readMember, unitsLeft } from '../../src/store/members.ts';
import { ANNA, calculate, report, useFixture } from './fixture.ts';

const fixture = useFixture();
const LIMIT = 1_000_000;
const USE = [{ usageKey: 'coffee:*', units: 1, limit: LIMIT }];
const anna = { token: ANNA, programmeId: 'coffee-club', loyaltyId: 'anna' };
const left = async (limit = LIMIT) => unitsLeft(await readMember(fixture.store, anna, true), 'coffee:*', limit, []);

async function open(count: number): Promise<string[]> {
  const opened: string[] = [];
  while (opened.length < count) {
    const part = Math.min(200, count - opened.length);
    const calls = await Promise.all(Array.from({ length: part }, () => calculate(fixture, { uses: USE })));
    for (const { commit, outcome } of calls) {
      expect(outcome).toBe('committed');
      opened.push(commit.calculationId);
    }
  }
  return opened;
}

/** Microseconds of Redis for a read and a commit, the mean of many. */
async function costOfCall(): Promise<number> {
  const { client } = fixture.redis;
  await client.config('RESETSTAT');
  for (let call = 0; call < 100; call += 1) {
    await readMember(fixture.store, anna, true);
    await calculate(fixture, { uses: USE });
  }
  const stats = await client.info('commandstats');
  const usec = [...stats.matchAll(/cmdstat_evalsha(?:_ro)?:calls=\d+,usec=(\d+)/g)];
  return usec.reduce((sum, [, each]) => sum + Number(each), 0) / 100;
}

test('a call costs the same with 40 and with 4,000 open calculations', async () => {
  await open(40);
  const few = await costOfCall();
  await open(4_000);
  const many = await costOfCall();
  expect(many / few).toBeLessThan(3);
}, 60_000);

test('the units of thousands of holds are counted to the unit, through sales, cancellations and ends', async () => {
  const { redis, store } = fixture;
  const opened = await open(1_000);
  expect(await left()).toBe(LIMIT - 1_000);
  for (const id of opened.slice(0, 10)) await report(fixture, id, 'applied');
  for (const id of opened.slice(10, 30)) await report(fixture, id, 'cancelled');
  expect(await left()).toBe(LIMIT - 980);
  // As if all but 100 had been opened long ago: nothing but their deadlines ends them.
  const old = opened.slice(30, 900);
  for (const id of old) {
    await redis.client.hset(store.keys.hold(ANNA), id, '1 coffee:*=1/1000000');
    await redis.client.zadd(store.keys.holdsDue(ANNA), 1, id);
  }
  for (let call = 0; call < 2; call += 1) await calculate(fixture, { uses: USE });
  expect(await left()).toBe(LIMIT - 10 - 100 - 2);
  expect(await redis.client.hlen(store.keys.hold(ANNA))).toBe(102);
  // Fewer than a few need no sums.
  for (const id of opened.slice(900)) await report(fixture, id, 'cancelled');
  expect(await left()).toBe(LIMIT - 12);
  expect(await redis.client.exists(store.keys.held(ANNA), store.keys.holdsDue(ANNA))).toBe(0);
}, 60_000);
