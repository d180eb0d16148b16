/** An erased member leaves no key that names it, however much had piled up, and whatever cut the erasure short. */

import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import type { CountedSale } from '../../src/store/completion.ts';
import { eraseMember } from '../../src/store/erasure.ts';
import { STREAMS } from '../../src/store/event-stream.ts';
import { sweepExpired } from '../../src/store/expiry.ts';
import { claimIndexEntry } from '../../src/store/index-entry.ts';
import { memberToken } from '../../src/store/keys.ts';
import { writeMembers } from '../../src/store/member-writes.ts';
import type { Store } from '../../src/store/store.ts';
import { describeNothing, erase } from '../support/plain-books.ts';
import { contentsOf } from '../support/redis-contents.ts';
import { booksOf, calculateCommon, counterOf, expectBooks, giftOf } from './common-fixture.ts';
import { ANNA, BERIT, calculate, makeAllDue, report, useFixture } from './fixture.ts';
import { failingStore, losingStore, meddledStore } from './meddled-store.ts';
import { readEvents } from './read-events.ts';

const fixture = useFixture();
const FREE = { uses: [] };

/** An erasure of Anna that counts nothing. */
const eraseAlone = (store: Store) => eraseMember(store, ANNA, describeNothing, async () => undefined);

/** Keys that hold or name a member. */
async function keysOf(member: string): Promise<string[]> {
  const { client } = fixture.redis;
  const found = await client.keys(`*${member}*`);
  for (const key of await client.keys('*:index:*')) if ((await client.get(key))?.includes(member)) found.push(key);
  return found;
}

test('everything of the member goes, everything of another stays', async () => {
  const grants = [{ benefitId: 'tea', grantId: 'g', to: '2099-12-31' }];
  const anna = { programmeId: 'coffee-club', loyaltyId: 'anna', status: 'active', grants } as const;
  await writeMembers(fixture.store, [anna, { ...anna, loyaltyId: 'berit' }]);
  const { commit: sold } = await calculate(fixture);
  await report(fixture, sold.calculationId, 'applied');
  await calculate(fixture, { uses: [{ usageKey: 'tea:*', units: 1, limit: 5 }] });
  await calculate(fixture, { member: BERIT });
  const others = (await keysOf(BERIT)).sort();
  expect((await keysOf(ANNA)).length).toBeGreaterThan(others.length);

  expect(await erase(fixture.store, ANNA)).toEqual({ member: true, calculations: 2 });
  expect(await keysOf(ANNA)).toEqual([]);
  expect((await keysOf(BERIT)).sort()).toEqual(others);
  expect(await fixture.redis.client.zrange(fixture.store.keys.grantsDue(), '0', '-1')).toEqual([`${BERIT} g`]);
  expect(await erase(fixture.store, ANNA)).toEqual({ member: false, calculations: 0 });
  expect(await report(fixture, sold.calculationId, 'applied')).toEqual({ outcome: 'unknown_calculation' });
});

test('whoever was merged into the member goes too, also where it was merged into itself', async () => {
  const { redis, store } = fixture;
  const carl = memberToken('coffee-club', 'carl');
  await redis.client.hset(store.keys.merged(ANNA), { [BERIT]: '"berit"', [ANNA]: '"anna"' });
  await redis.client.hset(store.keys.merged(BERIT), { [carl]: '"carl"' });
  for (const member of [BERIT, carl]) await calculate(fixture, { member });
  expect(await erase(store, ANNA)).toEqual({ member: false, calculations: 0 });
  for (const member of [ANNA, BERIT, carl]) expect(await keysOf(member)).toEqual([]);
});

test('a due sale that could not be counted is counted by the next erasure, and what cannot be described keeps nobody stored', async () => {
  const { redis, store } = fixture;
  const due = async () => {
    const { commit } = await calculate(fixture);
    await report(fixture, commit.calculationId, 'applied');
    await redis.client.hset(store.keys.calculation(ANNA, commit.calculationId), 'event', 2);
  };
  await due();
  const away = () => Promise.reject(new StoreUnavailable('the costs are away'));
  await expect(eraseMember(store, ANNA, describeNothing, away)).rejects.toThrow(StoreUnavailable);
  let counted = 0;
  const count = async () => {
    counted += 1;
  };
  expect(await eraseMember(store, ANNA, describeNothing, count)).toMatchObject({ erased: { calculations: 1 } });
  expect(counted).toBe(1);

  await due();
  const failed: string[] = [];
  store.connection.on('failedStep', ({ message }) => failed.push(message));
  const damaged = () => Promise.reject(new Error('a damaged basket'));
  expect(await eraseMember(store, ANNA, damaged, count)).toMatchObject({ erased: { calculations: 1 } });
  expect(await keysOf(ANNA)).toEqual([]);
  expect([new Set(failed), counted]).toEqual([new Set(['a damaged basket']), 1]);
});

