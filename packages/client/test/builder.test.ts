/** The basket builder against the interface's own judges, over many baskets of any shape. */

import { readBasketRequest } from '@loyalty/contract/basket/basket-request';
import { findRequestFaults } from '@loyalty/contract/basket/identities';
import type { AppliedResponse } from '@loyalty/contract/basket-response';
import {
  type BasketDraft,
  type BasketRequest,
  buildBasket,
  type Discount,
  decideWithoutCall,
  type LineDraft,
  multiplyQuantity,
  type OrderDiscountDraft,
  percentOf,
  printoutOf,
  saleEventOf,
  splitLine,
  swapBasket,
} from 'loyalty-basket-client';
import { describe, expect, test } from 'vitest';
import { Random } from '../../../packages/simulator/src/random.ts';
import { OSLO } from '../../../test/support/baskets.ts';
import { judgeApplied } from '../../../test/support/judge.ts';
import { answerHonestly } from '../../conformance/src/double/honest.ts';
import { priceOf } from '../../conformance/src/kit/judge/decimal.ts';
import { useDouble } from './fixture.ts';

const ROUNDS = 1_000;
const SEED = 17;
const stage = useDouble();

/** The basket of a draft that can be built. */
function built(draft: BasketDraft): BasketRequest {
  const basket = buildBasket(draft);
  if ('failureReason' in basket) throw new Error(basket.detail);
  return basket;
}

function randomLine(random: Random): LineDraft {
  const noDiscount = random.chance(0.15);
  const noPercentageDiscount = random.chance(0.15);
  const unitPrice = random.chance(0.1) ? random.between(0, 3) : random.between(100, 99_999);
  const quantity = random.chance(0.4) ? random.between(1, 9_999) / 1_000 : random.between(1, 9);
  const product = { productId: `p-${random.between(1, 99)}`, name: 'Blåbær, løs vekt', quantity, unitPrice };
  const line = { ...product, noDiscount, ...(random.chance(0.5) && { noPercentageDiscount }) };
  if (noDiscount || random.chance(0.5)) return line;
  const percent = random.between(0, 10_000) / 100;
  const amount = Math.floor(multiplyQuantity(quantity, unitPrice) * random.next());
  return { ...line, discount: { ...(random.chance(0.5) ? { amount } : { percent }), text: 'Staff' } };
}

/** Room for an amount, so that most of the order discounts are possible. */
function randomOrderDiscount(random: Random): OrderDiscountDraft {
  return random.chance(0.5) ? { percent: random.between(0, 10_000) / 100 } : { amount: random.between(0, 300) };
}

function randomDraft(random: Random): BasketDraft {
  const lines = Array.from({ length: random.between(1, 30) }, () => randomLine(random));
  // One line that every order discount can lie on.
  const base = { productId: 'base', name: 'Base', quantity: 1, unitPrice: 100_000, noDiscount: false };
  const orderDiscounts = Array.from({ length: random.between(0, 3) }, () => randomOrderDiscount(random));
  return {
    loyaltyId: 'member',
    currency: 'NOK',
    context: OSLO,
    lines: [...lines, base],
    orderDiscounts,
  } as BasketDraft;
}

test(`${ROUNDS} random baskets pass the service's judge, and their honest answers the kit's (seed ${SEED})`, () => {
  const random = new Random(SEED);
  let applied = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const draft = randomDraft(random);
    const basket = built(draft);
    const read = readBasketRequest(Buffer.from(JSON.stringify(basket)), basket.calculationId);
    expect(read.ok ? read.mismatch : read.refusal).toBeUndefined();
    for (const [index, line] of draft.lines.entries()) {
      expect(basket.lines[index]!.originalLinePrice).toBe(Number(priceOf(line.quantity, line.unitPrice)));
      expect(line.noDiscount ? basket.lines[index]!.orderDiscountAllocation : []).toEqual([]);
    }
    const answer = answerHonestly(basket) as AppliedResponse;
    if (answer.status !== 'applied') continue;
    applied += 1;
    expect(judgeApplied(basket, answer)).toEqual([]);
  }
  expect(applied).toBeGreaterThan(ROUNDS / 2);
});

