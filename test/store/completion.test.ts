/** What a call leaves behind that was booked and never repeated: the sweep completes it, and only once. */
import { COMMIT_MARGIN_MS } from '@loyalty/contract/limits';
import { expect, test } from 'vitest';
import { type DescribeBasket, describeNothing } from '../../src/store/calculation-events.ts';
import type { CompletedSale } from '../../src/store/completion.ts';
import { sweepExpired } from '../../src/store/expiry.ts';
import { readIndexEntry } from '../../src/store/index-entry.ts';
import { settleSale } from '../../src/store/sales.ts';
import { ANNA, calculate, report, useFixture } from './fixture.ts';
import { readEvents } from './read-events.ts';

const fixture = useFixture();
const GIVEN = { programmeId: 'coffee-club', currency: 'NOK', benefits: [{ benefitId: 'half', units: 2, saved: 500 }] };

/** Sells a calculation by a call that is answered 503, because its time is up once the sale is booked. */
async function sellTooLate(calculationId: string) {
  const { store } = fixture;
  const sale = { calculationId, status: 'applied', transactionId: 't-1', failureReason: undefined };
  const deadline = { remainingMs: () => COMMIT_MARGIN_MS - 1, redisMs: Number.MAX_SAFE_INTEGER };
  const settled = await settleSale(store, sale, await readIndexEntry(store, calculationId), deadline);
  expect(settled).toEqual({ outcome: 'too_late' });
}

/** Makes everything due that is noted. */
async function makeDue(): Promise<void> {
  const { client } = fixture.redis;
  for (const key of await client.keys('*:due:*')) {
    for (const id of await client.zrange(key, 0, '-1')) await client.zadd(key, 1, id);
  }
}

/** Has everything looked at that is noted, and says whose sales were counted. */
async function sweepAll(): Promise<readonly CompletedSale[]> {
  const counted: CompletedSale[] = [];
  await makeDue();
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
  expect(await report(fixture, calculationId, 'applied')).toMatchObject({ outcome: 'duplicate', isCounted: false });
  expect((await readEvents(fixture)).map(({ result }) => result)).toEqual(['recorded']);
});

test('so is a late one, although the sweep has looked at its calculation before', async () => {
  const { calculationId } = (await calculate(fixture, { given: GIVEN })).commit;
  await passHold(calculationId);
  expect(await sweepAll()).toEqual([]);
  await sellTooLate(calculationId);
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
  const count = ({ of }: CompletedSale) => counted.push(of?.calculationId);
  await makeDue();
  const failing: DescribeBasket = (stored, ...rest) =>
    stored.calculationId === ids[0] ? Promise.reject(new Error('a bug')) : describeNothing(stored, ...rest);
  await expect(sweepExpired(store, failing, count)).rejects.toThrow('a bug');
  await makeDue();
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
