/** What the interface permits, and this service promises not to do (`test/support/promises.ts`): each broken promise has one finding. */
import { UNCHANGED_REASONS } from '@loyalty/contract/basket-response';
import { describe, expect, test } from 'vitest';
import { basketOf } from '../../../../test/support/baskets.ts';
import { judgeExchange } from '../../../../test/support/judge.ts';
import type { Promises } from '../../../../test/support/promises.ts';
import type { Exchange } from '../../src/kit/exchange.ts';
import {
  addedLine,
  addOrderDiscount,
  answerTo,
  type Change,
  clearStaff,
  errorOf,
  exchangeOf,
  halved,
  PROMISES,
  patch,
  REQUEST,
  REQUEST_ID,
  setPrice,
  split,
  takeOff,
  unchanged,
  withShare,
} from './plants.ts';

/** What is found beyond the interface; the interface itself has nothing against the answer. */
function findings(exchange: Exchange, promises = PROMISES): string[] {
  expect(judgeExchange(exchange)).toEqual([]);
  return judgeExchange(exchange, promises);
}

const sale = (body: unknown): Exchange => exchangeOf(body, 200, {}, { endpoint: 'sale' });
const withHeader = (name: string, value: string): Exchange =>
  exchangeOf({ calculationId: REQUEST.calculationId, status: 'member_not_found' }, 200, { [name]: value });
const refused = (status: number, headers?: Record<string, string>, details?: object): Exchange =>
  errorOf(status, status === 500 ? 'internal_error' : 'invalid_request', details, headers);
const mismatch = (details: object): Exchange => ({
  ...errorOf(422, 'arithmetic_mismatch', { field: '/totals/total', expected: 1, received: 700, ...details }),
  request: basketOf([{ unitPrice: 700 }]),
});
const timed = (timing: string): Exchange => withHeader('Server-Timing', timing);

test.each<[string, Exchange]>([
  ['a time alone', timed('app;dur=12.345')],
  ['a time in detail', timed('app;dur=12.3, environment;desc="", price-phase;dur=17.213, store;dur=3')],
  ['a replay', withHeader('Idempotent-Replayed', 'true')],
  ['a refused method', refused(405, { Allow: 'POST' })],
  ['a sale', sale({ result: 'recorded' })],
  ...UNCHANGED_REASONS.map((reason): [string, Exchange] => [reason, unchanged({ reason })]),
  ['a long message', exchangeOf(errorBody({ message: 'x'.repeat(1_000) }), 400)],
  ['a mismatch', mismatch({})],
  ['a mismatch in text', mismatch({ received: '700' })],
  ['the details of another code', refused(400, {}, { field: '/nowhere', expected: 1, received: 2 })],
  ['a path outside of the interface', exchangeOf(errorBody({}), 404, {}, { endpoint: 'other' })],
  ['HEAD', exchangeOf('', 404, {}, { method: 'HEAD' })],
])('%s keeps the promises', (_, exchange) => {
  expect(findings(exchange)).toEqual([]);
});

function errorBody(more: object): object {
  return { error: { code: 'invalid_request', message: 'No.', requestId: REQUEST_ID, ...more } };
}

test.each<[string, Exchange]>([
  ...['app;dur=1.2345', 'app;dur=1, db', 'app;dur=1, db;desc="a"b"'].map((timing): [string, Exchange] => [
    `Server-Timing: is not app;dur=<ms> to the microsecond: ${timing}`,
    timed(timing),
  ]),
  ['Loyalty-Interface: is 9.9.9, not 0.1.0-draft', withHeader('Loyalty-Interface', '9.9.9')],
  [
    'Content-Type: is application/json, not application/json; charset=utf-8',
    withHeader('Content-Type', 'application/json'),
  ],
  ['Idempotent-Replayed: only 200 is stored, not 500', refused(500, { 'Idempotent-Replayed': 'true' })],
  ['Allow: belongs to 405, once, and to nothing else; 405 has 0', refused(405)],
  ['Allow: belongs to 405, once, and to nothing else; 404 has 1', refused(404, { Allow: 'POST' })],
  ['/error/details/received: is null', refused(400, {}, { received: null })],
  ['/points: is not a field of the interface', sale({ result: 'recorded', points: 3 })],
  ['/error/hint: is not a field of the interface', exchangeOf(errorBody({ hint: 'x' }), 400)],
  ['/lines/0/colour: is not a field of the interface', answerTo(REQUEST, patch(0, { colour: 'red' } as object))],
  [
    'status: a path outside the interface is answered 200',
    exchangeOf({ result: 'recorded' }, 200, {}, { endpoint: 'other' }),
  ],
  ['/reason: "because" is none of the four', unchanged({ reason: 'because' })],
  ['/error/code: invalid_request under 422', refused(422)],
  ['/error/message: has 1001 characters', exchangeOf(errorBody({ message: 'x'.repeat(1_001) }), 400)],
  ...['node:fs', 'price.ts', 'bucket.lua', 'ReplyError', 'Ajv'].map((cause): [string, Exchange] => [
    'body: tells what this service is made of',
    refused(500, {}, { cause }),
  ]),
  ['/error/details/received: is 701, but 700 was sent', mismatch({ received: 701 })],
  ['/error/details/field: /nowhere points at nothing that was sent', mismatch({ field: '/nowhere' })],
  ['/error/details/field: is no text', mismatch({ field: 7 })],
])('%s', (finding, exchange) => {
  expect(findings(exchange)).toEqual([finding]);
});

