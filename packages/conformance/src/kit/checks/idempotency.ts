import type { BasketRequest } from '@loyalty/contract/basket-request';
import { HTTP_OK } from '@loyalty/contract/errors';
import { saleOf } from '../baskets.ts';
import { describe, type Exchange, headerValues, isReplayed } from '../exchange.ts';
import type { Checks, Session } from '../session.ts';

/** Same key, same body: same bytes. Same key, another body: `409` (interface, section 4.10). */

const PARALLEL_CALLS = 12;

export const idempotencyChecks: Checks = {
  'idempotency.replay': {
    section: '4.10',
    title: 'The same request again is answered with the same bytes and Idempotent-Replayed: true',
    run: async (session) => {
      const { members } = session.options;
      for (const loyaltyId of [members.twenty, members.none, members.unknown]) {
        const basket = session.baskets.of([{ name: 'Blåbær' }, {}], { loyaltyId });
        const first = await session.accepted(basket, 'the first call');
        session.expect(!isReplayed(first), 'the first answer calls itself replayed');
        for (const round of ['second', 'third']) expectReplay(session, first, await session.basket(basket), round);
      }
    },
  },
  'idempotency.fresh-headers': {
    section: '4',
    title: 'A replay carries the X-Request-Id of its own request',
    run: async (session) => {
      const basket = session.baskets.of();
      const answers = [await session.basket(basket), await session.basket(basket)];
      const ids = new Set(answers.map((exchange) => headerValues(exchange, 'X-Request-Id')[0]));
      session.expect(ids.size === 2, 'both answers carry the same X-Request-Id');
    },
  },
  'idempotency.conflict': {
    section: '4.10',
    title: 'The same key with another body is idempotency_conflict, and the first answer stays',
    run: async (session) => {
      const basket = session.baskets.of([{ quantity: 1 }]);
      const first = await session.basket(basket);
      const { calculationId } = basket;
      const others = [
        session.baskets.of([{ quantity: 2 }], { calculationId }),
        { ...basket, loyaltyId: session.options.members.none },
        atAnotherTill(basket),
      ];
      for (const other of others) await session.refused(other, 'idempotency_conflict', 'another body');
      expectReplay(session, first, await session.basket(basket), 'after the conflicts');
    },
  },
  'idempotency.respelled': {
    section: '4.10',
    title: 'The same key with the same JSON in other bytes is idempotency_conflict: the body is its bytes',
    run: async (session) => {
      const basket = session.baskets.of([{ name: 'Blåbær' }]);
      const text = JSON.stringify(basket);
      await session.accepted(text, 'the first call');
      const reversed = JSON.stringify(Object.fromEntries(Object.entries(basket).reverse()));
      for (const other of [`${text} `, JSON.stringify(basket, null, 2), text.replace('å', '\\u00e5'), reversed])
        await session.refused(other, 'idempotency_conflict', 'the body in another spelling');
    },
  },
  'idempotency.refusals-pin-nothing': {
    section: '4.10 · decision',
    title: 'A refused key may be used again with a mended body',
    run: async (session) => {
      const basket = session.baskets.of();
      const wrong = [{ totals: { ...basket.totals, total: 1 } }, { currency: 'XTS' }, { lines: [] }];
      for (const change of wrong) {
        const exchange = await session.basket({ ...basket, ...change });
        session.expect(exchange.status !== HTTP_OK, 'a wrong body was accepted');
      }
      const mended = await session.accepted(basket, 'the mended body');
      session.expect(!isReplayed(mended), 'the mended body was answered from the store');
    },
  },
  'idempotency.parallel': {
    section: '4.10',
    title: `${PARALLEL_CALLS} calls of one key at once get one answer, one of them fresh`,
    run: async (session) => {
      const basket = session.baskets.ofSize(5);
      const call = () => session.accepted(basket, 'one of several calls at once', { isUnpaced: true });
      const answers = await Promise.all(Array.from({ length: PARALLEL_CALLS }, call));
      const bodies = new Set(answers.map((exchange) => exchange.bytes.toString('base64')));
      session.expect(bodies.size === 1, `${bodies.size} different bodies came back`);
      const fresh = answers.filter((exchange) => !isReplayed(exchange)).length;
      session.expect(fresh === 1, `${fresh} of ${PARALLEL_CALLS} answers are without Idempotent-Replayed`);
    },
  },
  'idempotency.endpoints-apart': {
    section: '4',
    title: 'The basket and the sale event of one calculation share its key and do not meet',
    run: async (session) => {
      const basket = session.baskets.of();
      const first = await session.basket(basket);
      await session.settled(saleOf(basket.calculationId), 'recorded', 'the sale event');
      expectReplay(session, first, await session.basket(basket), 'after the sale event');
    },
  },
};

/** Another body of the same calculation. */
export function atAnotherTill(basket: BasketRequest): BasketRequest {
  return { ...basket, context: { ...basket.context, cashRegisterId: 'another-till' } };
}

/** The answer again, marked as replayed. */
export function expectReplay(session: Session, first: Exchange, again: Exchange, about: string): void {
  session.expect(again.status === first.status, `${about}: expected ${first.status}, saw ${describe(again)}`);
  session.expect(again.bytes.equals(first.bytes), `${about}: the body differs from the first answer's`);
  session.expect(isReplayed(again), `${about}: Idempotent-Replayed is missing`);
}
