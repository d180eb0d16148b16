import { randomUUID } from 'node:crypto';
import { FAILURE_REASONS, SALE_STATUSES } from '@loyalty/contract/sale';
import { saleOf } from '../baskets.ts';
import type { Checks, Session } from '../session.ts';

/** The post-sale event (interface, sections 2, 4 and 6; the body's rules are decisions). */

export const saleChecks: Checks = {
  'sales.recorded': {
    section: '4, 6',
    title: 'The first event of a calculation is recorded, with every status',
    run: async (session) => {
      for (const status of SALE_STATUSES)
        await session.settled(saleOf(await calculate(session), status), 'recorded', `status ${status}`);
    },
  },
  'sales.duplicate': {
    section: '4, 6',
    title: 'The same event again is a duplicate, however often, in whatever spelling',
    run: async (session) => {
      const event = saleOf(await calculate(session));
      await session.settled(event, 'recorded', 'the first event');
      await session.settled(event, 'duplicate', 'the same again');
      const reversed = Object.fromEntries(Object.entries(event).reverse());
      await session.settled(reversed, 'duplicate', 'the same in another order');
    },
  },
  'sales.unknown-calculation': {
    section: '4, 6',
    title: 'An event for a calculation that never was is unknown_calculation, and again when repeated',
    run: async (session) => {
      const event = saleOf(randomUUID());
      await session.settled(event, 'unknown_calculation', 'an unknown calculation');
      await session.settled(event, 'unknown_calculation', 'the same again');
    },
  },
  'sales.conflict': {
    section: '4.10 · decision',
    title: 'Another outcome of a calculation that has one is idempotency_conflict, and the first stays',
    run: async (session) => {
      const event = saleOf(await calculate(session));
      await session.settled(event, 'recorded', 'the first event');
      const others = [
        saleOf(event.calculationId, 'cancelled'),
        { ...event, transactionId: 'another-transaction' },
        saleOf(event.calculationId, 'failed'),
      ];
      for (const other of others) await session.refusedSale(other, 'idempotency_conflict', `then ${other.status}`);
      await session.settled(event, 'duplicate', 'the first event again');
    },
  },
  'sales.event-first': {
    section: '3 · decision',
    title: 'A basket call that its sale event overtook is still answered',
    run: async (session) => {
      const basket = session.baskets.of();
      await session.sale(saleOf(basket.calculationId, 'cancelled'));
      await session.accepted(basket, 'the basket after its event');
    },
  },
  'sales.every-answer': {
    section: '3, 6',
    title: 'Calculations that came to unchanged or member_not_found are settled as well',
    run: async (session) => {
      const { none, unknown } = session.options.members;
      for (const [loyaltyId, status] of [
        [none, 'unchanged'],
        [unknown, 'member_not_found'],
      ] as const)
        await session.settled(saleOf(await calculate(session, loyaltyId), status), 'recorded', `status ${status}`);
    },
  },
  'sales.failure-reasons': {
    section: '2',
    title: 'A failed calculation names one of the six reasons',
    run: async (session) => {
      for (const failureReason of FAILURE_REASONS) {
        const event = { ...saleOf(await calculate(session), 'failed'), failureReason };
        await session.settled(event, 'recorded', failureReason);
      }
      const wrong = { ...saleOf(await calculate(session), 'failed'), failureReason: 'bad_weather' };
      await session.refusedSale(wrong, 'invalid_request', 'an unknown failureReason');
    },
  },
  'sales.fields': {
    section: '2 · decision',
    title: 'transactionId unless cancelled; failureReason with failed and with nothing else; unknown fields ignored',
    run: async (session) => {
      const event = saleOf(await calculate(session));
      const wrong: Readonly<Record<string, object>> = {
        'no transactionId': { transactionId: undefined },
        'an empty transactionId': { transactionId: '' },
        'a transactionId that is a number': { transactionId: 1 },
        'a transactionId of 65 characters': { transactionId: 'x'.repeat(65) },
        'failed without a reason': { status: 'failed' },
        'a reason without failed': { failureReason: 'timeout' },
        'no status': { status: undefined },
        'an unknown status': { status: 'done' },
        'a status in capitals': { status: 'APPLIED' },
        'a status that is a list': { status: ['applied'] },
        'a calculationId that is a list': { calculationId: [event.calculationId] },
        'a failureReason that is a list': { status: 'failed', failureReason: ['timeout'] },
      };
      for (const [about, change] of Object.entries(wrong))
        await session.refusedSale({ ...event, ...change }, 'invalid_request', about);
      await session.settled({ ...event, till: 7 }, 'recorded', 'the mended event with more fields');
    },
  },
};

/** Runs a calculation to be settled; the session notes a failure when it is not answered. */
export async function calculate(session: Session, loyaltyId = session.options.members.twenty): Promise<string> {
  const basket = session.baskets.of([{}], { loyaltyId });
  await session.accepted(basket, 'the calculation to be settled');
  return basket.calculationId;
}
