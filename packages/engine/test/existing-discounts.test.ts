import type { BasketLine, BasketRequest } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition, ProgrammeDefinition } from '../src/definition.ts';
import type { AppliedDecision } from '../src/types.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { expectApplied, priceFully } from './support/price.ts';

type Policies = Partial<ProgrammeDefinition>;

function apply(basket: BasketRequest, benefits: BenefitDefinition[], policies: Policies = {}): AppliedDecision {
  return expectApplied(basket, priceFully(basket, benefits, { policies }));
}

/** A basket with one staff order discount of `amounts`, one share per line. */
function withStaffDiscount(lines: BasketLine[], amounts: number[]): BasketRequest {
  const shared = lines.map((line, i) => ({
    ...line,
    orderDiscountAllocation: [{ orderDiscountId: 'staff', orderDiscountAllocationAmount: amounts[i]! }],
    orderLinePrice: line.orderLinePrice - amounts[i]!,
  }));
  const amount = amounts.reduce((sum, share) => sum + share, 0);
  return buildBasket(shared, {
    orderDiscounts: [{ orderDiscountId: 'staff', type: 'amount', amount, text: 'Regular', campaignId: 'c1' }],
  });
}

const third: BenefitDefinition = {
  benefitId: 'third',
  kind: 'buy_x_get_y',
  buy: { quantity: 2 },
  get: { quantity: 1 },
};

describe('existing line discounts', () => {
  it('are shared by the parts of a split line to the unit, and cleared where a part gets more', () => {
    const basket = buildBasket([
      buildLine({ lineId: 'a', quantity: 3, unitPrice: 1_000, existingLineDiscountAmount: 100 }),
    ]);
    const [rest, given] = apply(basket, [third]).lines;
    expect(rest).toMatchObject({ quantity: 2, existingLineDiscountAmount: 67, orderLinePrice: 1_933 });
    expect(given).toMatchObject({ quantity: 1, existingLineDiscountType: 'none', orderLinePrice: 0 });
  });
});

describe('what the staff gave', () => {
  const [line, staffed] = [0, 100].map((existingLineDiscountAmount, at) =>
    buildLine({ lineId: `l${at}`, unitPrice: 1_000, existingLineDiscountAmount }),
  ) as [BasketLine, BasketLine];
  const two = [staffed, { ...staffed, lineId: 'l2' }];
  const bundle = (bundlePrice: number): BenefitDefinition => ({
    benefitId: 'b',
    kind: 'bundle_price',
    items: [{ quantity: 2 }],
    bundlePrice,
  });
  const percent = (kind: 'line_percent' | 'order_percent', own: number): BenefitDefinition => ({
    benefitId: 'b',
    kind,
    percent: own,
  });

  it.each<[string, BasketRequest, BenefitDefinition, BenefitDefinition]>([
    ['on a line', buildBasket([staffed]), percent('line_percent', 10), percent('line_percent', 11)],
    ['on two lines of a bundle', buildBasket(two), bundle(1_800), bundle(1_799)],
    ['on the order', withStaffDiscount([line], [100]), percent('order_percent', 10), percent('order_percent', 11)],
  ])('%s stays where a benefit takes off as much, and goes where it takes off more', (_, basket, as, more) => {
    const policies: Policies = { existingOrderDiscounts: 'replace_if_larger' };
    expect(priceFully(basket, [as], { policies })).toMatchObject({ status: 'unchanged' });
    expect(apply(basket, [more], policies).totals.total).toBeLessThan(basket.totals.total);
  });
});

describe('staff order discounts', () => {
  it('are shared by the parts of a split line, capped by what each part has left', () => {
    const line = buildLine({ lineId: 'a', quantity: 3, unitPrice: 1, existingLineDiscountAmount: 2 });
    const half: BenefitDefinition = { ...third, get: { quantity: 1, percent: 100 } };
    const basket = withStaffDiscount([line], [1]);
    // Of three units at 0.01, two are discounted away and one allocated away: nothing is left to give.
    expect(priceFully(basket, [half], { policies: { existingLineDiscounts: 'stack' } })).toMatchObject({
      status: 'unchanged',
    });
  });
});
