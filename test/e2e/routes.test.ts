/** Two routes, one method: everything else is refused with the Error body and the headers that every answer has. */
import { expect, test } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { BASKET_PATH, SALE_PATH } from '../support/caller.ts';
import { useSharedService } from '../support/shared-service.ts';

const stage = useSharedService();

test.each([
  '/',
  '/v1',
  '/v1/pos',
  '/v1/pos/',
  '/v1/pos/baskets',
  '/v1/pos/basket/',
  '/v1/pos/basket/extra',
  '/v1/pos//basket',
  '/V1/POS/BASKET',
  '/v2/pos/basket',
  '/v1/pos/sale/',
  '/v1/pos/%62asket',
  '/v1/pos/basket%00',
  '/v1/pos/../pos/basket',
  '/healthz',
  '/readyz',
  '/metrics',
  // Not published unless DOCS_PUBLIC says so.
  '/docs',
  '/openapi.json',
  '/admin/',
  '/favicon.ico',
  `/${'a'.repeat(2_000)}`,
])('%s is 404 for every method', async (path) => {
  for (const method of ['POST', 'GET', 'DELETE']) {
    const answer = await stage.caller.send(path, basketOf(), { method });
    expect([answer.status, answer.code]).toEqual([404, 'invalid_request']);
  }
});

test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])('%s on a route is 405', async (method) => {
  for (const path of [BASKET_PATH, SALE_PATH]) {
    const answer = await stage.caller.send(path, basketOf(), { method });
    expect([answer.status, answer.header('Allow')]).toEqual([405, 'POST']);
    expect(answer.code).toBe('invalid_request');
  }
});

test('HEAD is refused like the rest, without a body', async () => {
  for (const [path, status] of [
    [BASKET_PATH, 405],
    [SALE_PATH, 405],
    ['/nowhere', 404],
    ['/nowhere', 404],
  ] as const) {
    expect((await stage.caller.send(path, '', { method: 'HEAD' })).status).toBe(status);
  }
  expect((await stage.caller.basket(basketOf())).status).toBe(200);
});

test('route and method are judged before the signature', async () => {
  const headers = { 'POS-Signature': null };
  expect((await stage.caller.send('/nowhere', {}, { headers })).status).toBe(404);
  expect((await stage.caller.send(BASKET_PATH, {}, { headers, method: 'PUT' })).status).toBe(405);
});

test('a query changes nothing about the route', async () => {
  const answer = await stage.caller.send(`${BASKET_PATH}?debug=1`, basketOf(), {});
  expect([200, 404]).toContain(answer.status);
});

test('no body of one route passes on the other', async () => {
  const basket = basketOf();
  const asSale = await stage.caller.send(SALE_PATH, basket);
  expect([asSale.status, asSale.code]).toEqual([400, 'invalid_request']);
  const asBasket = await stage.caller.send(BASKET_PATH, saleOf(basket.calculationId));
  expect([asBasket.status, asBasket.code]).toEqual([400, 'invalid_request']);
});

/** But for the library's own mark, which its author asks to be left (docs/decisions.md); a proxy takes it off. */
test('no header of ours tells what the service is made of', async () => {
  const answers = [
    await stage.caller.basket(basketOf()),
    await stage.caller.send('/nowhere', {}),
    await stage.caller.send(BASKET_PATH, '{'),
  ];
  for (const answer of answers) {
    const names = answer.headers.map(([name]) => name.toLowerCase());
    for (const telling of ['server', 'x-powered-by', 'via']) expect(names).not.toContain(telling);
  }
});
