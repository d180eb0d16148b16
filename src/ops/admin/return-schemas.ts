import { described, list, money, object, text } from './schema-words.ts';

/** The schemas of returns. */

/** A quantity that may be 0. */
const none = { type: 'number', minimum: 0 };
const quantity = { type: 'number', exclusiveMinimum: 0 };
const returned = { lineId: text, quantity };
const sale = {
  calculationId: described(text, 'The calculation of the sale; or its `transactionId`.'),
  transactionId: described(text, 'The number on the receipt, as the sale event named it; or the `calculationId`.'),
  lines: described(
    list(object(returned)),
    'What comes back; `lineId` as in the answered basket, where added and cut lines have their own.',
  ),
};
const byOneOf = ['calculationId', 'transactionId'];
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
export const ReturnBooking = object(
  { returnId: described(text, '1 to 64 characters, unique among the returns of the sale.'), ...sale },
  byOneOf,
);
export const Return = object({ returnId: text, calculationId: text, ...quote });
/** A part of an error: lines of which more should come back than is left. */
export const excess = list(object({ lineId: text, sold: none, left: none, asked: quantity }));
