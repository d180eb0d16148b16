/**
 * An `applied` answer: what a service may change passes, and each change that the interface forbids has one finding. What shows in every field is the mutator's, and
 * the answers that the double spoils are those of the vectors (`vectors.test.ts`).
 */
import { describe, expect, test } from 'vitest';
import { basketOf } from '../../../../test/support/baskets.ts';
import { judgeExchange } from '../../../../test/support/judge.ts';
import { rightAnswer } from '../../../../test/support/right-answer.ts';
import type { LineOutBody } from '../../../../test/support/wire.ts';
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

/** The first line in two parts, as they are then changed. */
function splitInto(change: (kept: LineOutBody, part: LineOutBody, line: LineOutBody) => LineOutBody[]): Change {
  return (lines) => {
    const [kept, part] = split(lines[0]!);
    lines.splice(0, 1, ...change(kept!, part!, lines[0]!));
  };
}

/** A product more, with these fields. */
function adding(more: Partial<LineOutBody>): Change {
  return (lines) => lines.push({ ...addedLine(), ...more });
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
    splitInto((kept, part) => [{ ...kept, lineId: 'split-1', splitFromLineId: 'line-1' }, part]),
  ],
  ['a share of the staff’s order discount between the parts of a line', sharedBetweenParts([200, 100])],
  ['an amount off the order on a line without percentages', (lines, body) => addOrderDiscount(body, lines[3]!)],
  ['a percentage off the order', (lines, body) => addOrderDiscount(body, lines[0]!, { type: 'percent', percent: 1 })],
])('%s is permitted, and keeps the promises', (_, change) => {
  expect(judgeExchange(answerTo(REQUEST, change), PROMISES)).toEqual([]);
});

const MARKED = 'is marked addedByLoyalty, but was sent or split';

/** Each finding, and a change that has it and no other. */
test.each<[string, Change]>([
  // 0.345 × 2,000 is 690, as 0.345 × 1,999 is.
  ['line-2: unitPrice is not echoed', patch(1, { unitPrice: 2_000 })],
  ['line-1-split: name is not echoed', splitInto((kept, part) => [kept, { ...part, name: 'Half a coffee' }])],
  [`line-1: ${MARKED}`, patch(0, { addedByLoyalty: true })],
  [`added-1: ${MARKED}`, adding({ splitFromLineId: 'line-9' })],
  ['line-1: was split into a single line, part', patch(0, { lineId: 'part', splitFromLineId: 'line-1' })],
  [
    'line-1: quantity 3 came back as 2 + 1 + 0.1',
    splitInto((kept, part, line) => [kept, part, { ...split(line, 0.1)[1]!, lineId: 'line-1-more' }]),
  ],
  [
    'line-5: existingLineDiscountCampaignId of a kept discount is not echoed',
    patch(4, { existingLineDiscountCampaignId: 'ours' }),
  ],
  [
    // In two entries, where one was sent.
    'line-4: the allocation of staff-1 is not echoed',
    (lines) => {
      setShare(lines[3]!, 600);
      lines[3]!.orderDiscountAllocation.push({ orderDiscountId: 'staff-1', orderDiscountAllocationAmount: 100 });
      lines[3]!.orderLinePrice -= 100;
    },
  ],
  [
    'line-3: is noDiscount and was split',
    (lines) => {
      const { orderDiscountAllocation, ...whole } = lines[2]!;
      const part = { ...whole, quantity: 0.5, originalLinePrice: 2_500, orderDiscountAllocation: [] };
      const kept = { ...part, orderDiscountAllocation, orderLinePrice: 2_000 };
      lines.splice(2, 1, kept, { ...part, lineId: 'part', splitFromLineId: 'line-3', orderLinePrice: 2_500 });
    },
  ],
  ['line-3: is noDiscount, and its share of staff-1 grew from 500 to 501', withShare(2, 501)],
  [
    'line-4: is noPercentageDiscount and has a percentage',
    (lines, body) => addOrderDiscount(body, lines[3]!, { type: 'percent', percent: 1 }),
  ],
])('line %s', (finding, change) => {
  expect(judgeExchange(answerTo(REQUEST, change))).toEqual([`line ${finding}`]);
});

test('order discounts in another order are found', () => {
  const reversed = answerTo(REQUEST, (_, { orderDiscounts }) => orderDiscounts.reverse());
  expect(judgeExchange(reversed)).toEqual([
    '/orderDiscounts/1: staff-1 comes after staff-2, which is not the order of the request',
  ]);
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
