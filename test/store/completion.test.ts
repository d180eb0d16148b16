/** What a call leaves behind that was booked and never repeated: the sweep completes it, and only once. */

import { COMMIT_MARGIN_MS } from '@loyalty/contract/limits';
import { describe, expect, test } from 'vitest';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import type { DescribeBasket } from '../../src/store/calculation-events.ts';
import type { CountedSale } from '../../src/store/completion.ts';
import { sweepExpired } from '../../src/store/expiry.ts';
import { moveCalculation } from '../../src/store/merged.ts';
import type { Store } from '../../src/store/store.ts';
import { describeNothing } from '../support/plain-books.ts';
import { calculateCommon, giftOf } from './common-fixture.ts';
import { ANNA, BERIT, calculate, makeAllDue, report, useFixture } from './fixture.ts';
import { divertedStore, failingStore, losingStore } from './meddled-store.ts';
import { readEvents } from './read-events.ts';

const fixture = useFixture();
const GIVEN = { programmeId: 'coffee-club', currency: 'NOK', benefits: [{ benefitId: 'half', units: 2, saved: 500 }] };

/** Sells a calculation by a call that is answered 503, because its time is up once the sale is booked. */
async function sellTooLate(calculationId: string, describe?: DescribeBasket) {
  const deadline = { remainingMs: () => COMMIT_MARGIN_MS - 1 };
  const settled = await report(fixture, calculationId, 'applied', { deadline, ...(describe && { describe }) });
  expect(settled).toEqual({ outcome: 'too_late' });
}

/** Has everything looked at that is noted, and says whose sales were counted. */
async function sweepAll(): Promise<readonly CountedSale[]> {
  const counted: CountedSale[] = [];
  await makeAllDue(fixture.redis);
  await sweepExpired(fixture.store, describeNothing, (sale) => counted.push(sale));
  expect(await fixture.redis.client.keys('*:due:*')).toEqual([]);
  return counted;
}

const passHold = async (calculationId: string) => {
  const { redis, store } = fixture;
  await redis.client.hset(store.keys.calculation(ANNA, calculationId), 'deadline', 1);
  await redis.client.hset(store.keys.hold(ANNA), calculationId, '1 coffee:*=1/1');
};

test('a sale whose till gave up is counted by the sweep, and by nobody after it', async () => {
  const { calculationId } = (await calculate(fixture, { given: GIVEN })).commit;
  await sellTooLate(calculationId);
  expect(await sweepAll()).toMatchObject([{ of: { calculationId, given: GIVEN }, bookedAtMs: expect.any(Number) }]);
  expect(await report(fixture, calculationId, 'applied')).toEqual({ outcome: 'duplicate' });
  expect((await readEvents(fixture)).map(({ result }) => result)).toEqual(['recorded']);
});

test('so is a late one, although the sweep has looked at its calculation before', async () => {
  const { calculationId } = (await calculate(fixture, { given: GIVEN })).commit;
  await passHold(calculationId);
  expect(await sweepAll()).toEqual([]);
  await sellTooLate(calculationId);
  expect(await sweepAll()).toMatchObject([{ of: { calculationId, isLate: true } }]);
});

test('so is one whose calculation the sweep ends and forgets between the read and the booking of its call', async () => {
  const { calculationId } = (await calculate(fixture, { given: GIVEN })).commit;
  let looks = 0;
  await sellTooLate(calculationId, async (stored) => {
    looks += 1;
    if (looks === 1) {
      await passHold(calculationId);
      expect(await sweepAll()).toEqual([]);
    }
    return describeNothing(stored);
  });
  expect(await sweepAll()).toMatchObject([{ of: { calculationId, isLate: true } }]);
});

