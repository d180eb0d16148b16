/** Faults against the interface itself: no service may make them. */
import { randomUUID } from 'node:crypto';
import { rightAnswer } from '../../../../test/support/right-answer.ts';
import {
  addedLine,
  addOrderDiscount,
  applied,
  discounted,
  errorOf,
  exchangeOf,
  type Planted,
  patched,
  REQUEST,
  setShare,
  split,
  unchanged,
} from './plants.ts';

const HEADER_FAULTS: readonly Planted[] = [
  ['own request id', exchangeOf('{}', 200, { 'X-Request-Id': randomUUID() }), /X-Request-Id: is not the one/],
  ['no request id', exchangeOf('{}', 200, { 'X-Request-Id': '' }), /X-Request-Id: expected once/],
  ['a request id that is no UUID', exchangeOf('{}', 200, { 'X-Request-Id': 'abc' }), /X-Request-Id: expected a UUID/],
  [
    'an echo of what is no UUID',
    exchangeOf('{}', 200, { 'X-Request-Id': 'abc' }, { requestId: 'abc' }),
    /X-Request-Id: expected a UUID/,
  ],
  ['no timing', exchangeOf('{}', 200, { 'Server-Timing': 'app' }), /Server-Timing: expected/],
  [
    'more time than the caller waited',
    exchangeOf('{}', 200, { 'Server-Timing': 'app;dur=900' }, { roundTripMs: 20 }),
    /Server-Timing: says 900 ms/,
  ],
  ['content type', exchangeOf('{}', 200, { 'Content-Type': 'text/plain' }), /Content-Type/],
  ['no Retry-After', errorOf(429, 'rate_limited'), /Retry-After: expected whole seconds/],
  ['Retry-After 0', errorOf(503, 'unavailable', undefined, { 'Retry-After': '0' }), /Retry-After: expected whole/],
  [
    'needless Retry-After',
    errorOf(500, 'internal_error', undefined, { 'Retry-After': '1' }),
    /Retry-After: is not due on 500/,
  ],
  ['replayed false', exchangeOf('{}', 200, { 'Idempotent-Replayed': 'false' }), /Idempotent-Replayed: expected true/],
  ['no JSON', exchangeOf('<html>'), /is not JSON/],
  ['body after HEAD', exchangeOf('x', 404, {}, { method: 'HEAD' }), /HEAD/],
];

const FIELD_FAULTS: readonly Planted[] = [
  ['a reason of null', unchanged({ reason: null }), /\/reason: expected/],
  ['a flag of null', patched(0, { noDiscount: null as never }), /noDiscount: expected true or false/],
  ['unknown status', exchangeOf({ status: 'maybe' }), /\/status: expected one of the three/],
  ['no reason', unchanged(), /\/reason: is missing/],
  ['lines on unchanged', unchanged({ reason: 'member_inactive', lines: [] }), /\/lines: must be absent/],
  [
    'another calculation',
    applied((body) => {
      body.calculationId = randomUUID();
    }),
    /\/calculationId: is not the one/,
  ],
  ['long label', unchanged({ reason: 'member_inactive', memberLabel: 'x'.repeat(41) }), /memberLabel: expected/],
  ['fraction', patched(0, { orderLinePrice: 1.5 }), /orderLinePrice: expected whole/],
  ['percent of three decimals', patched(0, { lineDiscountPercent: 20.001 }), /two decimals/],
  [
    'a quantity without end',
    exchangeOf(JSON.stringify(rightAnswer(REQUEST, 20)).replace('"quantity":3', '"quantity":1e400')),
    /quantity: expected a number above 0/,
  ],
  ['a field that tells of VAT', patched(0, { vatAmount: 1 } as object), /never returns VAT/],
  ['sale result', exchangeOf({ result: 'ok' }, 200, {}, { endpoint: 'sale' }), /\/result: expected/],
];

