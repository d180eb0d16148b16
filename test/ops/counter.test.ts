/** Goods that come back at the counter: a sale with what is left of it, where a return was made, and whole pieces. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { until } from '../support/wait.ts';
import { POS_TOKEN, useReturns } from './return-stage.ts';

const { stage, call, get, ringUp, tell, sell, quote, book } = useReturns();

interface Sale {
  readonly calculationId: string;
  readonly paid: number;
  readonly refunded: number;
  readonly lines: { readonly lineId: string; readonly left: number }[];
  readonly returns: { readonly returnId: string; readonly at: string }[];
}

const look = <T = Sale>(query: string) => call<T>(`GET /admin/returns${query}`, undefined, { token: POS_TOKEN });

test('a till sees the lines of a sale, what is left of each, and what came back before', async () => {
  const meal = [{ productGroupId: 'meal', unitPrice: 12_000, quantity: 2 }, { unitPrice: 1_000 }];
  const { calculationId, transactionId, answered } = await sell(meal);
  const gift = answered.lines.at(-1)!;
  const fresh = await look(`?transactionId=${transactionId}`);
  expect(fresh.status).toBe(200);
  expect(fresh.body).toEqual({
    ...{ calculationId, transactionId, venueId: 'oslo-central', currency: 'NOK', policy: 'as_paid' },
    ...{ soldAt: expect.stringMatching(/Z$/), paid: 25_000, refunded: 0, returns: [] },
    lines: [
      { ...nameOf(answered.lines[0]!), quantity: 2, isCounted: true, paid: 24_000, left: 2, refunded: 0 },
      { ...nameOf(answered.lines[1]!), quantity: 1, isCounted: true, paid: 1_000, left: 1, refunded: 0 },
      { ...nameOf(gift), name: gift.name, quantity: 1, isCounted: true, paid: 0, left: 1, refunded: 0 },
    ],
  });
  expect((await look(`?calculationId=${calculationId}`)).body).toEqual(fresh.body);

  await book(calculationId, 'r-1');
  await book(calculationId, 'r-2', [{ lineId: 'line-2', quantity: 1 }]);
  const { body } = await look(`?calculationId=${calculationId}`);
  expect(body.lines.map(({ left }) => left)).toEqual([1, 0, 1]);
  expect(body).toMatchObject({
    ...{ paid: 25_000, refunded: 13_000 },
    lines: [{ refunded: 12_000 }, { refunded: 1_000 }, { refunded: 0 }],
    returns: [
      { returnId: 'r-1', refund: 12_000, lines: [{ lineId: 'line-1', quantity: 1, refund: 12_000 }] },
      { returnId: 'r-2', refund: 1_000 },
    ],
  });
});

const nameOf = ({ lineId, productId }: { lineId: string; productId: string }) => ({
  lineId,
  productId,
  name: productId,
});

test('a sale that was priced without benefits has its lines as the till sent them', async () => {
  const { calculationId } = await sell([{ quantity: 0.345, unitPrice: 1_999 }], {}, 'failed');
  expect((await look(`?calculationId=${calculationId}`)).body).toMatchObject({
    paid: 690,
    lines: [{ quantity: 0.345, isCounted: false, left: 0.345, paid: 690 }],
  });
});

test('what cannot be shown is refused as a return of it would be', async () => {
  type Failed = { error: { code: string; message: string } };
  for (const query of ['', `?transactionId=a&calculationId=${randomUUID()}`]) {
    expect(await look<Failed>(query)).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
  }
  expect((await look('?transactionId=never')).status).toBe(404);
  expect((await look(`?calculationId=${randomUUID()}`)).status).toBe(404);
  const cancelled = await sell([{}], {}, 'cancelled');
  const nothing = await look<Failed>(`?calculationId=${cancelled.calculationId}`);
  expect(nothing).toMatchObject({
    status: 422,
    body: { error: { message: expect.stringContaining('nothing was sold') } },
  });
  const { transactionId } = await sell([{}]);
  const same = await ringUp('guest');
  expect((await look(`?transactionId=${transactionId}`)).status).toBe(200);
  await tell(same.calculationId, 'unchanged', { transactionId });
  const several = await look<Failed>(`?transactionId=${transactionId}`);
  expect(several).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
});

test('a return says where it was made: it is kept, shown, and in the audit log', async () => {
  const { calculationId } = await sell([{ quantity: 2, unitPrice: 5_000 }]);
  const place = { venueId: 'bergen-quay', cashRegisterId: 'till-9', clerkNumber: 42 };
  const lines = [{ lineId: 'line-1', quantity: 1 }];
  const requestId = randomUUID();
  const send = (body: object) =>
    call<{ refund: number }>(
      'POST /admin/returns',
      { calculationId, returnId: 'r', lines, ...body },
      { token: POS_TOKEN, requestId },
    );
  expect((await send(place)).body.refund).toBe(5_000);
  // A repetition from another till is the same return.
  expect((await send({ venueId: 'oslo-central' })).status).toBe(200);
  await book(calculationId, 's', lines);
  const { body } = await look(`?calculationId=${calculationId}`);
  expect(body.returns).toEqual([
    expect.objectContaining({ returnId: 'r', returnedAt: place }),
    expect.not.objectContaining({ returnedAt: expect.anything() }),
  ]);
  const told = await get<{ story: string[]; returns: object[] }>(`/admin/calculations/${calculationId}`);
  expect(told.returns[0]).toMatchObject({ returnId: 'r', returnedAt: place });
  expect(told.story.at(-2)).toContain('1 of line line-1 at bergen-quay at till till-9 by clerk 42, 50.00 NOK refunded');
  const line = await until('its line', () => stage.service.log.find((entry) => entry.requestId === requestId));
  expect(line).toMatchObject({ who: 'oslo', action: 'book return', ...place });
  for (const wrong of [{ venueId: '' }, { cashRegisterId: 7 }, { clerkNumber: 1.5 }, { clerkNumber: 'x' }]) {
    expect((await send(wrong)).status).toBe(400);
  }
});

test('half a piece of a counted line does not come back, and weighed goods do in any part', async () => {
  const { calculationId } = await sell([
    { quantity: 3, unitPrice: 2_500 },
    { quantity: 1.5, unitPrice: 1_000 },
    { quantity: 2, unitPrice: 1_000, productGroupId: 'fruit' },
  ]);
  const half = await quote<{ error: object }>({ calculationId }, [{ lineId: 'line-1', quantity: 1.5 }]);
  expect(half).toMatchObject({
    status: 422,
    body: {
      error: {
        code: 'refused',
        message: 'line line-1 was sold in pieces, of which 3 are left: 1.5 would come back, and only whole pieces can.',
        details: { lines: [{ lineId: 'line-1', sold: 3, left: 3, asked: 1.5 }] },
      },
    },
  });
  expect((await book(calculationId, 'half', [{ lineId: 'line-1', quantity: 0.5 }])).status).toBe(422);
  const weighed = [
    { lineId: 'line-2', quantity: 0.3 },
    { lineId: 'line-3', quantity: 0.5 },
  ];
  expect((await book(calculationId, 'part', weighed)).body.refund).toBe(300 + 500);
  expect((await look(`?calculationId=${calculationId}`)).body.lines).toMatchObject([
    { left: 3, isCounted: true },
    { left: 1.2, isCounted: false },
    { left: 1.5, isCounted: false },
  ]);
});
