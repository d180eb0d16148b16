/** The values that each field of a basket and of its answers may have, with its bounds (interface, section 2). */
import { expect, test } from 'vitest';
import { buildBasket, buildLine } from '../../engine/test/support/basket.ts';
import { compileCheck } from '../src/basket/schema.ts';
import { BasketRequest } from '../src/basket-request.ts';
import { AppliedResponse, MemberNotFoundResponse, UnchangedResponse } from '../src/basket-response.ts';
import { put, share } from './basket/changed.ts';

const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const LINE = buildLine({ lineId: '1', orderDiscountAllocation: [share('d', 0)] });
const ORDER_DISCOUNT = { orderDiscountId: 'd', type: 'amount', amount: 0 } as const;
const REQUEST = buildBasket([LINE], { orderDiscounts: [ORDER_DISCOUNT] });
const APPLIED = {
  calculationId: UUID,
  status: 'applied',
  orderDiscounts: [ORDER_DISCOUNT],
  totals: REQUEST.totals,
  lines: [{ ...LINE, lineDiscountType: 'none', lineDiscountAmount: 0, showLineDiscountText: false }],
};
const UNCHANGED = { calculationId: UUID, status: 'unchanged', reason: 'no_applicable_benefits' };
const NOT_FOUND = { calculationId: UUID, status: 'member_not_found' };

/** Values that a field may have, and values that it may not have. */
type Values = readonly [allowed: readonly unknown[], rejected: readonly unknown[]];

/** A text of so many characters, each of which is two units of UTF-16. */
const text = (characters: number): string => '🍪'.repeat(characters);
const between = (least: number, most: number): Values => [
  [text(least), text(most)],
  [...(least === 0 ? [] : ['']), text(most + 1), 1, null],
];

const UUIDS: Values = [[UUID], [UUID.toUpperCase(), '', 1]];
const IDENTIFIER = between(1, 256);
const REFERENCE = between(0, 256);
const RECEIPT_TEXT = between(0, 40);
const MONEY: Values = [
  [0, 9_007_199_254_740_991],
  [-1, 0.5, 9_007_199_254_740_992, '1'],
];
const PERCENT: Values = [
  [0, 100, 33.33],
  [-0.01, 100.01, 5.005, '5'],
];
const FLAG: Values = [
  [true, false],
  ['true', null, 1],
];
const DISCOUNT_TYPE: Values = [
  ['none', 'amount', 'percent'],
  ['loyalty', '', 1],
];

const LINE_FIELDS: Readonly<Record<string, Values>> = {
  lineId: IDENTIFIER,
  productId: IDENTIFIER,
  productMasterId: REFERENCE,
  productGroupId: REFERENCE,
  ean: between(0, 64),
  name: between(0, 1000),
  quantity: [
    [0.001, 1, 1000],
    [0, -1, '1'],
  ],
  unitPrice: MONEY,
  originalLinePrice: MONEY,
  parentLineId: REFERENCE,
  noDiscount: FLAG,
  noPercentageDiscount: FLAG,
  existingLineDiscountType: DISCOUNT_TYPE,
  existingLineDiscountAmount: MONEY,
  existingLineDiscountPercent: PERCENT,
  existingLineDiscountText: RECEIPT_TEXT,
  existingLineDiscountCampaignId: REFERENCE,
  orderDiscountAllocation: [[[]], [[1], [{}], {}]],
  'orderDiscountAllocation/0/orderDiscountId': IDENTIFIER,
  'orderDiscountAllocation/0/orderDiscountAllocationAmount': MONEY,
  orderLinePrice: MONEY,
};
const ORDER_DISCOUNT_FIELDS: Readonly<Record<string, Values>> = {
  orderDiscountId: IDENTIFIER,
  type: [
    ['amount', 'percent'],
    ['none', ''],
  ],
  amount: MONEY,
  percent: PERCENT,
  text: RECEIPT_TEXT,
  campaignId: REFERENCE,
  discountCode: REFERENCE,
};
const SHARED = {
  calculationId: UUIDS,
  ...below('lines/0', LINE_FIELDS),
  ...below('orderDiscounts/0', ORDER_DISCOUNT_FIELDS),
  ...below('totals', Object.fromEntries(Object.keys(REQUEST.totals).map((name) => [name, MONEY]))),
};