test(`the parts of ${ROUNDS} split lines have its quantity, and its discount to the unit (seed ${SEED})`, () => {
  const random = new Random(SEED);
  for (let round = 0; round < ROUNDS; round += 1) {
    const [first, second] = [random.between(1, 9_999) / 1_000, random.between(1, 9)];
    const quantity = Number((first * 1_000 + second * 1_000).toFixed(0)) / 1_000;
    const line = { productId: 'p', name: 'n', quantity, unitPrice: random.between(1_000, 99_999), noDiscount: false };
    const amount = random.between(0, 1_000);
    const parts = splitLine({ ...line, lineId: 'a', discount: { amount, text: 'Staff' } }, [first, second]);
    expect(parts.map((part) => part.lineId)).toEqual(['a', 'a-2']);
    expect(parts.map((part) => part.quantity)).toEqual([first, second]);
    expect(parts.reduce((sum, { discount }) => sum + discount!.amount!, 0)).toBe(amount);
    const basket = built({ loyaltyId: 'm', currency: 'NOK', context: OSLO, lines: parts });
    expect(findRequestFaults(basket).mismatch).toBeUndefined();
  }
});

describe('a basket that cannot be exact', () => {
  const line: LineDraft = { productId: 'p', name: 'n', quantity: 2, unitPrice: 500, noDiscount: false };
  const build = (lines: readonly LineDraft[], orderDiscounts: readonly OrderDiscountDraft[] = []) =>
    buildBasket({ loyaltyId: 'm', currency: 'NOK', context: OSLO, lines, orderDiscounts });
  const share = (orderDiscountAllocationAmount: number, orderDiscountId = '1') => ({
    ...line,
    orderDiscountAllocation: [{ orderDiscountId, orderDiscountAllocationAmount }],
  });

  test.each<[string, () => ReturnType<typeof build>]>([
    ['half a unit of money', () => build([{ ...line, unitPrice: 0.5 }])],
    ['a negative price', () => build([{ ...line, unitPrice: -1 }])],
    ['no number of pieces', () => build([{ ...line, quantity: Number.NaN }])],
    ['a discount above the price', () => build([{ ...line, discount: { amount: 1_001 } }])],
    ['a percentage of three decimals', () => build([{ ...line, discount: { percent: 1.005 } }])],
    ['more than everything', () => build([{ ...line, discount: { percent: 101 } }])],
    ['an order discount above its lines', () => build([line], [{ amount: 1_001 }])],
    ['an order discount on protected lines only', () => build([{ ...line, noDiscount: true }], [{ amount: 1 }])],
    ['a total beyond exact numbers', () => build([1, 2].map(() => ({ ...line, unitPrice: 2 ** 52 - 1 })))],
    ['a discount of nothing', () => build([{ ...line, discount: {} as Discount }])],
    ['shares above the price', () => build([share(1_001)], [{ amount: 1_001 }])],
    ['shares that are not the amount', () => build([share(300)], [{ amount: 301 }])],
    ['shares of an unknown order discount', () => build([share(300, 'other')], [{ amount: 0 }])],
    ['shares beside lines to share over', () => build([share(300)], [{ amount: 300, lineIds: ['1'] }])],
    ['an empty list of lines', () => build([])],
    ['more lines than a basket has', () => build(Array.from({ length: 201 }, () => line))],
    ['no lines at all', () => buildBasket({ loyaltyId: 'm' } as BasketDraft)],
    ['no draft at all', () => buildBasket(null as unknown as BasketDraft)],
  ])('of %s is a pos_error in the checkout, and no call', async (_what, build) => {
    const unbuilt = build();
    expect(unbuilt).toMatchObject({ status: 'failed', failureReason: 'pos_error', isSaleEventDue: true });
    const arrived = stage.calls.length;
    const outcome = await stage.client.calculateBasket(unbuilt);
    expect(outcome).toBe(unbuilt);
    expect(stage.calls.slice(arrived)).toMatchObject([{ failureReason: 'pos_error', requestIds: [] }]);
    expect(await swapBasket(outcome, unbuilt, () => Promise.reject(new Error('never called')))).toBe(outcome);
    expect(printoutOf(outcome)).toBeUndefined();
    expect(saleEventOf(outcome, 'r-1')).toMatchObject({ status: 'failed', failureReason: 'pos_error' });
    expect(decideWithoutCall(unbuilt, 'no_loyalty_flow')).toMatchObject({
      calculationId: unbuilt.calculationId,
      status: 'not_applicable',
      isSaleEventDue: false,
    });
    expect(decideWithoutCall(unbuilt, 'offline')).toMatchObject({ status: 'failed', failureReason: 'offline' });
  });

  test('keeps its calculation ID, and says what is wrong', () => {
    const calculationId = crypto.randomUUID();
    const draft = { calculationId, loyaltyId: 'm', currency: 'NOK', context: OSLO };
    const discount = { amount: 1_001 };
    const detail = 'the basket cannot be built: line 1: the discount is above the price';
    expect(buildBasket({ ...draft, lines: [{ ...line, discount }] })).toMatchObject({ calculationId, detail });
    const lines = 'the basket cannot be built: it has 0 lines, allowed: 1 to 200';
    expect(buildBasket({ ...draft, lines: [] })).toMatchObject({ calculationId, detail: lines });
  });

  test.each<[string, () => unknown]>([
    ['parts that are not the whole', () => splitLine(line, [1, 0.9])],
    ['a split of the shares of the till', () => splitLine(share(300), [1, 1])],
    ['a line price beyond exact numbers', () => multiplyQuantity(2, Number.MAX_SAFE_INTEGER)],
    ['a percentage of a fraction', () => percentOf(0.5, 10)],
  ])('%s is a RangeError of the helper', (_what, help) => {
    expect(help).toThrow(RangeError);
  });
});

