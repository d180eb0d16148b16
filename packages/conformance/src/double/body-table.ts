import type { BasketRequest } from '@loyalty/contract/basket-request';
import { addUp, answerHonestly, applyTwentyPercent, DISCOUNT_CODE } from './honest.ts';
import { APPLIED, type BasketMisbehaviour, basketRow, INVALID, UNCHANGED } from './misbehaviour.ts';
import {
  addedLine,
  DISCOUNTED,
  DISCOUNTED_BY_STAFF,
  FIRST,
  onLine,
  orderDiscount,
  PROTECTED,
  PROTECTED_FROM_PERCENTAGES,
  REMOVABLE,
  type Spoil,
  splitLine,
  summed,
  withAmount,
  withoutDiscount,
  withShare,
  wrongTotal,
} from './spoil.ts';

/** Answers that are well-formed JSON: arithmetic and echo faults, schema faults, and answers that only look faulty. */

/** A body may be no answer at all. */
type SpoilBody = (request: BasketRequest) => unknown;

function rejected(what: string, spoil: SpoilBody): BasketMisbehaviour {
  return basketRow(what, { kind: 'body', spoil }, INVALID);
}

function accepted(what: string, spoil: SpoilBody, right = APPLIED, callerMust?: string): BasketMisbehaviour {
  return basketRow(what, { kind: 'body', spoil }, right, callerMust);
}

/** The applied answer with one field of the body in another form. */
function withField(name: string, value: unknown): SpoilBody {
  return (request) => ({ ...applyTwentyPercent(request), [name]: value });
}

/** The applied answer with one field of its first line in another form. */
function withLineField(name: string, value: unknown): Spoil {
  return onLine(FIRST, (line) => [{ ...line, [name]: value }]);
}

function without(name: string): SpoilBody {
  return (request) => {
    const { [name]: _, ...rest } = applyTwentyPercent(request) as unknown as Record<string, unknown>;
    return rest;
  };
}

