/** A campaign with very many open baskets: its counter costs what it costs with a few, and what is left is counted to the unit. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { holdCommon, readCommon } from '../../src/store/common-limits.ts';
import { booksOf, counterOf, GIFT, giftOf, PLACE, somebody } from './common-fixture.ts';
import { useFixture } from './fixture.ts';

const fixture = useFixture();
const LIMIT = 1_000_000;
const use = { ...giftOf({ limit: LIMIT }), counter: counterOf() };
const MANY = 100_000;
const FAR_AWAY_MS = Date.UTC(2100, 0, 1);

async function hold(): Promise<void> {
  const call = { calculationId: randomUUID(), member: somebody(), supersedes: undefined, remainingMs: 600_000 };
  expect(await holdCommon(fixture.store, { ...call, uses: [use] })).toMatchObject({ outcome: 'held' });
}

/** Microseconds of Redis for a read and a hold, the mean of many. */
async function costOfCall(): Promise<number> {
  const { client } = fixture.redis;
  await client.config('RESETSTAT');
  for (let call = 0; call < 200; call += 1) {
    await readCommon(fixture.store, PLACE, [use]);
    await hold();
  }
  const stats = await client.info('commandstats');
  const spent = [...stats.matchAll(/cmdstat_evalsha(?:_ro)?:calls=\d+,usec=(\d+)/g)];
  return spent.reduce((sum, [, each]) => sum + Number(each), 0) / 200;
}

/** As many holds as if so many baskets were open, written at once; `deadlineMs` is when they end. */
async function write(count: number, deadlineMs: number): Promise<void> {
  const { redis, store } = fixture;
  const [holdKey, heldKey, dueKey] = [store.keys.hold, store.keys.held, store.keys.holdsDue].map((key) =>
    key(use.counter),
  ) as [string, string, string];
  for (let done = 0; done < count; done += 10_000) {
    const ids = Array.from({ length: 10_000 }, () => randomUUID());
    await redis.client.hset(holdKey, ...ids.flatMap((id) => [id, `${deadlineMs} ${GIFT}=1/${LIMIT}`]));
    await redis.client.zadd(dueKey, ...ids.flatMap((id) => [deadlineMs, id]));
  }
  await redis.client.hincrby(heldKey, GIFT, count);
}

test('a call costs the same with 100 and with 100,000 open baskets', async () => {
  for (let call = 0; call < 100; call += 1) await hold();
  const few = await costOfCall();
  await write(MANY, FAR_AWAY_MS);
  const many = await costOfCall();
  expect(many / few).toBeLessThan(3);
  expect((await booksOf(fixture.store)).held).toBe(MANY + 100 + 400);
}, 60_000);

test('100,000 baskets that end at once come back a bounded part at a time, and nothing is given twice meanwhile', async () => {
  for (let call = 0; call < 100; call += 1) await hold();
  await write(MANY, 1);
  const left = async () => LIMIT - (await booksOf(fixture.store)).held;
  let before = await left();
  for (let call = 0; call < 10; call += 1) {
    await hold();
    const after = await left();
    expect(after).toBeGreaterThan(before);
    expect(after - before).toBeLessThanOrEqual(500);
    before = after;
  }
}, 60_000);
