/**
 * Two versions on one Redis. The one after this one may write more: fields that this version does not know change nothing, and
 * are not lost.
 */
import { expect, test } from 'vitest';
import { findStoredAnswer } from '../../src/store/calculations.ts';
import { findCalculation } from '../../src/store/find-calculation.ts';
import { writeMembers } from '../../src/store/member-writes.ts';
import { readMember } from '../../src/store/members.ts';
import { readReceipt } from '../../src/store/receipts.ts';
import { ANNA, calculate, countUnits, report, useFixture } from './fixture.ts';

const fixture = useFixture();
const LATER = { future: 'unknown', b: 'x', b1x: 'y' };

test('a calculation with fields of a later version is replayed, read, superseded and settled', async () => {
  const { store, redis } = fixture;
  const bytes = Buffer.alloc(200, 'k');
  const first = await calculate(fixture, { kept: bytes });
  const { calculationId } = first.commit;
  const key = store.keys.calculation(ANNA, calculationId);
  await redis.client.hset(key, LATER);
  expect(await findStoredAnswer(store, calculationId, ANNA, () => 'print')).toMatchObject({ outcome: 'replay' });
  expect((await findCalculation(store, calculationId))?.basket).toEqual(bytes);

  const second = await calculate(fixture, { supersedes: { calculationId, member: ANNA } });
  expect(second).toMatchObject({ outcome: 'committed', holdsMade: 1, holdsReleased: 1 });
  const successor = second.commit.calculationId;
  expect(await findCalculation(store, calculationId)).toMatchObject({ state: 'superseded', supersededBy: successor });
  expect(await redis.client.hgetall(key)).toMatchObject(LATER);

  await redis.client.hset(store.keys.calculation(ANNA, successor), LATER);
  expect(await report(fixture, successor, 'applied')).toMatchObject({ outcome: 'recorded', hold: 'consumed' });
  expect(await report(fixture, successor, 'applied')).toMatchObject({ outcome: 'duplicate' });
  expect(await countUnits(fixture)).toEqual({ consumed: 1, over: 0, held: 0 });
  expect(await readReceipt(store, 't-1')).toEqual([successor]);
});

test('grants with a quantity are stored beside the plain ones', async () => {
  const { store, redis } = fixture;
  const card = { benefitId: 'tenth', grantId: 'card-7', quantity: 2, to: '2026-12-31' };
  const anna = { programmeId: 'coffee-club', loyaltyId: 'anna', status: 'active', grants: ['twenty', card] } as const;
  await writeMembers(store, [anna]);
  expect(await redis.client.hget(store.keys.member(ANNA), 'grants')).toBe('twenty');
  const identity = { token: ANNA, programmeId: 'coffee-club', loyaltyId: 'anna' };
  expect((await readMember(store, identity, true)).member).toEqual(anna);

  await writeMembers(store, [{ ...anna, grants: ['twenty'] }]);
  expect((await readMember(store, identity, true)).member?.grants).toEqual(['twenty']);
});

test('a member with fields of a later version is read as ever', async () => {
  const { store, redis } = fixture;
  const anna = { programmeId: 'coffee-club', loyaltyId: 'anna', status: 'active', grants: ['twenty'] } as const;
  await writeMembers(store, [anna]);
  await redis.client.hset(store.keys.member(ANNA), 'future', 'unknown');
  const identity = { token: ANNA, programmeId: 'coffee-club', loyaltyId: 'anna' };
  expect((await readMember(store, identity, true)).member).toEqual(anna);
});
