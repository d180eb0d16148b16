/** What the interface permits in an `applied` answer, and this service promises not to do: each has one finding. */
import { describe, expect, test } from 'vitest';
import { basketOf } from '../../../../test/support/baskets.ts';
import { judgeExchange } from '../../src/kit/judge/judge.ts';
import type { Promises } from '../../src/kit/judge/promises.ts';
import {
  addedLine,
  addOrderDiscount,
  answerTo,
  type Change,
  clearStaff,
  halved,
  PROMISES,
  patch,
  REQUEST,
  setPrice,
  split,
  takeOff,
  withShare,
} from './plants.ts';

type Row = readonly [what: string, change: Change, finding: string];

test.each<Row>([
  ['a removed line', (lines) => lines.splice(4, 1), 'line line-5: was removed'],
  ['another code', patch(0, { lineDiscountCode: 'other' }), 'line line-1: lineDiscountCode other should be loyalty'],
  ['a discount worth nothing', (lines) => takeOff(lines[3]!, 0), 'line line-4: the discount is worth nothing'],
  [
    'a percentage beside an amount',
    patch(0, { lineDiscountType: 'amount' }),
    'line line-1: lineDiscountPercent and its type disagree',
  ],
  [
    'a price that is the same',
    (lines) => setPrice(lines[0]!, 10_000),
    'line line-1: overrideUnitPrice 10000 does not lower the price',
  ],
  [
    'a note that is not shown',
    patch(0, { lineDiscountText: 'x' }),
    'line line-1: showLineDiscountText and its text disagree',
  ],
  [
    'a note without a text',
    patch(0, { showLineDiscountText: true }),
    'line line-1: showLineDiscountText and its text disagree',
  ],
  [
    'a note without a discount',
    patch(3, { showLineDiscountText: true, lineDiscountText: 'x' }),
    'line line-4: a text is shown without a discount or a new price',
  ],
  [
    'a product of another venue',
    (lines) => lines.push(addedLine(3_900, '1')),
    'line added-1: adds 1, which the venue does not have',
  ],
  [
    'a product at another price',
    (lines) => lines.push(addedLine(3_901)),
    "line added-1: is not added at the venue's price",
  ],
  [
    'a product with a discount of the staff',
    (lines) => {
      const staff = { existingLineDiscountType: 'amount', existingLineDiscountAmount: 100 } as const;
      lines.push({ ...addedLine(), ...staff, orderLinePrice: 3_800 });
    },
    'line added-1: an added line carries an existing discount',
  ],
  [
    'an option whose product is gone',
    (lines) => lines.push({ ...addedLine(), parentLineId: 'x' }),
    'line added-1: its parent x is gone',
  ],
  [
    // 1.5 × 101 is 152, and 1.25 × 101 and 0.25 × 101 are 126 and 25.
    'prices of parts that do not add up',
    (lines) => lines.splice(6, 1, ...split(lines[6]!, 0.25)),
    'line line-7: the prices of its parts do not add up',
  ],
  [
    'another type of a discount of the staff',
    patch(4, { existingLineDiscountType: 'percent' }),
    'line line-5: existingLineDiscountType is neither echoed nor cleared',
  ],
  [
    'a discount of the staff cleared for nothing',
    (lines) => clearStaff(lines[4]!),
    'line line-5: its existing discount was cleared for nothing',
  ],
  [
    'a part of a split line with another text of a discount of the staff',
    (lines) => {
      const [kept, part] = halved(lines[4]!);
      lines.splice(4, 1, kept!, { ...part!, existingLineDiscountText: 'Ours' });
    },
    'line line-5: existingLineDiscountText is not echoed',
  ],
  [
    'the text of a cleared discount',
    patch(1, { existingLineDiscountText: 'x' }),
    'line line-2: existingLineDiscountText outlives the discount it belonged to',
  ],
  ['a smaller share of the staff', withShare(5, 299), 'order discount staff-1: is neither echoed nor removed'],
  ['a larger share of the staff', withShare(3, 701), 'order discount staff-1: is neither echoed nor removed'],
  [
    'an order discount of the staff that is a percentage',
    (_, { orderDiscounts }) => Object.assign(orderDiscounts[0]!, { type: 'percent', percent: 5 }),
    'order discount staff-1: is neither echoed nor removed',
  ],
  [
    'an order discount of the staff with another text',
    (_, { orderDiscounts }) => Object.assign(orderDiscounts[0]!, { text: 'Ours' }),
    'order discount staff-1: is neither echoed nor removed',
  ],
  [
    'an order discount of ours with another code',
    (lines, body) => addOrderDiscount(body, lines[0]!, { discountCode: 'other' }),
    'order discount ours: discountCode other should be loyalty',
  ],
  [
    'an order discount of ours that is worth nothing',
    (lines, body) => addOrderDiscount(body, lines[0]!, {}, 0),
    'order discount ours: is added and worth nothing',
  ],
  [
    'an order discount of ours that is an amount with a percentage',
    (lines, body) => addOrderDiscount(body, lines[0]!, { percent: 3 }),
    'order discount ours: percent and its type disagree',
  ],
  [
    'a field of its own',
    (lines) => Object.assign(lines[0]!, { colour: 'red' }),
    '/lines/0/colour: is not a field of the interface',
  ],
])('%s is permitted, and breaks a promise', (_, change, finding) => {
  const answer = answerTo(REQUEST, change);
  expect([judgeExchange(answer), judgeExchange(answer, PROMISES)]).toEqual([[], [finding]]);
});

