/** Minimums on what lines cost after other benefits: within few steps, beside discounts of the staff, and with sets on many lines. */

import type { BasketLine, BasketRequest } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../../src/definition.ts';
import { buildBasket } from '../support/basket.ts';
import { allocated, line } from '../support/choices.ts';
import type { Circumstances } from '../support/price.ts';
import { benefit, net, percent, tell } from './net.ts';

const replaces = { existingOrderDiscounts: 'replace_if_larger' } as const;

/** The same within each number of steps. */
const withFewSteps = (basket: BasketLine[] | BasketRequest, benefits: BenefitDefinition[], more: Circumstances = {}) =>
  Array.from({ length: 100 }, (_, maximumSteps) => tell(basket, benefits, { ...more, maximumSteps }));

describe('within few steps', () => {
  it('no discount is given on lines that cost too little for it', () => {
    // 3,000 less 60 % are 1,200.
    const benefits = [net('voucher', 200, 2_400), percent('sixty', 60)];
    for (const { total, applied } of withFewSteps([line('x', 3, 1_000)], benefits)) {
      expect(applied).not.toEqual(['sixty', 'voucher']);
      expect(total).toBeGreaterThanOrEqual(1_200);
    }
  });

  it('discounts of the staff give way to larger ones, also where no steps are left to look at these', () => {
    const basket = buildBasket([line('x', 2, 400, allocated(50))], {
      orderDiscounts: [{ orderDiscountId: 'staff-0', type: 'amount', amount: 50 }],
    });
    // 50 of the staff, and three times 20.
    const vouchers = [1, 2, 3].map((at) => benefit(`v${at}`, 'order_amount', { amount: 20 }));
    for (let maximumSteps = 0; maximumSteps < 10; maximumSteps += 0.25) {
      const { total } = tell(basket, vouchers, { policies: replaces, maximumSteps });
      expect([740, 750], `${maximumSteps} steps`).toContain(total);
    }
  });
});
