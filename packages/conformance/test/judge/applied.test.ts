/** An `applied` answer: what a service may change passes, and each change that the interface forbids has one finding. What shows in every field is the mutator's. */
import { describe, expect, test } from 'vitest';
import { basketOf } from '../../../../test/support/baskets.ts';
import { rightAnswer } from '../../../../test/support/right-answer.ts';
import { judgeExchange } from '../../src/kit/judge/judge.ts';
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
  withShare,
} from './plants.ts';

type Row = readonly [what: string, change: Change, finding: string];

const OURS = { existingLineDiscountAmount: 800, existingLineDiscountText: 'Ours', orderLinePrice: 1_200 };

/** The share of a line in an order discount of the staff goes to the parts of the line, these amounts. */
function sharedBetweenParts([keptShare, partShare]: readonly [number, number]): Change {
  return (lines) => {
    const parts = split({ ...lines[5]!, orderDiscountAllocation: [] });
    for (const [index, amount] of [keptShare, partShare].entries()) {
      const part = parts[index]!;
      if (amount === 0) continue;
      part.orderDiscountAllocation = [{ orderDiscountId: 'staff-1', orderDiscountAllocationAmount: amount }];
      part.orderLinePrice -= amount;
    }
    lines.splice(5, 1, ...parts);
  };
}

test.each<[string, Change]>([
  ['the right answer', () => {}],
  ['a note that is shown', patch(0, { showLineDiscountText: true, lineDiscountText: 'Club' })],
  ['a sent line that says that it was not added', patch(0, { addedByLoyalty: false })],
  ['an added product of the venue', (lines) => lines.push(addedLine())],
  [
    'an added product with a part of its own',
    (lines) => lines.push(addedLine(), { ...addedLine(), lineId: 'added-2', parentLineId: 'added-1' }),
  ],
  ['an amount off a line without percentages', (lines) => takeOff(lines[3]!, 100)],
  ['a lower price of a line without percentages', (lines) => setPrice(lines[3]!, 6_999)],
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
  ['a reduced discount of the staff, with another text', patch(4, OURS)],
  ['a split whose parts share a discount of the staff', (lines) => lines.splice(4, 1, ...halved(lines[4]!))],
  ['a split of a line without a discount of the staff', (lines) => lines.splice(0, 1, ...split(lines[0]!))],
  [
    'a split into parts that all have new IDs',
    (lines) => {
      const [kept, part] = split(lines[0]!);
      lines.splice(0, 1, { ...kept!, lineId: 'split-1', splitFromLineId: 'line-1' }, part!);
    },
  ],
  ['a share of the staff’s order discount between the parts of a line', sharedBetweenParts([200, 100])],
  ['an amount off the order on a line without percentages', (lines, body) => addOrderDiscount(body, lines[3]!)],
  ['a percentage off the order', (lines, body) => addOrderDiscount(body, lines[0]!, { type: 'percent', percent: 1 })],
])('%s is permitted, and keeps the promises', (_, change) => {
  expect(judgeExchange(answerTo(REQUEST, change), PROMISES)).toEqual([]);
});

const NO_DISCOUNT = 'line line-3: is noDiscount and discounted';
const NO_PERCENTAGE = 'line line-4: is noPercentageDiscount and has a percentage';

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
  [
    'the amount of an order discount, and its allocations as they were',
    (_, { orderDiscounts }) => Object.assign(orderDiscounts[0]!, { amount: 1_501 }),
    'order discount staff-1: 1501, but 1500 is allocated',
  ],
  [
    'the order discounts in the opposite order',
    (_, { orderDiscounts }) => orderDiscounts.reverse(),
    '/orderDiscounts/1: staff-1 comes after staff-2, which is not the order of the request',
  ],
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
      const { orderDiscountAllocation, ...whole } = lines[2]!;
      const part = { ...whole, quantity: 0.5, originalLinePrice: 2_500, orderDiscountAllocation: [] };
      const kept = { ...part, orderDiscountAllocation, orderLinePrice: 2_000 };
      lines.splice(2, 1, kept, { ...part, lineId: 'part', splitFromLineId: 'line-3', orderLinePrice: 2_500 });
    },
    'line line-3: is noDiscount and was split',
  ],
  [
    'a larger share of the staff on a protected line',
    withShare(2, 501),
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
])('%s breaks the interface', (_, change, finding) => {
  expect(judgeExchange(answerTo(REQUEST, change))).toEqual([finding]);
});

