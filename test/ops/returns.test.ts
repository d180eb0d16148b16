/** Goods that come back: never more than was sold, with limits and costs put right. What is answered, stored and told of them: test/corpus. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { CostDay } from '../../packages/console/src/live/costs.ts';
import { until } from '../support/wait.ts';
import { memberPath } from './admin-client.ts';
import { BERGEN, GUESTS, POS_TOKEN, useReturns } from './return-stage.ts';

const { stage, call, get, refusalOf, sell, quote, book } = useReturns();

test('repriced, the rest loses what it does not earn, and its gift is bought', async () => {
  const more = { context: BERGEN };
  const soap = await sell([{ productGroupId: 'soap', quantity: 3, unitPrice: 10_000 }], more);
  expect(soap.answered.lines.map(({ quantity, orderLinePrice }) => [quantity, orderLinePrice])).toEqual([
    [2, 20_000],
    [1, 0],
  ]);
  // Two soaps cost 200.00 without the offer, as much as three with it.
  const given = soap.answered.lines.map(({ lineId }) => lineId);
  const one = await quote({ calculationId: soap.calculationId }, [{ lineId: given[0]!, quantity: 1 }]);
  expect(one.body).toMatchObject({
    policy: 'repriced',
    refund: 0,
    kept: [],
    lost: [{ benefitId: 'three-for-two', saved: 10_000 }],
  });
  const two = await quote({ calculationId: soap.calculationId }, [{ lineId: given[0]!, quantity: 2 }]);
  expect(two.body).toMatchObject({ refund: 10_000 });
  expect(two.body.explanation).toEqual([
    '200.00 NOK was paid.',
    'What stays costs 100.00 NOK, priced as if it had been bought alone.',
    'The difference is 200.00 NOK − 100.00 NOK = 100.00 NOK.',
    'Refund: 100.00 NOK.',
  ]);

  const meal = await sell([{ productGroupId: 'meal', unitPrice: 12_000 }, { unitPrice: 1_000 }], more);
  expect(meal.answered.totals.total).toBe(13_000);
  const [dish] = meal.answered.lines;
  const quoted = await quote({ calculationId: meal.calculationId }, [{ lineId: dish!.lineId, quantity: 1 }]);
  // The cake stays and costs 45.00, beside the 10.00 of the other line.
  expect(quoted.body).toMatchObject({
    refund: 13_000 - 1_000 - 4_500,
    lost: [{ benefitId: 'cake-gift', saved: 4_500 }],
  });
  const withCake = meal.answered.lines.map(({ lineId, quantity }) => ({ lineId, quantity }));
  expect((await quote({ calculationId: meal.calculationId }, withCake)).body.refund).toBe(13_000);
});

test('repriced for the share of the members that the guest was in', async () => {
  const discounts = new Set<number>();
  for (const loyaltyId of GUESTS) {
    const tea = [{ productGroupId: 'tea', quantity: 2, unitPrice: 10_000 }];
    const { calculationId, answered } = await sell(tea, { context: BERGEN, loyaltyId });
    const { total } = answered.totals;
    discounts.add(20_000 - total);
    const one = await quote({ calculationId });
    expect(one.body.refund).toBe(total / 2);
    expect(await get(`/admin/look-up?id=${calculationId}`)).toMatchObject({
      calculations: [{ past: { isSame: true, response: { totals: { total } } } }],
    });
  }
  expect(discounts).toEqual(new Set([4_000, 10_000]));
});

test('lines are found by their IDs, however long those are', async () => {
  const lines = ['Ø'.repeat(100), randomUUID(), '7'].map((lineId) => ({ lineId, quantity: 1 }));
  const { calculationId } = await sell(lines.map(({ lineId }) => ({ lineId, quantity: 2, unitPrice: 1_000 })));
  for (const returnId of ['a', 'b']) {
    const { body } = await book(calculationId, returnId, lines);
    expect(body.lines).toEqual(lines.map((line) => ({ ...line, refund: 1_000 })));
    expect(body.explanation[0]).toContain('Ø'.repeat(100));
  }
  expect((await book(calculationId, 'c', lines)).status).toBe(422);
});

test('however many tills race, no more comes back than was sold', async () => {
  const { calculationId } = await sell([{ quantity: 5, unitPrice: 333, productGroupId: 'welcome' }], {
    loyaltyId: 'racer',
  });
  const replies = await Promise.all(Array.from({ length: 12 }, (_, till) => book(calculationId, `till-${till}`)));
  const done = replies.filter(({ status }) => status === 200);
  expect(replies.map(({ status }) => status).sort()).toEqual([...Array(5).fill(200), ...Array(7).fill(422)]);
  expect(done.reduce((sum, { body }) => sum + body.refund, 0)).toBe(1_332);
});

async function consumedBy(loyaltyId: string): Promise<unknown[]> {
  const { limits } = await get<{ limits: { benefitId: string; consumed: number }[] }>(memberPath(loyaltyId));
  return limits.map(({ benefitId, consumed }) => [benefitId, consumed]);
}

test('a limit and a grant come back when nothing of their benefit stays, once', async () => {
  const welcome = [{ quantity: 2, unitPrice: 5_000, productGroupId: 'welcome' }];
  const { calculationId } = await sell(welcome, { loyaltyId: 'first' });
  expect(await consumedBy('first')).toEqual([['single-use', 1]]);
  await book(calculationId, 'half');
  expect(await consumedBy('first')).toEqual([['single-use', 1]]);
  await book(calculationId, 'rest');
  await book(calculationId, 'rest');
  expect(await consumedBy('first')).toEqual([['single-use', 0]]);
  expect((await sell(welcome, { loyaltyId: 'first' })).answered.totals.total).toBe(8_000);
  const told = await get<{ story: string[]; returns: object[] }>(`/admin/calculations/${calculationId}`);
  expect(told.returns).toMatchObject([
    { returnId: 'half', refund: 4_000 },
    { returnId: 'rest', refund: 4_000 },
  ]);
  expect(told.story.at(-1)).toMatch(
    /: return rest of 1 of line line-1, 40\.00 NOK refunded\. Given back: single-use \(lifetime\): 1 of 1\.$/,
  );

  const card = await sell([{ unitPrice: 5_000, productGroupId: 'card' }], { loyaltyId: 'holder' });
  expect(card.answered.totals.total).toBe(4_000);
  expect((await book(card.calculationId, 'all')).body.refund).toBe(4_000);
  const again = await sell([{ unitPrice: 5_000, productGroupId: 'card' }], { loyaltyId: 'holder' });
  expect(again.answered.totals.total).toBe(4_000);
});

test('the page shows what came back of the sales of a day', async () => {
  const costs = async () => {
    const answer = await fetch(`${stage.service.opsUrl}/live/costs`);
    const { days } = (await answer.json()) as { days: CostDay[] };
    const rows = days.flatMap(({ benefits }) => benefits).filter(({ benefitId }) => benefitId === 'order-10');
    return rows.map((row) => [row.sold.saved, row.undone.baskets, row.undone.saved])[0];
  };
  const { calculationId } = await sell([{ quantity: 10, unitPrice: 10_000 }], { loyaltyId: 'third' });
  await until('the sale to be counted', async () => (await costs())?.[0] === 10_000);
  await book(calculationId, 'a', [{ lineId: 'line-1', quantity: 4 }]);
  await until('the return', async () => (await costs())?.[2] !== 0);
  expect(await costs()).toEqual([10_000, 0, 4_000]);
  await book(calculationId, 'b', [{ lineId: 'line-1', quantity: 6 }]);
  await until('the other return', async () => (await costs())?.[1] === 1);
  expect(await costs()).toEqual([10_000, 1, 10_000]);
});

test('goods of a sale of a month ago are no longer known, and the answer says so', async () => {
  const { calculationId, transactionId } = await sell([{ quantity: 2 }], { loyaltyId: 'tester' });
  const clock = { programmeId: 'coffee-club', loyaltyId: 'tester', aheadSeconds: 29 * 86_400 };
  const move = () => call('POST /admin/clock', clock);
  expect((await move()).status).toBe(200);
  expect((await quote({ transactionId })).body).toMatchObject({ refund: 10_000 });
  clock.aheadSeconds += 2 * 86_400;
  expect((await move()).status).toBe(200);
  const reply = await quote<{ error: object }>({ calculationId });
  expect(reply).toMatchObject({ status: 404, body: { error: { message: expect.stringContaining('no longer kept') } } });
});

const one = { lineId: '1', quantity: 1 };
test.each([
  [{ lines: [one] }, 'found neither of calculationId and transactionId'],
  [{ calculationId: randomUUID(), transactionId: 'x', lines: [one] }, 'found both of calculationId and transactionId'],
  [{ calculationId: 'x', lines: [one] }, 'calculationId: found "x", allowed: a lower-case UUID'],
  [{ transactionId: 'x' }, 'lines: found nothing, allowed: a list of 1 to 1000'],
  [{ transactionId: 'x', lines: [] }, 'lines: found [], allowed: a list of 1 to 1000'],
  [{ transactionId: 'x', lines: [{ ...one, quantity: 0 }] }, 'lines[0].quantity: found 0, allowed: a number above 0'],
  [{ transactionId: 'x', lines: [{ ...one, lineId: '' }] }, 'lines[0].lineId: found ""'],
  [{ transactionId: 'x', lines: [one, one] }, 'lines[1].lineId: found "1", allowed: each line once'],
  [{ transactionId: 'x', lines: [one], returnId: '\ud800' }, 'half of a character'],
  [{ transactionId: 'x', lines: [one], returnId: undefined }, 'returnId: found nothing, allowed: a text of 1 to 64'],
])('%j is refused with its place', async (body, message) => {
  const refused = await refusalOf('POST /admin/returns', { returnId: 'r-1', ...body }, { token: POS_TOKEN });
  expect(refused).toEqual([400, expect.stringContaining(message)]);
});
