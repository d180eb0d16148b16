/** The arithmetic of an `applied` answer: each sum that is wrong gets one finding. */
import { describe, expect, test } from 'vitest';
import { basketOf } from '../../../../test/support/baskets.ts';
import { rightAnswer, withTotals } from '../../../../test/support/right-answer.ts';
import { judgeExchange } from '../../src/kit/judge/judge.ts';
import { addOrderDiscount, answerTo, type Change, exchangeOf, patch, setPrice, takeOff } from './plants.ts';

const REQUEST = basketOf([
  { unitPrice: 1_999, quantity: 0.345 },
  { unitPrice: 5_000, noDiscount: true, shares: { 'staff-1': 500, 'staff-2': 20 } },
  { unitPrice: 2_000, existing: 900 },
]);

const judge = (change: Change): string[] => judgeExchange(answerTo(REQUEST, change));

test.each<[string, Change]>([
  ['as it is', () => {}],
  ['an amount off a line', (lines) => takeOff(lines[0]!, 100)],
  [
    'an amount off a line, with the percentage that it nearly is',
    (lines) => {
      takeOff(lines[0]!, 100);
      lines[0]!.lineDiscountPercent = 14;
    },
  ],
  ['a new price', (lines) => setPrice(lines[2]!, 1_500)],
  ['an amount off the order', (lines, body) => addOrderDiscount(body, lines[0]!)],
])('right: %s', (_, change) => {
  expect(judge(change)).toEqual([]);
});

describe('a line', () => {
  test.each<[string, Change, string]>([
    [
      'another original price',
      patch(0, { originalLinePrice: 689, lineDiscountAmount: 138 }),
      'line-1: originalLinePrice 689 should be 690',
    ],
    ['another price', patch(0, { orderLinePrice: 551 }), 'line-1: orderLinePrice 551 should be 552'],
    [
      'a price without the new price of a unit',
      (lines) => {
        setPrice(lines[2]!, 1_500);
        lines[2]!.orderLinePrice += 500;
      },
      'line-3: orderLinePrice 1100 should be 600',
    ],
    [
      'an existing discount of no type',
      patch(2, { existingLineDiscountType: 'none' }),
      'line-3: existingLineDiscountAmount with type none',
    ],
    [
      'a discount of no type',
      patch(2, { lineDiscountAmount: 5, orderLinePrice: 1_095 }),
      'line-3: lineDiscountAmount with type none',
    ],
    [
      'a percentage that is not named',
      patch(0, { lineDiscountPercent: undefined }),
      'line-1: lineDiscountPercent is missing',
    ],
    [
      'a percentage that is rounded down',
      // 18.19 % of 690 is 125.511.
      patch(0, { lineDiscountPercent: 18.19, lineDiscountAmount: 125, orderLinePrice: 565 }),
      'line-1: lineDiscountAmount 125 should be 126',
    ],
    [
      'a discount without its code',
      patch(0, { lineDiscountCode: undefined }),
      'line-1: lineDiscountCode belongs to discounted lines and to no other',
    ],
    [
      'a code without a discount',
      patch(2, { lineDiscountCode: 'loyalty' }),
      'line-3: lineDiscountCode belongs to discounted lines and to no other',
    ],
  ])('%s', (_, change, finding) => {
    expect(judge(change)).toEqual([`line ${finding}`]);
  });
});

describe('a total', () => {
  test.each([
    ['originalTotal', 7_690],
    ['existingDiscountTotal', 900],
    ['orderDiscountTotal', 520 + 100],
    ['loyaltyDiscountTotal', 138 + 100],
    ['total', 7_690 - 900 - 620 - 138],
  ] as const)('%s', (name, right) => {
    const body = rightAnswer(REQUEST, 20);
    addOrderDiscount(body, body.lines[0]!);
    const answer = withTotals(REQUEST, body);
    answer.totals[name] += 1;
    const findings = judgeExchange(exchangeOf(answer, 200, {}, { request: REQUEST }));
    expect(findings).toEqual([`/totals/${name}: ${right + 1} should be ${right}`]);
  });
});

describe('an order discount', () => {
  test.each<[string, Change, string]>([
    [
      'more than its allocations',
      (_, { orderDiscounts }) => Object.assign(orderDiscounts[0]!, { amount: 501 }),
      'order discount staff-1: 501, but 500 is allocated',
    ],
    [
      'one that comes twice',
      (_, { orderDiscounts }) => void orderDiscounts.splice(0, 0, { ...orderDiscounts[0]! }),
      'order discount staff-1: stands twice in the answer',
    ],
    [
      'an allocation to one that the answer does not have',
      (lines) => lines[1]!.orderDiscountAllocation.push({ orderDiscountId: 'ghost', orderDiscountAllocationAmount: 0 }),
      'line line-2: allocation to ghost, which the answer does not have',
    ],
    [
      'ours without a code',
      (lines, body) => addOrderDiscount(body, lines[0]!, { discountCode: undefined }),
      'order discount ours: added without discountCode',
    ],
    [
      'ours with an empty code',
      (lines, body) => addOrderDiscount(body, lines[0]!, { discountCode: '' }),
      'order discount ours: added without discountCode',
    ],
  ])('%s', (_, change, finding) => {
    expect(judge(change)).toEqual([finding]);
  });
});
