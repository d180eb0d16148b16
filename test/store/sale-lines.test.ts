/** What the event of a sale says of its basket: as it was answered, or as the till sent it. */
import { expect, test } from 'vitest';
import { type DescribeBasket, NOBODY } from '../../src/store/calculation-events.ts';
import type { Commit } from '../../src/store/calculations.ts';
import { ANNA, calculate, report, useFixture } from './fixture.ts';
import { readEvents } from './read-events.ts';

const fixture = useFixture();

/** Tells which bytes it would describe, and as what, in place of a till. */
const asTill: DescribeBasket = async ({ basket, answer }) => {
  const tell = (as: string) => ({
    benefits: [],
    baxId: `${as}: ${basket ?? 'no basket'}, ${answer ?? 'no answer'}`,
  });
  return { funders: NOBODY, asked: () => tell('asked'), answered: () => tell('answered'), sent: () => tell('sent') };
};

/** Reports a sale of a basket that is kept; the event of it, as the stream has it. */
async function sell(status: string, more: Partial<Commit> = {}) {
  const { commit } = await calculate(fixture, { kept: Buffer.from('two coffees'), uses: [], ...more });
  const { calculationId } = commit;
  expect(await report(fixture, calculationId, status, { describe: asTill })).toMatchObject({ outcome: 'recorded' });
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
  await redis.client.hset(store.keys.calculation(ANNA, calculationId), 'soldAt', 1, 'event', 1);
  await report(fixture, calculationId, 'applied', { describe: asTill });
  const [, again] = (await readEvents(fixture)).filter((event) => event.calculationId === calculationId);
  expect(again).toMatchObject({ at: '1970-01-01T00:00:00.001Z', baxId: expect.stringMatching(/^asked/) });
});

test('an event that was due when its process died comes once, and the same', async () => {
  const { redis, store } = fixture;
  const first = await sell('applied');
  const { calculationId = '' } = first;
  await redis.client.hset(store.keys.calculation(ANNA, calculationId), 'event', 1);
  const again = () => report(fixture, calculationId, 'applied', { describe: asTill });
  const outcomes = await Promise.all([again(), again(), again()]);
  expect(outcomes.flatMap(({ counted }) => counted ?? [])).toHaveLength(1);
  expect(await readEvents(fixture)).toEqual([first, first]);
  expect(await report(fixture, calculationId, 'applied')).toEqual({ outcome: 'duplicate' });
  expect(await readEvents(fixture)).toHaveLength(2);
});
