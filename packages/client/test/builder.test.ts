/** The basket builder and the receipt against the interface's own judges, over many baskets of any shape. */
import {
  type BasketDraft,
  buildBasket,
  type LineDraft,
  multiplyQuantity,
  type OrderDiscountDraft,
  percentOf,
  printoutOf,
  splitLine,
} from 'loyalty-basket-client';
import { describe, expect, test } from 'vitest';
import { readBasketRequest } from '../../../src/basket/basket-request.ts';
import { findRequestMismatch } from '../../../src/basket/identities.ts';
import type { AppliedResponse } from '../../../src/contract/basket-response.ts';
import { Random } from '../../../src/tools/simulator/random.ts';
import { OSLO } from '../../../test/support/baskets.ts';
import { answerHonestly } from '../../conformance/src/double/honest.ts';
import { LOYALTY_ID_PREFIX, MISBEHAVIOURS } from '../../conformance/src/double/table.ts';
import { priceOf } from '../../conformance/src/kit/judge/decimal.ts';
import { judgeApplied } from '../../conformance/src/kit/judge/judge.ts';
import { openClient, richBasket, useDouble } from './fixture.ts';

const ROUNDS = 1_000;
const SEED = 17;
const stage = useDouble();

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
    const basket = buildBasket(draft);
    const read = readBasketRequest(Buffer.from(JSON.stringify(basket)), basket.calculationId);
    expect(read.ok ? findRequestMismatch(read.value) : read.refusal).toBeUndefined();
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
    const basket = buildBasket({ loyaltyId: 'm', currency: 'NOK', context: OSLO, lines: parts });
    expect(findRequestMismatch(basket)).toBeUndefined();
  }
});

describe('a basket that cannot be exact is refused', () => {
  const line: LineDraft = { productId: 'p', name: 'n', quantity: 2, unitPrice: 500, noDiscount: false };
  const build = (lines: readonly LineDraft[], orderDiscounts: readonly OrderDiscountDraft[] = []) =>
    buildBasket({ loyaltyId: 'm', currency: 'NOK', context: OSLO, lines, orderDiscounts });

  test.each<[string, () => unknown]>([
    ['half a unit of money', () => build([{ ...line, unitPrice: 0.5 }])],
    ['a negative price', () => build([{ ...line, unitPrice: -1 }])],
    ['no number of pieces', () => build([{ ...line, quantity: Number.NaN }])],
    ['a discount above the price', () => build([{ ...line, discount: { amount: 1_001 } }])],
    ['a percentage of three decimals', () => build([{ ...line, discount: { percent: 1.005 } }])],
    ['more than everything', () => build([{ ...line, discount: { percent: 101 } }])],
    ['a discount on a protected line', () => build([{ ...line, noDiscount: true, discount: { amount: 1 } }])],
    ['an order discount above its lines', () => build([line], [{ amount: 1_001 }])],
    ['an order discount on protected lines only', () => build([{ ...line, noDiscount: true }], [{ amount: 1 }])],
    ['a total beyond exact numbers', () => build([1, 2].map(() => ({ ...line, unitPrice: 2 ** 52 - 1 })))],
    ['parts that are not the whole', () => splitLine(line, [1, 0.9])],
    ['a line price beyond exact numbers', () => multiplyQuantity(2, Number.MAX_SAFE_INTEGER)],
    ['a percentage of a fraction', () => percentOf(0.5, 10)],
  ])('%s', (_what, build) => {
    expect(build).toThrow(RangeError);
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
  const basket = buildBasket({ loyaltyId: 'm', currency: 'NOK', context: OSLO, lines, orderDiscounts: [discount] });
  const shares = basket.lines.map((built) => built.orderDiscountAllocation.map((s) => s.orderDiscountAllocationAmount));
  expect(shares).toEqual([[334], [333], [333], []]);
  expect(basket.orderDiscounts).toEqual([{ orderDiscountId: 'staff', type: 'amount', amount: 1_000, text: 'Staff' }]);
});

const answers = Object.entries(MISBEHAVIOURS).flatMap(([code, { act, right }]) =>
  act.kind === 'body' && (right as readonly { status: string }[])[0]?.status === 'applied' ? [code] : [],
);

describe('the receipt adds up', () => {
  test.each(['', ...answers])('of an answer %s', async (code) => {
    const basket = richBasket(code === '' ? 'member' : LOYALTY_ID_PREFIX + code);
    const outcome = await stage.client.calculateBasket(basket);
    expect(outcome.status).toBe('applied');
    const { lines, orderDiscounts, total } = printoutOf(outcome);
    for (const line of lines) {
      const taken = line.discounts.reduce((sum, { amount }) => sum + amount, 0);
      expect(line.price).toBe(Number(priceOf(line.quantity, line.unitPrice)) - taken);
    }
    const sum = lines.reduce((all, { price }) => all + price, 0);
    expect(sum - orderDiscounts.reduce((all, { amount }) => all + amount, 0)).toBe(total);
    expect(total).toBe(outcome.basket.totals.total);
    expect(
      lines.some(({ discounts }) => discounts.some(({ isLoyalty }) => isLoyalty)) || orderDiscounts.length > 1,
    ).toBe(true);
  });

  test("of the till's own basket", async () => {
    const outcome = await stage.client.calculateBasket(richBasket('member-none'));
    const { lines, orderDiscounts, total } = printoutOf(outcome);
    expect(lines[3]).toMatchObject({ linePrice: 7_900, price: 7_500, discounts: [{ amount: 400, isLoyalty: false }] });
    expect(orderDiscounts).toMatchObject([{ amount: 500, isLoyalty: false }]);
    expect(total).toBe(outcome.basket.totals.total);
  });
});

describe("the till's last look", () => {
  test.each([
    ['a reason', () => 'this till sells no gifts', 'invalid_response', 'refused by the till: this till sells no gifts'],
    ['an empty reason', () => '', 'invalid_response', 'refused by the till: '],
    ['a promise', () => Promise.resolve(undefined), 'pos_error', "the till's review returned object"],
    [
      'an error',
      () => {
        throw new Error('no shelf');
      },
      'pos_error',
      "the till's review threw: no shelf",
    ],
  ])('with %s keeps the basket', async (_what, review, failureReason, detail) => {
    const options = { reviewAnswer: review as () => string | undefined };
    const client = await openClient(stage.double.baseUrl, stage, options);
    const basket = richBasket('member');
    const outcome = await client.calculateBasket(basket);
    expect(outcome).toMatchObject({ status: 'failed', failureReason, detail, isSaleEventDue: true });
    expect(outcome.basket).toBe(basket);
    await client.close();
  });

  test('sees the new basket and the old one, and lets it pass', async () => {
    const seen: unknown[] = [];
    const client = await openClient(stage.double.baseUrl, stage, {
      reviewAnswer: (...given) => {
        seen.push(given);
        return undefined;
      },
    });
    const basket = richBasket('member');
    const outcome = await client.calculateBasket(basket);
    expect(outcome.status).toBe('applied');
    expect(seen).toEqual([[outcome.basket, basket]]);
    await client.calculateBasket(richBasket('member-none'));
    expect(seen).toHaveLength(1);
    await client.close();
  });
});
