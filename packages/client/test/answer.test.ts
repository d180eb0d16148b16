/**
 * The judge of answers by itself: each planted fault is found where it was planted, and quantities add up exactly. It
 * imports the sources, because the package exports no judge.
 */

import type { BasketRequest } from '@loyalty/contract/basket-request';
import type { AppliedResponse, BasketLineOut } from '@loyalty/contract/basket-response';
import { describe, expect, test } from 'vitest';
import { Random } from '../../../packages/simulator/src/random.ts';
import { basketOf, randomBasket } from '../../../test/support/baskets.ts';
import { addUp, answerHonestly } from '../../conformance/src/double/honest.ts';
import { GIFT } from '../../conformance/src/double/spoil.ts';
import { MISBEHAVIOURS } from '../../conformance/src/double/table.ts';
import { judgeAnswer } from '../src/answer.ts';
import { richBasket } from './fixture.ts';

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };
const priceList = (_venueId: string, productId: string) => (productId === GIFT.productId ? GIFT : undefined);

function judge(request: BasketRequest, answer: unknown, status = 200) {
  const body = Buffer.from(JSON.stringify(answer));
  return judgeAnswer(request, { status, headers: JSON_HEADERS, body }, priceList);
}

/** Where the judge must find each fault; a fault that another check catches by chance would hide a missing one. */
const PLACES: Record<string, string> = {
  'wrong-totals': '/totals/total:',
  'wrong-original-total': '/totals/originalTotal',
  'wrong-existing-total': '/totals/existingDiscountTotal',
  'wrong-order-discount-total': '/totals/orderDiscountTotal',
  'wrong-loyalty-total': '/totals/loyaltyDiscountTotal',
  'wrong-line-price': '/lines/0/orderLinePrice',
  'wrong-percent-amount': '/lines/0/lineDiscountAmount',
  'negative-line': '/lines/0/orderLinePrice',
  'wrong-line': '/lines/0/lineId',
  'duplicate-line': '/lines/6/lineId',
  'missing-line': '/totals/originalTotal',
  'missing-protected-line': '/lines: expected every noDiscount line',
  'changed-protected-line': '/lines/2/lineDiscountType',
  'repriced-protected-line': '/lines/2/overrideUnitPrice',
  'dropped-flag': '/lines/2/noDiscount',
  'percent-on-protected-line': '/lines/4/lineDiscountType',
  'changed-name': '/lines/0/name',
  'changed-product': '/lines/0/productId',
  'changed-quantity': '/lines/0/quantity',
  'changed-unit-price': '/lines/0/unitPrice',
  'raised-existing-discount': '/lines/3/existingLineDiscountAmount',
  'discount-without-code': '/lines/0/lineDiscountCode',
  'split-short': '/lines/0/quantity',
  'split-from-nothing': '/lines/0/splitFromLineId',
  'added-wrong-price': '/lines/6/unitPrice',
  'added-unknown-product': '/lines/6/productId',
  'unallocated-order-discount': '/orderDiscounts/1/amount',
  'order-discount-without-code': '/orderDiscounts/1/discountCode',
  'order-discount-on-protected-line': '/lines/2/orderDiscountAllocation',
  'dangling-share': '/lines/0/orderDiscountAllocation/0/orderDiscountId',
  'applied-without-change': '/status',
  'wrong-calculation-id': '/calculationId',
  'unknown-status': '/status',
  'missing-totals': '/totals',
  'missing-lines': '/lines',
  'missing-order-discounts': '/orderDiscounts',
  'fractional-money': '/lines/0/orderLinePrice',
  'money-as-text': '/lines/0/orderLinePrice',
  'null-flag': '/lines/0/noDiscount',
  'unknown-discount-type': '/lines/0/lineDiscountType',
  'long-text': '/lines/0/lineDiscountText',
  'unchanged-with-lines': '/lines',
  'unchanged-without-reason': '/reason',
  'array-body': 'the body is not an object',
};

const bodies = Object.entries(MISBEHAVIOURS).flatMap(([code, { act, right }]) =>
  act.kind === 'body' ? [{ code, spoil: act.spoil, right: right[0] as { status: string } }] : [],
);

describe('an answer that is spoiled', () => {
  test.each(bodies)('$code', ({ code, spoil, right }) => {
    const request = richBasket('member');
    const judgement = judge(request, spoil(request));
    if (right.status !== 'failed') return expect(judgement).toMatchObject({ verdict: 'accepted' });
    expect(judgement.verdict).toBe('invalid_response');
    expect('detail' in judgement && judgement.detail).toMatch(new RegExp(`^${PLACES[code] ?? 'not in the list'}`));
  });
});

