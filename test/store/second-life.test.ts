/** A calculation that is priced again after its idempotency window: a new life, of which the first one decides nothing. */

import { expect, test } from 'vitest';
import { findStoredAnswer } from '../../src/store/calculations.ts';
import { findCalculation } from '../../src/store/find-calculation.ts';
import type { MemberToken } from '../../src/store/keys.ts';
import { sweepOnce } from '../support/plain-books.ts';
import { ANNA, BERIT, calculate, countUnits, report, useFixture } from './fixture.ts';
import { readEvents } from './read-events.ts';

const fixture = useFixture();

/** The stored answer runs out, as it does by itself after the idempotency window; all else stays for the retention. */
async function passWindow(calculationId: string, member: MemberToken = ANNA): Promise<void> {
  const { redis, store } = fixture;
  expect(await redis.client.del(store.keys.answer(member, calculationId))).toBe(1);
}

/** The hold time runs out, as it does by itself. */
async function passHold(calculationId: string, member: MemberToken = ANNA): Promise<void> {
  const { redis, store } = fixture;
  await redis.client.hset(store.keys.calculation(member, calculationId), 'deadline', 1);
  await redis.client.hset(store.keys.hold(member), calculationId, '1 coffee:*=1/1');
}

test('priced again without the limited benefit, its sale books nothing', async () => {
  const { commit } = await calculate(fixture);
  const { calculationId } = commit;
  await passHold(calculationId);
  await passWindow(calculationId);
  const other = await calculate(fixture);
  await report(fixture, other.commit.calculationId, 'applied');
  const again = await calculate(fixture, { calculationId, uses: [] });
  expect(again.outcome).toBe('committed');
  expect(await report(fixture, calculationId, 'applied')).toMatchObject({ outcome: 'recorded', hold: undefined });
  expect(await countUnits(fixture)).toEqual({ consumed: 1, over: 0, held: 0 });
});

test('priced again without the limited benefit while it still holds it, it holds it no longer', async () => {
  const { commit } = await calculate(fixture);
  await passWindow(commit.calculationId);
  await calculate(fixture, { calculationId: commit.calculationId, uses: [] });
  expect(await countUnits(fixture)).toEqual({ consumed: 0, over: 0, held: 0 });
  expect((await calculate(fixture)).outcome).toBe('committed');
});

test('priced again with the limited benefit while it still holds it, it may use what it held, and no more', async () => {
  const { calculationId } = (await calculate(fixture)).commit;
  await passWindow(calculationId);
  expect(await calculate(fixture, { calculationId })).toMatchObject({ outcome: 'committed', holdsMade: 1 });
  await passWindow(calculationId);
  const two = [{ usageKey: 'coffee:*', units: 2, limit: 1 }];
  expect(await calculate(fixture, { calculationId, uses: two })).toMatchObject({ outcome: 'shortage' });
});

test('priced again after its expiry it is open, and nothing of its first life is told of it', async () => {
  const { redis, store } = fixture;
  const { commit } = await calculate(fixture);
  const { calculationId } = commit;
  await passHold(calculationId);
  await redis.client.zadd(store.keys.examinations(Number.parseInt(calculationId.slice(-2), 16) % 4), 1, calculationId);
  await sweepOnce(store);
  await redis.client.hset(store.keys.calculation(ANNA, calculationId), 'expiryEvent', 1, 'release', calculationId);
  await passWindow(calculationId);
  await calculate(fixture, { calculationId, uses: [], total: undefined });
  const fields = await redis.client.hgetall(store.keys.calculation(ANNA, calculationId));
  expect(Object.keys(fields).sort()).toEqual(['at', 'deadline', 'fp', 'g0', 'state', 'status', 'venue']);
  expect(await findCalculation(store, calculationId)).toMatchObject({ state: 'open', ownUses: [], total: undefined });
});

test('superseded in its first life and priced again, it holds nothing, and its sale is booked as late', async () => {
  const { commit } = await calculate(fixture);
  const { calculationId } = commit;
  const successor = await calculate(fixture, { supersedes: { calculationId, member: ANNA } });
  await passWindow(calculationId);
  expect((await calculate(fixture, { calculationId, fingerprint: 'other' })).outcome).toBe('committed');
  expect(await countUnits(fixture)).toEqual({ consumed: 0, over: 0, held: 1 });
  expect(await report(fixture, calculationId, 'applied')).toMatchObject({ isLate: true, overRedeemed: 1 });
  await report(fixture, successor.commit.calculationId, 'applied');
  expect(await countUnits(fixture)).toEqual({ consumed: 2, over: 1, held: 0 });
});

test('sold in its first life and priced again, its record stays that of the sale, and no event is told anew', async () => {
  const { redis, store } = fixture;
  const { commit } = await calculate(fixture);
  const { calculationId } = commit;
  await report(fixture, calculationId, 'applied');
  const before = await findCalculation(store, calculationId);
  await passWindow(calculationId);
  const again = { calculationId, fingerprint: 'other', uses: [], status: 'unchanged', total: 7 };
  expect((await calculate(fixture, again)).outcome).toBe('committed');
  expect(await findCalculation(store, calculationId)).toEqual({ ...before, fingerprint: 'other' });
  expect(await redis.client.hexists(store.keys.calculation(ANNA, calculationId), 'event')).toBe(0);
  expect(await findStoredAnswer(store, calculationId, ANNA, () => 'other')).toMatchObject({ outcome: 'replay' });
  expect(await report(fixture, calculationId, 'applied')).toMatchObject({ outcome: 'duplicate' });
  expect(await report(fixture, calculationId, 'cancelled')).toMatchObject({ outcome: 'conflict' });
  expect((await readEvents(fixture)).map(({ result }) => result)).toEqual(['recorded', 'conflict']);
});

test('sold in its first life and priced again for another member, it holds nothing and stays sold', async () => {
  const { commit } = await calculate(fixture);
  const { calculationId } = commit;
  await report(fixture, calculationId, 'applied');
  await passWindow(calculationId);
  expect((await calculate(fixture, { calculationId, member: BERIT })).outcome).toBe('committed');
  expect(await countUnits(fixture, BERIT)).toEqual({ consumed: 0, over: 0, held: 0 });
  expect(await report(fixture, calculationId, 'applied')).toMatchObject({ outcome: 'duplicate' });
  expect(await countUnits(fixture)).toEqual({ consumed: 1, over: 0, held: 0 });
});
