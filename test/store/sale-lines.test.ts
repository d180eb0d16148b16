/** The lines that the event of a sale tells: of what was paid, and of nothing where no goods were sold. */
import { expect, test } from 'vitest';
import type { Commit } from '../../src/store/calculations.ts';
import { readIndexEntry } from '../../src/store/index-entry.ts';
import { settleSale } from '../../src/store/sales.ts';
import type { LinesOf } from '../../src/store/sold-bytes.ts';
import { calculate, commitOf, report, useFixture } from './fixture.ts';
import { readEvents } from './read-events.ts';

const fixture = useFixture();

/** Tells which bytes the lines were read from, in place of the lines. */
const fromBytes: LinesOf = ({ basket, answer }) => `basket ${basket} answer ${answer ?? 'none'}`;

/** Reports a sale of a basket that is kept; the event of it, as the stream has it. */
async function sell(status: string, linesOf?: LinesOf, more: Partial<Commit> = {}) {
  const { store } = fixture;
  const { commit } = await calculate(fixture, { kept: Buffer.from('of two coffees'), uses: [], ...more });
  const { calculationId } = commit;
  const sale = { calculationId, status, transactionId: 't-1', failureReason: undefined };
  const deadline = { remainingMs: () => 60_000, redisMs: Number.MAX_SAFE_INTEGER };
  const settled = await settleSale(store, sale, await readIndexEntry(store, calculationId), deadline, linesOf);
  expect(settled).toMatchObject({ outcome: 'recorded' });
  return (await readEvents(fixture)).find((event) => event['calculationId'] === calculationId)!;
}

test('are those of the answer where the sale was made by it', async () => {
  expect(await sell('applied', fromBytes)).toMatchObject({ lines: 'basket of two coffees answer as stored' });
});

test('are those of the basket as the till sent it where it was sold unchanged, or answered so', async () => {
  const lines = 'basket of two coffees answer none';
  expect(await sell('unchanged', fromBytes)).toMatchObject({ lines });
  expect(await sell('applied', fromBytes, { status: 'unchanged' })).toMatchObject({ lines });
});

test.each(['cancelled', 'failed'])('are not told of a sale that %s: nothing was sold', async (status) => {
  expect(await sell(status, fromBytes)).not.toHaveProperty('lines');
});

test('are not told where nobody wants them, where no basket is kept, or where nobody can read it', async () => {
  expect(await sell('applied')).not.toHaveProperty('lines');
  const { kept: _, ...without } = commitOf({ uses: [] });
  expect(await sell('applied', fromBytes, { ...without, kept: Buffer.alloc(0) })).not.toHaveProperty('lines');
  expect(await sell('applied', () => undefined)).not.toHaveProperty('lines');
});

test('come again with an event that was due when its process died', async () => {
  const { redis, store } = fixture;
  const first = await sell('applied', fromBytes);
  const calculationId = first['calculationId']!;
  const entry = (await readIndexEntry(store, calculationId))!;
  await redis.client.hset(store.keys.calculation(entry.member!, calculationId), 'event', 1);
  const sale = { calculationId, status: 'applied', transactionId: 't-1', failureReason: undefined };
  const deadline = { remainingMs: () => 60_000, redisMs: Number.MAX_SAFE_INTEGER };
  expect(await settleSale(store, sale, entry, deadline, fromBytes)).toMatchObject({ outcome: 'duplicate' });
  expect(await readEvents(fixture)).toEqual([first, first]);
  expect(await report(fixture, calculationId, 'applied')).toMatchObject({ outcome: 'duplicate', isCounted: false });
});