test('right answers to many baskets are accepted', () => {
  const random = new Random(7);
  for (let round = 0; round < 300; round += 1) {
    const request = randomBasket(random, random.between(1, 30)) as BasketRequest;
    expect(judge(request, answerHonestly(request))).toMatchObject({ verdict: 'accepted' });
  }
});

describe('a basket that would cost more than it did', () => {
  const none = { lineDiscountType: 'none', lineDiscountAmount: 0, showLineDiscountText: false } as const;
  const honest = { status: 'applied', orderDiscounts: [] } as unknown as AppliedResponse;
  const answerOf = ({ calculationId, totals }: BasketRequest, ...lines: object[]) =>
    addUp({ ...honest, calculationId, totals, lines: lines as BasketLineOut[] });
  /** An answer with the one line of a request at another unit price. */
  const answerAt = (request: BasketRequest, overrideUnitPrice: number) => {
    return answerOf(request, { ...request.lines[0], ...none, overrideUnitPrice, orderDiscountAllocation: [] });
  };
  const plain = basketOf([{ unitPrice: 1_000 }]) as BasketRequest;

  test('is refused', () => {
    expect(judge(plain, answerAt(plain, 999))).toMatchObject({ verdict: 'accepted' });
    expect(judge(plain, answerAt(plain, 1_001))).toMatchObject({
      verdict: 'invalid_response',
      detail: '/totals/total: expected at most 1000 without added products, received 1001',
    });
  });

  test('is accepted if an order discount of an earlier answer is gone', () => {
    const request = basketOf([{ unitPrice: 1_000, shares: { o: 100 } }]) as BasketRequest;
    expect(judge(request, answerAt(request, 950))).toMatchObject({ verdict: 'accepted' });
    expect(judge(request, answerAt(request, 1_001))).toMatchObject({ verdict: 'invalid_response' });
  });

  test('is accepted if a discount of the staff makes way for an added product that is worth more', () => {
    const request = basketOf([{ unitPrice: 10_000, existing: 300 }]) as BasketRequest;
    const { existingLineDiscountText: _, ...line } = request.lines[0]!;
    const cleared = { existingLineDiscountType: 'none', existingLineDiscountAmount: 0 };
    const [gift] = basketOf([{ lineId: 'added-1', ...GIFT }]).lines;
    const answerWith = (quantity: number, lineDiscountAmount: number) => {
      const given = { lineDiscountType: 'amount', lineDiscountAmount, lineDiscountCode: 'loyalty' };
      const added = { ...gift, quantity, addedByLoyalty: true };
      return answerOf(request, { ...line, ...none, ...cleared }, { ...added, ...none, ...given });
    };
    expect(judge(request, answerWith(1, GIFT.unitPrice))).toMatchObject({ verdict: 'accepted' });
    expect(judge(request, answerWith(0.01, GIFT.unitPrice / 100))).toMatchObject({
      verdict: 'invalid_response',
      detail: expect.stringMatching(/^\/totals\/total: expected at most 9700 without added products, received 9975/),
    });
  });
});

test('a protected line may have two shares of an order discount, which neither grow', () => {
  const share = (orderDiscountAllocationAmount: number) => ({ orderDiscountId: 'o', orderDiscountAllocationAmount });
  const words = [{ unitPrice: 1_000, noDiscount: true, shares: { o: 150 } }, { unitPrice: 3_900 }];
  const request = basketOf(words) as BasketRequest;
  request.lines[0]!.orderDiscountAllocation = [share(100), share(50)];
  const answer = answerHonestly(request) as AppliedResponse;
  expect(judge(request, answer)).toMatchObject({ verdict: 'accepted' });
  const [kept, coffee] = answer.lines;
  const grown = { ...kept!, orderDiscountAllocation: [share(100), share(51)] };
  const orderDiscounts = answer.orderDiscounts.map((discount) => ({ ...discount, amount: 151 }));
  expect(judge(request, addUp({ ...answer, lines: [grown, coffee!], orderDiscounts }))).toMatchObject({
    detail: expect.stringMatching(/^\/lines\/0\/orderDiscountAllocation: /),
  });
});

test('names are taken from the answer itself, never from what every object has', () => {
  const request = richBasket('member');
  const { calculationId } = request;
  for (const status of ['toString', '__proto__', 'constructor']) {
    expect(judge(request, { calculationId, status })).toMatchObject({ verdict: 'invalid_response' });
  }
});

test('without a price list no added line is accepted', () => {
  const request = richBasket('member');
  const { spoil } = bodies.find(({ code }) => code === 'added-line')!;
  const body = Buffer.from(JSON.stringify(spoil(request)));
  expect(judgeAnswer(request, { status: 200, headers: JSON_HEADERS, body }, () => undefined)).toMatchObject({
    verdict: 'invalid_response',
  });
});
