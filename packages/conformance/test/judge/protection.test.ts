/** What an `applied` answer may never do: touch a protected line, or make the basket dearer. */
import { describe, expect, test } from 'vitest';
import { basketOf } from '../../../../test/support/baskets.ts';
import { judgeExchange } from '../../src/kit/judge/judge.ts';
import {
  addedLine,
  addOrderDiscount,
  answerTo,
  type Change,
  clearStaff,
  FOUR_LINES,
  patch,
  setPrice,
  setShare,
  takeOff,
} from './plants.ts';

const REQUEST = basketOf(FOUR_LINES);

type Row = readonly [what: string, change: Change, finding: string];

const judge = (change: Change): string[] => judgeExchange(answerTo(REQUEST, change));

describe('protection', () => {
  const NO_DISCOUNT = 'line line-3: is noDiscount and discounted';
  const NO_PERCENTAGE = 'line line-4: is noPercentageDiscount and has a percentage';

  test.each<Row>([
    ['an amount off a protected line', (lines) => takeOff(lines[2]!, 100), NO_DISCOUNT],
    ['a new price of a protected line', (lines) => setPrice(lines[2]!, 4_999), NO_DISCOUNT],
    ['a share of ours on a protected line', (lines, body) => addOrderDiscount(body, lines[2]!), NO_DISCOUNT],
    [
      'a protected line that was removed',
      (lines, { orderDiscounts }) => {
        lines.splice(2, 1);
        orderDiscounts[0]!.amount -= 500;
      },
      'line line-3: is noDiscount and was removed',
    ],
    [
      'a protected line that was split',
      (lines) => {
        const { orderDiscountAllocation: _, ...whole } = lines[2]!;
        const part = { ...whole, quantity: 0.5, originalLinePrice: 2_500, orderDiscountAllocation: [] };
        const share = { orderDiscountId: 'staff-1', orderDiscountAllocationAmount: 500 };
        const kept = { ...part, orderDiscountAllocation: [share], orderLinePrice: 2_000 };
        lines.splice(2, 1, kept, { ...part, lineId: 'part', splitFromLineId: 'line-3', orderLinePrice: 2_500 });
      },
      'line line-3: is noDiscount and was split',
    ],
    [
      'a larger share of the staff on a protected line',
      (lines, { orderDiscounts }) => {
        setShare(lines[2]!, 501);
        orderDiscounts[0]!.amount += 1;
      },
      'line line-3: is noDiscount, and its share of staff-1 grew from 500 to 501',
    ],
    [
      'a percentage of a line without percentages',
      (lines) => {
        takeOff(lines[3]!, 700);
        Object.assign(lines[3]!, { lineDiscountType: 'percent', lineDiscountPercent: 10 });
      },
      NO_PERCENTAGE,
    ],
    [
      'a percentage of the order on a line without percentages',
      (lines, body) => addOrderDiscount(body, lines[3]!, { type: 'percent', percent: 1 }),
      NO_PERCENTAGE,
    ],
    [
      'a percentage of the order beside an amount off it, on a line without percentages',
      (lines, body) => {
        addOrderDiscount(body, lines[3]!);
        addOrderDiscount(body, lines[3]!, { orderDiscountId: 'ours-2', type: 'percent', percent: 0 }, 0);
        lines[3]!.orderDiscountAllocation.at(-1)!.orderDiscountId = 'ours-2';
      },
      NO_PERCENTAGE,
    ],
  ])('%s', (_, change, finding) => {
    expect(judge(change)).toEqual([finding]);
  });
});

describe('the existing discount of a protected line', () => {
  const request = basketOf([{}, { unitPrice: 5_000, noDiscount: true, existing: 400 }]);
  const judgeOwn = (change: Change) => judgeExchange(answerTo(request, change));

  test('stays', () => {
    expect(judgeOwn(() => {})).toEqual([]);
  });

  test.each<[string, Change]>([
    ['is cleared', (lines) => clearStaff(lines[1]!)],
    ['is reduced', patch(1, { existingLineDiscountAmount: 399, orderLinePrice: 4_601 })],
    ['has another type', patch(1, { existingLineDiscountType: 'percent' })],
  ])('that %s', (_, change) => {
    expect(judgeOwn(change)).toEqual(['line line-2: is noDiscount, and its existing discount was changed']);
  });
});

describe('an applied answer makes nothing dearer', () => {
  const judgeOf = (words: Parameters<typeof basketOf>[0], change: Change) =>
    judgeExchange(answerTo(basketOf(words), change));
  const staff = [{ unitPrice: 3_000, existing: 2_900 }, { unitPrice: 500 }];

  test('not by a discount of the staff that is cleared for less', () => {
    // 30.00 less 20 %, and 5.00 less 20 %, where the staff asked for 1.00 and 5.00.
    expect(judgeOf(staff, (lines) => clearStaff(lines[0]!))).toEqual([
      'lines: cost 3400 together, and may cost 600 at most',
    ]);
  });

  test('but an order discount may go, and a product may come that is worth it', () => {
    const gone: Change = (lines, body) => {
      body.orderDiscounts = [];
      lines[0]!.orderDiscountAllocation = [];
      lines[0]!.orderLinePrice += 2_500;
    };
    expect(judgeOf([{ unitPrice: 3_000, shares: { own: 2_500 } }], gone)).toEqual([]);
    const given = { ...addedLine(), lineDiscountAmount: 3_900, orderLinePrice: 0 };
    const gift = { ...given, lineDiscountType: 'amount' as const, lineDiscountCode: 'loyalty' };
    const change: Change = (lines) => {
      clearStaff(lines[0]!);
      lines.push(gift);
    };
    expect(judgeOf(staff, change)).toEqual([]);
  });
});
