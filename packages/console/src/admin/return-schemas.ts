import { MAX_IDENTIFIER_CHARACTERS, MAX_TRANSACTION_ID_CHARACTERS } from '@loyalty/contract/limits';
import { type Static, Type } from '@loyalty/contract/schema-type';
import { described, list, money, object, text } from './schema-words.ts';

/** The schemas of returns. */

/** A quantity that may be 0. */
const none = { type: 'number', minimum: 0 };
const quantity = Type.Number({ exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const returned = { lineId: Type.String({ minLength: 1, maxLength: MAX_IDENTIFIER_CHARACTERS }), quantity };
/** More lines than a receipt can have: a line may be cut into parts, and products may be added. */
const MAX_RETURNED_LINES = 1_000;
const sale = {
  calculationId: Type.String({ format: 'uuid', description: 'The calculation of the sale; or its `transactionId`.' }),
  transactionId: Type.String({
    ...{ minLength: 1, maxLength: MAX_TRANSACTION_ID_CHARACTERS },
    description: 'The number on the receipt, as the sale event named it; or the `calculationId`.',
  }),
  lines: described(
    list(object(returned), { minItems: 1, maxItems: MAX_RETURNED_LINES }),
    'What comes back; `lineId` as in the answered basket, where added and cut lines have their own.',
  ),
};
const byOneOf = ['calculationId', 'transactionId'] as const;
const savings = list(object({ benefitId: text, saved: money }));

const quote = {
  refund: described(money, 'The sum of the lines.'),
  lines: list(object({ ...returned, refund: money })),
  policy: { enum: ['as_paid', 'repriced'] },
  kept: described(savings, 'What the guest keeps of each benefit after this return.'),
  lost: described(savings, 'What the guest loses of each benefit by this return.'),
  explanation: described(list(text), 'Why, in sentences whose amounts add up by hand.'),
};

export const ReturnRequest = object(sale, byOneOf);
export const ReturnQuote = object(quote);
export type ReturnQuote = Static<typeof ReturnQuote>;
export const ReturnBooking = object(
  {
    returnId: Type.String({ minLength: 1, maxLength: 64, description: 'Unique among the returns of the sale.' }),
    ...sale,
  },
  byOneOf,
);
export type ReturnBooking = Static<typeof ReturnBooking>;
export const Return = object({ returnId: text, calculationId: text, ...quote });
/** A part of an error: lines of which more should come back than is left. */
export const excess = list(object({ lineId: text, sold: none, left: none, asked: quantity }));
