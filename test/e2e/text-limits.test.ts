/** Every text of a request has a maximum, counted in code points: at it a basket is taken, past it the field is named. */

import { MAX_EAN_CHARACTERS, MAX_IDENTIFIER_CHARACTERS, MAX_NAME_CHARACTERS } from '@loyalty/contract/limits';
import { describe, expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { useSharedService } from '../support/shared-service.ts';
import type { AppliedBody, BasketBody } from '../support/wire.ts';

const stage = useSharedService();

type Put = (basket: BasketBody, text: string) => unknown;

const inContext =
  (field: string): Put =>
  (basket, text) =>
    Object.assign(basket.context, { [field]: text });
const inLine =
  (field: string): Put =>
  (basket, text) =>
    Object.assign(basket.lines[1]!, { [field]: text });
const inDiscount =
  (field: string): Put =>
  (basket, text) =>
    Object.assign(basket.orderDiscounts[0]!, { [field]: text });

const FIELDS: readonly (readonly [pointer: string, maximum: number, put: Put])[] = [
  ['/context/cashRegisterId', MAX_IDENTIFIER_CHARACTERS, inContext('cashRegisterId')],
  ['/context/terminalId', MAX_IDENTIFIER_CHARACTERS, inContext('terminalId')],
  ['/lines/1/lineId', MAX_IDENTIFIER_CHARACTERS, inLine('lineId')],
  ['/lines/1/productId', MAX_IDENTIFIER_CHARACTERS, inLine('productId')],
  ['/lines/1/productMasterId', MAX_IDENTIFIER_CHARACTERS, inLine('productMasterId')],
  ['/lines/1/productGroupId', MAX_IDENTIFIER_CHARACTERS, inLine('productGroupId')],
  ['/lines/1/existingLineDiscountCampaignId', MAX_IDENTIFIER_CHARACTERS, inLine('existingLineDiscountCampaignId')],
  ['/lines/1/ean', MAX_EAN_CHARACTERS, inLine('ean')],
  ['/lines/1/name', MAX_NAME_CHARACTERS, inLine('name')],
  ['/orderDiscounts/0/campaignId', MAX_IDENTIFIER_CHARACTERS, inDiscount('campaignId')],
  ['/orderDiscounts/0/discountCode', MAX_IDENTIFIER_CHARACTERS, inDiscount('discountCode')],
];

/** A parent and an order discount are named twice: where they are, and where they are referred to. */
const REFERRED: typeof FIELDS = [
  [
    '/lines/1/parentLineId',
    MAX_IDENTIFIER_CHARACTERS,
    (basket, text) => {
      Object.assign(basket.lines[0]!, { lineId: text });
      Object.assign(basket.lines[1]!, { parentLineId: text });
    },
  ],
  [
    '/orderDiscounts/0/orderDiscountId',
    MAX_IDENTIFIER_CHARACTERS,
    (basket, text) => {
      Object.assign(basket.orderDiscounts[0]!, { orderDiscountId: text });
      Object.assign(basket.lines[0]!.orderDiscountAllocation[0]!, { orderDiscountId: text });
    },
  ],
];

/** The context of every basket is the same object; a copy may be spoilt. */
const twoLines = () => structuredClone(basketOf([{ shares: { staff: 100 } }, { existing: 1, noDiscount: true }]));

describe.each([...FIELDS, ...REFERRED])('%s', (pointer, maximum, put) => {
  test.each(['x', 'ø', '🎁'])(`${maximum} times %s is taken and echoed`, async (character) => {
    const basket = twoLines();
    const text = character.repeat(maximum);
    put(basket, text);
    const answer = await stage.caller.basket(basket);
    expect({ status: answer.status, body: answer.json().status }).toEqual({ status: 200, body: 'applied' });
    if (!pointer.startsWith('/context')) expect(answer.text).toContain(text);
  });

  test('one more is 400 with its field', async () => {
    const basket = twoLines();
    put(basket, '🎁'.repeat(maximum + 1));
    const answer = await stage.caller.basket(basket);
    expect({ status: answer.status, code: answer.code }).toEqual({ status: 400, code: 'invalid_request' });
    const { field, expected, received } = answer.json<{ error: { details: Record<string, string> } }>().error.details;
    // A reference is refused where it is met first.
    if (!REFERRED.some(([referred]) => referred === pointer)) expect(field).toBe(pointer);
    expect({ expected, received }).toEqual({
      expected: `at most ${maximum} characters`,
      received: `text of ${maximum + 1} characters`,
    });
  });
});

test('200 lines with every text at its maximum do not fit into a body, and the most that do are answered and replayed', async () => {
  const identifier = 'i'.repeat(MAX_IDENTIFIER_CHARACTERS - 4);
  const words = Array.from({ length: 75 }, (_, at) => ({
    lineId: `${identifier}${at}`,
    productId: identifier,
    productMasterId: identifier,
    productGroupId: identifier,
    ean: '1'.repeat(MAX_EAN_CHARACTERS),
    name: 'n'.repeat(MAX_NAME_CHARACTERS),
    existing: 1,
    existingLineDiscountCampaignId: identifier,
  }));
  const basket = basketOf(words);
  const first = await stage.caller.basket(basket);
  expect(first.json<AppliedBody>().lines.length).toBe(words.length);
  const again = await stage.caller.basket(basket);
  expect({ isReplayed: again.isReplayed, isSame: again.text === first.text }).toEqual({
    isReplayed: true,
    isSame: true,
  });
});