test('a sale is counted though the next one in the pass meets a bug, and that one by the next pass', async () => {
  const { store } = fixture;
  const ids: string[] = [];
  for (let sold = 0; sold < 40; sold += 1) {
    const { calculationId } = (await calculate(fixture, { given: GIVEN, uses: [] })).commit;
    await sellTooLate(calculationId);
    ids.push(calculationId);
  }
  const counted: (string | undefined)[] = [];
  const count = ({ of }: CountedSale) => counted.push(of?.calculationId);
  await makeAllDue(fixture.redis);
  const failing: DescribeBasket = (stored) =>
    stored.calculationId === ids[0] ? Promise.reject(new Error('a bug')) : describeNothing(stored);
  const bugs: string[] = [];
  store.connection.once('failedStep', ({ message }) => bugs.push(message));
  await sweepExpired(store, failing, count);
  expect(bugs).toEqual(['a bug']);
  expect(counted).toHaveLength(ids.length - 1);
  await makeAllDue(fixture.redis);
  await sweepExpired(store, describeNothing, count);
  expect(counted.sort()).toEqual(ids.sort());
});

test('a sale that was completed, or came before its answer, is counted by no sweep', async () => {
  const { calculationId } = (await calculate(fixture, { given: GIVEN })).commit;
  await report(fixture, calculationId, 'applied');
  const early = (await calculate(fixture)).commit.calculationId;
  await fixture.redis.client.del(fixture.store.keys.calculation(ANNA, early), fixture.store.keys.index(early));
  await fixture.redis.client.del(fixture.store.keys.answer(ANNA, early), fixture.store.keys.hold(ANNA));
  await report(fixture, early, 'applied');
  await calculate(fixture, { calculationId: early, given: GIVEN });
  expect((await sweepAll()).map(({ of }) => of)).toEqual([undefined]);
  const events = (await readEvents(fixture)).filter((event) => event.calculationId === early);
  expect(events.map(({ result }) => result)).toEqual(['unknown_calculation', 'recorded']);
});

test('the event of a second outcome that nobody has appended is appended once', async () => {
  const { redis, store } = fixture;
  const { calculationId } = (await calculate(fixture)).commit;
  await report(fixture, calculationId, 'applied');
  await report(fixture, calculationId, 'cancelled');
  for (const stream of await redis.client.keys('*:events:*')) await redis.client.del(stream);
  const key = store.keys.calculation(ANNA, calculationId);
  await redis.client.hset(key, 'untold', 1);
  expect(await sweepAll()).toEqual([]);
  expect(await redis.client.hexists(key, 'untold')).toBe(0);
  expect(await readEvents(fixture)).toMatchObject([
    { calculationId, result: 'conflict', status: 'cancelled', recorded: { status: 'applied' } },
  ]);
});

/** A store on which a merge closes the counters and copies a calculation, and no more, before one of the commands on its sold record. */
function copyingStore(calculationId: string, before: number) {
  const { redis, store } = fixture;
  const calculation = store.keys.calculation(ANNA, calculationId);
  const halfway = failingStore(store, (key) => key === store.keys.index(calculationId));
  const seen = { commands: 0 };
  const copying = divertedStore(store, async (key, send) => {
    const isSold = key === calculation && (await redis.client.hget(calculation, 'state')) === 'sold';
    if (isSold) seen.commands += 1;
    if (isSold && seen.commands === before) {
      await redis.client.hset(store.keys.use(ANNA), '!moved', BERIT);
      await expect(moveCalculation(halfway, ANNA, BERIT, calculationId)).rejects.toThrow('away');
    }
    return send();
  });
  return { seen, store: copying };
}

