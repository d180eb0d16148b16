/** Minimums on what lines cost after other benefits: within few steps, beside discounts of the staff, and with sets on many lines. */

import type { BasketLine, BasketRequest } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../../src/definition.ts';
import { buildBasket } from '../support/basket.ts';
import { allocated, line } from '../support/choices.ts';
import type { Circumstances } from '../support/price.ts';
import { benefit, net, on, percent, tell } from './net.ts';

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

it('of discounts on the order that are left, none is given that is smaller than those of the staff', () => {
  // The staff took 350 off z. On x the vouchers take 360 of 400 as it came, and 340 where it costs too little for one of them.
  const basket = buildBasket([line('x', 1, 400), line('z', 1, 400, allocated(350))], {
    orderDiscounts: [{ orderDiscountId: 'staff-0', type: 'amount', amount: 350 }],
  });
  const benefits = [
    ...[percent('half', 50, on('x')), percent('most', 75, on('z'))],
    ...[
      benefit('order', 'order_amount', { amount: 340, ...on('x') }),
      net('voucher', 20, 390, { priority: 1, ...on('x') }),
    ],
  ];
  // The half leaves too little of x for the voucher, and so less to the other than the staff took off, whose discount stays.
  expect(tell(basket, benefits, { policies: replaces })).toMatchObject({ total: 200, applied: ['half', 'most'] });
});

describe('where some of many lines keep their price for a discount on the order', () => {
  const rest = Array.from({ length: 12 }, (_, at) => line(`r${at}`, 1, 500));

  it('their units are not bought so that dearer ones are given', () => {
    const cakes = Array.from({ length: 10 }, (_, at) => line(`c${at}`, 1, at < 5 ? 1_000 : 100, { productId: 'cake' }));
    const pair = benefit('pair', 'buy_x_get_y', {
      buy: { quantity: 1, ...on('cake') },
      get: { quantity: 1, ...on('cake') },
    });
    // Sets give two cakes for 1,000 and three for 100.
    const told = tell([...rest, ...cakes], [pair, net('voucher', 50, 11_500 - 2_299)]);
    expect(told).toMatchObject({ total: 11_500 - 2_300, applied: ['pair'] });
  });

  it('the cheapest unit of all lines is given, and no other in its place', () => {
    const cheapest = benefit('cheapest', 'buy_x_get_y', {
      buy: { quantity: 12 },
      get: { quantity: 1 },
      pick: 'cheapest',
    });
    const more = [1, 2, 3].map((at) => line(`more${at}`, 1, 500));
    const lines = [...rest, ...more, line('least', 1, 400)];
    expect(tell(lines, [cheapest, net('voucher', 50, 7_900 - 399)])).toMatchObject({
      total: 7_500,
      applied: ['cheapest'],
    });
  });
});
