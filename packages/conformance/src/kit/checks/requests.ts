import { randomUUID } from 'node:crypto';
import { ERRORS, TRANSPORT_STATUS } from '@loyalty/contract/errors';
import { saleOf } from '../baskets.ts';
import { headerValues } from '../exchange.ts';
import type { Check } from '../session.ts';
import { BASKET_PATH, SALE_PATH } from '../target.ts';

/** Request headers, methods and paths (interface, section 4). */

const { notFound, methodNotAllowed } = TRANSPORT_STATUS;

export const requestChecks: readonly Check[] = [
  {
    name: 'requests.idempotency-key',
    section: '4',
    title: 'Idempotency-Key is required and is a lower-case UUID',
    run: async (session) => {
      const basket = session.baskets.of();
      const wrong = [null, '', 'not-a-uuid', basket.calculationId.toUpperCase(), `${basket.calculationId} `.repeat(2)];
      for (const key of wrong) {
        const exchange = await session.basket(basket, { headers: { 'Idempotency-Key': key } });
        session.expectRefusal(exchange, 'invalid_request', `a key of ${JSON.stringify(key)}`);
      }
    },
  },
  {
    name: 'requests.key-is-calculation-id',
    section: '4',
    title: 'Idempotency-Key is the calculationId of the body, on both endpoints',
    run: async (session) => {
      const headers = { 'Idempotency-Key': randomUUID() };
      const basket = session.baskets.of();
      session.expectRefusal(
        await session.basket(basket, { headers }),
        'invalid_request',
        'another key than the basket',
      );
      const sale = await session.sale(saleOf(basket.calculationId), { headers });
      session.expectRefusal(sale, 'invalid_request', 'another key than the sale event');
    },
  },
  {
    name: 'requests.content-type',
    section: '4',
    title: 'Content-Type is application/json, with charset utf-8 or none',
    run: async (session) => {
      for (const type of ['application/json; charset=utf-8', 'application/json', 'Application/JSON;charset=UTF-8']) {
        const exchange = await session.basket(session.baskets.of(), { headers: { 'Content-Type': type } });
        session.expectAccepted(exchange, type);
      }
      for (const type of [null, 'text/plain', 'application/json; charset=iso-8859-1', 'application/xml']) {
        const exchange = await session.basket(session.baskets.of(), { headers: { 'Content-Type': type } });
        session.expectRefusal(exchange, 'invalid_request', `Content-Type ${type ?? 'missing'}`);
      }
    },
  },
  {
    name: 'requests.request-id',
    section: '4',
    title: 'Without an X-Request-Id, or with one that is no UUID, the server makes its own, a new one each time',
    run: async (session) => {
      const ids = new Set<string | undefined>();
      for (const value of [null, null, 'not-a-uuid']) {
        const exchange = await session.basket(session.baskets.of(), { headers: { 'X-Request-Id': value } });
        ids.add(headerValues(exchange, 'X-Request-Id')[0]);
      }
      session.expect(ids.size === 3 && !ids.has('not-a-uuid'), `saw ${[...ids].join(', ')}`);
    },
  },
  {
    name: 'requests.optional-headers',
    section: '4',
    title: 'Accept may be there, and unknown headers are ignored',
    run: async (session) => {
      const headers = { Accept: 'application/json', 'X-Future-Header': 'yes' };
      session.expectAccepted(await session.basket(session.baskets.of(), { headers }), 'more headers');
    },
  },
  {
    name: 'requests.other-methods',
    section: '4 · decision',
    title: 'Both paths take POST and nothing else',
    run: async (session) => {
      for (const path of [BASKET_PATH, SALE_PATH]) {
        for (const method of ['GET', 'PUT', 'DELETE']) {
          const exchange = await session.send(path, session.baskets.of(), { method });
          session.expectRefusal(exchange, 'invalid_request', `${method} ${path}`, [methodNotAllowed]);
        }
      }
    },
  },
  {
    name: 'requests.other-paths',
    section: '4 · decision',
    title: 'Paths outside the interface are not found, and say so with the Error body',
    run: async (session) => {
      for (const path of ['/', '/v1/pos', `${BASKET_PATH}/`, '/v2/pos/basket', '/metrics', '/admin']) {
        const exchange = await session.send(path, session.baskets.of());
        session.expectRefusal(exchange, 'invalid_request', path, [notFound]);
      }
    },
  },
  {
    name: 'requests.order-of-checks',
    section: '4, 5 · decision',
    title: 'Of several faults the one that is checked first is answered',
    run: async (session) => {
      const basket = session.baskets.of([{ originalLinePrice: 1 }]);
      const strange = { ...basket, currency: 'XTS', context: { ...basket.context, venueId: 'nowhere' } };
      session.expectRefusal(await session.basket(strange), 'venue_not_configured', 'venue before currency');
      const foreign = { ...session.baskets.of([{ originalLinePrice: 1 }]), currency: 'XTS' };
      session.expectRefusal(await session.basket(foreign), 'unknown_currency', 'currency before arithmetic');
      const { code, status } = { code: 'invalid_request', status: ERRORS.invalid_request.status } as const;
      const broken = { ...strange, totals: undefined };
      session.expectRefusal(await session.basket(broken), code, 'schema before venue', [status]);
    },
  },
];
