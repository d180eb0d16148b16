/** Expiry accounting: each calculation that ends unsold is counted once, whoever sweeps, and a pass leaves nothing that is due. */

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { noteExamination } from '../../src/store/examinations.ts';
import { claimIndexEntry } from '../../src/store/index-entry.ts';
import { eventStream } from '../../src/store/keys.ts';
import { moveCalculation } from '../../src/store/merged.ts';
import { pseudonymOf } from '../../src/store/pseudonyms.ts';
import type { Store } from '../../src/store/store.ts';
import { sweepOnce } from '../support/plain-books.ts';
import { ANNA, BERIT, calculate, commitOf, makeAllDue, openFixture, openStore, report, useFixture } from './fixture.ts';
import { divertedStore, failingStore, interruptedStore, meddledStore } from './meddled-store.ts';
import { readEvents } from './read-events.ts';

const HOLD_MS = 60;
const HOUR_MS = 3_600_000;
const NOTHING = { expired: 0, holds: 0, isMoreDue: false };
/** Calculations that a pass looks at in each list. */
const BATCH = 200;

const fixture = useFixture(() => openFixture(HOLD_MS));
let other: Store;
beforeAll(async () => {
  other = await openStore(fixture.redis, HOLD_MS);
});
afterAll(() => other.connection.close());

async function calculateNoted(): Promise<string> {
  const { commit } = await calculate(fixture, { uses: [{ usageKey: 'coffee:*', units: 1, limit: 1000 }] });
  await noteExamination(fixture.store, commit.calculationId, false);
  return commit.calculationId;
}

/** Calculations whose hold time is over. */
async function calculateDue(count: number): Promise<string[]> {
  const ids = await Promise.all(Array.from({ length: count }, () => calculateNoted()));
  await sleep(HOLD_MS + 20);
  return ids;
}
const calculateOneDue = async () => (await calculateDue(1))[0]!;

const recordOf = (calculationId: string) => fixture.store.keys.calculation(ANNA, calculationId);
const listOf = (calculationId: string) => fixture.store.keys.examinations(eventStream(calculationId));
const dueAt = async (calculationId: string) =>
  Number(await fixture.redis.client.zscore(listOf(calculationId), calculationId));
const expiredIds = async () =>
  (await readEvents(fixture)).filter(({ result }) => result === 'expired').map(({ calculationId }) => calculationId);

async function sweepAll(store: Store): Promise<number> {
  let expired = 0;
  for (;;) {
    const pass = await sweepOnce(store);
    expired += pass.expired;
    if (!pass.isMoreDue) return expired;
  }
}

test('what was not sold expires once, with one event; what was sold does not', async () => {
  const sold = await calculateNoted();
  await report(fixture, sold, 'applied');
  const unsold = await calculateOneDue();
  expect(await sweepAll(fixture.store)).toBe(1);
  expect(await sweepAll(fixture.store)).toBe(0);
  expect((await readEvents(fixture)).filter(({ result }) => result === 'expired')).toMatchObject([
    {
      calculationId: unsold,
      answered: 'applied',
      venueId: 'oslo-central',
      member: await pseudonymOf(fixture.store, ANNA),
      uses: [{ counter: 'coffee:*', units: 1, limit: 1000 }],
    },
  ]);
});

test('a calculation that held nothing of a limit expires, and is no hold that ended', async () => {
  const { commit } = await calculate(fixture, { uses: [] });
  await noteExamination(fixture.store, commit.calculationId, false);
  await sleep(HOLD_MS + 20);
  expect(await sweepOnce(fixture.store)).toEqual({ ...NOTHING, expired: 1 });
});

