/** The promises about the whole of an `applied` answer: what the staff gave goes only for more, and a price changes. */
import { describe, expect, test } from 'vitest';
import { basketOf } from '../../../../test/support/baskets.ts';
import type { Exchange } from '../../src/kit/exchange.ts';
import { judgeExchange } from '../../src/kit/judge/judge.ts';
import type { Promises } from '../../src/kit/judge/promises.ts';
import { addedLine, addOrderDiscount, answerTo, type Change, clearStaff, takeOff } from './plants.ts';

const PROMISES: Promises = { discountCode: 'loyalty' };

/** What is found beyond the interface; the interface itself has nothing against the answer. */
function findings(exchange: Exchange, promises = PROMISES): string[] {
  expect(judgeExchange(exchange)).toEqual([]);
  return judgeExchange(exchange, promises);
}

describe('a discount of the staff that goes without anything for its line', () => {
  const CLEARED = 'line line-2: its existing discount was cleared for nothing';
  const GIVES_UP = { ...PROMISES, mayGiveAllUp: true };
  const request = basketOf([{}, { unitPrice: 2_000, existing: 900 }, { existing: 500, noDiscount: true }]);

  /** The staff's discount of the second line goes, and the first one gets a percentage. */
  function judgeCleared(percent: number, promises: Promises, change: Change = () => {}, sent = request): string[] {
    const cleared: Change = (lines, body) => {
      clearStaff(lines[1]!);
      change(lines, body);
    };
    return findings(answerTo(sent, cleared, percent), promises);
  }

  test('it may do so only where baskets may give up all of them', () => {
    expect(judgeCleared(10, PROMISES)).toEqual([CLEARED]);
    expect(judgeCleared(10, { ...PROMISES, mayGiveAllUp: false })).toEqual([CLEARED]);
    expect(judgeCleared(10, GIVES_UP)).toEqual([]);
  });

  test('not for as much to pay as before', () => {
    expect(judgeCleared(9, GIVES_UP)).toEqual([CLEARED]);
  });

  test('for a product, where it is worth more', () => {
    const gift =
      (unitPrice: number): Change =>
      (lines) => {
        const added = addedLine(unitPrice);
        takeOff(added, unitPrice - 1);
        lines.push(added);
      };
    expect(judgeCleared(0, GIVES_UP, gift(901))).toEqual([CLEARED]);
    expect(judgeCleared(0, GIVES_UP, gift(902))).toEqual([]);
  });

  test('not while another line keeps its discount', () => {
    const sent = basketOf([{}, { unitPrice: 2_000, existing: 900 }, { existing: 5_000 }]);
    expect(judgeCleared(20, GIVES_UP, () => {}, sent)).toEqual([CLEARED]);
  });
});

describe('an applied answer changes a price, or the set of lines or order discounts', () => {
  const basket = basketOf([{ shares: { 'staff-1': 100 } }, { unitPrice: 2_000 }, { unitPrice: 500 }]);
  const empty = { orderDiscountId: 'staff-2', type: 'amount' as const, amount: 0, text: 'Staff offer' };
  const request = { ...basket, orderDiscounts: [...basket.orderDiscounts, empty] };

  /** What is found in the basket as it was sent, after a change. */
  const judgeUntouched = (change: Change): string[] => findings(answerTo(request, change, 0));

  test('a product more, or an order discount less, is enough', () => {
    expect(judgeUntouched((lines) => lines.push(addedLine()))).toEqual([]);
    expect(judgeUntouched((_, { orderDiscounts }) => orderDiscounts.splice(1, 1))).toEqual([]);
  });

  test('another text is not', () => {
    const renamed: Change = (_, { orderDiscounts }) => Object.assign(orderDiscounts[1]!, { text: 'Ours' });
    expect(judgeUntouched(renamed)).toEqual([
      'order discount staff-2: is neither echoed nor removed',
      '/status: is applied, and no price is changed',
    ]);
  });

  test('a line less, or another one, is a change, though not a permitted one', () => {
    expect(judgeUntouched((lines) => lines.splice(1, 1))).toEqual(['line line-2: was removed']);
    expect(judgeUntouched((lines) => lines.splice(1, 2, lines[2]!, addedLine()))).toEqual(['line line-2: was removed']);
  });

  test('an order discount instead of another is a change, though it is worth nothing', () => {
    const replaced: Change = (lines, body) => {
      body.orderDiscounts.pop();
      addOrderDiscount(body, lines[0]!, {}, 0);
    };
    expect(judgeUntouched(replaced)).toEqual(['order discount ours: is added and worth nothing']);
  });
});
