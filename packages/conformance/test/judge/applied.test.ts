/** An `applied` answer: what a service may change passes, and each wrong change gets one finding. What shows in every field is the mutator's. */
import { describe, expect, test } from 'vitest';
import { basketOf } from '../../../../test/support/baskets.ts';
import { rightAnswer } from '../../../../test/support/right-answer.ts';
import type { OrderDiscountBody } from '../../../../test/support/wire.ts';
import { judgeExchange } from '../../src/kit/judge/judge.ts';
import {
  addedLine,
  addOrderDiscount,
  answerTo,
  type Change,
  clearStaff,
  exchangeOf,
  FOUR_LINES,
  patch,
  setPrice,
  setShare,
  split,
  takeOff,
} from './plants.ts';

const BASKET = basketOf([
  ...FOUR_LINES,
  { unitPrice: 2_000, existing: 900 },
  { unitPrice: 4_000, quantity: 2, shares: { 'staff-1': 300 } },
]);
/** An order discount that has come to nothing. */
const EMPTY: OrderDiscountBody = { orderDiscountId: 'staff-2', type: 'amount', amount: 0, text: 'Staff offer' };
const REQUEST = { ...BASKET, orderDiscounts: [...BASKET.orderDiscounts, EMPTY] };

type Row = readonly [what: string, change: Change, finding: string];

const judge = (change: Change, percent?: number): string[] => judgeExchange(answerTo(REQUEST, change, percent));

describe('what a service may do', () => {
  test.each<[string, Change]>([
    ['leave the right answer as it is', () => {}],
    ['remove a line', (lines) => lines.splice(4, 1)],
    ['add a product', (lines) => lines.push(addedLine())],
    ['say of a sent line that it was not added', patch(0, { addedByLoyalty: false })],
    ['split a line', (lines) => lines.splice(0, 1, ...split(lines[0]!))],
    [
      'split a line into parts that all have new IDs',
      (lines) => {
        const [kept, part] = split(lines[0]!);
        lines.splice(0, 1, { ...kept!, lineId: 'split-1', splitFromLineId: 'line-1' }, part!);
      },
    ],
    [
      'share the staff’s order discount between the parts of a line',
      (lines) => {
        const [kept, part] = split({ ...lines[5]!, orderDiscountAllocation: [] });
        kept!.orderDiscountAllocation = [{ orderDiscountId: 'staff-1', orderDiscountAllocationAmount: 200 }];
        part!.orderDiscountAllocation = [{ orderDiscountId: 'staff-1', orderDiscountAllocationAmount: 100 }];
        kept!.orderLinePrice -= 200;
        part!.orderLinePrice -= 100;
        lines.splice(5, 1, kept!, part!);
      },
    ],
    [
      'reduce an existing discount, with another text',
      patch(4, { existingLineDiscountAmount: 800, existingLineDiscountText: 'Ours', orderLinePrice: 1_200 }),
    ],
    [
      'make an existing discount a percentage, with another text',
      patch(4, { existingLineDiscountType: 'percent', existingLineDiscountText: 'Ours' }),
    ],
    [
      'reduce the staff’s order discount on one line',
      (lines, { orderDiscounts }) => {
        setShare(lines[5]!, 299);
        orderDiscounts[0]!.amount = 1_499;
      },
    ],
    ['take an amount off a line without percentages', (lines) => takeOff(lines[3]!, 100)],
    ['lower the price of a line without percentages', (lines) => setPrice(lines[3]!, 6_000)],
    ['take an amount off the order on a line without percentages', (lines, body) => addOrderDiscount(body, lines[3]!)],
    [
      'take a percentage off the order on a line that may have it',
      (lines, body) => addOrderDiscount(body, lines[0]!, { type: 'percent', percent: 1 }),
    ],
    [
      'leave the staff’s percentage off the order on a line without percentages',
      (_, { orderDiscounts }) => Object.assign(orderDiscounts[0]!, { type: 'percent', percent: 5 }),
    ],
  ])('%s', (_, change) => {
    expect(judge(change)).toEqual([]);
  });
});