test('a calculation whose hold time was raised does not expire, and is looked at again when it is over', async () => {
  const { redis, store } = fixture;
  const calculationId = await calculateOneDue();
  const key = recordOf(calculationId);
  const deadlineMs = Date.now() + HOUR_MS;
  await redis.client.hset(key, 'deadline', deadlineMs);
  expect(await sweepOnce(store)).toEqual(NOTHING);
  expect(await redis.client.hget(key, 'state')).toBe('open');
  expect(await readEvents(fixture)).toEqual([]);
  expect(await dueAt(calculationId)).toBeGreaterThanOrEqual(deadlineMs);
  await redis.client.hset(key, 'deadline', 1);
  await makeAllDue(redis);
  expect(await sweepOnce(store)).toEqual({ ...NOTHING, expired: 1, holds: 1 });
});

test('a sale that comes while the event of the expiry is on its way keeps the mark of its own', async () => {
  const { redis, store } = fixture;
  const calculationId = await calculateOneDue();
  let isSold = false;
  const selling = divertedStore(store, async (_key, send) => {
    const reply = await send();
    if (isSold || (await readEvents(fixture)).length === 0) return reply;
    isSold = true;
    await report(fixture, calculationId, 'applied');
    // As it stands when that process dies before its own event is appended.
    await redis.client.hset(recordOf(calculationId), 'event', 1);
    return reply;
  });
  await sweepAll(selling);
  expect(isSold).toBe(true);
  const before = await readEvents(fixture);
  expect(await report(fixture, calculationId, 'applied')).toMatchObject({ outcome: 'duplicate' });
  expect((await readEvents(fixture)).length).toBe(before.length + 1);
});

test('two sweepers at once append one event for each calculation of a backlog', async () => {
  const ids: string[] = [];
  while (ids.length < 900) ids.push(...(await Promise.all(Array.from({ length: 30 }, () => calculateNoted()))));
  await sleep(HOLD_MS + 20);
  const both = [fixture.store, other];
  const sweepBoth = async () => (await Promise.all(both.map(sweepAll))).reduce((sum, own) => sum + own);
  const unanswered = () => both.reduce((sum, { connection: { figures } }) => sum + figures.failed + figures.refused, 0);
  const before = unanswered();
  let expired = await sweepBoth();
  // What Redis did not answer, because it was silent for a moment, is still due; nothing else may be.
  for (; expired < ids.length && unanswered() > before; expired += await sweepBoth()) await makeAllDue(fixture.redis);
  expect(expired).toBe(ids.length);
  expect((await expiredIds()).sort()).toEqual(ids.sort());
  // Looks were put off where the other one was appending the event.
  await makeAllDue(fixture.redis);
  expect(await sweepAll(other)).toBe(0);
  expect(await fixture.redis.client.keys('*:due:*')).toEqual([]);
});

test('a calculation that another sweeper ends while its event is made ends once, with one event', async () => {
  const { redis, store } = fixture;
  const calculationId = await calculateOneDue();
  const looks: number[] = [];
  const slow = interruptedStore(store, recordOf(calculationId), async () => {
    looks.push((await sweepOnce(other)).expired);
  });
  expect(await sweepOnce(slow)).toMatchObject({ expired: 0, holds: 0 });
  expect(looks).toEqual([1]);
  await makeAllDue(redis);
  expect(await sweepAll(other)).toBe(0);
  expect(await redis.client.exists(listOf(calculationId))).toBe(0);
  expect(await expiredIds()).toEqual([calculationId]);
});

test.each([
  ['five seconds later', -5_000],
  ['at once, where it was due by a clock that was ahead', 60_000],
])('an event that was due when the sweeper died is appended by the next, %s', async (_case, aheadMs) => {
  const { redis, store } = fixture;
  const calculationId = await calculateOneDue();
  const beforeMs = Date.now();
  await redis.client.hset(recordOf(calculationId), { state: 'expired', expiryEvent: beforeMs });
  expect(await sweepAll(store)).toBe(0);
  expect((await dueAt(calculationId)) - beforeMs).toBeGreaterThan(0);
  expect((await dueAt(calculationId)) - beforeMs).toBeLessThan(10_000);
  await redis.client.hset(recordOf(calculationId), 'expiryEvent', beforeMs + aheadMs);
  await makeAllDue(redis);
  expect(await sweepAll(store)).toBe(1);
  expect(await expiredIds()).toEqual([calculationId]);
});

