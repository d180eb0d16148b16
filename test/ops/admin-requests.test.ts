/** What became of a call, told to whoever sent it: refused or answered, by whichever process, with a vendor's token. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { useService } from '../support/service.ts';
import { newSecret } from '../support/signer.ts';
import { ask } from './admin-client.ts';

const token = 'token-of-a-vendor';
const stage = useService({ env: { OPS_TOKEN: `till:vendor:${token}`, PROCESSES: '2' } });

const read = (requestId: string) => ask(stage.service.opsUrl, `GET /admin/requests/${requestId}`, { token });

/** A caller with a connection of its own, which the kernel gives to either process. */
const caller = () => stage.service.newCaller();

test('an answered call leads to its calculation, and each attempt and the sale too', async () => {
  const basket = basketOf([{}], { loyaltyId: 'member-twenty' });
  const [first, again] = [await caller().basket(basket), await caller().basket(basket)];
  const sold = await caller().sale(saleOf(basket.calculationId));
  for (const answer of [first, again, sold]) {
    const requestId = String(answer.header('x-request-id'));
    const { status, body } = await read(requestId.toUpperCase());
    expect([status, body]).toMatchObject([
      200,
      { calculation: { calculationId: basket.calculationId, state: 'sold', answered: { status: 'applied' } } },
    ]);
    expect(body).not.toHaveProperty('refusal');
    expect(JSON.stringify(body)).not.toContain('member-twenty');
  }
});

test('a refused call says why, each one of many with the same fault', async () => {
  const wrong = Array.from({ length: 70 }, () => randomUUID());
  const secret = newSecret();
  for (const requestId of wrong) {
    await caller().basket(basketOf(), { secret, headers: { 'X-Request-Id': requestId } });
  }
  for (const requestId of [wrong[0], wrong[35], wrong[69]]) {
    const { body } = await read(String(requestId));
    expect(body).toMatchObject({
      requestId,
      refusal: { requestId, code: 'invalid_signature', status: 401, route: '/v1/pos/basket', field: 'POS-Signature' },
    });
  }
  const basket = basketOf();
  const refused = await caller().basket({ ...basket, totals: { ...basket.totals, total: 1 } });
  const { body } = await read(String(refused.header('x-request-id')));
  expect(body.refusal).toMatchObject({
    ...{ code: 'arithmetic_mismatch', field: '/totals/total', expected: 10_000, received: 1 },
    calculationId: basket.calculationId,
  });
});

test('what is not known is 404, and what is no request ID 400', async () => {
  expect((await read(randomUUID())).status).toBe(404);
  const { status, body } = await read('first');
  expect([status, body.error.message]).toEqual([400, 'requestId: found "first", allowed: a UUID']);
});
