import type { BasketRequest } from '@loyalty/contract/basket-request';
import { answerHonestly, applyTwentyPercent } from './honest.ts';
import { APPLIED, type BasketMisbehaviour, INVALID, type RightOutcome, UNCHANGED } from './misbehaviour.ts';
import * as baskets from './spoiled-baskets.ts';
import * as lines from './spoiled-lines.ts';

/** Answers that are well-formed JSON: arithmetic and echo faults, schema faults, and answers that only look faulty. */

const KEEP = 'keep its basket; failed, invalid_response';
const REPLACE = 'replace its basket';

type Spoil = (request: BasketRequest) => unknown;

function row(what: string, callerMust: string, right: RightOutcome, spoil: Spoil): BasketMisbehaviour {
  return { endpoint: 'basket', what, callerMust, act: { kind: 'body', spoil }, right: [right] };
}

function rejected(what: string, spoil: Spoil): BasketMisbehaviour {
  return row(what, KEEP, INVALID, spoil);
}

/** The applied answer with one field of the body in another form. */
function withField(name: string, value: unknown): Spoil {
  return (request) => ({ ...applyTwentyPercent(request), [name]: value });
}

/** The applied answer with one field of its first line in another form. */
function withLineField(name: string, value: unknown): Spoil {
  return (request) => {
    const [first, ...rest] = applyTwentyPercent(request).lines;
    return { ...applyTwentyPercent(request), lines: [{ ...first, [name]: value }, ...rest] };
  };
}

function without(name: string): Spoil {
  return (request) => {
    const { [name]: _, ...rest } = applyTwentyPercent(request) as unknown as Record<string, unknown>;
    return rest;
  };
}

export const BODY_TABLE: Readonly<Record<string, BasketMisbehaviour>> = {
  'wrong-totals': rejected('totals.total is 1 more than Σ orderLinePrice', (r) => baskets.wrongTotal(r, 'total')),
  'wrong-original-total': rejected('totals.originalTotal is off by 1', (r) => baskets.wrongTotal(r, 'originalTotal')),
  'wrong-existing-total': rejected('totals.existingDiscountTotal is off by 1', (r) =>
    baskets.wrongTotal(r, 'existingDiscountTotal'),
  ),
  'wrong-order-discount-total': rejected('totals.orderDiscountTotal is off by 1', (r) =>
    baskets.wrongTotal(r, 'orderDiscountTotal'),
  ),
  'wrong-loyalty-total': rejected('totals.loyaltyDiscountTotal is off by 1', (r) =>
    baskets.wrongTotal(r, 'loyaltyDiscountTotal'),
  ),
  'wrong-line-price': rejected('orderLinePrice is off by 1, and totals.total with it', lines.wrongLinePrice),
  'wrong-percent-amount': rejected('lineDiscountAmount is 1 less than half up gives', lines.wrongPercentAmount),
  'negative-line': rejected('a discount larger than its line: orderLinePrice is negative', lines.negativeLine),
  'wrong-line': rejected('a line has a lineId that the basket has not', lines.unknownLine),
  'duplicate-line': rejected('the first line comes twice', lines.duplicateLine),
  'missing-line': rejected('a line is left out, and the totals still count it', lines.missingLine),
  'missing-protected-line': rejected('a noDiscount line is removed, sums adjusted', lines.missingProtectedLine),
  'changed-protected-line': rejected('a noDiscount line takes a discount of 1', lines.changedProtectedLine),
  'repriced-protected-line': rejected('a noDiscount line has an overrideUnitPrice', lines.repricedProtectedLine),
  'dropped-flag': rejected('noDiscount of a line comes back as false', lines.droppedFlag),
  'percent-on-protected-line': rejected(
    'a noPercentageDiscount line has a percentage',
    lines.percentOnPercentProtectedLine,
  ),
  'changed-name': rejected('the name of a kept line is changed', lines.changedName),
  'changed-product': rejected('the productId of a kept line is changed', lines.changedProduct),
  'changed-quantity': rejected('the quantity of a kept line is 1 more, sums adjusted', lines.changedQuantity),
  'changed-unit-price': rejected('the unitPrice of a kept line is 1 more, sums adjusted', lines.changedUnitPrice),
  'raised-existing-discount': rejected('a staff discount is 1 larger, sums adjusted', lines.raisedExistingDiscount),
  'discount-without-code': rejected('a discounted line has no lineDiscountCode', lines.discountWithoutCode),
  'split-short': rejected('the parts of a split line are one piece short', (r) => baskets.splitLine(r, { missing: 1 })),
  'split-from-nothing': rejected('splitFromLineId names no line of the basket', (r) =>
    baskets.splitLine(r, { source: 'no-such-line' }),
  ),
  'added-wrong-price': rejected("an added line is not at the price list's price", (r) =>
    baskets.addedLine(r, { unitPrice: 2501 as 2500 }),
  ),
  'added-unknown-product': rejected('an added line has a product that the venue does not sell', (r) =>
    baskets.addedLine(r, { productId: 'no-such-product' as 'double-gift' }),
  ),
  'unallocated-order-discount': rejected('an added order discount is on no line', (r) =>
    baskets.orderDiscount(r, { isAllocated: false }),
  ),
  'order-discount-without-code': rejected('an added order discount has no discountCode', (r) =>
    baskets.orderDiscount(r, { hasCode: false }),
  ),
  'order-discount-on-protected-line': rejected('an added order discount lies on a noDiscount line', (r) =>
    baskets.orderDiscount(r, { onProtected: true }),
  ),
  'dangling-share': rejected('a line has a share of an order discount that is not there', baskets.danglingShare),
  'applied-without-change': rejected('status applied, and nothing is changed', baskets.appliedWithoutChange),
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
  'unknown-fields': row('unknown fields at every level', `ignore them and ${REPLACE}`, APPLIED, (request) => {
    const answer = applyTwentyPercent(request);
    const extra = { future: { deep: [1, null] } };
    const extended = answer.lines.map((line) => ({ ...line, ...extra }));
    return { ...answer, ...extra, lines: extended, totals: { ...answer.totals, ...extra } };
  }),
  'new-reason': row(
    'unchanged with a reason that this version does not know',
    'keep its basket; unchanged',
    UNCHANGED,
    ({ calculationId }) => ({ calculationId, status: 'unchanged', reason: 'not_on_this_weekday' }),
  ),
  'added-line': row('a line is added, at the right price', REPLACE, APPLIED, (r) => baskets.addedLine(r)),
  'split-line': row('a line is split, and the parts add up', REPLACE, APPLIED, (r) => baskets.splitLine(r)),
  'removed-line': row('a line is removed, sums adjusted', REPLACE, APPLIED, lines.removedLine),
  'order-discount': row('an order discount is added and allocated', REPLACE, APPLIED, (r) => baskets.orderDiscount(r)),
};
