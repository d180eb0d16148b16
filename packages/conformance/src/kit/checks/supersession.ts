import { randomUUID } from 'node:crypto';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import { saleOf } from '../baskets.ts';
import { describe, fieldOf } from '../exchange.ts';
import { type Checks, checksOf, type Session } from '../session.ts';
import { calculate } from './sales.ts';

/**
 * A changed basket supersedes its earlier calculation, whose reservations are released (interface, sections 2, 3,
 * 4.11).
 */

const supersession: Checks = {
  'supersession.chain': {
    section: '4.11',
    title: 'A basket that changed twice is calculated three times, each superseding the one before',
    run: async (session) => {
      let supersedesCalculationId = await calculate(session);
      for (const quantity of [2, 3]) {
        const basket = session.baskets.of([{ quantity }], { supersedesCalculationId });
        await session.applied(basket, `the basket of ${quantity}`);
        supersedesCalculationId = basket.calculationId;
      }
      await session.settled(saleOf(supersedesCalculationId), 'recorded', 'the last one is settled');
    },
  },
  'supersession.own-discount': {
    section: '2 · decision',
    title: 'An order discount of the service itself that comes back with a changed basket is taken off',
    run: async (session) => {
      const first = session.baskets.of([{}]);
      const answer = await session.applied(first, 'the first basket');
      const code = answer?.lines.find((line) => line.lineDiscountCode !== undefined)?.lineDiscountCode;
      session.expect(code !== undefined, 'the first basket has no lineDiscountCode');
      if (code === undefined) return;
      const orderDiscountId = 'returned';
      const basket = session.baskets.of([{ shares: { [orderDiscountId]: 500 } }, {}], {
        supersedesCalculationId: first.calculationId,
        orderDiscounts: [{ orderDiscountId, type: 'amount', amount: 500, discountCode: code }],
      });
      const changed = await session.applied(basket, 'the changed basket');
      const isThere = changed?.orderDiscounts.some((discount) => discount.orderDiscountId === orderDiscountId);
      session.expect(isThere === false, 'an order discount with the discount code of the service was kept');
    },
  },
  'supersession.unknown': {
    section: '3 · decision',
    title: 'Superseding a calculation that never arrived is answered like any other',
    run: async (session) => {
      const basket = session.baskets.of([{}], { supersedesCalculationId: randomUUID() });
      await session.applied(basket, 'an unknown calculation superseded');
    },
  },
  'supersession.late-event': {
    section: '3, 6 · decision',
    title: 'An event for a superseded calculation, which needs none, is accepted and reconciled',
    run: async (session) => {
      const older = await calculate(session);
      await session.applied(session.baskets.of([{}], { supersedesCalculationId: older }), 'the newer calculation');
      await session.settled(saleOf(older), 'recorded', 'the event of the older one');
    },
  },
  'supersession.field': {
    section: '2',
    title: 'supersedesCalculationId is a UUID in lower case and never null',
    run: async (session) => {
      for (const supersedesCalculationId of ['x', null, randomUUID().toUpperCase()]) {
        const about = `supersedes ${JSON.stringify(supersedesCalculationId)}`;
        await session.refused({ ...session.baskets.of(), supersedesCalculationId }, 'invalid_request', about);
      }
    },
  },
};

/** With a member whose benefit may be used once. */
const reservations: Checks = {
  'reservations.held': {
    section: '3',
    title: 'A benefit that may be used once is held by the first of two open baskets',
    run: async (session) => {
      const first = await openLimited(session);
      const second = limitedBasket(session);
      await session.answered(second, 'unchanged', 'the second open basket');
      await release(session, first, second);
    },
  },
  'reservations.released-by-cancellation': {
    section: '3',
    title: 'A cancelled payment releases it',
    run: async (session) => {
      const first = await openLimited(session);
      await release(session, first);
      await release(session, await openLimited(session, 'after the cancellation'));
    },
  },
  'reservations.released-by-supersession': {
    section: '3, 4.11',
    title: 'The superseding calculation gets what the superseded one held',
    run: async (session) => {
      const first = await openLimited(session);
      const second = limitedBasket(session, { supersedesCalculationId: first.calculationId });
      await session.answered(second, 'applied', 'the superseding basket');
      const third = limitedBasket(session);
      await session.answered(third, 'unchanged', 'a third basket meanwhile');
      await release(session, second, third);
    },
  },
  'reservations.replay-holds-once': {
    section: '3, 4.10',
    title: 'A repeated call holds once and releases whole',
    run: async (session) => {
      const first = await openLimited(session);
      const again = await session.answered(first, 'applied', 'the call again');
      session.expect(fieldOf(again, 'calculationId') === first.calculationId, 'another calculation was answered');
      await release(session, first);
      await release(session, await openLimited(session, 'after one cancellation'));
    },
  },
  'reservations.consumed': {
    section: '3',
    title: 'A sale uses it up: the next basket is unchanged',
    skippedBecause: ({ sellsLimited }) => (sellsLimited ? undefined : 'not shown: needs --sell-limited'),
    run: async (session) => {
      const { calculationId } = await openLimited(session);
      await session.settled(saleOf(calculationId), 'recorded', 'the sale');
      session.holds.delete(calculationId);
      const next = limitedBasket(session);
      const exchange = await session.answered(next, 'unchanged', 'the basket after the sale');
      if (fieldOf(exchange, 'status') !== 'unchanged') await release(session, next);
    },
  },
};

export const supersessionChecks: Checks = {
  ...supersession,
  ...checksOf(reservations, (check) => ({
    ...check,
    skippedBecause: (options) =>
      options.members.limited === undefined ? 'not shown: needs --member-limited' : check.skippedBecause?.(options),
    run: async (session) => {
      if (await isFree(session)) await check.run(session);
    },
  })),
};

function limitedBasket(session: Session, more: Partial<BasketRequest> = {}): BasketRequest {
  return session.baskets.of([{}], { loyaltyId: session.options.members.limited ?? '', ...more });
}

/** Looks first whether the benefit is to be had: what an earlier run or somebody else holds is no fault of the deployment. */
async function isFree(session: Session): Promise<boolean> {
  const { limited } = session.options.members;
  const basket = limitedBasket(session);
  const exchange = await session.basket(basket);
  const status = fieldOf(exchange, 'status');
  if (status === 'applied') await release(session, basket);
  else
    session.notShown =
      `not shown: ${limited} has no benefit free (${describe(exchange)}). An earlier run may hold it, which ends with its ` +
      'calculations after 30 minutes, or it was used up: take another member, or move the clock of the test member';
  return status === 'applied';
}

async function openLimited(session: Session, about = 'the first basket'): Promise<BasketRequest> {
  const basket = limitedBasket(session);
  session.holds.add(basket.calculationId);
  await session.answered(basket, 'applied', about);
  return basket;
}

/** Releases every hold, so that the next check and the next run find the benefit whole. */
async function release(session: Session, ...baskets: readonly BasketRequest[]): Promise<void> {
  for (const { calculationId } of baskets) {
    await session.settled(saleOf(calculationId, 'cancelled'), 'recorded', 'the cancellation');
    session.holds.delete(calculationId);
  }
}