test('a sale whose count was written and its reply lost is left to the next erasure, which counts it under the same name', async () => {
  const { redis, store } = fixture;
  const given = { programmeId: 'coffee-club', currency: 'NOK', benefits: [] };
  const { calculationId } = (await calculate(fixture, { given })).commit;
  await report(fixture, calculationId, 'applied');
  await redis.client.hset(store.keys.calculation(ANNA, calculationId), 'event', 2);
  const counts: unknown[] = [];
  const lost = async (counted: CountedSale) => {
    counts.push([counted.of?.calculationId, counted.bookedAtMs]);
    if (counts.length === 1) throw new StoreUnavailable('the reply was lost');
  };
  await expect(eraseMember(store, ANNA, describeNothing, lost)).rejects.toThrow(StoreUnavailable);
  // The till repeats its event, and the expiry job looks at everything; neither counts under a name.
  const { counted: others = [] } = await report(fixture, calculationId, 'applied');
  await makeAllDue(redis);
  await sweepExpired(store, describeNothing, (sale) => others.push(sale));
  expect(others).toEqual([]);
  await eraseMember(store, ANNA, describeNothing, lost);
  expect(counts).toEqual([
    [calculationId, expect.any(Number)],
    [calculationId, expect.any(Number)],
  ]);
  expect(counts[1]).toEqual(counts[0]);
  expect(await keysOf(ANNA)).toEqual([]);
});

test.each([
  ['a command of it', false],
  ['the reply to one', true],
])('a due sale is counted once by the erasure that follows one which lost %s', async (_case, isCarriedOut) => {
  const { redis, store } = fixture;
  for (let [lost, isReached] = [1, true]; isReached; lost += 1) {
    await redis.client.flushall();
    const { calculationId } = (await calculate(fixture)).commit;
    await report(fixture, calculationId, 'applied');
    await redis.client.hset(store.keys.calculation(ANNA, calculationId), 'event', 2);
    // An erasure counts a sale under its name, so that counting it again adds nothing.
    const erased = new Set<string | undefined>();
    const count = async ({ of }: CountedSale) => void erased.add(of?.calculationId);
    const losing = losingStore(store, lost, isCarriedOut);
    await eraseMember(losing.store, ANNA, describeNothing, count).catch((error: unknown) => {
      expect(error).toBeInstanceOf(StoreUnavailable);
    });
    isReached = losing.told.count >= lost;
    const { counted = [] } = await report(fixture, calculationId, 'applied');
    await eraseMember(store, ANNA, describeNothing, count);
    expect([lost, [...counted.map(({ of }) => of?.calculationId), ...erased]]).toEqual([lost, [undefined]]);
    expect(await keysOf(ANNA)).toEqual([]);
  }
});

test('a sale of which the counter of all members has not heard yet is counted, before its calculation goes', async () => {
  const { redis, store } = fixture;
  const use = giftOf();
  const [sold, cancelled] = [
    await calculateCommon(store, { member: ANNA, use }),
    await calculateCommon(store, { member: ANNA, use }),
  ];
  const counter = store.keys.use(counterOf(use));
  const away = failingStore(store, (key) => key === counter);
  await expect(report({ redis, store: away }, sold.commit.calculationId, 'applied')).rejects.toThrow(StoreUnavailable);
  await expect(report({ redis, store: away }, cancelled.commit.calculationId, 'cancelled')).rejects.toThrow(
    StoreUnavailable,
  );
  await expect(erase(away, ANNA)).rejects.toThrow(StoreUnavailable);
  expect(await erase(store, ANNA)).toMatchObject({ calculations: 2 });
  expect(await keysOf(ANNA)).toEqual([]);
  expect(await booksOf(store, use)).toEqual({ consumed: 1, over: 0, held: 0 });
});

test('what open calculations hold of limits over all members is given back, what was sold stays consumed', async () => {
  const { store } = fixture;
  const use = giftOf();
  const { commit: sold } = await calculateCommon(store, { member: ANNA, use });
  await report(fixture, sold.calculationId, 'applied');
  await calculateCommon(store, { member: ANNA, use });
  await calculateCommon(store, { member: BERIT, use });
  await expectBooks(store, { consumed: 1, over: 0, held: 2 });
  expect(await erase(store, ANNA)).toMatchObject({ calculations: 2 });
  expect(await booksOf(store)).toEqual({ consumed: 1, over: 0, held: 1 });
  expect(await keysOf(ANNA)).toEqual([]);
});

const ANNA_STORED = { programmeId: 'coffee-club', loyaltyId: 'anna', status: 'active', grants: [] } as const;
/** How many events say that a member was erased. */
const timesTold = async () => (await readEvents(fixture)).filter(({ result }) => result === 'erased').length;