/** The bugs that a store tells nobody else of. */
function bugsOf({ connection }: Store): string[] {
  const bugs: string[] = [];
  connection.on('failedStep', ({ message }) => bugs.push(message));
  onTestFinished(() => void connection.removeAllListeners('failedStep'));
  return bugs;
}

test('of a list whose master is away, or that meets a bug, others are swept all the same, and the bug is told', async () => {
  const { store } = fixture;
  const bugs = bugsOf(store);
  const isListTwo = (key: string) => key === store.keys.examinations(2);
  const withoutTwo = (ids: readonly string[]) => ids.filter((id) => eventStream(id) !== 2).length;
  const ids = await calculateDue(40);
  const swept = await sweepOnce(failingStore(store, isListTwo, new Error('a bug')));
  expect(swept).toEqual({ ...NOTHING, expired: withoutTwo(ids), holds: withoutTwo(ids) });
  expect(bugs).toEqual(['a bug']);
  expect(await expiredIds()).toHaveLength(withoutTwo(ids));
  const others = withoutTwo(await calculateDue(40));
  expect(await sweepOnce(failingStore(store, isListTwo))).toEqual({ ...NOTHING, expired: others, holds: others });
});

test('a calculation that a single Redis does not answer stays due, and others end', async () => {
  const { store } = fixture;
  const [lost, ...others] = (await calculateDue(12)) as [string];
  const before = await dueAt(lost);
  const away = failingStore(store, (key) => key === store.keys.index(lost), new StoreUnavailable('Redis is away'));
  expect(await sweepOnce(away)).toEqual({ ...NOTHING, expired: others.length, holds: others.length });
  expect(await dueAt(lost)).toBe(before);
  expect(await sweepOnce(store)).toEqual({ ...NOTHING, expired: 1, holds: 1 });
});

test.each([
  ['whose master of a cluster is away', undefined, true, []],
  ['that meets a bug, which is told,', new Error('a bug'), false, ['a bug']],
])('a calculation %s is looked at again five seconds later, and others now', async (_case, error, isCluster, told) => {
  const { redis, store } = fixture;
  const bugs = bugsOf(store);
  const [lost, ...others] = (await calculateDue(12)) as [string];
  const beforeMs = Date.now();
  const failing = failingStore(store, (key) => key === store.keys.index(lost), error, isCluster);
  expect(await sweepOnce(failing)).toEqual({ ...NOTHING, expired: others.length, holds: others.length });
  expect(bugs).toEqual(told);
  expect((await dueAt(lost)) - beforeMs).toBeGreaterThan(4_000);
  expect((await dueAt(lost)) - beforeMs).toBeLessThan(15_000);
  expect(await sweepAll(store)).toBe(0);
  await makeAllDue(redis);
  expect(await sweepAll(store)).toBe(1);
});

test('a whole batch of which one stays due ends the pass, and the others of it', async () => {
  const { store } = fixture;
  const ids = Array.from({ length: BATCH }, (_, at) => [1, `calculation-${at}`]).flat();
  await fixture.redis.client.zadd(store.keys.examinations(2), ...ids);
  expect(await sweepOnce(failingStore(store, (key) => key === store.keys.index('calculation-7')))).toEqual(NOTHING);
  expect(await fixture.redis.client.zrange(store.keys.examinations(2), '0', '-1')).toEqual(['calculation-7']);
});