describe('echo', () => {
  test.each<Row>([
    // 0.345 × 2,000 is 690, as 0.345 × 1,999 is.
    ['another price that comes to the same', patch(1, { unitPrice: 2_000 }), 'line line-2: unitPrice is not echoed'],
    [
      'a part of a split line with another name',
      (lines) => {
        const [kept, part] = split(lines[0]!);
        lines.splice(0, 1, kept!, { ...part!, name: 'Half a coffee' });
      },
      'line line-1-split: name is not echoed',
    ],
    [
      'a part of a line that was not sent',
      (lines) => lines.push({ ...addedLine(), addedByLoyalty: false, splitFromLineId: 'line-9' }),
      'line added-1: was not sent, and is neither added nor split',
    ],
    [
      'a sent line that is marked as added',
      patch(0, { addedByLoyalty: true }),
      'line line-1: is marked addedByLoyalty, but was sent or split',
    ],
    [
      'a line that is marked as added and as a part',
      (lines) => lines.push({ ...addedLine(), splitFromLineId: 'line-9' }),
      'line added-1: is marked addedByLoyalty, but was sent or split',
    ],
    [
      'a split into one part',
      patch(0, { lineId: 'line-1-split', splitFromLineId: 'line-1' }),
      'line line-1: was split into a single line, line-1-split',
    ],
    [
      'a part of a split line lost',
      (lines) => lines.splice(0, 1, split(lines[0]!)[0]!),
      'line line-1: quantity 3 came back as 2',
    ],
    [
      'a part of a split line too much',
      (lines) => {
        const [kept, part] = split(lines[0]!);
        const [, more] = split(lines[0]!, 0.1);
        lines.splice(0, 1, kept!, part!, { ...more!, lineId: 'line-1-more' });
      },
      'line line-1: quantity 3 came back as 2 + 1 + 0.1',
    ],
    [
      'an existing discount that grew',
      patch(4, { existingLineDiscountAmount: 901, orderLinePrice: 1_099 }),
      'line line-5: the existing discount grew to 901',
    ],
    [
      'a kept discount with a campaign',
      patch(4, { existingLineDiscountCampaignId: 'ours' }),
      'line line-5: existingLineDiscountCampaignId of a kept discount is not echoed',
    ],
    [
      'a share in two entries, where one was sent',
      (lines) => {
        setShare(lines[3]!, 600);
        lines[3]!.orderDiscountAllocation.push({ orderDiscountId: 'staff-1', orderDiscountAllocationAmount: 100 });
        lines[3]!.orderLinePrice -= 100;
      },
      'line line-4: the allocation of staff-1 is not echoed',
    ],
  ])('%s', (_, change, finding) => {
    expect(judge(change)).toEqual([finding]);
  });

  test('a share that moved to the parts of a split line', () => {
    const moved: Change = (lines) => {
      setShare(lines[3]!, 699);
      const [kept, part] = split({ ...lines[5]!, orderDiscountAllocation: [] });
      part!.orderDiscountAllocation = [{ orderDiscountId: 'staff-1', orderDiscountAllocationAmount: 301 }];
      part!.orderLinePrice -= 301;
      lines.splice(5, 1, kept!, part!);
    };
    expect(judge(moved)).toEqual([4, 6].map((line) => `line line-${line}: the allocation of staff-1 is not echoed`));
  });
});

describe('an applied answer changes the basket', () => {
  const untouched = (change: Change): string[] => judge(change, 0);
  const UNCHANGED = ['/status: is applied, but nothing is changed'];

  test('not when it is the basket that was sent', () => {
    expect(untouched(() => {})).toEqual(UNCHANGED);
    expect(untouched(patch(0, { lineDiscountText: 'Club', showLineDiscountText: true }))).toEqual(UNCHANGED);
  });

  test('not when the shares of a line have another order', () => {
    const shared = basketOf([{ shares: { 'staff-1': 100, 'staff-2': 200 } }]);
    const body = rightAnswer(shared, 0);
    body.lines[0]!.orderDiscountAllocation.reverse();
    expect(judgeExchange(exchangeOf(body, 200, {}, { request: shared }))).toEqual(UNCHANGED);
  });

  const gone: Change = (_, { orderDiscounts }) => orderDiscounts.splice(1, 1);

  test.each<[string, Change]>([
    ['by a line less', (lines) => lines.splice(4, 1)],
    ['by a product instead of a line', (lines) => lines.splice(4, 2, lines[5]!, addedLine())],
    ['by an order discount less', gone],
    [
      'by the text of an order discount',
      (_, { orderDiscounts }) => Object.assign(orderDiscounts[1]!, { text: 'Ours' }),
    ],
    ['by a discount of a line', (lines) => takeOff(lines[0]!, 0)],
    ['by a price of a line', (lines) => setPrice(lines[0]!, 10_000)],
  ])('%s', (_, change) => {
    expect(untouched(change)).toEqual([]);
  });
});

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
  ])('%s', (_, change, finding) => {
    expect(judgeExchange(answerTo(basketOf(FOUR_LINES), change))).toEqual([finding]);
  });
});

describe('the existing discount of a protected line', () => {
  const request = basketOf([{}, { unitPrice: 5_000, noDiscount: true, existing: 400 }]);
  const judgeOwn = (change: Change) => judgeExchange(answerTo(request, change));

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
