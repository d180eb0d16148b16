/** Two routes, one method: paths and methods that come near are refused; last-answer.test.ts has the order of the checks. */
import { expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { BASKET_PATH, SALE_PATH } from '../support/caller.ts';
import { useSharedService } from '../support/shared-service.ts';

const stage = useSharedService();

test.each([
  '/',
  '/v1/pos/basket/',
  '/v1/pos//basket',
  '/V1/POS/BASKET',
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
