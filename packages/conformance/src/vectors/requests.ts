import type { BasketRequest } from '@loyalty/contract/basket-request';
import { ERRORS, type ErrorCode, HTTP_OK } from '@loyalty/contract/errors';
import { type LineWords, lineOf, orderDiscountsOf, totalsOf } from '../kit/baskets.ts';
import { type Json, objectAt, type Put, withValue } from '../kit/pointer.ts';
import { vectorUuid } from './identifiers.ts';

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

const INVALID: readonly (readonly [name: string, field: string, put: Put])[] = [
  ['no noDiscount', '/lines/0/noDiscount', undefined],
  ['noDiscount null', '/lines/0/noDiscount', null],
  ['noDiscount as text', '/lines/0/noDiscount', 'false'],
  ['no orderDiscountAllocation', '/lines/0/orderDiscountAllocation', undefined],
  ['no orderDiscounts', '/orderDiscounts', undefined],
  ['no totals', '/totals', undefined],
  ['no baxId', '/context/baxId', undefined],
  ['an unknown channel', '/context/channel', 'web'],
  ['no lines', '/lines', []],
  ['a fraction of a minor unit', '/lines/0/unitPrice', 39.5],
  ['a negative price', '/lines/0/unitPrice', -1],
  ['a price as text', '/lines/0/unitPrice', '3900'],
  ['a quantity of 0', '/lines/0/quantity', 0],
  ['a percentage with three decimals', '/lines/0/existingLineDiscountPercent', 3.125],
  ['a text of 41 characters', '/lines/0/existingLineDiscountText', 'x'.repeat(41)],
  ['an empty loyalty ID', '/loyaltyId', ''],
  ['a loyalty ID of 65 characters', '/loyaltyId', 'x'.repeat(65)],
  ['a currency in lower case', '/currency', 'nok'],
  ['a time without an offset', '/requestedAt', '2026-11-21T12:00:00'],
  ['a day that does not exist', '/requestedAt', '2026-02-29T12:00:00Z'],
  ['a superseded calculation in capitals', '/supersedesCalculationId', vectorUuid(0xabcdef, 1).toUpperCase()],
  ['a calculation that supersedes itself', '/supersedesCalculationId', (body: Json) => body['calculationId']],
  ['a lineId used twice', '/lines/1/lineId', 'line-1'],
  ['a parent that is not there', '/lines/0/parentLineId', 'line-9'],
  ['a share of an order discount that is not there', '/lines/0/orderDiscountAllocation/0/orderDiscountId', 'staff-9'],
];

const UNPROCESSABLE: readonly (readonly [name: string, code: ErrorCode, field: string, put: Put, at?: string])[] = [
  ['another venue', 'venue_not_configured', '/context/venueId', 'nowhere'],
  ['another terminal setup', 'venue_not_configured', '/context/venueId', '1', '/context/baxId'],
  ['another currency', 'unknown_currency', '/currency', 'EUR'],
  [
    '201 lines',
    'too_many_lines',
    '/lines',
    (body: Json) => Array.from({ length: 201 }, () => objectAt(body, '/lines/0')),
  ],
  ['originalLinePrice one off', 'arithmetic_mismatch', '/lines/0/originalLinePrice', 7799],
  ['orderLinePrice one off', 'arithmetic_mismatch', '/lines/0/orderLinePrice', 7301],
  ['the amount of an order discount one off', 'arithmetic_mismatch', '/orderDiscounts/0/amount', 201],
  ...['originalTotal', 'existingDiscountTotal', 'orderDiscountTotal', 'loyaltyDiscountTotal', 'total'].map(
    (name): (typeof UNPROCESSABLE)[number] => [
      `totals.${name} one off`,
      'arithmetic_mismatch',
      `/totals/${name}`,
      (body: Json) => Number(objectAt(body, '/totals')[name]) + 1,
    ],
  ),
];

/** The service's maxima of texts that the interface leaves open (docs/decisions.md). */
const LONGEST: LineWords = {
  productId: 'ø'.repeat(256),
  productMasterId: 'ø'.repeat(256),
  productGroupId: 'ø'.repeat(256),
  ean: '7'.repeat(64),
  name: '🎁'.repeat(1000),
};
const TOO_LONG: typeof INVALID = [
  ['a name of 1,001 characters', '/lines/0/name', 'x'.repeat(1001)],
  ['an ean of 65 characters', '/lines/0/ean', '7'.repeat(65)],
  ['a product group of 257 characters', '/lines/0/productGroupId', 'x'.repeat(257)],
];

/** Basket requests, good and bad, for the staging venue. Each has a calculation ID of its own. */
export function requestVectors() {
  let index = 0;
  const next = (words: readonly LineWords[], more: Json = {}): Json => {
    index += 1;
    return { ...basket(vectorUuid(GROUP, index), words), ...more };
  };
  const refused = (name: string, section: string, code: ErrorCode, field: string, put: Put, at = field) => {
    const expected = { httpStatus: ERRORS[code].status, code, field };
    return { name, section, request: withValue(next(SEVERAL), at, put), expected };
  };
  const priced = (name: string, section: string, request: Json, status: string) => {
    return { name, section, request, expected: { httpStatus: HTTP_OK, status } };
  };
  return [
    ...GOOD.map(([name, status, words, more]) => priced(name, '2', next(words, more), status)),
    ...INVALID.map(([name, field, put]) => refused(name, '2, 4.5', 'invalid_request', field, put)),
    ...UNPROCESSABLE.map(([name, ...rest]) => refused(name, '4, 7', ...rest)),
    priced('texts of the greatest length, counted in characters', '2 · decision', next([LONGEST]), 'applied'),
    ...TOO_LONG.map(([name, field, put]) => refused(name, '2 · decision', 'invalid_request', field, put)),
  ];
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
