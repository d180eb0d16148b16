/** An erased member leaves no key that names it, however much had piled up, and whatever cut the erasure short. */
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { eraseMember } from '../../src/store/erasure.ts';
import { claimIndexEntry } from '../../src/store/index-entry.ts';
import { memberToken } from '../../src/store/keys.ts';
import { writeMembers } from '../../src/store/member-writes.ts';
import type { Store } from '../../src/store/store.ts';
import { contentsOf } from '../support/redis-contents.ts';
import { booksOf, calculateCommon, counterOf, giftOf } from './common-fixture.ts';
import { ANNA, BERIT, calculate, report, useFixture } from './fixture.ts';

const fixture = useFixture();
const FREE = { uses: [] };

/** Keys that hold or name a member. */
async function keysOf(member: string): Promise<string[]> {
  const { client } = fixture.redis;
  const found = await client.keys(`*${member}*`);
  for (const key of await client.keys('*:index:*')) if ((await client.get(key))?.includes(member)) found.push(key);
  return found;
}

test('everything of the member goes, everything of another stays', async () => {
  const anna = { programmeId: 'coffee-club', loyaltyId: 'anna', status: 'active', grants: [] } as const;
  await writeMembers(fixture.store, [anna, { ...anna, loyaltyId: 'berit' }]);
  const { commit: sold } = await calculate(fixture);
  await report(fixture, sold.calculationId, 'applied');
  await calculate(fixture, { uses: [{ usageKey: 'tea:*', units: 1, limit: 5 }] });
  await calculate(fixture, { member: BERIT });
  const others = (await keysOf(BERIT)).sort();
  expect((await keysOf(ANNA)).length).toBeGreaterThan(others.length);

  expect(await eraseMember(fixture.store, ANNA)).toEqual({ member: true, calculations: 2 });
  expect(await keysOf(ANNA)).toEqual([]);
  expect((await keysOf(BERIT)).sort()).toEqual(others);
  expect(await eraseMember(fixture.store, ANNA)).toEqual({ member: false, calculations: 0 });
  expect(await report(fixture, sold.calculationId, 'applied')).toEqual({ outcome: 'unknown_calculation' });
});

test('whoever was merged into the member goes too, also where it was merged into itself', async () => {
  const { redis, store } = fixture;
  const carl = memberToken('coffee-club', 'carl');
  await redis.client.hset(store.keys.merged(ANNA), { [BERIT]: '"berit"', [ANNA]: '"anna"' });
  await redis.client.hset(store.keys.merged(BERIT), { [carl]: '"carl"' });
  for (const member of [BERIT, carl]) await calculate(fixture, { member });
  expect(await eraseMember(store, ANNA)).toEqual({ member: false, calculations: 0 });
  for (const member of [ANNA, BERIT, carl]) expect(await keysOf(member)).toEqual([]);
});

test('a sale of which the counter of all members has not heard yet is counted, before its calculation goes', async () => {
  const { redis, store } = fixture;
  const use = giftOf();
  const [sold, cancelled] = [
    await calculateCommon(store, { member: ANNA, use }),
    await calculateCommon(store, { member: ANNA, use }),
  ];
  const counter = store.keys.use(counterOf(use));
  const run: Store['connection']['run'] = (key, command) =>
    key === counter ? Promise.reject(new StoreUnavailable('the master is away')) : store.connection.run(key, command);
  const connection = Object.create(store.connection, { run: { value: run } }) as Store['connection'];
  const away = { ...store, connection };
  await expect(report({ redis, store: away }, sold.commit.calculationId, 'applied')).rejects.toThrow(StoreUnavailable);
  await expect(report({ redis, store: away }, cancelled.commit.calculationId, 'cancelled')).rejects.toThrow(
    StoreUnavailable,
  );
  await expect(eraseMember(away, ANNA)).rejects.toThrow(StoreUnavailable);
  expect(await eraseMember(store, ANNA)).toMatchObject({ calculations: 2 });
  expect(await keysOf(ANNA)).toEqual([]);
  expect(await booksOf(store, use)).toEqual({ consumed: 1, over: 0, held: 0 });
});

test('many', async () => {
  await Promise.all(Array.from({ length: 450 }, () => calculate(fixture, FREE)));
  expect(await eraseMember(fixture.store, ANNA)).toEqual({ member: false, calculations: 450 });
  expect(await keysOf(ANNA)).toEqual([]);
});

test('a claim whose call was never answered goes too, and nothing in Redis holds the token', async () => {
  const { commit } = await calculate(fixture);
  await report(fixture, commit.calculationId, 'applied');
  await claimIndexEntry(fixture.store, '0b4f7d3e-6f4c-4a53-9d0a-1c2e3f405162', ANNA, 'print', () => 400);
  await claimIndexEntry(fixture.store, '1b4f7d3e-6f4c-4a53-9d0a-1c2e3f405162', BERIT, 'print', () => 400);
  expect(await contentsOf(fixture.redis.client)).toContain(ANNA);
  await eraseMember(fixture.store, ANNA);
  const contents = await contentsOf(fixture.redis.client);
  expect(contents).toContain(commit.calculationId);
  expect(contents).not.toContain(ANNA);
  expect(contents).toContain(BERIT);
});

test('an erasure that was cut short is finished by the next', async () => {
  const { commit } = await calculate(fixture, FREE);
  const { keys } = fixture.store;
  await fixture.redis.client.del(keys.index(commit.calculationId), keys.calculation(ANNA, commit.calculationId));
  expect(await eraseMember(fixture.store, ANNA)).toEqual({ member: false, calculations: 1 });
  expect(await keysOf(ANNA)).toEqual([]);
});

test('an ID that another member has taken over stays with that one', async () => {
  const { commit } = await calculate(fixture, FREE);
  const { keys, connection } = fixture.store;
  await connection.run(keys.answer(ANNA, commit.calculationId), (client, key) => client.del(key));
  await claimIndexEntry(fixture.store, commit.calculationId, BERIT, 'print', () => 400);
  await eraseMember(fixture.store, ANNA);
  expect(await fixture.redis.client.get(keys.index(commit.calculationId))).toContain(BERIT);
});

test('what only another version knows of the member goes too, and nothing of others', async () => {
  const { redis, store } = fixture;
  const { commit } = await calculate(fixture, FREE);
  const [own, others] = [ANNA, BERIT].map((member) => [
    ...[`loyalty:test:stamps:{${member}}`, `loyalty:test:stamps:{${member}}:spring`],
    `loyalty:test:note:{${member}}:${commit.calculationId}`,
  ]);
  const elsewhere = `loyalty:staging:stamps:{${ANNA}}`;
  for (const key of [...own!, ...others!, elsewhere]) await redis.client.set(key, 'of another version');
  expect(await eraseMember(store, ANNA)).toEqual({ member: false, calculations: 1 });
  expect(await keysOf(ANNA)).toEqual([elsewhere]);
  expect((await keysOf(BERIT)).sort()).toEqual(others!.sort());
});
