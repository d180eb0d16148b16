import { randomUUID } from 'node:crypto';
import { TRANSPORT_STATUS } from '@loyalty/contract/errors';
import { saleOf } from '../baskets.ts';
import { headerValues } from '../exchange.ts';
import type { Checks } from '../session.ts';
import { BASKET_PATH, SALE_PATH } from '../target.ts';

/** Request headers, methods and paths (interface, section 4). */

const { notFound, methodNotAllowed } = TRANSPORT_STATUS;

export const requestChecks: Checks = {
  'requests.idempotency-key': {
    section: '4',
    title: 'Idempotency-Key is required and is a lower-case UUID',
    run: async (session) => {
      const basket = session.baskets.of();
      const wrong = [null, '', 'not-a-uuid', basket.calculationId.toUpperCase(), `${basket.calculationId} `.repeat(2)];
      for (const key of wrong) {
        const headers = { 'Idempotency-Key': key };
        await session.refused(basket, 'invalid_request', `a key of ${JSON.stringify(key)}`, { headers });
      }
    },
  },
  'requests.key-is-calculation-id': {
    section: '4',
    title: 'Idempotency-Key is the calculationId of the body, on both endpoints',
    run: async (session) => {
      const headers = { 'Idempotency-Key': randomUUID() };
      const basket = session.baskets.of();
      await session.refused(basket, 'invalid_request', 'another key than the basket', { headers });
      const event = saleOf(basket.calculationId);
      await session.refusedSale(event, 'invalid_request', 'another key than the sale event', { headers });
    },
  },
  'requests.content-type': {
    section: '4',
    title: 'Content-Type is application/json, with charset utf-8 or none',
    run: async (session) => {
      for (const type of ['application/json; charset=utf-8', 'application/json', 'Application/JSON;charset=UTF-8'])
        await session.accepted(session.baskets.of(), type, { headers: { 'Content-Type': type } });
      for (const type of [null, 'text/plain', 'application/json; charset=iso-8859-1', 'application/xml']) {
        const about = `Content-Type ${type ?? 'missing'}`;
        await session.refused(session.baskets.of(), 'invalid_request', about, { headers: { 'Content-Type': type } });
      }
    },
  },
  'requests.request-id': {
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
  'requests.optional-headers': {
    section: '4',
    title: 'Accept may be there, and unknown headers are ignored',
    run: async (session) => {
      const headers = { Accept: 'application/json', 'X-Future-Header': 'yes' };
      await session.accepted(session.baskets.of(), 'more headers', { headers });
    },
  },
  'requests.other-methods': {
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
  'requests.other-paths': {
    section: '4 · decision',
    title: 'Paths outside the interface are not found, and say so with the Error body',
    run: async (session) => {
      for (const path of ['/', '/v1/pos', `${BASKET_PATH}/`, '/v2/pos/basket', '/metrics', '/admin']) {
        const exchange = await session.send(path, session.baskets.of());
        session.expectRefusal(exchange, 'invalid_request', path, [notFound]);
      }
    },
  },
  'requests.order-of-checks': {
    section: '4, 5 · decision',
    title: 'Of several faults the one that is checked first is answered',
    run: async (session) => {
      const basket = session.baskets.of([{ originalLinePrice: 1 }]);
      const strange = { ...basket, currency: 'XTS', context: { ...basket.context, venueId: 'nowhere' } };
      await session.refused(strange, 'venue_not_configured', 'venue before currency');
      const foreign = { ...session.baskets.of([{ originalLinePrice: 1 }]), currency: 'XTS' };
      await session.refused(foreign, 'unknown_currency', 'currency before arithmetic');
      await session.refused({ ...strange, totals: undefined }, 'invalid_request', 'schema before venue');
    },
  },
};
