/** One member with thousands of open calculations: a call costs what it costs with one, and nothing is given twice. */
import { expect, test } from 'vitest';
import { readMember, unitsLeft } from '../../src/store/members.ts';
import { until } from '../support/wait.ts';
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

test('where sums and holds disagree they are counted anew, and they live as long as the holds', async () => {
  const { redis, store } = fixture;
  const [hold, held, due] = [store.keys.hold(ANNA), store.keys.held(ANNA), store.keys.holdsDue(ANNA)];
  const [first] = (await open(40)) as [string];
  for (const key of [held, due]) expect(await redis.client.pttl(key)).toBeGreaterThan(20_000);
  for (const key of [hold, held, due]) await redis.client.pexpire(key, 5_000);
  await calculate(fixture, { uses: USE });
  for (const key of [hold, held, due]) expect(await redis.client.pttl(key)).toBeGreaterThan(20_000);
  // An older version writes a hold and no sum, or takes one away.
  await redis.client.hset(hold, 'of-another', `${Date.UTC(2100, 0, 1)} coffee:*=7/${LIMIT}`);
  await redis.client.hset(hold, 'ended', `1 coffee:*=9/${LIMIT}`);
  expect(await left()).toBe(LIMIT - 41 - 7);
  expect(await calculate(fixture, { uses: [{ ...USE[0]!, limit: 48 }] })).toMatchObject({ outcome: 'shortage' });
  expect(await redis.client.hgetall(held)).toEqual({ 'coffee:*': '48' });
  expect(await redis.client.hexists(hold, 'ended')).toBe(0);
  await redis.client.hdel(hold, first);
  await calculate(fixture, { uses: USE });
  expect([await redis.client.hgetall(held), await redis.client.zcard(due)]).toEqual([{ 'coffee:*': '48' }, 42]);
});

test('a read takes off the sums what has ended, and names the holds that are asked for', async () => {
  const { redis, store } = fixture;
  const [ended, own] = (await open(40)) as [string, string];
  await redis.client.hset(store.keys.hold(ANNA), ended, `1 coffee:*=1/${LIMIT}`);
  await redis.client.zadd(store.keys.holdsDue(ANNA), 1, ended);
  expect(await left()).toBe(LIMIT - 39);
  const { holds } = await readMember(store, anna, true, [own, 'nobody']);
  expect(holds.map(({ calculationId }) => calculationId)).toEqual([own]);
});

test('a late sale of a member with many holds counts what others hold', async () => {
  const [late] = (await open(40)) as [string];
  await fixture.redis.client.hset(fixture.store.keys.calculation(ANNA, late), { deadline: 1, holds: 'coffee:*=1/4' });
  expect(await report(fixture, late, 'applied')).toMatchObject({ isLate: true, overRedeemed: 36 });
  expect(await left()).toBe(LIMIT - 40);
});

test('a member with 20,000 open calculations is given nothing limited, unless it replaces one of them', async () => {
  const { redis, store } = fixture;
  const { commit } = await calculate(fixture, { uses: USE });
  const far = `${Date.UTC(2100, 0, 1)} tea:*=1/1`;
  for (let from = 1; from < 20_000; from += 1_000) {
    const some = Array.from({ length: Math.min(1_000, 20_000 - from) }, (_, at) => [`h${from + at}`, far]);
    await redis.client.hset(store.keys.hold(ANNA), ...some.flat());
  }
  const commitOnce = async (more: Parameters<typeof calculate>[1]) => {
    // Redis may have been silent for a moment on a busy machine.
    await until('the connection', () => store.connection.isAvailable);
    return calculate(fixture, more);
  };
  const shortage = { outcome: 'shortage', left: new Map([['coffee:*', 0]]) };
  expect(await commitOnce({ uses: USE })).toMatchObject(shortage);
  const supersedes = { calculationId: commit.calculationId, member: ANNA };
  expect(await commitOnce({ uses: USE, supersedes })).toMatchObject({ outcome: 'committed', holdsReleased: 1 });
  expect(await commitOnce({ uses: [] })).toMatchObject({ outcome: 'committed' });
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
