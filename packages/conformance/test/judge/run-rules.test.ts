/** The rules that a run adds to those of every answer: one discount code, and the test member's 20 %. */
import { describe, expect, test } from 'vitest';
import { basketOf } from '../../../../test/support/baskets.ts';
import type { Exchange } from '../../src/kit/exchange.ts';
import { oneDiscountCode, promisedTwentyPercent } from '../../src/kit/judge/run-rules.ts';
import { addOrderDiscount, answerTo, type Change, errorOf, patch, split, takeOff, unchanged } from './plants.ts';

describe('one discount code', () => {
  const REQUEST = basketOf([{}, {}, { noDiscount: true }]);
  const withCode = (code: string): Exchange =>
    answerTo(REQUEST, (lines) => {
      for (const line of lines) if (line.lineDiscountCode) line.lineDiscountCode = code;
    });

  test('the same in every answer of a run', () => {
    const { faultsOf } = oneDiscountCode();
    expect(faultsOf(withCode('club'))).toEqual([]);
    expect(faultsOf(withCode('club'))).toEqual([]);
    expect(faultsOf(unchanged({ reason: 'member_inactive' }))).toBeUndefined();
  });

  test('another one in a later answer', () => {
    const { faultsOf } = oneDiscountCode();
    // An answer without a discount decides nothing.
    expect(faultsOf(answerTo(REQUEST, (lines) => lines.splice(1, 1), 0))).toEqual([]);
    expect(faultsOf(withCode('club'))).toEqual([]);
    const long = 'x'.repeat(70);
    expect(faultsOf(withCode(long))).toEqual([`the discount code is ${long.slice(0, 60)}, and was club before`]);
  });

  test('another one on the order than on the lines', () => {
    const { faultsOf } = oneDiscountCode();
    const answer = answerTo(REQUEST, (lines, body) => addOrderDiscount(body, lines[0]!, { discountCode: 'order' }));
    expect(faultsOf(answer)).toEqual(['the discount code is order, and was loyalty before']);
  });

  test('a code of the staff’s order discount is not ours', () => {
    const request = basketOf([{ shares: { 'staff-1': 100 } }]);
    request.orderDiscounts[0]!.discountCode = 'staff';
    expect(oneDiscountCode().faultsOf(answerTo(request))).toEqual([]);
  });
});

describe('20 %', () => {
  const TWENTY = 'member-twenty';
  const REQUEST = basketOf([{ quantity: 3 }, { unitPrice: 101, quantity: 1.5 }]);
  const { faultsOf } = promisedTwentyPercent(TWENTY);

  test.each<[string, Exchange]>([
    ['on every line', answerTo(REQUEST)],
    ['on every part of a split line', answerTo(REQUEST, (lines) => lines.splice(0, 1, ...split(lines[0]!)))],
    ['as an amount', answerTo(REQUEST, ([first]) => takeOff(first!, 6_000))],
    // The interface leaves open what becomes of these.
    ['not on a line with a discount of the staff', answerTo(basketOf([{}, { existing: 9_000 }]))],
    [
      'not on a line with a share of the staff’s order discount',
      answerTo(basketOf([{}, { shares: { 'staff-1': 5 } }]), (lines) => takeOff(lines[1]!, 1)),
    ],
    ['not on protected lines', answerTo(basketOf([{}, { noDiscount: true }, { noPercentageDiscount: true }]))],
  ])('%s', (_, exchange) => {
    expect(faultsOf(exchange)).toEqual([]);
  });

  test.each<[string, Change]>([
    ['is missing', (lines) => lines.splice(1, 1)],
    // It comes to the same.
    ['has 19.99 %, where 20 % are due', patch(1, { lineDiscountPercent: 19.99 })],
    ['has a discount of 29, where 20 % are 30', ([, second]) => takeOff(second!, 29)],
  ])('a line that %s', (finding, change) => {
    expect(faultsOf(answerTo(REQUEST, change))).toEqual([`line line-2: ${finding}`]);
  });

  test('another member, and another answer', () => {
    const other = basketOf([{}, {}], { loyaltyId: 'member-other' });
    expect(faultsOf(answerTo(other, () => {}, 10))).toBeUndefined();
    expect(faultsOf(unchanged({ reason: 'member_inactive' }))).toBeUndefined();
    expect(faultsOf(errorOf(500, 'internal_error'))).toBeUndefined();
  });
});