test('a share that moved between lines is found on both', () => {
  const moved: Change = (lines, body) => {
    setShare(lines[3]!, 699);
    sharedBetweenParts([0, 301])(lines, body);
  };
  const findings = [4, 6].map((line) => `line line-${line}: the allocation of staff-1 is not echoed`);
  expect(judgeExchange(answerTo(REQUEST, moved))).toEqual(findings);
});

test.each<[string, Change]>([
  ['is cleared', (lines) => clearStaff(lines[1]!)],
  ['is reduced', patch(1, { existingLineDiscountAmount: 399, orderLinePrice: 4_601 })],
  ['has another type', patch(1, { existingLineDiscountType: 'percent' })],
])('the existing discount of a protected line that %s breaks the interface', (_, change) => {
  const request = basketOf([{}, { unitPrice: 5_000, noDiscount: true, existing: 400 }]);
  expect(judgeExchange(answerTo(request, change))).toEqual([
    'line line-2: is noDiscount, and its existing discount was changed',
  ]);
});

describe('an applied answer changes the basket', () => {
  const UNCHANGED = '/status: is applied, but nothing is changed';
  const UNPRICED = '/status: is applied, and no price is changed';
  const gone: Change = (_, { orderDiscounts }) => orderDiscounts.splice(1, 1);
  const renamed: Change = (_, { orderDiscounts }) => Object.assign(orderDiscounts[1]!, { text: 'Ours' });

  test.each<[string, Change, readonly string[], (readonly string[])?]>([
    ['by nothing', () => {}, [UNCHANGED]],
    ['by a text of a line', patch(0, { lineDiscountText: 'Club', showLineDiscountText: true }), [UNCHANGED]],
    ['by a product more', (lines) => lines.push(addedLine()), [], []],
    ['by an order discount less', gone, [], []],
    ['by a line less', (lines) => lines.splice(4, 1), [], ['line line-5: was removed']],
    ['by a product instead of a line', (lines) => lines.splice(6, 1, addedLine()), [], ['line line-7: was removed']],
    [
      'by the text of an order discount',
      renamed,
      [],
      ['order discount staff-2: is neither echoed nor removed', UNPRICED],
    ],
    [
      'by an order discount instead of another, worth nothing',
      (lines, body) => {
        gone(lines, body);
        addOrderDiscount(body, lines[0]!, {}, 0);
      },
      [],
      ['order discount ours: is added and worth nothing'],
    ],
    ['by a discount of a line', (lines) => takeOff(lines[0]!, 0), []],
    ['by a price of a line', (lines) => setPrice(lines[0]!, 10_000), []],
  ])('%s', (_, change, byInterface, byPromises) => {
    const answer = answerTo(REQUEST, change, 0);
    expect(judgeExchange(answer)).toEqual(byInterface);
    if (byPromises) expect(judgeExchange(answer, PROMISES)).toEqual(byPromises);
  });

  test('not when the shares of a line have another order', () => {
    const shared = basketOf([{ shares: { 'staff-1': 100, 'staff-2': 200 } }]);
    const body = rightAnswer(shared, 0);
    body.lines[0]!.orderDiscountAllocation.reverse();
    expect(judgeExchange(exchangeOf(body, 200, {}, { request: shared }))).toEqual([UNCHANGED]);
  });
});

describe('an applied answer makes nothing dearer', () => {
  const staff = basketOf([{ unitPrice: 3_000, existing: 2_900 }, { unitPrice: 500 }]);
  const given = { lineDiscountAmount: 3_900, orderLinePrice: 0, lineDiscountCode: 'loyalty' };
  const gift = { ...addedLine(), ...given, lineDiscountType: 'amount' as const };

  test('not by a discount of the staff that is cleared for less, unless a product comes that is worth it', () => {
    // 30.00 less 20 %, and 5.00 less 20 %, where the staff asked for 1.00 and 5.00.
    const cleared: Change = (lines) => clearStaff(lines[0]!);
    const dearer = ['lines: cost 3400 together, and may cost 600 at most'];
    expect(judgeExchange(answerTo(staff, cleared))).toEqual(dearer);
    const replaced: Change = (lines, body) => {
      cleared(lines, body);
      lines.push(gift);
    };
    expect(judgeExchange(answerTo(staff, replaced))).toEqual([]);
  });

  test('but an order discount may go', () => {
    const gone: Change = (lines, body) => {
      body.orderDiscounts = [];
      lines[0]!.orderDiscountAllocation = [];
      lines[0]!.orderLinePrice += 2_500;
    };
    const answer = answerTo(basketOf([{ unitPrice: 3_000, shares: { own: 2_500 } }]), gone);
    expect([judgeExchange(answer), judgeExchange(answer, PROMISES)]).toEqual([[], []]);
  });
});
