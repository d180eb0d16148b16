/** Faults against this service's own promises, which the interface leaves open. */

import { rightAnswer } from '../../../../test/support/right-answer.ts';
import type { AppliedBody, LineOutBody } from '../../../../test/support/wire.ts';
import type { Exchange } from '../../src/kit/exchange.ts';
import {
  addedLine,
  addOrderDiscount,
  applied,
  errorOf,
  exchangeOf,
  type Planted,
  patched,
  REQUEST,
  REQUEST_ID,
  setPrice,
  setShare,
  split,
  unchanged,
} from './plants.ts';

const unchangedWith = (headers: Record<string, string>): Exchange =>
  exchangeOf({ calculationId: REQUEST.calculationId, status: 'unchanged', reason: 'member_inactive' }, 200, headers);
const sale = (body: object): Exchange => exchangeOf(body, 200, {}, { endpoint: 'sale' });
const mismatch = (details: object): Exchange => errorOf(422, 'arithmetic_mismatch', details);

const FORM_FAULTS: readonly Planted[] = [
  ['no interface version', unchangedWith({ 'Loyalty-Interface': 'latest' }), /Loyalty-Interface/],
  ['four decimals', unchangedWith({ 'Server-Timing': 'app;dur=1.2345' }), /Server-Timing/],
  ['content type without charset', unchangedWith({ 'Content-Type': 'application/json' }), /Content-Type/],
  [
    'replayed error',
    errorOf(500, 'internal_error', undefined, { 'Idempotent-Replayed': 'true' }),
    /Idempotent-Replayed: only 200/,
  ],
  ['405 without Allow', errorOf(405, 'invalid_request'), /Allow/],
  ['404 with Allow', errorOf(404, 'invalid_request', undefined, { Allow: 'POST' }), /Allow/],
  ['unknown reason', unchanged({ reason: 'because' }), /\/reason: "because" is none of the four/],
  ['a field to come', patched(0, { colour: 'red' } as object), /lines\/0\/colour: is not a field/],
  ['a field of null', unchanged({ reason: 'member_inactive', future: null }), /\/future: is null/],
  ['another field of a sale', sale({ result: 'recorded', points: 3 }), /\/points: is not a field/],
  [
    'basket from nowhere',
    exchangeOf({ result: 'recorded' }, 200, {}, { endpoint: 'other' }),
    /outside the interface is answered 200/,
  ],
  ['a large body is 422', errorOf(422, 'invalid_request'), /invalid_request under 422/],
  ['a name of our machinery', errorOf(500, 'internal_error', { cause: 'ReplyError' }), /this service is made of/],
  [
    'an endless message',
    exchangeOf({ error: { code: 'invalid_request', message: 'x'.repeat(1001), requestId: REQUEST_ID } }, 400),
    /has 1001 characters/,
  ],
  ['pointer astray', mismatch({ field: '/nowhere', expected: 1, received: 2 }), /points at nothing/],
  ['received made up', mismatch({ field: '/totals/total', expected: 1, received: 2 }), /was sent/],
  ['a field of another form', mismatch({ field: ['totals'], expected: 1, received: 2 }), /is no text/],
];

type Change = (body: AppliedBody, lines: LineOutBody[]) => void;

const clearStaff: Change = ({ orderDiscounts }, lines) => {
  setShare(lines[2]!, 499);
  orderDiscounts[0]!.amount = 1_199;
};

const growStaff: Change = ({ orderDiscounts }, lines) => {
  setShare(lines[3]!, 701);
  orderDiscounts[0]!.amount = 1_201;
};

const clearForNothing: Change = (_, lines) => {
  delete lines[4]!.existingLineDiscountText;
  Object.assign(lines[4]!, { existingLineDiscountType: 'none', existingLineDiscountAmount: 0, orderLinePrice: 2_000 });
};

/** 1.5 × 101 is 152, and 1.25 × 101 and 0.25 × 101 are 126 and 25. */
const splitByWeight: Change = (_, lines) => {
  lines.splice(5, 1, ...split(lines[5]!, 0.25));
};

function addedWithStaff(): LineOutBody {
  const staff = { existingLineDiscountType: 'amount', existingLineDiscountAmount: 100 } as const;
  return { ...addedLine(), ...staff, orderLinePrice: 3_800 };
}

function onlyWordsChanged(): Exchange {
  const body = rightAnswer(REQUEST, 0);
  Object.assign(body.orderDiscounts[0]!, { text: 'Ours' });
  return exchangeOf(body);
}
const nothingOff = { lineDiscountType: 'amount', lineDiscountAmount: 0, lineDiscountCode: 'loyalty' } as const;

const LINE_FAULTS: readonly Planted[] = [
  ['another code', patched(0, { lineDiscountCode: 'other' }), /lineDiscountCode other should be loyalty/],
  ['a discount worth nothing', applied((_, lines) => Object.assign(lines[3]!, nothingOff)), /worth nothing/],
  ['a percentage beside an amount', patched(0, { lineDiscountType: 'amount' }), /lineDiscountPercent and its type/],
  ['raised price', applied((_, lines) => setPrice(lines[0]!, 10_001)), /does not lower the price/],
  ['text shown without a text', patched(0, { showLineDiscountText: true }), /showLineDiscountText and its text/],
  ['text without being shown', patched(0, { lineDiscountText: 'x' }), /showLineDiscountText and its text/],
  [
    'text shown without a discount',
    patched(3, { showLineDiscountText: true, lineDiscountText: 'x' }),
    /text is shown without a discount/,
  ],
  ['parent gone', applied((_, lines) => lines.splice(0, 1)), /its parent line-1 is gone/],
  ['line gone', applied((_, lines) => lines.splice(4, 1)), /line-5: was removed/],
  ['protected touched', applied(clearStaff), /is noDiscount, and its orderDiscountAllocation was touched/],
  ['unknown product', applied((_, lines) => lines.push(addedLine(3_900, '1'))), /which the venue does not have/],
  ['added at another price', applied((_, lines) => lines.push(addedLine(3_901))), /not added at the venue's price/],
  ['added with a staff discount', applied((_, lines) => lines.push(addedWithStaff())), /carries an existing discount/],
  ['prices of parts', applied(splitByWeight), /the prices of its parts do not add up/],
  ['another type of staff discount', patched(4, { existingLineDiscountType: 'percent' }), /neither echoed nor cleared/],
  ['staff discount cleared for nothing', applied(clearForNothing), /cleared for nothing/],
  ['stale text', patched(1, { existingLineDiscountText: 'Staff price' }), /outlives/],
];

const ORDER_FAULTS: readonly Planted[] = [
  [
    'another code of the order',
    applied((body, lines) => addOrderDiscount(body, lines[0]!, { discountCode: 'other' })),
    /discountCode other should be loyalty/,
  ],
  ['nothing off the order', applied((body, lines) => addOrderDiscount(body, lines[0]!, {}, 0)), /worth nothing/],
  [
    'a percentage without its type',
    applied((body, lines) => addOrderDiscount(body, lines[0]!, { percent: 3 })),
    /percent and its type disagree/,
  ],
  ['staff order discount grew', applied(growStaff), /staff-1: is neither echoed nor removed/],
  [
    'staff order discount renamed',
    applied((body) => Object.assign(body.orderDiscounts[0]!, { text: 'Ours' })),
    /staff-1: is neither echoed nor removed/,
  ],
  ['only words changed', onlyWordsChanged(), /no price is changed/],
];

export const PROMISED_FAULTS = [FORM_FAULTS, LINE_FAULTS, ORDER_FAULTS].flat();