export const BODY_TABLE: Readonly<Record<string, BasketMisbehaviour>> = {
  'wrong-totals': rejected('totals.total is 1 more than Σ orderLinePrice', wrongTotal('total')),
  'wrong-original-total': rejected('totals.originalTotal is off by 1', wrongTotal('originalTotal')),
  'wrong-existing-total': rejected('totals.existingDiscountTotal is off by 1', wrongTotal('existingDiscountTotal')),
  'wrong-order-discount-total': rejected('totals.orderDiscountTotal is off by 1', wrongTotal('orderDiscountTotal')),
  'wrong-loyalty-total': rejected('totals.loyaltyDiscountTotal is off by 1', wrongTotal('loyaltyDiscountTotal')),
  'wrong-line-price': rejected(
    'orderLinePrice is off by 1, and totals.total with it',
    wrongTotal(
      'total',
      onLine(FIRST, (line) => [{ ...line, orderLinePrice: line.orderLinePrice + 1 }]),
    ),
  ),
  // A caller that computes in floating point overlooks one minor unit.
  'wrong-percent-amount': rejected(
    'lineDiscountAmount is 1 less than half up gives',
    summed(onLine(DISCOUNTED, (line) => [{ ...line, lineDiscountAmount: line.lineDiscountAmount - 1 }])),
  ),
  'negative-line': rejected(
    'a discount larger than its line: orderLinePrice is negative',
    summed(onLine(DISCOUNTED, (line) => [withAmount(line, line.originalLinePrice + 100)])),
  ),
  'wrong-line': rejected(
    'a line has a lineId that the basket has not',
    onLine(FIRST, (line) => [{ ...line, lineId: `${line.lineId}-unknown` }]),
  ),
  'duplicate-line': rejected('the first line comes twice', (request) => {
    const answer = applyTwentyPercent(request);
    return addUp({ ...answer, lines: [...answer.lines, answer.lines[0]!] });
  }),
  'missing-line': rejected(
    'a line is left out, and the totals still count it',
    onLine(FIRST, () => []),
  ),
  'missing-protected-line': rejected(
    'a noDiscount line is removed, sums adjusted',
    summed(onLine(PROTECTED, () => [])),
  ),
  'changed-protected-line': rejected(
    'a noDiscount line takes a discount of 1',
    summed(onLine(PROTECTED, (line) => [withAmount(line, Math.min(1, line.orderLinePrice))])),
  ),
  'repriced-protected-line': rejected(
    'a noDiscount line has an overrideUnitPrice',
    summed(onLine(PROTECTED, (line) => [{ ...line, overrideUnitPrice: line.unitPrice - 1 }])),
  ),
  'dropped-flag': rejected(
    'noDiscount of a line comes back as false',
    onLine(PROTECTED, (line) => [{ ...line, noDiscount: false }]),
  ),
  'percent-on-protected-line': rejected(
    'a noPercentageDiscount line has a percentage',
    summed(
      onLine(PROTECTED_FROM_PERCENTAGES, (line) => [
        { ...line, lineDiscountType: 'percent', lineDiscountPercent: 0, lineDiscountCode: DISCOUNT_CODE },
      ]),
    ),
  ),
  'changed-name': rejected(
    'the name of a kept line is changed',
    onLine(FIRST, (line) => [{ ...line, name: `${line.name} (loyalty)` }]),
  ),
  'changed-product': rejected(
    'the productId of a kept line is changed',
    onLine(FIRST, (line) => [{ ...line, productId: `${line.productId}0` }]),
  ),
  'changed-quantity': rejected(
    'the quantity of a kept line is 1 more, sums adjusted',
    summed(onLine(DISCOUNTED, (line) => [{ ...withoutDiscount(line), quantity: line.quantity + 1 }])),
  ),
  'changed-unit-price': rejected(
    'the unitPrice of a kept line is 1 more, sums adjusted',
    summed(onLine(DISCOUNTED, (line) => [{ ...withoutDiscount(line), unitPrice: line.unitPrice + 1 }])),
  ),
  'raised-existing-discount': rejected(
    'a staff discount is 1 larger, sums adjusted',
    summed(
      onLine(DISCOUNTED_BY_STAFF, (line) => [
        { ...withoutDiscount(line), existingLineDiscountAmount: line.existingLineDiscountAmount + 1 },
      ]),
    ),
  ),
  'discount-without-code': rejected(
    'a discounted line has no lineDiscountCode',
    onLine(DISCOUNTED, ({ lineDiscountCode: _, ...line }) => [line]),
  ),
  'split-short': rejected('the parts of a split line are one piece short', splitLine({ missing: 1 })),
  'split-from-nothing': rejected('splitFromLineId names no line of the basket', splitLine({ source: 'no-such-line' })),
  'added-wrong-price': rejected("an added line is not at the price list's price", addedLine({ unitPrice: 2501 })),
  'added-unknown-product': rejected(
    'an added line has a product that the venue does not sell',
    addedLine({ productId: 'no-such-product' }),
  ),
  'unallocated-order-discount': rejected(
    'an added order discount is on no line',
    orderDiscount({ isAllocated: false }),
  ),
  'order-discount-without-code': rejected(
    'an added order discount has no discountCode',
    orderDiscount({ hasCode: false }),
  ),
  'order-discount-on-protected-line': rejected(
    'an added order discount lies on a noDiscount line',
    orderDiscount({ onProtected: true }),
  ),
  'dangling-share': rejected(
    'a line has a share of an order discount that is not there',
    summed(onLine(DISCOUNTED, (line) => [withShare(line, Math.min(1, line.orderLinePrice))])),
  ),
  'applied-without-change': rejected('status applied, and nothing is changed', (request) => {
    const answer = applyTwentyPercent(request);
    return addUp({ ...answer, lines: answer.lines.map(withoutDiscount) });
  }),
  'wrong-calculation-id': rejected(
    'the calculationId is another one',
    withField('calculationId', '00000000-0000-4000-8000-000000000000'),
  ),
  'unknown-status': rejected('the status is none of the three', withField('status', 'partially_applied')),
  'missing-totals': rejected('status applied without totals', without('totals')),
  'missing-lines': rejected('status applied without lines', without('lines')),
  'missing-order-discounts': rejected('status applied without orderDiscounts', without('orderDiscounts')),
  'fractional-money': rejected('orderLinePrice has a fraction', withLineField('orderLinePrice', 10.5)),
  'money-as-text': rejected('orderLinePrice is text', withLineField('orderLinePrice', '3120')),
  'null-flag': rejected('noDiscount is null', withLineField('noDiscount', null)),
  'unknown-discount-type': rejected('lineDiscountType is none of the three', withLineField('lineDiscountType', 'free')),
  'long-text': rejected('lineDiscountText has 41 characters', withLineField('lineDiscountText', 'x'.repeat(41))),
  'unchanged-with-lines': rejected('status unchanged with lines and totals', (request) => ({
    ...applyTwentyPercent(request),
    status: 'unchanged',
    reason: 'no_applicable_benefits',
  })),
  'unchanged-without-reason': rejected('status unchanged without a reason', ({ calculationId }) => ({
    calculationId,
    status: 'unchanged',
  })),
  'array-body': rejected('the body is an array', (request) => [answerHonestly(request)]),
  'unknown-fields': accepted(
    'unknown fields at every level',
    (request) => {
      const answer = applyTwentyPercent(request);
      const extra = { future: { deep: [1, null] } };
      const extended = answer.lines.map((line) => ({ ...line, ...extra }));
      return { ...answer, ...extra, lines: extended, totals: { ...answer.totals, ...extra } };
    },
    APPLIED,
    'ignore them and replace its basket',
  ),
  'new-reason': accepted(
    'unchanged with a reason that this version does not know',
    ({ calculationId }) => ({ calculationId, status: 'unchanged', reason: 'not_on_this_weekday' }),
    UNCHANGED,
  ),
  'added-line': accepted('a line is added, at the right price', addedLine()),
  'split-line': accepted('a line is split, and the parts add up', splitLine()),
  // The interface lets the service remove a line.
  'removed-line': accepted('a line is removed, sums adjusted', summed(onLine(REMOVABLE, () => []))),
  'order-discount': accepted('an order discount is added and allocated', orderDiscount()),
};
