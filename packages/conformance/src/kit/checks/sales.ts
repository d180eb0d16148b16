import { randomUUID } from 'node:crypto';
import { FAILURE_REASONS, SALE_STATUSES } from '@loyalty/contract/sale';
import { saleOf } from '../baskets.ts';
import type { Check, Session } from '../session.ts';

/** The post-sale event (interface, sections 2, 4 and 6; the body's rules are decisions). */

export const saleChecks: readonly Check[] = [
  {
    name: 'sales.recorded',
    section: '4, 6',
    title: 'The first event of a calculation is recorded, with every status',
    run: async (session) => {
      for (const status of SALE_STATUSES) {
        const calculationId = await calculate(session);
        session.expectResult(await session.sale(saleOf(calculationId, status)), 'recorded', `status ${status}`);
      }
    },
  },
  {
    name: 'sales.duplicate',
    section: '4, 6',
    title: 'The same event again is a duplicate, however often, in whatever spelling',
    run: async (session) => {
      const event = saleOf(await calculate(session));
      session.expectResult(await session.sale(event), 'recorded', 'the first event');
      session.expectResult(await session.sale(event), 'duplicate', 'the same again');
      const reversed = Object.fromEntries(Object.entries(event).reverse());
      session.expectResult(await session.sale(reversed), 'duplicate', 'the same in another order');
    },
  },
  {
    name: 'sales.unknown-calculation',
    section: '4, 6',
    title: 'An event for a calculation that never was is unknown_calculation, and again when repeated',
    run: async (session) => {
      const event = saleOf(randomUUID());
      session.expectResult(await session.sale(event), 'unknown_calculation', 'an unknown calculation');
      session.expectResult(await session.sale(event), 'unknown_calculation', 'the same again');
    },
  },
  {
    name: 'sales.conflict',
    section: '4.10 · decision',
    title: 'Another outcome of a calculation that has one is idempotency_conflict, and the first stays',
    run: async (session) => {
      const event = saleOf(await calculate(session));
      session.expectResult(await session.sale(event), 'recorded', 'the first event');
      const others = [
        saleOf(event.calculationId, 'cancelled'),
        { ...event, transactionId: 'another-transaction' },
        saleOf(event.calculationId, 'failed'),
      ];
      for (const other of others) {
        session.expectRefusal(await session.sale(other), 'idempotency_conflict', `then ${other.status}`);
      }
      session.expectResult(await session.sale(event), 'duplicate', 'the first event again');
    },
  },
  {
    name: 'sales.event-first',
    section: '3 · decision',
    title: 'A basket call that its sale event overtook is still answered',
    run: async (session) => {
      const basket = session.baskets.of();
      await session.sale(saleOf(basket.calculationId, 'cancelled'));
      session.expectAccepted(await session.basket(basket), 'the basket after its event');
    },
  },
  {
    name: 'sales.every-answer',
    section: '3, 6',
    title: 'Calculations that came to unchanged or member_not_found are settled as well',
    run: async (session) => {
      const { none, unknown } = session.options.members;
      for (const [loyaltyId, status] of [
        [none, 'unchanged'],
        [unknown, 'member_not_found'],
      ] as const) {
        const calculationId = await calculate(session, loyaltyId);
        session.expectResult(await session.sale(saleOf(calculationId, status)), 'recorded', `status ${status}`);
      }
    },
  },
  {
    name: 'sales.failure-reasons',
    section: '2',
    title: 'A failed calculation names one of the six reasons',
    run: async (session) => {
      for (const failureReason of FAILURE_REASONS) {
        const event = { ...saleOf(await calculate(session), 'failed'), failureReason };
        session.expectResult(await session.sale(event), 'recorded', failureReason);
      }
      const event = saleOf(await calculate(session), 'failed');
      const refused = await session.sale({ ...event, failureReason: 'bad_weather' });
      session.expectRefusal(refused, 'invalid_request', 'an unknown failureReason');
    },
  },
  {
    name: 'sales.fields',
    section: '2 · decision',
    title: 'transactionId unless cancelled; failureReason with failed and with nothing else; unknown fields ignored',
    run: async (session) => {
      const event = saleOf(await calculate(session));
      const { transactionId, ...withoutTransaction } = event;
      const wrong: [string, Record<string, unknown>][] = [
        ['no transactionId', withoutTransaction],
        ['an empty transactionId', { ...event, transactionId: '' }],
        ['a transactionId that is a number', { ...event, transactionId: 1 }],
        ['a transactionId of 65 characters', { ...event, transactionId: 'x'.repeat(65) }],
        ['failed without a reason', { ...event, status: 'failed' }],
        ['a reason without failed', { ...event, failureReason: 'timeout' }],
        ['no status', { calculationId: event.calculationId, transactionId }],
        ['an unknown status', { ...event, status: 'done' }],
        ['a status in capitals', { ...event, status: 'APPLIED' }],
        ['a status that is a list', { ...event, status: ['applied'] }],
        ['a calculationId that is a list', { ...event, calculationId: [event.calculationId] }],
        ['a failureReason that is a list', { ...event, status: 'failed', failureReason: ['timeout'] }],
      ];
      for (const [about, body] of wrong) {
        session.expectRefusal(await session.sale(body), 'invalid_request', about);
      }
      session.expectResult(await session.sale({ ...event, till: 7 }), 'recorded', 'the mended event with more fields');
    },
  },
];

/** Runs a calculation to be settled; the session notes a failure when it is not answered. */
export async function calculate(session: Session, loyaltyId = session.options.members.twenty): Promise<string> {
  const basket = session.baskets.of([{}], { loyaltyId });
  session.expectAccepted(await session.basket(basket), 'the calculation to be settled');
  return basket.calculationId;
}
