import type { BasketRequest } from '@loyalty/contract/basket-request';
import { ERRORS, type ErrorCode, HTTP_OK } from '@loyalty/contract/errors';
import { type LineWords, lineOf, orderDiscountsOf, totalsOf } from '../kit/baskets.ts';
import { vectorUuid } from './identifiers.ts';

/** Basket requests, good and bad, for the staging venue. Each has a calculation ID of its own. */
export interface RequestVector {
  readonly name: string;
  readonly section: string;
  readonly request: unknown;
  readonly expected:
    | { readonly httpStatus: number; readonly status: string }
    | { readonly httpStatus: number; readonly code: ErrorCode; readonly field: string };
}

type Json = Record<string, unknown>;
type Change = (body: Json, line: Json) => void;

const GROUP = 2;
const CONTEXT = { venueId: 'oslo-central', cashRegisterId: 'till-1', baxId: '500123', channel: 'pos' } as const;
const SEVERAL: readonly LineWords[] = [
  { quantity: 2, unitPrice: 3900, existing: 300, shares: { 'staff-1': 200 } },
  { quantity: 0.345, unitPrice: 19_900, name: 'Salad by weight' },
  { unitPrice: 500, noDiscount: true, name: 'Bottle deposit' },
];

const GOOD: readonly (readonly [name: string, status: string, words: readonly LineWords[], more?: Json])[] = [
  ['one line', 'applied', [{}]],
  ['weighed goods: 0.345 × 1999 = 689.655, rounded half up to 690', 'applied', [{ quantity: 0.345, unitPrice: 1999 }]],
  ['half a unit: 1.005 × 100 = 100.5, rounded half up to 101', 'applied', [{ quantity: 1.005, unitPrice: 100 }]],
  ['staff discounts on a line and on the order', 'applied', SEVERAL],
  ['an option line', 'applied', [{}, { parentLineId: 'line-1', unitPrice: 500, name: 'Oat milk' }]],
  ['only protected lines', 'unchanged', [{ noDiscount: true }]],
  ['a price of 0', 'unchanged', [{ unitPrice: 0 }]],
  ['the largest amount', 'applied', [{ unitPrice: Number.MAX_SAFE_INTEGER }]],
  ['200 lines', 'applied', Array.from({ length: 200 }, () => ({ unitPrice: 100 }))],
  ['unknown fields', 'applied', [{}], { aFieldToCome: { deep: [null] } }],
  ['a time in another offset', 'applied', [{}], { requestedAt: '2026-11-21T06:30:00.25-05:30' }],
  ['a loyalty ID of 64 characters that are 256 bytes', 'member_not_found', [{}], { loyaltyId: '🎁'.repeat(64) }],
  ['a member without benefits', 'unchanged', [{}], { loyaltyId: 'test-member-none' }],
  ['a loyalty ID that nobody has', 'member_not_found', [{}], { loyaltyId: 'test-member-unknown' }],
];

const INVALID: readonly (readonly [name: string, field: string, change: Change])[] = [
  ['no noDiscount', '/lines/0/noDiscount', (_, line) => delete line['noDiscount']],
  ['noDiscount null', '/lines/0/noDiscount', (_, line) => Object.assign(line, { noDiscount: null })],
  ['noDiscount as text', '/lines/0/noDiscount', (_, line) => Object.assign(line, { noDiscount: 'false' })],
  [
    'no orderDiscountAllocation',
    '/lines/0/orderDiscountAllocation',
    (_, line) => delete line['orderDiscountAllocation'],
  ],
  ['no orderDiscounts', '/orderDiscounts', (body) => delete body['orderDiscounts']],
  ['no totals', '/totals', (body) => delete body['totals']],
  ['no baxId', '/context/baxId', (body) => Reflect.deleteProperty(body['context'] as Json, 'baxId')],
  ['an unknown channel', '/context/channel', (body) => Object.assign(body['context'] as Json, { channel: 'web' })],
  ['no lines', '/lines', (body) => Object.assign(body, { lines: [] })],
  ['a fraction of a minor unit', '/lines/0/unitPrice', (_, line) => Object.assign(line, { unitPrice: 39.5 })],
  ['a negative price', '/lines/0/unitPrice', (_, line) => Object.assign(line, { unitPrice: -1 })],
  ['a price as text', '/lines/0/unitPrice', (_, line) => Object.assign(line, { unitPrice: '3900' })],
  ['a quantity of 0', '/lines/0/quantity', (_, line) => Object.assign(line, { quantity: 0 })],
  [
    'a percentage with three decimals',
    '/lines/0/existingLineDiscountPercent',
    (_, line) => Object.assign(line, { existingLineDiscountPercent: 3.125 }),
  ],
  [
    'a text of 41 characters',
    '/lines/0/existingLineDiscountText',
    (_, line) => Object.assign(line, { existingLineDiscountText: 'x'.repeat(41) }),
  ],
  ['an empty loyalty ID', '/loyaltyId', (body) => Object.assign(body, { loyaltyId: '' })],
  ['a loyalty ID of 65 characters', '/loyaltyId', (body) => Object.assign(body, { loyaltyId: 'x'.repeat(65) })],
  ['a currency in lower case', '/currency', (body) => Object.assign(body, { currency: 'nok' })],
  ['a time without an offset', '/requestedAt', (body) => Object.assign(body, { requestedAt: '2026-11-21T12:00:00' })],
  ['a day that does not exist', '/requestedAt', (body) => Object.assign(body, { requestedAt: '2026-02-29T12:00:00Z' })],
  [
    'a superseded calculation in capitals',
    '/supersedesCalculationId',
    (body) => Object.assign(body, { supersedesCalculationId: vectorUuid(0xabcdef, 1).toUpperCase() }),
  ],
  [
    'a calculation that supersedes itself',
    '/supersedesCalculationId',
    (body) => Object.assign(body, { supersedesCalculationId: body['calculationId'] }),
  ],
  [
    'a lineId used twice',
    '/lines/1/lineId',
    (body) => Object.assign((body['lines'] as Json[])[1] as Json, { lineId: 'line-1' }),
  ],
  ['a parent that is not there', '/lines/0/parentLineId', (_, line) => Object.assign(line, { parentLineId: 'line-9' })],
  [
    'a share of an order discount that is not there',
    '/lines/0/orderDiscountAllocation/0/orderDiscountId',
    (_, line) => Object.assign((line['orderDiscountAllocation'] as Json[])[0] as Json, { orderDiscountId: 'staff-9' }),
  ],
];

