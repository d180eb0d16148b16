import { randomUUID } from 'node:crypto';
import { ERRORS, TRANSPORT_STATUS } from '@loyalty/contract/errors';
import { saleOf } from '../baskets.ts';
import { describe, type Exchange, headerValues } from '../exchange.ts';
import type { Checks, Session } from '../session.ts';
import { SALE_PATH, type Sending } from '../target.ts';

/** HTTP itself, as callers in other languages speak it (interface, sections 4 and 4.8). */

/** Header names mean the same in every case (RFC 9110, section 5.1); HTTP/2 proxies and many libraries send lower case. */
const SPELLINGS: Readonly<Record<string, (name: string) => string>> = {
  'lower case': (name) => name.toLowerCase(),
  capitals: (name) => name.toUpperCase(),
  'mixed case': (name) =>
    [...name].map((letter, index) => (index % 2 ? letter.toUpperCase() : letter.toLowerCase())).join(''),
};

/** Chunks are not counted one by one, but small ones show a reader that expects a single chunk. */
const CHUNK_BYTES = 64;

/** Calls on one connection. The first of them may have to open it. */
const KEPT_CALLS = 5;

export const transportChecks: Checks = {
  'requests.header-names': {
    section: '4',
    title: 'Header names are taken in lower case, in capitals and in mixed case',
    run: async (session) => {
      for (const [about, spellName] of Object.entries(SPELLINGS)) {
        await session.accepted(session.baskets.of(), `a basket with header names in ${about}`, { spellName });
        const event = saleOf(randomUUID(), 'cancelled');
        const aboutEvent = `a sale event with header names in ${about}`;
        await session.settled(event, 'unknown_calculation', aboutEvent, { spellName });
      }
    },
  },
  'requests.chunked': {
    section: '4, 4.8',
    title: 'A body without Content-Length, sent in chunks, is read like any other',
    run: async (session) => {
      const basket = session.baskets.ofSize(20);
      const chunked = { chunkBytes: CHUNK_BYTES };
      const first = await session.accepted(basket, 'a basket in chunks', chunked);
      const whole = await session.basket(basket);
      session.expect(whole.bytes.equals(first.bytes), 'the same body in one piece is answered otherwise');
      const event = saleOf(basket.calculationId, 'cancelled');
      await session.settled(event, 'recorded', 'a sale event in chunks', chunked);
    },
  },
  'requests.request-id-case': {
    section: '4',
    title: 'X-Request-Id comes back as it was sent, in capitals too, on answers and on errors',
    run: async (session) => {
      const lower = randomUUID();
      const mixed = [...randomUUID()].map((letter, index) => (index % 2 ? letter.toUpperCase() : letter)).join('');
      for (const id of [lower, randomUUID().toUpperCase(), mixed]) {
        for (const exchange of await askedWith(session, { headers: { 'X-Request-Id': id } })) {
          const found = headerValues(exchange, 'X-Request-Id').join(' and ');
          session.expect(found === id, `${describe(exchange)}: sent ${id}, came back ${found || 'nothing'}`);
        }
      }
    },
  },
  'connections.kept': {
    section: '4.8',
    title: 'A connection carries one call after another, and outlives the refusal of a signed request',
    run: async (session) => {
      const unreadable = { ...session.baskets.of(), lines: [] };
      const wrong = session.baskets.of([{ originalLinePrice: 1 }]);
      const bodies = [...Array.from({ length: KEPT_CALLS }, () => session.baskets.of()), unreadable, wrong];
      session.reconnect();
      let opened = 0;
      for (const body of [...bodies, session.baskets.of()]) {
        const exchange = await session.basket(body);
        if (!exchange.isReused) opened += 1;
      }
      const about = `${opened} connections were opened for ${bodies.length + 1} calls, one after another`;
      session.expect(opened === 1, `${about}: the service closes them behind its answers`);
    },
  },
};

/** An answer of each endpoint, and one refusal of each kind. */
async function askedWith(session: Session, sending: Sending): Promise<Exchange[]> {
  const basket = session.baskets.of();
  const unsigned = { ...sending, headers: { ...sending.headers, 'POS-Signature': null } };
  const answers = [
    await session.basket(basket, sending),
    await session.sale(saleOf(basket.calculationId, 'cancelled'), sending),
  ];
  const refusals: [Exchange, number][] = [
    [await session.basket('no JSON', sending), ERRORS.invalid_request.status],
    [await session.basket(session.baskets.of([{ originalLinePrice: 1 }]), sending), ERRORS.arithmetic_mismatch.status],
    [await session.basket(basket, unsigned), ERRORS.invalid_signature.status],
    [await session.send(SALE_PATH, basket, { ...sending, method: 'PUT' }), TRANSPORT_STATUS.methodNotAllowed],
  ];
  for (const [exchange, status] of refusals) {
    session.expect(exchange.status === status, `expected ${status}, saw ${describe(exchange)}`);
  }
  return [...answers, ...refusals.map(([exchange]) => exchange)];
}
