import { MAX_IDENTIFIER_CHARACTERS, MAX_TRANSACTION_ID_CHARACTERS } from '@loyalty/contract/limits';
import { Identifier } from '@loyalty/contract/scalars';
import { type Static, Type } from '@loyalty/contract/schema-type';
import { described, flag, instant, list, money, object, optional, text } from './schema-words.ts';

/** The schemas of returns. */

/** A quantity that may be 0. */
const none = { type: 'number', minimum: 0 };
const quantity = Type.Number({ exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const returned = { lineId: Type.String({ minLength: 1, maxLength: MAX_IDENTIFIER_CHARACTERS }), quantity };
/** More lines than a receipt can have: a line may be cut into parts, and products may be added. */
const MAX_RETURNED_LINES = 1_000;
const sale = {
  calculationId: optional(
    Type.String({ format: 'uuid', description: 'The calculation of the sale; or its `transactionId`.' }),
  ),
  transactionId: optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_TRANSACTION_ID_CHARACTERS,
      description: 'The number on the receipt, as the sale event named it; or the `calculationId`.',
    }),
  ),
  lines: described(
    list(object(returned), { minItems: 1, maxItems: MAX_RETURNED_LINES }),
    'What comes back; `lineId` as in the answered basket, where added and cut lines have their own.',
  ),
};
const place = {
  venueId: optional(described(Identifier, 'Where the goods came back.')),
  cashRegisterId: optional(described(Identifier, 'The till that takes them back.')),
  clerkNumber: optional(Type.Integer()),
};
const savings = list(object({ benefitId: text, saved: money }));

const quote = {
  refund: described(money, 'The sum of the lines.'),
  lines: list(object({ ...returned, refund: money })),
  policy: { enum: ['as_paid', 'repriced'] },
  kept: described(savings, 'What the guest keeps of each benefit after this return.'),
  lost: described(savings, 'What the guest loses of each benefit by this return.'),
  gained: optional(
    described(
      savings,
      'With the policy `repriced`: what benefits give to the goods that stay beyond what they gave before. Missing where nothing is gained.',
    ),
  ),
  explanation: described(list(text), 'Why, in sentences whose amounts add up by hand.'),
};

export const ReturnRequest = object(sale);
export const ReturnQuote = object(quote);
export type ReturnQuote = Static<typeof ReturnQuote>;
export const ReturnBooking = object({
  returnId: Type.String({ minLength: 1, maxLength: 64, description: 'Unique among the returns of the sale.' }),
  ...sale,
  ...place,
});
export type ReturnBooking = Static<typeof ReturnBooking>;
export const Return = object({ returnId: text, calculationId: text, ...quote });

const refunds = list(object({ ...returned, refund: money }));

/** A return, as a look at its sale shows it. */
export const BookedReturn = object({
  returnId: text,
  at: instant,
  refund: money,
  lines: refunds,
  returnedAt: optional(described(object(place), 'Absent where the till did not say.')),
});

export const ReturnableSale = object({
  calculationId: text,
  transactionId: optional(text),
  venueId: text,
  currency: text,
  soldAt: instant,
  policy: quote.policy,
  paid: described(money, 'The sum of the lines.'),
  refunded: described(money, 'By all returns together.'),
  lines: described(
    list(
      object({
        lineId: described(text, 'As in the answered basket; of a long one, its hash, which a return may name too.'),
        productId: text,
        name: described(text, 'Of the venue’s products of that time; otherwise the `productId`.'),
        quantity,
        isCounted: described(flag, 'True where pieces were sold, which come back whole.'),
        paid: money,
        left: described(none, 'The quantity that can still come back.'),
        refunded: money,
      }),
    ),
    'The receipt, line by line.',
  ),
  returns: described(list(BookedReturn), 'In the order in which they were booked.'),
});
/** A part of an error: lines of which more should come back than is left, or a part of a piece. */
export const excess = list(object({ lineId: text, sold: none, left: none, asked: quantity }));
