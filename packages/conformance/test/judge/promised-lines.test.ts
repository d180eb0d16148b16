/** The promises about `applied` answers: each permitted change passes, and each broken promise gets one finding. */
import { describe, expect, test } from 'vitest';
import { basketOf } from '../../../../test/support/baskets.ts';
import { rightAnswer } from '../../../../test/support/right-answer.ts';
import type { Exchange } from '../../src/kit/exchange.ts';
import { judgeExchange } from '../../src/kit/judge/judge.ts';
import type { Promises } from '../../src/kit/judge/promises.ts';
import {
  addedLine,
  addOrderDiscount,
  answerTo,
  type Change,
  clearStaff,
  exchangeOf,
  halved,
  PROMISES,
  patch,
  REQUEST,
  setPrice,
  setShare,
  split,
  takeOff,
} from './plants.ts';

const OF_ANY_VENUE: Promises = { discountCode: 'loyalty' };

/** What is found beyond the interface; the interface itself has nothing against the answer. */
function findings(exchange: Exchange, promises: Promises = PROMISES): string[] {
  expect(judgeExchange(exchange)).toEqual([]);
  return judgeExchange(exchange, promises);
}

type Row = readonly [what: string, change: Change, finding: string];

const answerWith = (change: Change): Exchange => answerTo(REQUEST, change);

describe('what keeps the promises', () => {
  test.each<[string, Change]>([
    ['the right answer', () => {}],
    ['a note that is shown', patch(0, { showLineDiscountText: true, lineDiscountText: 'Club' })],
    ['an added product of the venue', (lines) => lines.push(addedLine())],
    [
      'an added product with a part of its own',
      (lines) => lines.push(addedLine(), { ...addedLine(), lineId: 'added-2', parentLineId: 'added-1' }),
    ],
    ['a lower price', (lines) => setPrice(lines[3]!, 6_999)],
    [
      'a lower price instead of a discount of the staff',
      (lines) => {
        clearStaff(lines[4]!);
        setPrice(lines[4]!, 1_000);
      },
    ],
    [
      'an amount instead of a discount of the staff',
      (lines) => {
        clearStaff(lines[4]!);
        takeOff(lines[4]!, 1_000);
      },
    ],
    [
      'a reduced discount of the staff, with another text',
      patch(4, { existingLineDiscountAmount: 800, existingLineDiscountText: 'Ours', orderLinePrice: 1_200 }),
    ],
    ['a split whose parts share a discount of the staff', (lines) => lines.splice(4, 1, ...halved(lines[4]!))],
    ['a split of a line without a discount of the staff', (lines) => lines.splice(0, 1, ...split(lines[0]!))],
    ['an amount off the order', (lines, body) => addOrderDiscount(body, lines[0]!)],
    ['a percentage off the order', (lines, body) => addOrderDiscount(body, lines[0]!, { type: 'percent', percent: 1 })],
  ])('%s', (_, change) => {
    expect(findings(answerWith(change))).toEqual([]);
  });
});