const MESSAGES: readonly (readonly [name: string, schema: object, sound: object, fields: Record<string, Values>])[] = [
  [
    'a basket',
    BasketRequest,
    REQUEST,
    {
      ...SHARED,
      supersedesCalculationId: UUIDS,
      loyaltyId: between(1, 64),
      currency: [['EUR'], ['nok', 'NO', 'NOKK', 'ＮＯＫ', ' NOK', 'NOK\n', '', 1, null]],
      // packages/contract/test/date-time.test.ts has every form of a time.
      requestedAt: [['2026-11-20T12:00:00Z'], ['2026-11-20T12:00:00', '2026-11-20', '', 1, null]],
      context: [[], [[], 'x', null]],
      ...below('context', {
        venueId: IDENTIFIER,
        cashRegisterId: IDENTIFIER,
        baxId: IDENTIFIER,
        terminalId: REFERENCE,
        clerkNumber: [
          [0, 7],
          [7.5, '7', true, []],
        ],
        channel: [['pos'], ['web', 'POS', '', 1, []]],
      }),
      lines: [[], [[], {}, 'x', null]],
      orderDiscounts: [[[]], [{}, 'x', null]],
      totals: [[], [[], 'x', null]],
    },
  ],
  [
    'an applied answer',
    AppliedResponse,
    APPLIED,
    {
      ...SHARED,
      status: [[], ['unchanged']],
      memberLabel: RECEIPT_TEXT,
      receiptFooterText: between(0, 200),
      ...below('lines/0', {
        lineDiscountType: DISCOUNT_TYPE,
        lineDiscountPercent: PERCENT,
        lineDiscountAmount: MONEY,
        lineDiscountText: RECEIPT_TEXT,
        showLineDiscountText: FLAG,
        lineDiscountCode: [['l'], ['', 1]],
        overrideUnitPrice: MONEY,
        addedByLoyalty: FLAG,
        splitFromLineId: IDENTIFIER,
      }),
      memberName: [[], ['Anna']],
    },
  ],
  [
    'an unchanged answer',
    UnchangedResponse,
    UNCHANGED,
    {
      calculationId: UUIDS,
      reason: [
        ['no_applicable_benefits', 'all_lines_excluded', 'member_inactive', 'basket_too_small'],
        ['member_not_found', ''],
      ],
      memberLabel: RECEIPT_TEXT,
      lines: [[], [[]]],
    },
  ],
  [
    'an answer about an unknown member',
    MemberNotFoundResponse,
    NOT_FOUND,
    { calculationId: UUIDS, memberLabel: [[], ['Gold']] },
  ],
];

test.each(MESSAGES)(
  '%s has in each field the values of the interface, up to their bounds',
  (_name, schema, sound, fields) => {
    const check = compileCheck(schema);
    expect(check(sound)).toBeUndefined();
    for (const [path, [allowed, rejected]] of Object.entries(fields)) {
      const isAccepted = (value: unknown): boolean => check(withField(sound, path.split('/'), value)) === undefined;
      expect({ path, rejected: allowed.filter((value) => !isAccepted(value)) }).toEqual({ path, rejected: [] });
      expect({ path, accepted: rejected.filter(isAccepted) }).toEqual({ path, accepted: [] });
    }
  },
);

/** The fields of an object that is at this path. */
function below(path: string, fields: Readonly<Record<string, Values>>): Record<string, Values> {
  return Object.fromEntries(Object.entries(fields).map(([name, values]) => [`${path}/${name}`, values]));
}

/** A copy in which the field at this path has the value. */
function withField(message: object, path: readonly string[], value: unknown): object {
  const copy = structuredClone(message);
  const parent = path.slice(0, -1).reduce((at, name) => (at as Record<string, object>)[name]!, copy);
  put(parent, path.at(-1)!, value);
  return copy;
}