describe("a draft that is the till's own object", () => {
  const secrets = { card: '4111111111111111', guest: 'Kari Nordmann', costPrice: 1_200 };
  const till: BasketDraft = {
    ...secrets,
    loyaltyId: 'm',
    currency: 'NOK',
    supersedesCalculationId: null as unknown as string,
    context: { ...OSLO, ...secrets },
    lines: [
      {
        ...secrets,
        productId: 'p',
        ean: null as unknown as string,
        name: 'n',
        quantity: 2,
        unitPrice: 500,
        noDiscount: true,
        discount: { ...secrets, amount: 100, percent: 10, text: 'Staff' },
        orderDiscountAllocation: [{ ...secrets, orderDiscountId: 'staff', orderDiscountAllocationAmount: 50 }],
      },
    ],
    orderDiscounts: [{ ...secrets, orderDiscountId: 'staff', amount: 50 }],
  } as BasketDraft;

  test('leaves the fields in it that the interface does not have, and those that are null', () => {
    const basket = built(till);
    expect(JSON.stringify(basket)).not.toMatch(/4111|Kari|costPrice|null/);
    const read = readBasketRequest(Buffer.from(JSON.stringify(basket)), basket.calculationId);
    expect(read.ok ? read.mismatch : read.refusal).toBeUndefined();
  });

  test('keeps its discounts on a noDiscount line, and its own shares', () => {
    const { lines, orderDiscounts, totals } = built(till);
    expect(lines).toMatchObject([
      { existingLineDiscountType: 'percent', existingLineDiscountAmount: 100, existingLineDiscountPercent: 10 },
    ]);
    expect(lines[0]).toMatchObject({
      orderDiscountAllocation: [{ orderDiscountId: 'staff', orderDiscountAllocationAmount: 50 }],
      orderLinePrice: 850,
    });
    expect(orderDiscounts).toEqual([{ orderDiscountId: 'staff', type: 'amount', amount: 50 }]);
    expect(totals).toMatchObject({ existingDiscountTotal: 100, orderDiscountTotal: 50, total: 850 });
  });
});

test('the helpers return numbers, rounded as the interface does', () => {
  expect(multiplyQuantity(0.345, 1_999)).toBe(690);
  expect(multiplyQuantity(1.005, 100)).toBe(101);
  expect(percentOf(4_500, 12.5)).toBe(563);
});

test('an order discount is for the lines that it names, and shared to the last unit', () => {
  const line = { name: 'n', quantity: 1, unitPrice: 1_000, noDiscount: false };
  const lines = ['a', 'b', 'c', 'd'].map((lineId) => ({ ...line, lineId, productId: lineId }));
  const discount = { orderDiscountId: 'staff', amount: 1_000, lineIds: ['a', 'b', 'c'], text: 'Staff' };
  const basket = built({ loyaltyId: 'm', currency: 'NOK', context: OSLO, lines, orderDiscounts: [discount] });
  const shares = basket.lines.map((built) => built.orderDiscountAllocation.map((s) => s.orderDiscountAllocationAmount));
  expect(shares).toEqual([[334], [333], [333], []]);
  expect(basket.orderDiscounts).toEqual([{ orderDiscountId: 'staff', type: 'amount', amount: 1_000, text: 'Staff' }]);
});
