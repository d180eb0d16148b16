/** Every required field missing, every field of a wrong type: 400, and `details.field` points at it (interface, section 4.5). */
import { describe, expect, test } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { BASKET_PATH, type CallOptions, SALE_PATH } from '../support/caller.ts';
import { useSharedService } from '../support/shared-service.ts';
import type { BasketBody } from '../support/wire.ts';

const stage = useSharedService();

type Kind = keyof typeof WRONG;

/** Values that a field of the kind must not have; `null` is wrong for every one of them. */
const WRONG = {
  uuid: [1, true, '', 'abc', '0F8FAD5B-D9CB-469F-A165-70867728950E', '{0f8fad5b-d9cb-469f-a165-70867728950e}', []],
  id: [1, true, '', [], {}],
  text: [1, true, [], {}],
  text40: [1, true, [], 'x'.repeat(41)],
  loyaltyId: [1, true, [], '', 'x'.repeat(65)],
  currency: [1, '', 'nok', 'NO', 'NOKK', 'ＮＯＫ', ' NOK', 'NOK\n'],
  time: [
    1,
    '',
    '2026-11-20',
    '2026-11-20T12:00:00',
    '2026-11-20 noon',
    '2026-02-30T12:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-13-01T12:00:00Z',
    '2026-11-20T12:60:00Z',
    '2026-11-20T12:00:00+25:00',
    '2026-11-20T12:00:00+0100',
    '20261120T120000Z',
    '+002026-11-20T12:00:00Z',
  ],
  money: ['1', true, 1.5, -1, [], 9_007_199_254_740_992, 1e21],
  percent: ['1', true, -0.01, 100.01, 12.345, 5.005, []],
  quantity: ['1', true, 0, -1, -0.001, [], {}],
  integer: ['1', true, 1.5, []],
  flag: ['true', 'false', 0, 1, '', []],
  discountType: ['', 'None', 'percentage', 1, true, []],
  orderType: ['', 'none', 'Amount', 1, []],
  channel: ['', 'web', 'POS', 1, []],
  list: [{}, 'x', 1, true],
  object: [[], 'x', 1, true],
} as const;

const BASKET_FIELDS: [pointer: string, kind: Kind, isRequired: boolean][] = [
  ['/calculationId', 'uuid', true],
  ['/supersedesCalculationId', 'uuid', false],
  ['/loyaltyId', 'loyaltyId', true],
  ['/currency', 'currency', true],
  ['/requestedAt', 'time', true],
  ['/context', 'object', true],
  ['/context/venueId', 'id', true],
  ['/context/cashRegisterId', 'id', true],
  ['/context/baxId', 'id', true],
  ['/context/terminalId', 'text', false],
  ['/context/clerkNumber', 'integer', false],
  ['/context/channel', 'channel', true],
  ['/lines', 'list', true],
  ['/lines/1', 'object', true],
  ['/lines/1/lineId', 'id', true],
  ['/lines/1/productId', 'id', true],
  ['/lines/1/productMasterId', 'text', false],
  ['/lines/1/productGroupId', 'text', false],
  ['/lines/1/ean', 'text', false],
  ['/lines/1/name', 'text', true],
  ['/lines/1/quantity', 'quantity', true],
  ['/lines/1/unitPrice', 'money', true],
  ['/lines/1/originalLinePrice', 'money', true],
  ['/lines/1/parentLineId', 'text', false],
  ['/lines/1/noDiscount', 'flag', true],
  ['/lines/1/noPercentageDiscount', 'flag', true],
  ['/lines/1/existingLineDiscountType', 'discountType', true],
  ['/lines/1/existingLineDiscountAmount', 'money', true],
  ['/lines/1/existingLineDiscountPercent', 'percent', false],
  ['/lines/1/existingLineDiscountText', 'text40', false],
  ['/lines/1/existingLineDiscountCampaignId', 'text', false],
  ['/lines/1/orderDiscountAllocation', 'list', true],
  ['/lines/1/orderDiscountAllocation/0', 'object', true],
  ['/lines/1/orderDiscountAllocation/0/orderDiscountId', 'id', true],
  ['/lines/1/orderDiscountAllocation/0/orderDiscountAllocationAmount', 'money', true],
  ['/lines/1/orderLinePrice', 'money', true],
  ['/orderDiscounts', 'list', true],
  ['/orderDiscounts/0', 'object', true],
  ['/orderDiscounts/0/orderDiscountId', 'id', true],
  ['/orderDiscounts/0/type', 'orderType', true],
  ['/orderDiscounts/0/amount', 'money', true],
  ['/orderDiscounts/0/percent', 'percent', false],
  ['/orderDiscounts/0/text', 'text40', false],
  ['/orderDiscounts/0/campaignId', 'text', false],
  ['/orderDiscounts/0/discountCode', 'text', false],
  ['/totals', 'object', true],
  ['/totals/originalTotal', 'money', true],
  ['/totals/existingDiscountTotal', 'money', true],
  ['/totals/orderDiscountTotal', 'money', true],
  ['/totals/loyaltyDiscountTotal', 'money', true],
  ['/totals/total', 'money', true],
];