test.each([
  ['a member', [ANNA_STORED]],
  ['somebody who was never stored', []],
])('an erasure of %s that stopped at any step is completed by the next, and told once', async (_whom, members) => {
  const { store } = fixture;
  const left: string[] = [];
  for (let [stop, died] = [1, true]; died; stop += 1) {
    await fixture.redis.client.flushall();
    await writeMembers(store, members);
    await calculateCommon(store, { member: ANNA });
    await expectBooks(store, { consumed: 0, over: 0, held: 1 });
    const dying = meddledStore(store, (commands) =>
      commands >= stop ? Promise.reject(new Error('killed')) : undefined,
    );
    const first = await eraseAlone(dying).catch(() => undefined);
    died = first === undefined;
    const erasures = [first, await eraseAlone(store), await eraseAlone(store)];
    const completers = erasures.filter((erasure) => erasure?.isCompleter).length;
    const [books, keys, told] = [await booksOf(store), await keysOf(ANNA), await timesTold()];
    left.push(JSON.stringify({ books, keys, told, completers }));
  }
  expect(left.length).toBeGreaterThan(5);
  const nothing = { books: { consumed: 0, over: 0, held: 0 }, keys: [], told: 1, completers: 1 };
  expect(new Set(left)).toEqual(new Set([JSON.stringify(nothing)]));
});

test('on a cluster, where the event follows, the next erasure tells it of one that stopped before', async () => {
  const { store } = fixture;
  await writeMembers(store, [ANNA_STORED]);
  const isStream = (key: string) => STREAMS.some((stream) => key === store.keys.events(stream));
  await expect(erase(failingStore(store, isStream, undefined, true), ANNA)).rejects.toThrow(StoreUnavailable);
  expect(await timesTold()).toBe(0);
  const again = failingStore(store, () => false, undefined, true);
  await erase(again, ANNA);
  expect([await timesTold(), await keysOf(ANNA)]).toEqual([1, []]);
  await erase(again, ANNA);
  expect(await timesTold()).toBe(1);
});

test.each([
  ['a member', [ANNA_STORED]],
  ['somebody who was never stored', []],
])('erasures of %s at once tell it once, and the next one nothing', async (_whom, members) => {
  const { store } = fixture;
  await writeMembers(store, members);
  await Promise.all(Array.from({ length: 20 }, () => calculate(fixture, FREE)));
  const erasures = await Promise.all(Array.from({ length: 5 }, () => eraseAlone(store)));
  erasures.push(await eraseAlone(store));
  expect([await timesTold(), await keysOf(ANNA)]).toEqual([1, []]);
  expect(erasures.filter(({ isCompleter }) => isCompleter)).toHaveLength(1);
});

test('what a member holds who has taken an ID over stays held', async () => {
  const { redis, store } = fixture;
  const { commit } = await calculateCommon(store, { member: ANNA });
  const { calculationId } = commit;
  await redis.client.del(store.keys.answer(ANNA, calculationId));
  const { outcome } = await calculateCommon(store, { member: BERIT, calculationId });
  expect(outcome).toBe('committed');
  await expectBooks(store, { consumed: 0, over: 0, held: 1 });
  await erase(store, ANNA);
  expect(await booksOf(store)).toEqual({ consumed: 0, over: 0, held: 1 });
});

test('many', async () => {
  await Promise.all(Array.from({ length: 450 }, () => calculate(fixture, FREE)));
  expect(await erase(fixture.store, ANNA)).toEqual({ member: false, calculations: 450 });
  expect(await keysOf(ANNA)).toEqual([]);
});

test('a claim whose call was never answered goes too, and nothing in Redis holds the token', async () => {
  const { commit } = await calculate(fixture);
  await report(fixture, commit.calculationId, 'applied');
  await claimIndexEntry(fixture.store, '0b4f7d3e-6f4c-4a53-9d0a-1c2e3f405162', ANNA, () => 400);
  await claimIndexEntry(fixture.store, '1b4f7d3e-6f4c-4a53-9d0a-1c2e3f405162', BERIT, () => 400);
  expect(await contentsOf(fixture.redis.client)).toContain(ANNA);
  await erase(fixture.store, ANNA);
  const contents = await contentsOf(fixture.redis.client);
  expect(contents).toContain(commit.calculationId);
  expect(contents).not.toContain(ANNA);
  expect(contents).toContain(BERIT);
});

test('an erasure that was cut short is finished by the next', async () => {
  const { commit } = await calculate(fixture, FREE);
  const { keys } = fixture.store;
  await fixture.redis.client.del(keys.index(commit.calculationId), keys.calculation(ANNA, commit.calculationId));
  expect(await erase(fixture.store, ANNA)).toEqual({ member: false, calculations: 1 });
  expect(await keysOf(ANNA)).toEqual([]);
});

test('an ID that another member has taken over stays with that one', async () => {
  const { commit } = await calculate(fixture, FREE);
  const { keys, connection } = fixture.store;
  await connection.run(keys.answer(ANNA, commit.calculationId), (client, key) => client.del(key));
  await claimIndexEntry(fixture.store, commit.calculationId, BERIT, () => 400);
  await erase(fixture.store, ANNA);
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
  expect(await erase(store, ANNA)).toEqual({ member: false, calculations: 1 });
  expect(await keysOf(ANNA)).toEqual([elsewhere]);
  expect((await keysOf(BERIT)).sort()).toEqual(others!.sort());
});
