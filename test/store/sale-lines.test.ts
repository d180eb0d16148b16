/** What the event of a sale says of its basket: as it was answered, or as the till sent it. */
import { expect, test } from 'vitest';
import type { DescribeBasket } from '../../src/store/calculation-events.ts';
import type { Commit } from '../../src/store/calculations.ts';
import { readIndexEntry } from '../../src/store/index-entry.ts';
import { settleSale } from '../../src/store/sales.ts';
import { calculate, report, useFixture } from './fixture.ts';
import { readEvents } from './read-events.ts';

const fixture = useFixture();
const DEADLINE = { remainingMs: () => 60_000, redisMs: Number.MAX_SAFE_INTEGER };

/** Tells which bytes it would describe, and as what, in place of a till. */
const asTill: DescribeBasket = async ({ basket, answer }, as) => ({
  benefits: [],
  baxId: `${as}: ${basket ?? 'no basket'}, ${answer ?? 'no answer'}`,
});

/** Reports a sale of a basket that is kept; the event of it, as the stream has it. */
async function sell(status: string, more: Partial<Commit> = {}) {
  const { store } = fixture;
  const { commit } = await calculate(fixture, { kept: Buffer.from('two coffees'), uses: [], ...more });
  const { calculationId } = commit;
  const sale = { calculationId, status, transactionId: 't-1', failureReason: undefined };
  const settled = await settleSale(store, sale, await readIndexEntry(store, calculationId), DEADLINE, asTill);
  expect(settled).toMatchObject({ outcome: 'recorded' });
  return (await readEvents(fixture)).find((event) => event.calculationId === calculationId)!;
}

test.each(['applied', 'cancelled'])('a sale that is %s is described as it was answered', async (status) => {
  expect(await sell(status)).toMatchObject({ baxId: 'answered: two coffees, as stored' });
});

test.each(['unchanged', 'failed', 'not_applicable'])(
  'a sale that is %s was paid as the till sent it',
  async (status) => {
    expect(await sell(status)).toMatchObject({ baxId: 'sent: two coffees, as stored' });
  },
);

test('where no basket is kept, and where its sale came before its answer, nobody knows what was sold', async () => {
  expect(await sell('applied', { kept: Buffer.alloc(0) })).toMatchObject({ baxId: 'answered: no basket, as stored' });
  const { redis, store } = fixture;
  const { calculationId = '' } = await sell('applied');
  const { member = undefined } = (await readIndexEntry(store, calculationId))!;
  const key = store.keys.calculation(member!, calculationId);
  await redis.client.hset(key, 'soldAt', 1, 'event', 1);
  const sale = { calculationId, status: 'applied', transactionId: 't-1', failureReason: undefined };
  await settleSale(store, sale, await readIndexEntry(store, calculationId), DEADLINE, asTill);
  const [, again] = (await readEvents(fixture)).filter((event) => event.calculationId === calculationId);
  expect(again).toMatchObject({
    at: '1970-01-01T00:00:00.001Z',
    baxId: expect.stringMatching(/^unsaid/),
  });
});

test('an event that was due when its process died comes once, and the same', async () => {
  const { redis, store } = fixture;
  const first = await sell('applied');
  const { calculationId = '' } = first;
  const entry = (await readIndexEntry(store, calculationId))!;
  await redis.client.hset(store.keys.calculation(entry.member!, calculationId), 'event', 1);
  const sale = { calculationId, status: 'applied', transactionId: 't-1', failureReason: undefined };
  const again = () => settleSale(store, sale, entry, DEADLINE, asTill);
  const outcomes = await Promise.all([again(), again(), again()]);
  expect(outcomes.filter((settled) => 'isCounted' in settled && settled.isCounted)).toHaveLength(1);
  expect(await readEvents(fixture)).toEqual([first, first]);
  expect(await report(fixture, calculationId, 'applied')).toMatchObject({ outcome: 'duplicate', isCounted: false });
  expect(await readEvents(fixture)).toHaveLength(2);
});
