/** Which discounts of the staff may give way, and what they are compared with. */

import type { BasketLine, OrderDiscount } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition, ProgrammeDefinition } from '../../src/definition.ts';
import { buildBasket } from '../support/basket.ts';
import { allocated, line, staff } from '../support/choices.ts';
import { expectApplied, priceFully } from '../support/price.ts';

type Policies = Partial<ProgrammeDefinition>;

const order = (amount: number): BenefitDefinition => ({ benefitId: 'order', kind: 'order_amount', amount });
const tenth: BenefitDefinition = { benefitId: 'tenth', kind: 'line_percent', percent: 10 };
const ofBasket: Policies = {
  ...{ existingDiscountScope: 'basket', existingLineDiscounts: 'replace_if_larger' },
  existingOrderDiscounts: 'replace_if_larger',
};

/** A basket with order discounts of the staff, of so much each. */
function staffed(lines: BasketLine[], ...amounts: number[]) {
  const orderDiscounts = amounts.map(
    (amount, at): OrderDiscount => ({ orderDiscountId: `staff-${at}`, type: 'amount', amount }),
  );
  return buildBasket(lines, { orderDiscounts });
}

describe('an order discount of 0', () => {
  it('is none that the benefits would have to beat', () => {
    const policies: Policies = { existingDiscountScope: 'basket', existingLineDiscounts: 'keep' };
    const basket = staffed([line('a', 1, 1_000)], 0);
    expect(expectApplied(basket, priceFully(basket, [tenth], { policies })).totals.total).toBe(900);
  });

  it('stays, as there is nothing to give way', () => {
    const basket = staffed([line('a', 1, 1_000, allocated(0))], 0);
    const { orderDiscounts } = expectApplied(
      basket,
      priceFully(basket, [order(100)], { policies: { existingOrderDiscounts: 'replace_if_larger' } }),
    );
    expect(orderDiscounts.map(({ orderDiscountId }) => orderDiscountId)).toEqual(['staff-0', 'loyalty-order']);
  });
});

it('loyalty discounts on the order are compared with those that would go, and not with those that stay', () => {
  // The second lies on a line that is never touched.
  const protectedLine = line('b', 1, 1_000, {
    orderDiscountAllocation: [{ orderDiscountId: 'staff-1', orderDiscountAllocationAmount: 500 }],
    ...{ noDiscount: true, orderLinePrice: 500 },
  });
  const basket = staffed([line('a', 1, 1_000, allocated(100)), protectedLine], 100, 500);
  const policies: Policies = { existingOrderDiscounts: 'replace_if_larger' };
  const decision = expectApplied(basket, priceFully(basket, [order(300)], { policies }));
  expect(decision.totals.total).toBe(700 + 500);
});

describe('where the staff have given anything the whole basket is theirs or that of the benefits', () => {
  const basket = buildBasket([line('a', 1, 1_000, staff(100)), line('b', 1, 1_000)]);

  it.each(['keep', 'stack'] as const)(
    'and theirs stays if line discounts have the policy %s',
    (existingLineDiscounts) => {
      const policies: Policies = { ...ofBasket, existingLineDiscounts };
      expect(priceFully(basket, [order(500)], { policies }).status).toBe('unchanged');
    },
  );

  it('and discounts on the order are given instead if they are larger', () => {
    const totalWith = (amount: number) => {
      const decision = priceFully(basket, [order(amount)], { policies: ofBasket });
      return decision.status === 'applied' ? decision.totals.total : decision.status;
    };
    expect(totalWith(101)).toBe(1_899);
    expect(totalWith(100)).toBe('unchanged');
  });
});