describe('basket', () => {
  test.each(BASKET_FIELDS)('%s (%s)', async (pointer, kind, isRequired) => {
    // A list item that is absent is a shorter list, which is no fault of its own.
    if (isRequired && !/\/\d+$/.test(pointer)) await expectFault(pointer, undefined);
    for (const value of [null, ...WRONG[kind]]) await expectFault(pointer, value);
  });

  test('no lines at all', () => expectFault('/lines', []));

  async function expectFault(pointer: string, value: unknown): Promise<void> {
    const sent: BasketBody = basketOf([{}, { existing: 10, existingPercent: 1, shares: { 'staff-1': 50 } }]);
    const answer = await stage.caller.send(BASKET_PATH, put(sent, pointer, value), withKeyOf(sent));
    const found = [JSON.stringify(value), answer.status, answer.code, answer.details.field];
    expect(found).toEqual([JSON.stringify(value), 400, 'invalid_request', pointer]);
  }
});

describe('sale event', () => {
  const table: [pointer: string, status: string, wrong: readonly unknown[]][] = [
    ['/calculationId', 'applied', [undefined, null, ...WRONG.uuid]],
    ['/status', 'applied', [undefined, null, 1, true, '', 'Applied', 'sold', []]],
    ['/transactionId', 'applied', [undefined, null, 1, true, '', 'x'.repeat(65), []]],
    ['/transactionId', 'unchanged', [undefined]],
    ['/transactionId', 'member_not_found', [undefined]],
    ['/transactionId', 'not_applicable', [undefined]],
    ['/transactionId', 'failed', [undefined]],
    ['/transactionId', 'cancelled', [null, '', 1]],
    ['/failureReason', 'failed', [undefined, null, 1, '', 'Timeout', 'unknown']],
    ['/failureReason', 'applied', ['timeout', null]],
    ['/failureReason', 'unchanged', ['timeout']],
    ['/failureReason', 'member_not_found', ['timeout']],
    ['/failureReason', 'not_applicable', ['timeout']],
    ['/failureReason', 'cancelled', ['timeout']],
  ];
  test.each(table)('%s of a sale that is %s', async (pointer, status, wrong) => {
    for (const value of wrong) {
      const sent = saleOf(basketOf().calculationId, status);
      const answer = await stage.caller.send(SALE_PATH, put(sent, pointer, value), withKeyOf(sent));
      const found = [JSON.stringify(value), answer.status, answer.code, answer.details.field];
      expect(found).toEqual([JSON.stringify(value), 400, 'invalid_request', pointer]);
    }
  });

  test.each(['applied', 'unchanged', 'member_not_found', 'failed', 'not_applicable', 'cancelled'])(
    '%s is accepted',
    async (status) => {
      expect((await stage.caller.sale(saleOf(basketOf().calculationId, status))).status).toBe(200);
    },
  );

  test.each(['invalid_response', 'http_error', 'timeout', 'connection_error', 'pos_error', 'offline'])(
    'failureReason %s is accepted',
    async (failureReason) => {
      const sale = saleOf(basketOf().calculationId, 'failed', { failureReason });
      expect((await stage.caller.sale(sale)).status).toBe(200);
    },
  );

  test.each(['x', 'x'.repeat(64), '🍪'.repeat(64), '../..', '{a}:b'])(
    'transactionId %s is accepted',
    async (transactionId) => {
      const sale = saleOf(basketOf().calculationId, 'applied', { transactionId });
      expect((await stage.caller.sale(sale)).status).toBe(200);
    },
  );
});

/** A copy of the body with the value at the pointer; undefined takes the field away. */
function put(body: object, pointer: string, value: unknown): object {
  const copy = structuredClone(body);
  const names = pointer.slice(1).split('/');
  const last = names.pop() ?? '';
  const parent = names.reduce<Record<string, unknown>>(
    (node, name) => node[name] as Record<string, unknown>,
    copy as never,
  );
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

/** The header stays right, so that the fault is found in the body. */
function withKeyOf(body: { calculationId: string }): CallOptions {
  return { headers: { 'Idempotency-Key': body.calculationId } };
}
