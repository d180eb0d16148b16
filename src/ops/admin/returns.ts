import { bookReturnOf, quoteReturnOf, type ReturnOutcome } from '../../calls/returns.ts';
import { readReturnRequest } from './return-request.ts';
import { type AdminAnswer, type AdminRoute, answered, refused } from './route.ts';

/** Goods that come back: what to refund, and the booking of it. */

const FAILURES = {
  invalid: 'The body is not as it should be.',
  notFound: 'The sale was never seen, or it is no longer kept, or not enough of it: the error says which.',
  conflict: 'Several sales have this receipt number: name one by its `calculationId`.',
  refused: 'More comes back than was sold and has not come back yet; `details.lines` has what is left.',
  unavailable: 'Redis cannot be reached; send it again.',
} as const;

export const quoteReturnRoute: AdminRoute = {
  method: 'POST',
  path: '/admin/returns/quote',
  role: 'write',
  alsoFor: ['pos'],
  isUnlisted: true,
  action: 'quote return',
  operation: {
    operationId: 'quoteReturn',
    summary: 'What to refund when goods come back',
    description:
      'Line by line and to the unit, by the policy of the programme (`returns`). `as_paid`: each unit is worth what was paid for it; all returns together give exactly what was paid. `repriced`: what stays is priced as if it had been bought alone, with the programme, the member, the limits and the time of the sale; the refund is the difference, never below 0, never above what the units cost without loyalty, and never more in all than was paid. Returns that were booked before count. Nothing is booked.',
    requestSchema: 'ReturnRequest',
    answerSchema: 'ReturnQuote',
    failures: FAILURES,
  },
  async handle(administration, { body }) {
    const request = readReturnRequest(body, false);
    if (typeof request === 'string') return refused('invalid', request);
    return answerOf(await quoteReturnOf(administration.current(), request));
  },
};

export const bookReturnRoute: AdminRoute = {
  method: 'POST',
  path: '/admin/returns',
  role: 'write',
  alsoFor: ['pos'],
  isUnlisted: true,
  action: 'book return',
  operation: {
    operationId: 'bookReturn',
    summary: 'Book a return of goods',
    description:
      'Quotes the return and books it under its `returnId`. The same `returnId` with the same lines gives the same answer and books nothing more, so a till repeats it until it is answered. A sale may have any number of returns; never does more come back than was sold. A limit or a grant of whose benefit nothing stays is given back, the costs of the day of the sale are corrected, and the event stream has a `returned` event.',
    requestSchema: 'ReturnBooking',
    answerSchema: 'Return',
    failures: {
      ...FAILURES,
      conflict: 'The `returnId` was booked for this sale with other lines; or several sales have this receipt number.',
    },
  },
  async handle(administration, { body }) {
    const request = readReturnRequest(body, true);
    if (typeof request === 'string') return refused('invalid', request);
    const { returnId = '' } = request;
    return answerOf(await bookReturnOf(administration.current(), returnId, request), { returnId });
  },
};

function answerOf(outcome: ReturnOutcome, more: AdminAnswer['audit'] = {}): AdminAnswer {
  const { sale } = outcome;
  const audit = { ...more, ...(sale && { calculationId: sale.calculationId, member: sale.member }) };
  switch (outcome.kind) {
    case 'answered': {
      const { refund } = outcome.answer as { readonly refund: number };
      return answered(outcome.answer, { audit: { ...audit, refund, isRepeated: outcome.isRepeated } });
    }
    case 'not_found':
      return refused('notFound', outcome.message, audit);
    case 'conflict':
      return refused('conflict', outcome.message, audit);
    case 'too_much':
      return refused('refused', outcome.message, audit, { lines: outcome.excess });
  }
}
