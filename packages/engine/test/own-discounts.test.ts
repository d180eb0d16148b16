/**
 * Order discounts of the service itself that come back. They are taken off before pricing: the answer is what the basket
 * would have had without them, and the basket has changed even where nothing applies.
 */

import type { BasketRequest } from '@loyalty/contract/basket-request';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawn } from '../../../test/support/effort.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import { arbitraryCase, GIFTS } from './support/arbitrary.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { expectApplied, netCostOf, priceFully } from './support/price.ts';

const CODE = 'loyalty';
const GOLD: BenefitDefinition = { benefitId: 'gold', kind: 'order_amount', amount: 5_000 };

/** The basket as a till sends it that took an order discount of ours for its own. */
function withOwn(basket: BasketRequest, amounts: readonly number[], code = CODE): BasketRequest {
  const orderDiscountId = 'returned';
  const shares = basket.lines.map((line, at) =>
    // Some tills write a share of 0 where there is none.
    line.noDiscount
      ? amounts.length % 2 === 0
        ? 0
        : undefined
      : Math.min(amounts[at % amounts.length] ?? 0, line.orderLinePrice),
  );
  const amount = shares.reduce<number>((sum, share) => sum + (share ?? 0), 0);
  const lines = basket.lines.map((line, at) => ({
    ...line,
    orderDiscountAllocation: [
      ...line.orderDiscountAllocation,
      ...(shares[at] === undefined ? [] : [{ orderDiscountId, orderDiscountAllocationAmount: shares[at] }]),
    ],
    orderLinePrice: line.orderLinePrice - (shares[at] ?? 0),
  }));
  const { totals } = basket;
  return {
    ...basket,
    lines,
    orderDiscounts: [{ orderDiscountId, type: 'amount', amount, discountCode: code }, ...basket.orderDiscounts],
    totals: {
      ...totals,
      orderDiscountTotal: totals.orderDiscountTotal + amount,
      total: totals.total - amount,
    },
  };
}

const plain = buildBasket([
  buildLine({ lineId: 'a', quantity: 2, unitPrice: 10_000 }),
  buildLine({ lineId: 'b', quantity: 1, unitPrice: 5_000 }),
]);

it('the gold order discount of 50.00 that comes back is not given a second time', () => {
  const first = expectApplied(plain, priceFully(plain, [GOLD]));
  const returned = withOwn(plain, [4_000, 1_000]);
  const second = expectApplied(returned, priceFully(returned, [GOLD]));
  expect(second.totals).toEqual(first.totals);
  expect(second.orderDiscounts).toEqual(first.orderDiscounts);
});

it('where nothing applies the basket changes all the same: it is answered without the discount', () => {
  const returned = withOwn(plain, [4_000, 1_000]);
  const decision = expectApplied(returned, priceFully(returned, [], { trace: true }));
  expect(decision.orderDiscounts).toEqual([]);
  expect(
    decision.lines.map(({ lineDiscountType, orderDiscountAllocation, orderLinePrice }) => [
      lineDiscountType,
      orderDiscountAllocation,
      orderLinePrice,
    ]),
  ).toEqual([
    ['none', [], 20_000],
    ['none', [], 5_000],
  ]);
  expect(decision.totals).toMatchObject({ total: 25_000, loyaltyDiscountTotal: 0, orderDiscountTotal: 0 });
  expect(decision.trace?.changes).toEqual([
    { lineId: 'a', benefitId: '', rule: 'own_discount_returned', amount: 4_000 },
    { lineId: 'b', benefitId: '', rule: 'own_discount_returned', amount: 1_000 },
  ]);
});

it('where the lines were parted the trace puts what comes back down to the first part', () => {
  const half: BenefitDefinition = { benefitId: 'half', kind: 'line_percent', percent: 50, maximumUnits: 1 };
  const basket = buildBasket([
    buildLine({ lineId: 'bag', unitPrice: 100, noDiscount: true }),
    buildLine({ lineId: 'a', quantity: 3, unitPrice: 1_000 }),
  ]);
  const returned = withOwn(basket, [300]);
  const { trace } = expectApplied(returned, priceFully(returned, [half], { trace: true }));
  expect(trace?.changes.filter(({ rule }) => rule === 'own_discount_returned')).toEqual([
    { lineId: 'split-2-1', benefitId: '', rule: 'own_discount_returned', amount: 300 },
  ]);
});

it('one that has a share of a protected line is not ours and stays', () => {
  const share = (orderDiscountId: string, amount: number) => [
    { orderDiscountId, orderDiscountAllocationAmount: amount },
  ];
  const allocation = [...share('staff', 200), ...share('ours', 500)];
  const basket = buildBasket(
    [
      buildLine({ lineId: 'bag', unitPrice: 100, noDiscount: true, orderDiscountAllocation: share('staff', 10) }),
      buildLine({ lineId: 'a', unitPrice: 1_000, orderDiscountAllocation: allocation }),
    ],
    {
      orderDiscounts: [
        { orderDiscountId: 'staff', type: 'amount', amount: 210, discountCode: CODE },
        { orderDiscountId: 'ours', type: 'amount', amount: 500, discountCode: CODE },
      ],
    },
  );
  const decision = expectApplied(basket, priceFully(basket, []));
  expect(decision.orderDiscounts.map(({ orderDiscountId }) => orderDiscountId)).toEqual(['staff']);
  expect(decision.totals.total).toBe(890);
});

describe('random baskets and programmes', () => {
  it('get what they would get without it, line by line, and every difference has its reason', () => {
    fc.assert(
      fc.property(arbitraryCase(6, 5), fc.array(fc.nat(3_000), { minLength: 1, maxLength: 4 }), (example, amounts) => {
        const { basket, benefits, policies } = example;
        const circumstances = { policies, products: [...GIFTS], trace: true };
        const without = priceFully(basket, benefits, circumstances);
        const returned = withOwn(basket, amounts);
        const decision = expectApplied(returned, priceFully(returned, benefits, circumstances));
        expect(netCostOf(returned, decision)).toBe(netCostOf(basket, without));
        if (without.status === 'applied') {
          expect(decision.lines).toEqual(without.lines);
          expect(decision.orderDiscounts).toEqual(without.orderDiscounts);
          expect(decision.totals).toEqual(without.totals);
        }
        const changed = decision.trace!.changes.reduce((sum, { amount }) => sum + amount, 0);
        expect(decision.totals.total - returned.totals.total).toBe(changed);
      }),
      drawn(200),
    );
  });
});