/** Each finding, and a change that has it and no other. */
test.each<[string, Change]>([
  ['line line-5: was removed', (lines) => lines.splice(4, 1)],
  ['line line-1: lineDiscountCode other should be loyalty', patch(0, { lineDiscountCode: 'other' })],
  ['line line-4: the discount is worth nothing', (lines) => takeOff(lines[3]!, 0)],
  ['line line-1: lineDiscountPercent and its type disagree', patch(0, { lineDiscountType: 'amount' })],
  ['line line-1: overrideUnitPrice 10000 does not lower the price', (lines) => setPrice(lines[0]!, 10_000)],
  ['line line-1: showLineDiscountText and its text disagree', patch(0, { lineDiscountText: 'x' })],
  [
    'line line-4: a text is shown without a discount or a new price',
    patch(3, { showLineDiscountText: true, lineDiscountText: 'x' }),
  ],
  ['line added-1: adds 1, which the venue does not have', (lines) => lines.push(addedLine(3_900, '1'))],
  ["line added-1: is not added at the venue's price", (lines) => lines.push(addedLine(3_901))],
  ['line added-1: its parent x is gone', (lines) => lines.push({ ...addedLine(), parentLineId: 'x' })],
  // 1.5 × 101 is 152, and 1.25 × 101 and 0.25 × 101 are 126 and 25.
  ['line line-7: the prices of its parts do not add up', (lines) => lines.splice(6, 1, ...split(lines[6]!, 0.25))],
  [
    'line line-5: existingLineDiscountType is neither echoed nor cleared',
    patch(4, { existingLineDiscountType: 'percent' }),
  ],
  [
    'line line-5: existingLineDiscountText is not echoed',
    (lines) => {
      const [kept, part] = halved(lines[4]!);
      lines.splice(4, 1, kept!, { ...part!, existingLineDiscountText: 'Ours' });
    },
  ],
  [
    'line line-2: existingLineDiscountText outlives the discount it belonged to',
    patch(1, { existingLineDiscountText: 'x' }),
  ],
  ['order discount staff-1: is neither echoed nor removed', withShare(5, 299)],
  ['order discount ours: discountCode other should be loyalty', ours({ discountCode: 'other' })],
  ['order discount ours: is added and worth nothing', ours({}, 0)],
  ['order discount ours: percent and its type disagree', ours({ percent: 3 })],
])('%s', (finding, change) => {
  expect(findings(answerTo(REQUEST, change))).toEqual([finding]);
});

/** An order discount of ours on the first line. */
function ours(more: object, amount?: number): Change {
  return (lines, body) => addOrderDiscount(body, lines[0]!, more, amount);
}

test('a protected line is left alone: each of its fields is a promise', () => {
  expect(findings(answerTo(REQUEST, withShare(2, 499)))).toEqual([
    'line line-3: is noDiscount, and its orderDiscountAllocation was touched',
    'line line-3: is noDiscount, and its orderLinePrice was touched',
    'order discount staff-1: is neither echoed nor removed',
  ]);
});

describe('a discount of the staff that goes without anything for its line', () => {
  const CLEARED = 'line line-2: its existing discount was cleared for nothing';
  const OF_ANY_VENUE: Promises = { discountCode: 'loyalty' };
  const GIVES_UP = { ...OF_ANY_VENUE, mayGiveAllUp: true };
  const own = basketOf([{}, { unitPrice: 2_000, existing: 900 }, { existing: 500, noDiscount: true }]);
  const other = basketOf([{}, { unitPrice: 2_000, existing: 900 }, { existing: 5_000 }]);
  const gift =
    (unitPrice: number): Change =>
    (lines) => {
      const added = addedLine(unitPrice);
      takeOff(added, unitPrice - 1);
      lines.push(added);
    };

  test.each<[string, number, Promises, readonly string[], Change?, typeof own?]>([
    ['only where baskets may give up all of them', 10, OF_ANY_VENUE, [CLEARED]],
    ['for less to pay', 10, GIVES_UP, []],
    ['not for as much to pay as before', 9, GIVES_UP, [CLEARED]],
    ['not for a product that is worth less', 0, GIVES_UP, [CLEARED], gift(901)],
    ['for a product that is worth more', 0, GIVES_UP, [], gift(902)],
    ['not while another line keeps its discount', 20, GIVES_UP, [CLEARED], () => {}, other],
  ])('%s', (_, percent, promises, expected, change = () => {}, request = own) => {
    const cleared: Change = (lines, body) => {
      clearStaff(lines[1]!);
      change(lines, body);
    };
    expect(findings(answerTo(request, cleared, percent), promises)).toEqual(expected);
  });
});
