import { sum } from '@loyalty/contract/money/sum';
import { type ReturnableSale, readReturnableSale } from '../../../../src/administration/returnable-sale.ts';
import {
  bookReturnOf,
  quoteReturnOf,
  type ReturnOutcome,
  type ReturnRequest,
} from '../../../../src/administration/returns.ts';
import { describeReturn } from './calculations.ts';
import { expectOneOf, InvalidRequest, notAllowed } from './invalid-request.ts';
import type { ReturnBooking } from './return-schemas.ts';
import { type AdminAnswer, type AdminRoute, answered, refused } from './route.ts';

/** Goods that come back: what to refund, and the booking of it. */

const FAILURES = {
  invalid: 'The body is not as it should be.',
  notFound: 'The sale was never seen, or it is no longer kept, or not enough of it: the error says which.',
  conflict: 'Several sales have this receipt number: name one by its `calculationId`.',
  refused:
    'More comes back than was sold and has not come back yet, or a part of a piece; `details.lines` has what is left.',
} as const;

export const readReturnsRoute: AdminRoute = {
  method: 'GET',
  path: '/admin/returns',
  role: 'read',
  alsoFor: ['pos'],
  operationId: 'readReturns',
  summary: 'A sale, what is left of it, and its returns',
  description:
    'The lines of a sale with what was paid for each, what of it can still come back, and every return that was booked. It holds no loyalty ID.',
  query: {
    transactionId: 'The number on the receipt; or the `calculationId`.',
    calculationId: 'The calculation of the sale; or its `transactionId`.',
  },
  answerSchema: 'ReturnableSale',
  failures: { ...FAILURES, invalid: 'Not exactly one of the two names.', refused: 'Nothing was sold.' },
  async handle(administration, { query }) {
    const named = {
      calculationId: query.get('calculationId') ?? undefined,
      transactionId: query.get('transactionId') ?? undefined,
    };
    expectOneOf(named, 'calculationId', 'transactionId', 'the query');
    expectWhole(named.calculationId, named.transactionId);
    const found = await readReturnableSale(administration.current(), named);
    if ('kind' in found) return answerOf(found);
    const { calculationId, member } = found.record;
    return answered(describeSale(found), { audit: { calculationId, member } });
  },
};

function describeSale({ record, sold, policy, lines, returns }: ReturnableSale) {
  const { calculationId, venueId, sale, soldAtMs = 0 } = record;
  return {
    calculationId,
    transactionId: sale?.transactionId,
    venueId,
    currency: sold.basket.currency,
    soldAt: new Date(soldAtMs).toISOString(),
    policy,
    paid: sum(lines.map(({ paid }) => paid)),
    refunded: sum(returns.map(({ answer }) => answer.refund)),
    lines,
    returns: returns.map(describeReturn),
  };
}

export const quoteReturnRoute: AdminRoute = {
  method: 'POST',
  path: '/admin/returns/quote',
  role: 'write',
  alsoFor: ['pos'],
  isUnlisted: true,
  operationId: 'quoteReturn',
  summary: 'What to refund when goods come back',
  description:
    'Line by line and to the unit, by the policy of the programme (`returns`). `as_paid`: each unit is worth what was paid for it; all returns together give exactly what was paid. `repriced`: what stays is priced as if it had been bought alone, with the programme, the member, the limits and the time of the sale; the refund is the difference, never below 0, never above what the units cost without loyalty, and never more in all than was paid. Returns that were booked before count. Nothing is booked.',
  requestSchema: 'ReturnRequest',
  answerSchema: 'ReturnQuote',
  failures: FAILURES,
  async handle(administration, { value }) {
    return answerOf(await quoteReturnOf(administration.current(), readRequest(value as ReturnBooking)));
  },
};

export const bookReturnRoute: AdminRoute = {
  method: 'POST',
  path: '/admin/returns',
  role: 'write',
  alsoFor: ['pos'],
  isUnlisted: true,
  operationId: 'bookReturn',
  summary: 'Book a return of goods',
  description:
    'Quotes the return and books it under its `returnId`. The same `returnId` with the same lines gives the same answer and books nothing more, so a till repeats it until it is answered. A sale may have any number of returns; never does more come back than was sold. A limit or a grant of whose benefit nothing stays is given back, the costs of the day of the sale are corrected, and the event stream has a `returned` event. `venueId`, `cashRegisterId` and `clerkNumber` say where the goods came back; they are kept with the return, of its first booking.',
  requestSchema: 'ReturnBooking',
  answerSchema: 'Return',
  failures: {
    ...FAILURES,
    conflict: 'The `returnId` was booked for this sale with other lines; or several sales have this receipt number.',
  },
  async handle(administration, { value }) {
    const { returnId } = value as ReturnBooking;
    const request = readRequest(value as ReturnBooking, returnId);
    const outcome = await bookReturnOf(administration.current(), returnId, request);
    return answerOf(outcome, { returnId, ...request.returnedAt });
  },
};

/** The sale and the lines of a body that fits its schema. Throws `InvalidRequest` about what the schema does not say. */
function readRequest(body: Omit<ReturnBooking, 'returnId'>, returnId?: string): ReturnRequest {
  const { calculationId, transactionId, venueId, cashRegisterId } = body;
  expectOneOf(body, 'calculationId', 'transactionId');
  const names = body.lines.map(({ lineId }) => lineId);
  const again = names.findIndex((lineId, at) => names.indexOf(lineId) < at);
  if (again >= 0) throw notAllowed(`lines[${again}].lineId`, names[again], 'each line once');
  expectWhole(transactionId, returnId, venueId, cashRegisterId, ...names);
  const lines = body.lines.map(({ lineId, quantity }) => ({ lineId, quantity }));
  return { calculationId, transactionId, lines, returnedAt: placeOf(body) };
}

/** As far as the till says; undefined where it says nothing. */
function placeOf({ venueId, cashRegisterId, clerkNumber }: Partial<ReturnBooking>): ReturnRequest['returnedAt'] {
  const place = {
    ...(venueId !== undefined && { venueId }),
    ...(cashRegisterId !== undefined && { cashRegisterId }),
    ...(clerkNumber !== undefined && { clerkNumber }),
  };
  return Object.keys(place).length > 0 ? place : undefined;
}

/** UTF-8, in which Redis keeps names, would lose a lone surrogate. */
function expectWhole(...names: readonly (string | undefined)[]): void {
  if (names.every((name = '') => name.isWellFormed())) return;
  throw new InvalidRequest('a name: found half of a character, allowed: whole ones');
}

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
    case 'refused':
      return refused('refused', outcome.message, audit, { lines: outcome.excess });
  }
}