const LINE_FAULTS: readonly Planted[] = [
  ['renamed product', patched(0, { name: 'Tea' }), /name is not echoed/],
  ['renamed part', applied((_, lines) => renameSplit(lines)), /line-1-split: name is not echoed/],
  ['changed quantity', patched(1, { quantity: 0.35 }), /quantity 0.345 came back as 0.35/],
  ['lost group', applied((_, lines) => delete lines[0]?.productGroupId), /productGroupId is not echoed/],
  ['wrong rounding', patched(1, { lineDiscountAmount: 137 }), /lineDiscountAmount 137 should be 138/],
  ['wrong original price', patched(0, { originalLinePrice: 29_999 }), /originalLinePrice 29999 should be 30000/],
  ['wrong line price', patched(0, { orderLinePrice: 1 }), /orderLinePrice 1 should be/],
  ['no code', applied((_, lines) => delete lines[0]?.lineDiscountCode), /lineDiscountCode belongs to/],
  ['code without discount', patched(2, { lineDiscountCode: 'loyalty' }), /lineDiscountCode belongs to/],
  ['none with amount', patched(3, { lineDiscountAmount: 5 }), /lineDiscountAmount with type none/],
  ['no percent', applied((_, lines) => delete lines[0]?.lineDiscountPercent), /lineDiscountPercent is missing/],
  ['protected', applied((_, lines) => lines.splice(2, 1, discounted(2))), /noDiscount and discounted/],
  ['percentage', applied((_, lines) => lines.splice(3, 1, discounted(3))), /noPercentageDiscount and has a percentage/],
  ['protected at a new price', patched(2, { overrideUnitPrice: 1 }), /noDiscount and discounted/],
  ['twice', applied((_, lines) => lines.push({ ...lines[0]! })), /a lineId stands twice/],
  ['from nowhere', applied((_, lines) => lines.push({ ...lines[0]!, lineId: 'ghost' })), /neither added nor split/],
  ['added, but sent', patched(0, { addedByLoyalty: true }), /addedByLoyalty, but was sent/],
  [
    'added, but split',
    applied((_, lines) => lines.push({ ...addedLine(), splitFromLineId: 'line-1' })),
    /addedByLoyalty, but was sent or split/,
  ],
  ['short split', applied((_, lines) => lines.splice(0, 1, split(lines[0]!)[0]!)), /quantity 3 came back as 2/],
  ['split into one', patched(0, { lineId: 'other', splitFromLineId: 'line-1' }), /split into a single line/],
  ['existing grew', patched(0, { existingLineDiscountAmount: 1 }), /existing discount grew/],
  [
    'existing of type none',
    patched(4, { existingLineDiscountType: 'none' }),
    /existingLineDiscountAmount with type none/,
  ],
  ['another text', patched(4, { existingLineDiscountText: 'Ours' }), /existingLineDiscountText of a kept discount/],
];

const SUM_FAULTS: readonly Planted[] = [
  ['allocation changed', applied((_, lines) => setShare(lines[3]!, 699)), /1200, but 1199 is allocated/],
  ['allocation moved', applied((_, lines) => moveShare(lines)), /the allocation of staff-1 is not echoed/],
  [
    'orphan',
    applied((body) => {
      body.orderDiscounts = [];
    }),
    /which the answer does not have/,
  ],
  [
    'uncoded',
    applied((body, lines) => addOrderDiscount(body, lines[0]!, { discountCode: '' })),
    /without discountCode/,
  ],
  ['on protected', applied((body, lines) => addOrderDiscount(body, lines[2]!)), /noDiscount and discounted/],
  [
    'a percentage of the order on a line without percentages',
    applied((body, lines) => addOrderDiscount(body, lines[3]!, { type: 'percent', percent: 1 })),
    /noPercentageDiscount and has a percentage/,
  ],
  [
    'an order discount twice',
    applied((body) => body.orderDiscounts.push({ ...body.orderDiscounts[0]! })),
    /stands twice in the answer/,
  ],
  ...(['originalTotal', 'existingDiscountTotal', 'orderDiscountTotal', 'loyaltyDiscountTotal', 'total'] as const).map(
    (name): Planted => [
      `${name} off by one`,
      applied((body) => {
        body.totals[name] += 1;
      }, true),
      new RegExp(`/totals/${name}: `),
    ],
  ),
  ['nothing changed', exchangeOf(rightAnswer(REQUEST, 0)), /nothing is changed/],
  [
    'another order of lines',
    applied((body) => body.lines.splice(0, body.lines.length, ...untouched().toReversed())),
    /nothing is changed/,
  ],
];

const ERROR_FAULTS: readonly Planted[] = [
  ['code under another status', errorOf(400, 'rate_limited'), /does not belong to status 400/],
  ['unknown code', errorOf(400, 'oops'), /not a code of the interface/],
  [
    'request id in body',
    exchangeOf({ error: { code: 'invalid_request', message: 'x', requestId: randomUUID() } }, 400),
    /requestId: differs/,
  ],
  ['no error body', exchangeOf({}, 400), /\/error: is missing/],
  ['stack', errorOf(500, 'internal_error', { stack: 'Error\n    at run (main.ts:1)' }), /made of/],
  ['a stack of another language', errorOf(500, 'internal_error', { stack: 'price.py:12' }), /made of/],
  ['loyalty ID', errorOf(400, 'invalid_request', { received: 'member-twenty' }), /loyalty ID/],
  ['mismatch without details', errorOf(422, 'arithmetic_mismatch'), /details\/field: is missing/],
  [
    'a mismatch of the same',
    errorOf(422, 'arithmetic_mismatch', { field: '/totals/total', expected: 7, received: 7 }),
    /expected and received are the same/,
  ],
];

export const INTERFACE_FAULTS = [HEADER_FAULTS, FIELD_FAULTS, LINE_FAULTS, SUM_FAULTS, ERROR_FAULTS].flat();

function untouched() {
  return rightAnswer(REQUEST, 0).lines;
}

function renameSplit(lines: ReturnType<typeof untouched>): void {
  const [kept, part] = split(lines[0]!);
  lines.splice(0, 1, kept!, { ...part!, name: 'Half a coffee' });
}

/** One unit of the staff's order discount moves from a line to another. */
function moveShare(lines: ReturnType<typeof untouched>): void {
  setShare(lines[3]!, 699);
  setShare(lines[2]!, 501);
}
