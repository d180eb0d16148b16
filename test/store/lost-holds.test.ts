/**
 * Redis' clock goes ahead and comes back: a hold that a script took away in between has gone, whatever its calculation
 * says of its end. Every instant in the store is one of that clock, so the stored instants are moved the other way.
 */

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { eventStream } from '../../src/store/keys.ts';
import { sweepOnce } from '../support/plain-books.ts';
import { ANNA, calculate, countUnits, report, useFixture } from './fixture.ts';
import { readEvents } from './read-events.ts';

const fixture = useFixture();

const HOUR_MS = 3_600_000;

/** Moves every instant of Anna's as if Redis' clock had jumped by `jumpMs`; a hold hash whose time is over ends. */
async function jump(jumpMs: number): Promise<void> {
  const { redis, store } = fixture;
  const { client } = redis;
  for (const key of await client.keys(store.keys.calculation(ANNA, '*').replace(/[{}]/g, '?'))) {
    await client.hincrby(key, 'deadline', -jumpMs);
  }
  const hold = store.keys.hold(ANNA);
  for (const [calculationId, text] of Object.entries(await client.hgetall(hold))) {
    const [deadline, ...uses] = text.split(' ');
    await client.hset(hold, calculationId, [Number(deadline) - jumpMs, ...uses].join(' '));
  }
  const lifetimeMs = await client.pttl(hold);
  if (lifetimeMs > 0) await client.pexpire(hold, lifetimeMs - jumpMs);
}

async function expectNothingOversold(limit: number): Promise<void> {
  const { consumed, held, over } = await countUnits(fixture);
  expect(consumed + held).toBeLessThanOrEqual(limit + over);
}

test('a hold that another commit took away is booked as one that had ended', async () => {
  const first = await calculate(fixture);
  // The younger hold keeps the hash alive, of another benefit.
  await calculate(fixture, { uses: [{ usageKey: 'tea:*', units: 1, limit: 1 }] });
  await fixture.redis.client.pexpire(fixture.store.keys.hold(ANNA), 10 * HOUR_MS);
  await jump(HOUR_MS);
  const second = await calculate(fixture);
  expect(second.outcome).toBe('committed');
  await jump(-HOUR_MS);
  expect(await report(fixture, first.commit.calculationId, 'applied')).toMatchObject({
    outcome: 'recorded',
    isLate: true,
    overRedeemed: 1,
    hold: undefined,
  });
  await expectNothingOversold(1);
  expect(await countUnits(fixture)).toEqual({ consumed: 1, over: 1, held: 1 });
  expect(await readEvents(fixture)).toMatchObject([{ late: true, overRedeemed: 1 }]);
});

test('a hold whose hash ran out is booked as one that had ended', async () => {
  const first = await calculate(fixture);
  await jump(HOUR_MS);
  await calculate(fixture);
  await jump(-HOUR_MS);
  expect(await report(fixture, first.commit.calculationId, 'applied')).toMatchObject({ isLate: true, overRedeemed: 1 });
  await expectNothingOversold(1);
});

test('a hold that the sweep took away is booked as one that had ended', async () => {
  const { redis, store } = fixture;
  const first = await calculate(fixture);
  const { calculationId } = first.commit;
  await redis.client.zadd(store.keys.examinations(eventStream(calculationId)), 1, calculationId);
  await jump(HOUR_MS);
  expect((await sweepOnce(store)).expired).toBe(1);
  await jump(-HOUR_MS);
  await calculate(fixture);
  expect(await report(fixture, calculationId, 'applied')).toMatchObject({ isLate: true, overRedeemed: 1 });
  await expectNothingOversold(1);
});

test('a late sale that counts holds as ended takes them away, so that they do not come back with the clock', async () => {
  const limit = 2;
  const uses = [{ usageKey: 'coffee:*', units: 1, limit }];
  const { redis, store } = fixture;
  const early = await calculate(fixture, { uses });
  await redis.client.hdel(store.keys.hold(ANNA), early.commit.calculationId);
  const [second, third] = [await calculate(fixture, { uses }), await calculate(fixture, { uses })];
  expect([second.outcome, third.outcome]).toEqual(['committed', 'committed']);
  await redis.client.pexpire(store.keys.hold(ANNA), 10 * HOUR_MS);
  await jump(HOUR_MS);
  await report(fixture, early.commit.calculationId, 'applied');
  await jump(-HOUR_MS);
  await expectNothingOversold(limit);
  for (const { commit } of [second, third]) await report(fixture, commit.calculationId, 'applied');
  await expectNothingOversold(limit);
  expect(await countUnits(fixture)).toEqual({ consumed: 3, over: 1, held: 0 });
});

test('a commit takes away every hold that it counts as ended, however many', async () => {
  const { redis, store } = fixture;
  const count = 2500;
  const far = Date.now() + HOUR_MS / 2;
  const holds = Array.from({ length: count }, () => [randomUUID(), `${far} coffee:*=1/${count}`]).flat();
  await redis.client.hset(store.keys.hold(ANNA), ...holds);
  await jump(HOUR_MS);
  await calculate(fixture, { uses: [{ usageKey: 'coffee:*', units: 1, limit: count }] });
  await jump(-HOUR_MS);
  expect(await countUnits(fixture)).toEqual({ consumed: 0, over: 0, held: 1 });
});