describe.each([
  ['', undefined],
  [' under a limit over all members', giftOf({ limit: 100 })],
])('a sale%s is told and counted once, although a merge copies it', (_, use) => {
  /** Plays it with the copy before each command of whoever completes the sale, which says what it has counted. */
  async function playEach(
    complete: (calculationId: string, copying: ReturnType<typeof copyingStore>) => Promise<readonly CountedSale[]>,
  ) {
    const { store } = fixture;
    for (let [before, isReached] = [1, true]; isReached; before += 1) {
      await fixture.redis.client.flushall();
      const { commit } = use
        ? await calculateCommon(store, { member: ANNA, given: GIVEN, use })
        : await calculate(fixture, { given: GIVEN });
      const { calculationId } = commit;
      const copying = copyingStore(calculationId, before);
      const completed = await complete(calculationId, copying);
      isReached = copying.seen.commands >= before;
      await moveCalculation(store, ANNA, BERIT, calculationId);
      const counted = [...completed, ...(await sweepAll())];
      expect([before, counted]).toMatchObject([before, [{ of: { calculationId } }]]);
      expect((await readEvents(fixture)).map(({ result }) => result)).toEqual(['recorded']);
    }
  }

  test('before its call has completed it', () =>
    playEach(async (calculationId, copying) => (await report(copying, calculationId, 'applied')).counted ?? []));

  test('while a sweep completes it', () =>
    playEach(async (calculationId, copying) => {
      await sellTooLate(calculationId);
      await makeAllDue(fixture.redis);
      const counted: CountedSale[] = [];
      await sweepExpired(copying.store, describeNothing, (sale) => counted.push(sale));
      return counted;
    }));
});

/** Those of the sales that are to be counted, some only where Redis says so. */
async function reallyCounted(sales: readonly CountedSale[]): Promise<readonly CountedSale[]> {
  const answers = await Promise.all(sales.map(({ isOurs }) => isOurs?.() ?? true));
  return sales.filter((_, at) => answers[at]);
}

type Loser = (calculationId: string, store: Store, counted: CountedSale[]) => Promise<unknown>;
const LOSERS: Readonly<Record<string, Loser>> = {
  'its call': (calculationId, store, counted) => report({ store }, calculationId, 'applied', { counted }),
  async 'a repetition of it'(calculationId, store, counted) {
    await sellTooLate(calculationId);
    await report({ store }, calculationId, 'applied', { counted });
  },
  async 'the sweep'(calculationId, store, counted) {
    await sellTooLate(calculationId);
    await makeAllDue(fixture.redis);
    await sweepExpired(store, describeNothing, (sale) => counted.push(sale));
  },
};
const MEANWHILE: Readonly<Record<string, (calculationId: string) => Promise<unknown>>> = {
  'nothing else happens': async () => undefined,
  'the till repeats the event': (calculationId) => report(fixture, calculationId, 'applied'),
  async 'the member is merged'(calculationId) {
    await fixture.redis.client.hset(fixture.store.keys.use(ANNA), '!moved', BERIT);
    await moveCalculation(fixture.store, ANNA, BERIT, calculationId);
  },
};
const LOST = Object.keys(LOSERS).flatMap((loser) =>
  Object.keys(MEANWHILE).flatMap((meanwhile) => [true, false].map((isDone) => [loser, meanwhile, isDone] as const)),
);

test.each(LOST)(
  'a sale is counted once though %s lost any reply, and %s (carried out: %s)',
  async (loser, meanwhile, isDone) => {
    for (let [lost, isReached] = [1, true]; isReached; lost += 1) {
      await fixture.redis.client.flushall();
      const { calculationId } = (await calculate(fixture, { given: GIVEN })).commit;
      const losing = losingStore(fixture.store, lost, isDone);
      const counted: CountedSale[] = [];
      await LOSERS[loser]!(calculationId, losing.store, counted).catch((error: unknown) => {
        expect(error).toBeInstanceOf(StoreUnavailable);
      });
      isReached = losing.told.count >= lost;
      const settled = await MEANWHILE[meanwhile]!(calculationId);
      const { counted: inBetween = [] } = (settled ?? {}) as { counted?: CountedSale[] };
      // Before anybody else looks for what is left, and after it.
      const asked = lost % 2 === 0 ? await reallyCounted(counted) : [];
      const repeated = (await report(fixture, calculationId, 'applied')).counted ?? [];
      const others = [...inBetween, ...repeated, ...(await sweepAll())];
      const all = [...(lost % 2 === 0 ? asked : await reallyCounted(counted)), ...others];
      expect([lost, all]).toMatchObject([lost, [{ of: { calculationId } }]]);
    }
  },
);
