/** The oracle and the engine held against totals worked out by hand: a yardstick has to be measured too. */

import type { BenefitDefinition } from '@loyalty/engine/definition';
import { describe, expect, it } from 'vitest';
import { buildBasket } from '../../packages/engine/test/support/basket.ts';
import { priceWithEngine } from './engine.ts';
import { findLowestCost } from './oracle.ts';
import type { OracleCase } from './types.ts';

/** Lines as [product, quantity, unit price, existing discount]; products a and b are in group g, c and d in group h. */
type Sold = readonly [productId: string, quantity: number, unitPrice: number, existing?: number];

function exampleCase(sold: readonly Sold[], benefits: readonly unknown[]): OracleCase {
  const lines = sold.map(([productId, quantity, unitPrice, existing = 0], index) => ({
    lineId: `l${index + 1}`,
    productId,
    productGroupId: productId < 'c' ? 'g' : 'h',
    name: productId,
    quantity,
    unitPrice,
    originalLinePrice: quantity * unitPrice,
    noDiscount: false,
    noPercentageDiscount: false,
    existingLineDiscountType: existing > 0 ? ('amount' as const) : ('none' as const),
    existingLineDiscountAmount: existing,
    orderDiscountAllocation: [],
    orderLinePrice: quantity * unitPrice - existing,
  }));
  return {
    programme: { programmeId: 'club', benefits: benefits as BenefitDefinition[] },
    products: [],
    grants: [],
    basket: buildBasket(lines),
    available: {},
  };
}

function expectTotal(example: OracleCase, total: number): void {
  expect(findLowestCost(example).netCost).toBe(total);
  const decision = priceWithEngine(example);
  expect(decision.status === 'applied' && decision.totals.total).toBe(total);
}

describe('worked out by hand', () => {
  it('gives the second of three units', () => {
    const benefits = [{ benefitId: 'x', kind: 'buy_x_get_y', buy: { quantity: 1 }, get: { quantity: 1 } }];
    const sold: Sold[] = [
      ['a', 1, 100],
      ['b', 1, 50],
      ['a', 1, 20],
    ];
    expectTotal(exampleCase(sold, benefits), 120);
    const cheapest = benefits.map((benefit) => ({ ...benefit, pick: 'cheapest' }));
    expectTotal(exampleCase(sold, cheapest), 150);
  });

  it('bundles the two dearest units and discounts the third line by percentage', () => {
    const benefits = [
      { benefitId: 'pair', kind: 'bundle_price', items: [{ quantity: 2 }], bundlePrice: 100 },
      { benefitId: 'ten', kind: 'line_percent', percent: 10 },
    ];
    const sold: Sold[] = [
      ['a', 1, 100],
      ['b', 1, 50],
      ['c', 1, 60],
    ];
    // 100 + 60 become 100, and 50 becomes 45.
    expectTotal(exampleCase(sold, benefits), 145);
  });

  it('spends a cap of one unit where no existing discount is as large, and rounds the order percentage after it', () => {
    const benefits = [
      { benefitId: 'order', kind: 'order_percent', percent: 10, appliesTo: { productIds: ['c'] } },
      { benefitId: 'unit', kind: 'line_amount', amount: 24, per: 'unit', maximumDiscount: 1 },
    ];
    const sold: Sold[] = [
      ['c', 2, 17],
      ['b', 1, 24, 1],
    ];
    // 34 − 1 = 33, 10 % of it is 3.3 and rounds to 3: 30 remain, and 23 of the other line.
    expectTotal(exampleCase(sold, benefits), 53);
  });

  it('leaves a cap to two of three lines so that another benefit and a rounding come on top', () => {
    const benefits = [
      {
        benefitId: 'five',
        kind: 'line_percent',
        percent: 5,
        appliesTo: { productGroupIds: ['g'] },
        maximumDiscount: 1,
      },
      { benefitId: 'order', kind: 'order_percent', percent: 5, appliesTo: { productGroupIds: ['h'] } },
      { benefitId: 'line', kind: 'line_amount', amount: 45, per: 'line', maximumDiscount: 50 },
    ];
    const sold: Sold[] = [
      ['a', 1, 10],
      ['a', 2, 21],
      ['d', 1, 41],
    ];
    // 10 − 1 = 9; 42 and 41 share the 50, 25 each: 17 remain, and 16, of which 5 % are 0.8, rounded to 1: 15.
    expectTotal(exampleCase(sold, benefits), 41);
  });
});