const UNPROCESSABLE: readonly (readonly [name: string, code: ErrorCode, field: string, change: Change])[] = [
  [
    'another venue',
    'venue_not_configured',
    '/context/venueId',
    (body) => Object.assign(body['context'] as Json, { venueId: 'nowhere' }),
  ],
  [
    'another terminal setup',
    'venue_not_configured',
    '/context/venueId',
    (body) => Object.assign(body['context'] as Json, { baxId: '1' }),
  ],
  ['another currency', 'unknown_currency', '/currency', (body) => Object.assign(body, { currency: 'EUR' })],
  [
    '201 lines',
    'too_many_lines',
    '/lines',
    (body, line) => Object.assign(body, { lines: Array.from({ length: 201 }, () => line) }),
  ],
  [
    'originalLinePrice one off',
    'arithmetic_mismatch',
    '/lines/0/originalLinePrice',
    (_, line) => Object.assign(line, { originalLinePrice: 7799 }),
  ],
  [
    'orderLinePrice one off',
    'arithmetic_mismatch',
    '/lines/0/orderLinePrice',
    (_, line) => Object.assign(line, { orderLinePrice: 7301 }),
  ],
  [
    'the amount of an order discount one off',
    'arithmetic_mismatch',
    '/orderDiscounts/0/amount',
    (body) => Object.assign((body['orderDiscounts'] as Json[])[0] as Json, { amount: 201 }),
  ],
  ...(['originalTotal', 'existingDiscountTotal', 'orderDiscountTotal', 'loyaltyDiscountTotal', 'total'] as const).map(
    (name): (typeof UNPROCESSABLE)[number] => [
      `totals.${name} one off`,
      'arithmetic_mismatch',
      `/totals/${name}`,
      (body) => Object.assign(body['totals'] as Json, { [name]: Number((body['totals'] as Json)[name]) + 1 }),
    ],
  ),
];

/** The service's maxima of texts that the interface leaves open (docs/decisions.md). */
const LONGEST: LineWords = {
  ...{ productId: 'ø'.repeat(256), productMasterId: 'ø'.repeat(256), productGroupId: 'ø'.repeat(256) },
  ...{ ean: '7'.repeat(64), name: '🎁'.repeat(1000) },
};
const TOO_LONG: readonly (readonly [name: string, field: string, change: Change])[] = [
  ['a name of 1,001 characters', '/lines/0/name', (_, line) => Object.assign(line, { name: 'x'.repeat(1001) })],
  ['an ean of 65 characters', '/lines/0/ean', (_, line) => Object.assign(line, { ean: '7'.repeat(65) })],
  [
    'a product group of 257 characters',
    '/lines/0/productGroupId',
    (_, line) => Object.assign(line, { productGroupId: 'x'.repeat(257) }),
  ],
];

export function requestVectors(): RequestVector[] {
  let index = 0;
  const next = (words: readonly LineWords[], more: Json = {}): Json => {
    index += 1;
    return { ...basket(vectorUuid(GROUP, index), words), ...more };
  };
  const changed = (change: Change): Json => {
    const body = next(SEVERAL);
    change(body, (body['lines'] as Json[])[0] as Json);
    return body;
  };
  return [
    ...GOOD.map(([name, status, words, more]) => ({
      ...{ name, section: '2', request: next(words, more), expected: { httpStatus: HTTP_OK, status } },
    })),
    ...INVALID.map(([name, field, change]) => ({
      ...{ name, section: '2, 4.5', request: changed(change), expected: refusal('invalid_request', field) },
    })),
    ...UNPROCESSABLE.map(([name, code, field, change]) => ({
      ...{ name, section: '4, 7', request: changed(change), expected: refusal(code, field) },
    })),
    {
      name: 'texts of the greatest length, counted in characters',
      section: '2 · decision',
      request: next([LONGEST]),
      expected: { httpStatus: HTTP_OK, status: 'applied' },
    },
    ...TOO_LONG.map(([name, field, change]) => ({
      ...{ name, section: '2 · decision', request: changed(change), expected: refusal('invalid_request', field) },
    })),
  ];
}

function refusal(code: ErrorCode, field: string): RequestVector['expected'] {
  return { httpStatus: ERRORS[code].status, code, field };
}

/** A correct basket of the 20 % test member at the staging venue, as plain JSON. */
export function basket(calculationId: string, words: readonly LineWords[]): Json {
  const lines = words.map((line, position) => lineOf(line, position + 1));
  const request: BasketRequest = {
    calculationId,
    loyaltyId: 'test-member-20',
    currency: 'NOK',
    requestedAt: '2026-11-21T12:00:00+01:00',
    context: CONTEXT,
    lines,
    orderDiscounts: orderDiscountsOf(lines),
    totals: totalsOf(lines),
  };
  return JSON.parse(JSON.stringify(request)) as Json;
}
