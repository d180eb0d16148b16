/** What a person is shown of a member, and the counters of one that has too many to be read whole. */
import { expect, test } from 'vitest';
import { readAllCounters, readCounters, readHolds } from '../../src/store/holds.ts';
import { readMember, unitsConsumed, unitsHeld } from '../../src/store/members.ts';
import { ANNA, BERIT, calculate, openStore, useFixture } from './fixture.ts';

const fixture = useFixture();
const read = () => readMember(fixture.store, { token: ANNA, programmeId: 'coffee-club', loyaltyId: 'anna' }, true);
const usesOf = (count: number) => Array.from({ length: count }, (_, at) => [`b${at}:*`, String(at + 1)]).flat();

test('the holds that end first are shown, a thousand at most', async () => {
  const { redis, store } = fixture;
  expect(await readHolds(store, ANNA)).toEqual([]);
  const deadlines = [30, 10, 20].flatMap((at) => [`c-${at}`, `${at} tea:*=${at}/99`]);
  await redis.client.hset(store.keys.hold(ANNA), deadlines);
  const units = (count: number) => new Map([['tea:*', count]]);
  expect(await readHolds(store, ANNA)).toEqual(
    [10, 20, 30].map((at) => ({ calculationId: `c-${at}`, deadlineMs: at, units: units(at) })),
  );
  const many = Array.from({ length: 1_100 }, (_, at) => [`d-${at}`, `${5_000 - at} tea:*=1/9`]).flat();
  await redis.client.hset(store.keys.hold(BERIT), many);
  const shown = await readHolds(store, BERIT);
  expect([shown.length, shown[0]!.deadlineMs, shown.at(-1)!.deadlineMs]).toEqual([1_000, 3_901, 4_900]);
});

test('a member with few counters is read whole, and Redis is not asked for them again', async () => {
  await fixture.redis.client.hset(fixture.store.keys.use(ANNA), usesOf(3));
  const snapshot = await read();
  const away = await openStore(fixture.redis);
  away.connection.close();
  expect(await readAllCounters(away, ANNA, snapshot)).toBe(snapshot);
  expect(await readAllCounters(fixture.store, ANNA, snapshot)).toBe(snapshot);
  expect(await readCounters(fixture.store, ANNA, snapshot, [])).toBe(snapshot);
});

test('of a member with thousands of counters those that are asked for are read, or all', async () => {
  const { redis, store } = fixture;
  const count = 4_500;
  await redis.client.hset(store.keys.use(ANNA), usesOf(count));
  await calculate(fixture, { uses: [{ usageKey: 'b7:*', units: 2, limit: 100 }] });
  const snapshot = await read();
  expect(snapshot).toMatchObject({ isPartial: true, consumed: new Map() });
  const some = await readCounters(store, ANNA, snapshot, ['b7:*', 'b4499:*', 'b7:*', 'nothing:*']);
  expect(some.consumed).toEqual(new Map([...['b7:*', 'b4499:*'].map((key, at) => [key, [8, 4_500][at]!] as const)]));
  // With few holds each of them is there, and no sums.
  expect(some.held).toBeUndefined();
  expect([unitsConsumed(some, 'b7:*').consumed, unitsHeld(some, 'b7:*', [])]).toEqual([8, 2]);
  const all = await readAllCounters(store, ANNA, snapshot);
  expect(all.consumed.size).toBe(count);
  expect(unitsConsumed(all, `b${count - 1}:*`).consumed).toBe(count);
});

test('with many holds their sums are read too, also of what nothing was consumed of', async () => {
  const { redis, store } = fixture;
  await redis.client.hset(store.keys.use(ANNA), usesOf(200));
  const uses = [
    { usageKey: 'b7:*', units: 1, limit: 999 },
    { usageKey: 'tea:*', units: 2, limit: 999 },
  ];
  for (let part = 0; part < 4; part += 1)
    await Promise.all(Array.from({ length: 20 }, () => calculate(fixture, { uses })));
  const snapshot = await read();
  expect(snapshot).toMatchObject({ isPartial: true, held: new Map() });
  for (const read of [
    await readCounters(store, ANNA, snapshot, ['b7:*', 'tea:*', 'b8:*']),
    await readAllCounters(store, ANNA, snapshot),
  ]) {
    expect(['b7:*', 'tea:*', 'b8:*'].map((key) => unitsHeld(read, key, []))).toEqual([80, 160, 0]);
    expect(['b7:*', 'tea:*', 'b8:*'].map((key) => unitsConsumed(read, key).consumed)).toEqual([8, 0, 9]);
    expect(read.held?.has('b8:*')).toBe(false);
  }
});