test('a protected line is left alone: each of its fields is a promise', () => {
  expect(judgeExchange(answerTo(REQUEST, withShare(2, 499)), PROMISES)).toEqual([
    'line line-3: is noDiscount, and its orderDiscountAllocation was touched',
    'line line-3: is noDiscount, and its orderLinePrice was touched',
    'order discount staff-1: is neither echoed nor removed',
  ]);
});

describe('a discount of the staff that goes without anything for its line', () => {
  const CLEARED = 'line line-2: its existing discount was cleared for nothing';
  const OF_ANY_VENUE: Promises = { discountCode: 'loyalty' };
  const GIVES_UP = { ...OF_ANY_VENUE, mayGiveAllUp: true };
  const own = basketOf([{}, { unitPrice: 2_000, existing: 900 }, { existing: 500, noDiscount: true }]);
  const other = basketOf([{}, { unitPrice: 2_000, existing: 900 }, { existing: 5_000 }]);
  const gift =
    (unitPrice: number): Change =>
    (lines) => {
      const added = addedLine(unitPrice);
      takeOff(added, unitPrice - 1);
      lines.push(added);
    };

  test.each<[string, number, Promises, readonly string[], Change?, typeof own?]>([
    ['only where baskets may give up all of them', 10, OF_ANY_VENUE, [CLEARED]],
    ['not where they may not', 10, { ...OF_ANY_VENUE, mayGiveAllUp: false }, [CLEARED]],
    ['for less to pay', 10, GIVES_UP, []],
    ['not for as much to pay as before', 9, GIVES_UP, [CLEARED]],
    ['not for a product that is worth less', 0, GIVES_UP, [CLEARED], gift(901)],
    ['for a product that is worth more', 0, GIVES_UP, [], gift(902)],
    ['not while another line keeps its discount', 20, GIVES_UP, [CLEARED], () => {}, other],
  ])('%s', (_, percent, promises, findings, change = () => {}, request = own) => {
    const cleared: Change = (lines, body) => {
      clearStaff(lines[1]!);
      change(lines, body);
    };
    const answer = answerTo(request, cleared, percent);
    expect([judgeExchange(answer), judgeExchange(answer, promises)]).toEqual([[], findings]);
  });
});