describe('a line', () => {
  test.each<Row>([
    ['another code', patch(0, { lineDiscountCode: 'other' }), 'lineDiscountCode other should be loyalty'],
    ['a discount worth nothing', (lines) => takeOff(lines[3]!, 0), 'the discount is worth nothing'],
    [
      'a percentage beside an amount',
      patch(0, { lineDiscountType: 'amount' }),
      'lineDiscountPercent and its type disagree',
    ],
    [
      'a price that is the same',
      (lines) => setPrice(lines[0]!, 10_000),
      'overrideUnitPrice 10000 does not lower the price',
    ],
    ['a note that is not shown', patch(0, { lineDiscountText: 'x' }), 'showLineDiscountText and its text disagree'],
    ['a note without a text', patch(0, { showLineDiscountText: true }), 'showLineDiscountText and its text disagree'],
    [
      'a note without a discount',
      patch(3, { showLineDiscountText: true, lineDiscountText: 'x' }),
      'a text is shown without a discount or a new price',
    ],
    [
      'a product of another venue',
      (lines) => lines.push(addedLine(3_900, '1')),
      'adds 1, which the venue does not have',
    ],
    ['a product at another price', (lines) => lines.push(addedLine(3_901)), "is not added at the venue's price"],
    [
      'a product with a discount of the staff',
      (lines) => {
        const staff = { existingLineDiscountType: 'amount', existingLineDiscountAmount: 100 } as const;
        lines.push({ ...addedLine(), ...staff, orderLinePrice: 3_800 });
      },
      'an added line carries an existing discount',
    ],
    [
      'an option whose product is gone',
      (lines) => lines.push({ ...addedLine(), parentLineId: 'x' }),
      'its parent x is gone',
    ],
    ['a line that is gone', (lines) => lines.splice(4, 1), 'was removed'],
    [
      // 1.5 × 101 is 152, and 1.25 × 101 and 0.25 × 101 are 126 and 25.
      'prices of parts that do not add up',
      (lines) => lines.splice(5, 1, ...split(lines[5]!, 0.25)),
      'the prices of its parts do not add up',
    ],
    [
      'another type of a discount of the staff',
      patch(4, { existingLineDiscountType: 'percent' }),
      'existingLineDiscountType is neither echoed nor cleared',
    ],
    [
      'a discount of the staff cleared for nothing',
      (lines) => clearStaff(lines[4]!),
      'its existing discount was cleared for nothing',
    ],
    [
      'a part of a split line with another text of a discount of the staff',
      (lines) => {
        const [kept, part] = halved(lines[4]!);
        lines.splice(4, 1, kept!, { ...part!, existingLineDiscountText: 'Ours' });
      },
      'existingLineDiscountText is not echoed',
    ],
    [
      'the text of a cleared discount',
      patch(1, { existingLineDiscountText: 'x' }),
      'existingLineDiscountText outlives the discount it belonged to',
    ],
  ])('%s', (_, change, finding) => {
    expect(findings(answerWith(change)).map((sentence) => sentence.replace(/^line [^:]+: /, ''))).toEqual([finding]);
  });
});

test('a protected line is left alone', () => {
  const reduced: Change = (lines, { orderDiscounts }) => {
    setShare(lines[2]!, 499);
    orderDiscounts[0]!.amount -= 1;
  };
  expect(findings(answerWith(reduced))).toEqual([
    'line line-3: is noDiscount, and its orderDiscountAllocation was touched',
    'line line-3: is noDiscount, and its orderLinePrice was touched',
    'order discount staff-1: is neither echoed nor removed',
  ]);
});

describe('an order discount', () => {
  test.each<Row>([
    [
      'of the staff that grew',
      (lines, { orderDiscounts }) => {
        setShare(lines[3]!, 701);
        orderDiscounts[0]!.amount += 1;
      },
      'staff-1: is neither echoed nor removed',
    ],
    [
      'of the staff with another text',
      (_, { orderDiscounts }) => Object.assign(orderDiscounts[0]!, { text: 'Ours' }),
      'staff-1: is neither echoed nor removed',
    ],
    [
      'of ours with another code',
      (lines, body) => addOrderDiscount(body, lines[0]!, { discountCode: 'other' }),
      'ours: discountCode other should be loyalty',
    ],
    [
      'of ours that is worth nothing',
      (lines, body) => addOrderDiscount(body, lines[0]!, {}, 0),
      'ours: is added and worth nothing',
    ],
    [
      'of ours that is an amount with a percentage',
      (lines, body) => addOrderDiscount(body, lines[0]!, { percent: 3 }),
      'ours: percent and its type disagree',
    ],
  ])('%s', (_, change, finding) => {
    expect(findings(answerWith(change))).toEqual([`order discount ${finding}`]);
  });

  test('of the staff may be removed', () => {
    const request = basketOf([{ shares: { 'staff-1': 100 } }]);
    const body = rightAnswer(basketOf([{}], { calculationId: request.calculationId }), 20);
    expect(findings(exchangeOf(body, 200, {}, { request }))).toEqual([]);
  });
});

describe('a discount of the staff that goes without anything for its line', () => {
  const CLEARED = 'line line-2: its existing discount was cleared for nothing';
  const GIVES_UP = { ...OF_ANY_VENUE, mayGiveAllUp: true };
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
    expect(judgeCleared(10, OF_ANY_VENUE)).toEqual([CLEARED]);
    expect(judgeCleared(10, { ...OF_ANY_VENUE, mayGiveAllUp: false })).toEqual([CLEARED]);
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
