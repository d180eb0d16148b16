/** The judge itself on trial: a right answer passes, and each planted violation is found and named. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Answer } from './answer.ts';
import { basketOf } from './baskets.ts';
import { checkAnswer, type Exchange, violationsOf } from './check-answer.ts';
import { discountedLine, rightAnswer, withTotals } from './right-answer.ts';
import type { AppliedBody, BasketBody, LineOutBody } from './wire.ts';

const REQUEST_ID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const EXPECTATIONS = { products: new Map([['4711', { name: 'Filter coffee', unitPrice: 3900 }]]) };

const REQUEST: BasketBody = basketOf([
  { unitPrice: 10_000, quantity: 3, productGroupId: 'coffee' },
  { unitPrice: 1_999, quantity: 0.345, existing: 90, parentLineId: 'line-1' },
  { unitPrice: 5_000, noDiscount: true, allocations: { 'staff-1': 500 } },
  { unitPrice: 7_000, noPercentageDiscount: true, allocations: { 'staff-1': 700 } },
]);

type Headers = Record<string, string>;
const HEADERS: Headers = {
  'X-Request-Id': REQUEST_ID,
  'Server-Timing': 'app;dur=1.234',
  'Content-Type': 'application/json; charset=utf-8',
};

function exchangeOf(body: unknown, status = 200, headers: Headers = {}, more: Partial<Exchange> = {}): Exchange {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const lines = Object.entries({ ...HEADERS, ...headers }).filter(([, value]) => value !== '');
  const answer = new Answer(status, lines, bytes);
  return { endpoint: 'basket', answer, request: REQUEST, requestId: REQUEST_ID, expectations: EXPECTATIONS, ...more };
}

function applied(change: (body: AppliedBody, lines: LineOutBody[]) => void, keepTotals = false): Exchange {
  const body = rightAnswer(REQUEST, 20);
  change(body, body.lines);
  return exchangeOf(keepTotals ? body : withTotals(REQUEST, body));
}

function errorOf(status: number, code: string, details?: object, headers: Headers = {}): Exchange {
  return exchangeOf(
    { error: { code, message: 'No.', ...(details && { details }), requestId: REQUEST_ID } },
    status,
    headers,
  );
}

const unchanged = (more: object = {}) =>
  exchangeOf({ calculationId: REQUEST.calculationId, status: 'unchanged', ...more });

describe('a right answer has no violations', () => {
  const right: [string, Exchange][] = [
    ['applied', applied(() => {})],
    ['applied with an added product', applied((_, lines) => lines.push(addedLine()))],
    ['applied with a split', applied((_, lines) => lines.splice(0, 1, ...split(lines[0] as LineOutBody)))],
    ['applied with a new price', applied((_, lines) => lowerPrice(lines[0] as LineOutBody, 9_000))],
    ['applied with an order discount', applied((body, lines) => addOrderDiscount(body, lines[0] as LineOutBody))],
    ['unchanged', unchanged({ reason: 'member_inactive', memberLabel: 'Gold' })],
    ['member_not_found', exchangeOf({ calculationId: REQUEST.calculationId, status: 'member_not_found' })],
    [
      'an error',
      errorOf(422, 'arithmetic_mismatch', { field: '/totals/total', expected: 1, received: REQUEST.totals.total }),
    ],
    ['a refusal for now', errorOf(503, 'unavailable', undefined, { 'Retry-After': '1' })],
    ['a sale', exchangeOf({ result: 'recorded' }, 200, {}, { endpoint: 'sale' })],
  ];
  test.each(right)('%s', (_, exchange) => expect(violationsOf(exchange)).toEqual([]));
});

describe('every planted violation is found', () => {
  const planted: [string, Exchange, RegExp][] = [
    ['own request id', exchangeOf('{}', 200, { 'X-Request-Id': randomUUID() }), /X-Request-Id: .* not echoed/],
    ['no request id', exchangeOf('{}', 200, { 'X-Request-Id': '' }), /X-Request-Id: is not a UUID/],
    ['no timing', exchangeOf('{}', 200, { 'Server-Timing': 'app' }), /Server-Timing/],
    ['four decimals', exchangeOf('{}', 200, { 'Server-Timing': 'app;dur=1.2345' }), /Server-Timing/],
    ['content type', exchangeOf('{}', 200, { 'Content-Type': 'text/plain' }), /Content-Type/],
    ['no Retry-After', errorOf(429, 'rate_limited'), /Retry-After: is not whole/],
    ['Retry-After 0', errorOf(503, 'unavailable', undefined, { 'Retry-After': '0' }), /Retry-After: is not whole/],
    [
      'needless Retry-After',
      errorOf(500, 'internal_error', undefined, { 'Retry-After': '1' }),
      /Retry-After: is not due/,
    ],
    [
      'replayed error',
      errorOf(500, 'internal_error', undefined, { 'Idempotent-Replayed': 'true' }),
      /Replayed: is not due/,
    ],
    ['replayed false', exchangeOf('{}', 200, { 'Idempotent-Replayed': 'false' }), /Idempotent-Replayed: is false/],
    ['405 without Allow', errorOf(405, 'invalid_request'), /Allow/],
    ['no JSON', exchangeOf('<html>'), /is not JSON/],
    ['null', unchanged({ reason: null }), /\/reason: is null/],
    ['unknown status', exchangeOf({ status: 'maybe' }), /\/status: is "maybe"/],
    ['unknown reason', unchanged({ reason: 'because' }), /\/reason/],
    ['no reason', unchanged(), /\/reason: is missing/],
    ['lines on unchanged', unchanged({ reason: 'member_inactive', lines: [] }), /\/lines: is not a field/],
    [
      'another calculation',
      applied((body) => {
        body.calculationId = randomUUID();
      }),
      /\/calculationId/,
    ],
    ['long label', unchanged({ reason: 'member_inactive', memberLabel: 'x'.repeat(41) }), /memberLabel/],
    ['fraction', applied((_, lines) => patch(lines, 0, { orderLinePrice: 1.5 })), /orderLinePrice: expected whole/],
    [
      'percent of three decimals',
      applied((_, lines) => patch(lines, 0, { lineDiscountPercent: 20.001 })),
      /two decimals/,
    ],
    ['renamed product', applied((_, lines) => patch(lines, 0, { name: 'Tea' })), /name is not echoed/],
    ['changed quantity', applied((_, lines) => patch(lines, 1, { quantity: 0.35 })), /quantity is not echoed/],
    [
      'lost group',
      applied((_, lines) => {
        delete lines[0]?.productGroupId;
      }),
      /productGroupId is not echoed/,
    ],
    ['wrong rounding', applied((_, lines) => patch(lines, 1, { lineDiscountAmount: 137 })), /lineDiscountAmount 137/],
    ['wrong line price', applied((_, lines) => patch(lines, 0, { orderLinePrice: 1 })), /orderLinePrice 1 should be/],
    [
      'no code',
      applied((_, lines) => {
        delete lines[0]?.lineDiscountCode;
      }),
      /lineDiscountCode undefined/,
    ],
    [
      'code without discount',
      applied((_, lines) => patch(lines, 2, { lineDiscountCode: 'loyalty' })),
      /without a discount/,
    ],
    ['none with amount', applied((_, lines) => patch(lines, 3, { lineDiscountAmount: 5 })), /type none has an amount/],
    [
      'no percent',
      applied((_, lines) => {
        delete lines[0]?.lineDiscountPercent;
      }),
      /lineDiscountPercent and its type/,
    ],
    ['empty note shown', applied((_, lines) => patch(lines, 3, { showLineDiscountText: true })), /without a text/],
    [
      'protected line',
      applied((_, lines) => lines.splice(2, 1, discount(lines[2] as LineOutBody))),
      /noDiscount line is discounted/,
    ],
    [
      'protected from percent',
      applied((_, lines) => lines.splice(3, 1, discount(lines[3] as LineOutBody))),
      /noPercentage/,
    ],
    ['protected line removed', applied((_, lines) => lines.splice(2, 1)), /noDiscount line was removed/],
    [
      'protected line repriced',
      applied((_, lines) => lowerPrice(lines[2] as LineOutBody, 4_500)),
      /noDiscount line is disc/,
    ],
    ['parent removed', applied((_, lines) => lines.splice(0, 1)), /parent line-1 is gone/],
    [
      'line from nowhere',
      applied((_, lines) => lines.push({ ...addedLine(), addedByLoyalty: false })),
      /comes from no line/,
    ],
    ['unknown product', applied((_, lines) => lines.push({ ...addedLine(), productId: '1' })), /venue does not have/],
    ['added at another price', applied((_, lines) => lines.push(addedLine(3_800))), /venue's own price/],
    ['twice', applied((_, lines) => lines.push(lines[0] as LineOutBody)), /stands twice/],
    [
      'split short',
      applied((_, lines) => lines.splice(0, 1, ...split(lines[0] as LineOutBody).slice(1))),
      /at least two parts/,
    ],
    ['dearer', applied((_, lines) => lowerPrice(lines[0] as LineOutBody, 10_001)), /does not lower/],
    [
      'existing grew',
      applied((_, lines) => patch(lines, 0, { existingLineDiscountAmount: 1 })),
      /existing discount grew/,
    ],
    ['stale text', applied((_, lines) => patch(lines, 1, { existingLineDiscountText: 'Staff price' })), /outlives/],
    [
      'allocation changed',
      applied((_, lines) => reallocate(lines[3] as LineOutBody, 699)),
      /allocations do not add up/,
    ],
    [
      'allocation moved',
      applied((_, lines) => move(lines[3] as LineOutBody, lines[2] as LineOutBody)),
      /is not echoed/,
    ],
    [
      'orphan',
      applied((body) => {
        body.orderDiscounts = [];
      }),
      /not in the answer/,
    ],
    [
      'uncoded',
      applied((body, lines) => addOrderDiscount(body, lines[0] as LineOutBody, '')),
      /without the discountCode/,
    ],
    ['on protected', applied((body, lines) => addOrderDiscount(body, lines[2] as LineOutBody)), /noDiscount line/],
    ...(['originalTotal', 'existingDiscountTotal', 'orderDiscountTotal', 'loyaltyDiscountTotal', 'total'] as const).map(
      (name): [string, Exchange, RegExp] => [
        `${name} off by one`,
        applied((body) => {
          body.totals[name] += 1;
        }, true),
        new RegExp(`/totals/${name}: `),
      ],
    ),
    ['nothing changed', exchangeOf(rightAnswer(REQUEST, 0)), /changes nothing/],
    ['code under another status', errorOf(400, 'rate_limited'), /does not belong to 400/],
    ['unknown code', errorOf(400, 'oops'), /not a code of the interface/],
    [
      'request id in body',
      exchangeOf({ error: { code: 'invalid_request', message: 'x', requestId: randomUUID() } }, 400),
      /differs/,
    ],
    ['no error body', exchangeOf({}, 400), /\/error: is missing/],
    ['stack', errorOf(500, 'internal_error', { stack: 'Error\n    at run (main.ts:1)' }), /machinery/],
    ['loyalty ID', errorOf(400, 'invalid_request', { received: 'member-twenty' }), /loyalty ID/],
    ['mismatch without details', errorOf(422, 'arithmetic_mismatch'), /details\/field: is missing/],
    [
      'pointer astray',
      errorOf(422, 'arithmetic_mismatch', { field: '/nowhere', expected: 1, received: 2 }),
      /points at nothing/,
    ],
    [
      'received made up',
      errorOf(422, 'arithmetic_mismatch', { field: '/totals/total', expected: 1, received: 2 }),
      /was sent/,
    ],
    ['sale result', exchangeOf({ result: 'ok' }, 200, {}, { endpoint: 'sale' }), /\/result/],
    [
      'basket from nowhere',
      exchangeOf({ result: 'recorded' }, 200, {}, { endpoint: 'other' }),
      /does not exist answered 200/,
    ],
    ['body after HEAD', exchangeOf('x', 404, {}, { hasBody: false }), /HEAD/],
  ];
  test.each(planted)('%s', (_, exchange, sentence) => {
    expect(violationsOf(exchange).join('\n')).toMatch(sentence);
    expect(() => checkAnswer(exchange)).toThrow(sentence);
  });
});

function patch(lines: LineOutBody[], index: number, change: Partial<LineOutBody>): void {
  Object.assign(lines[index] as LineOutBody, change);
}

function discount(line: LineOutBody): LineOutBody {
  return discountedLine({ ...line, noDiscount: false, noPercentageDiscount: false }, 20, line);
}

function lowerPrice(line: LineOutBody, price: number): void {
  line.orderLinePrice += (price - line.unitPrice) * line.quantity;
  line.overrideUnitPrice = price;
}

function addedLine(unitPrice = 3_900): LineOutBody {
  const [line] = rightAnswer(
    basketOf([{ unitPrice, productId: '4711', lineId: 'added-1', name: 'Filter coffee' }]),
    0,
  ).lines;
  return { ...(line as LineOutBody), addedByLoyalty: true };
}

function split(line: LineOutBody): LineOutBody[] {
  const part = (lineId: string, quantity: number, more: object) =>
    ({
      ...discountedLine({ ...line, lineId, quantity, originalLinePrice: quantity * line.unitPrice }, 20),
      ...more,
    }) as LineOutBody;
  return [part(line.lineId, 2, {}), part('line-1-split', 1, { splitFromLineId: line.lineId })];
}

function addOrderDiscount(body: AppliedBody, line: LineOutBody, discountCode = 'loyalty'): void {
  body.orderDiscounts.push({
    orderDiscountId: 'ours',
    type: 'amount',
    amount: 100,
    ...(discountCode && { discountCode }),
  });
  line.orderDiscountAllocation.push({ orderDiscountId: 'ours', orderDiscountAllocationAmount: 100 });
  line.orderLinePrice -= 100;
}

function reallocate(line: LineOutBody, amount: number): void {
  const [entry] = line.orderDiscountAllocation;
  if (!entry) throw new Error('the line has no allocation');
  line.orderLinePrice += entry.orderDiscountAllocationAmount - amount;
  entry.orderDiscountAllocationAmount = amount;
}

function move(from: LineOutBody, to: LineOutBody): void {
  reallocate(from, 699);
  reallocate(to, 501);
}