test('a record that is read again and again, since it lacks its answer, is told and put off', async () => {
  const { redis, store } = fixture;
  const bugs = bugsOf(store);
  const calculationId = await calculateOneDue();
  await redis.client.hdel(recordOf(calculationId), 'fp');
  const beforeMs = Date.now();
  expect(await sweepOnce(store)).toEqual(NOTHING);
  expect(bugs).toEqual([expect.stringContaining('again and again')]);
  expect(await dueAt(calculationId)).toBeGreaterThan(beforeMs);
});

test('a backlog of a single list is more than one pass, and the rest of it another one', async () => {
  const { redis, store } = fixture;
  const ids = Array.from({ length: BATCH + 1 }, (_, at) => [1, `calculation-${at}`]).flat();
  await redis.client.zadd(store.keys.examinations(2), ...ids);
  expect(await sweepOnce(store)).toEqual({ ...NOTHING, isMoreDue: true });
  expect(await redis.client.zcard(store.keys.examinations(2))).toBe(1);
  expect(await sweepOnce(store)).toEqual(NOTHING);
  expect(await redis.client.zcard(store.keys.examinations(2))).toBe(0);
});

test('a calculation that a merge moves after its entry was read ends in its new slot, with its event', async () => {
  const { store } = fixture;
  const calculationId = await calculateOneDue();
  const move = () => moveCalculation(store, ANNA, BERIT, calculationId);
  const merging = interruptedStore(store, store.keys.index(calculationId), move);
  expect(await sweepOnce(merging)).toEqual({ ...NOTHING, expired: 1, holds: 1 });
  const member = await pseudonymOf(merging, BERIT);
  expect(await readEvents(fixture)).toMatchObject([{ calculationId, result: 'expired', member }]);
  expect(await fixture.redis.client.exists(listOf(calculationId))).toBe(0);
});

test('a calculation that a merge has copied, and not led to yet, ends in its new slot, once and with its event', async () => {
  const { redis, store } = fixture;
  const calculationId = await calculateOneDue();
  await redis.client.hset(store.keys.use(ANNA), '!moved', BERIT);
  const passes: unknown[] = [];
  const copied = store.keys.calculation(BERIT, calculationId);
  const merging = meddledStore(store, async () => {
    if (passes.length === 0 && (await redis.client.exists(copied))) passes.push(await sweepOnce(store));
  });
  await moveCalculation(merging, ANNA, BERIT, calculationId);
  expect(passes).toEqual([{ ...NOTHING, expired: 1, holds: 1 }]);
  expect(await redis.client.hget(copied, 'state')).toBe('expired');
  const member = await pseudonymOf(store, BERIT);
  expect(await readEvents(fixture)).toMatchObject([{ calculationId, result: 'expired', member }]);
  expect(await redis.client.exists([recordOf(calculationId), listOf(calculationId)])).toBe(0);
});

test('a call that commits an ID while the sweep finds it uncommitted is not forgotten, and expires', async () => {
  const { redis, store } = fixture;
  const { calculationId } = commitOf();
  const lasting = { ...store, periods: { ...store.periods, holdMs: 60_000 } };
  await claimIndexEntry(store, calculationId, ANNA, () => 1);
  await redis.client.zadd(listOf(calculationId), 1, calculationId);
  const committing = interruptedStore(store, recordOf(calculationId), async () => {
    await noteExamination(lasting, calculationId, false);
    expect((await calculate({ redis, store: lasting }, { calculationId })).outcome).toBe('committed');
  });
  expect(await sweepOnce(committing)).toMatchObject({ expired: 0 });
  await redis.client.hset(recordOf(calculationId), 'deadline', 1);
  await makeAllDue(redis);
  expect(await sweepOnce(store)).toMatchObject({ expired: 1 });
});

test('what was noted and never claimed is forgotten', async () => {
  const { redis, store } = fixture;
  const { calculationId } = commitOf();
  await noteExamination(store, calculationId, false);
  await sleep(HOLD_MS + 20);
  expect(await sweepOnce(store)).toEqual(NOTHING);
  expect(await redis.client.exists(listOf(calculationId))).toBe(0);
});
