import type { BasketLine, BasketRequest } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition, ProgrammeDefinition } from '../src/definition.ts';
import type { AppliedDecision } from '../src/price.ts';
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

const twenty: BenefitDefinition = { benefitId: 'twenty', kind: 'line_percent', percent: 20 };
const third: BenefitDefinition = {
  benefitId: 'third',
  kind: 'buy_x_get_y',
  buy: { quantity: 2 },
  get: { quantity: 1 },
};
const orderTen: BenefitDefinition = { benefitId: 'ten', kind: 'order_percent', percent: 10 };

describe('existing line discounts', () => {
  it('are shared by the parts of a split line to the unit, and cleared where a part gets more', () => {
    const basket = buildBasket([
      buildLine({ lineId: 'a', quantity: 3, unitPrice: 1_000, existingLineDiscountAmount: 100 }),
    ]);
    const [rest, given] = apply(basket, [third]).lines;
    expect(rest).toMatchObject({ quantity: 2, existingLineDiscountAmount: 67, orderLinePrice: 1_933 });
    expect(given).toMatchObject({ quantity: 1, existingLineDiscountType: 'none', orderLinePrice: 0 });
  });

  it('are compared with a bundle as a whole', () => {
    const night: BenefitDefinition = {
      benefitId: 'night',
      kind: 'bundle_price',
      items: [{ quantity: 2 }],
      bundlePrice: 8_900,
    };
    const popcorn = buildLine({ lineId: 'popcorn', unitPrice: 6_500 });
    const soda = (existingLineDiscountAmount: number) =>
      buildLine({ lineId: 'soda', unitPrice: 4_500, existingLineDiscountAmount });
    // Of 21.00 off, 8.59 are the soda's share: less than its 9.00, but not than all of it.
    expect(apply(buildBasket([popcorn, soda(900)]), [night]).totals.total).toBe(8_900);
    expect(priceFully(buildBasket([popcorn, soda(2_100)]), [night])).toMatchObject({ status: 'unchanged' });
  });

  it('stay under stack, with a percentage of what the line still costs', () => {
    const basket = buildBasket([buildLine({ lineId: 'a', unitPrice: 1_000, existingLineDiscountAmount: 900 })]);
    const [line] = apply(basket, [twenty], { existingLineDiscounts: 'stack' }).lines;
    expect(line).toMatchObject({
      existingLineDiscountAmount: 900,
      lineDiscountType: 'amount',
      lineDiscountAmount: 20,
    });
    const amount: BenefitDefinition = { benefitId: 'a', kind: 'line_amount', amount: 200, per: 'unit' };
    const [below] = apply(basket, [amount], { existingLineDiscounts: 'stack' }).lines;
    expect(below).toMatchObject({ lineDiscountAmount: 100, orderLinePrice: 0 });
  });

  it('keep a line from line-level benefits under keep, but not from order-level ones', () => {
    const basket = buildBasket([buildLine({ lineId: 'a', unitPrice: 1_000, existingLineDiscountAmount: 100 })]);
    const decision = apply(basket, [twenty, orderTen], { existingLineDiscounts: 'keep' });
    expect(decision.lines[0]).toMatchObject({ lineDiscountType: 'none', orderLinePrice: 810 });
  });

  it('give way to a lower unit price too', () => {
    const basket = buildBasket([
      buildLine({ lineId: 'a', unitPrice: 1_000, existingLineDiscountAmount: 100, existingLineDiscountPercent: 10 }),
    ]);
    const [line] = apply(basket, [{ benefitId: 'p', kind: 'unit_price', unitPrice: 850 }]).lines;
    expect(line).toMatchObject({ existingLineDiscountType: 'none', overrideUnitPrice: 850, orderLinePrice: 850 });
    expect(line?.existingLineDiscountPercent).toBeUndefined();
  });
});

describe('staff order discounts', () => {
  const lines = [buildLine({ lineId: 'a', unitPrice: 1_000 }), buildLine({ lineId: 'b', unitPrice: 2_000 })];

  it('are echoed, with loyalty order discounts on top, under keep', () => {
    const decision = apply(withStaffDiscount(lines, [50, 100]), [orderTen]);
    expect(decision.orderDiscounts[0]).toEqual({
      orderDiscountId: 'staff',
      type: 'amount',
      amount: 150,
      text: 'Regular',
      campaignId: 'c1',
    });
    expect(decision.totals).toMatchObject({ total: 2_565, orderDiscountTotal: 435, loyaltyDiscountTotal: 285 });
  });

  it('are removed with their allocations when loyalty beats them, and stay alone when it does not', () => {
    const policies: Policies = { existingOrderDiscounts: 'replace_if_larger' };
    const beaten = apply(withStaffDiscount(lines, [50, 100]), [orderTen], policies);
    expect(beaten.orderDiscounts.map(({ orderDiscountId }) => orderDiscountId)).toEqual(['loyalty-ten']);
    expect(beaten.totals.total).toBe(2_700);
    const basket = withStaffDiscount(lines, [100, 200]);
    expect(priceFully(basket, [orderTen], { policies })).toMatchObject({ status: 'unchanged' });
  });

  it('stay when they lie on a noDiscount line', () => {
    const policies: Policies = { existingOrderDiscounts: 'replace_if_larger' };
    const protectedLines = [lines[0]!, { ...lines[1]!, noDiscount: true }];
    const decision = apply(withStaffDiscount(protectedLines, [50, 100]), [orderTen], policies);
    expect(decision.totals.total).toBe(950 - 95 + 1_900);
  });

  it('are shared by the parts of a split line, capped by what each part has left', () => {
    const line = buildLine({ lineId: 'a', quantity: 3, unitPrice: 1, existingLineDiscountAmount: 2 });
    const half: BenefitDefinition = { ...third, get: { quantity: 1, percent: 100 } };
    const basket = withStaffDiscount([line], [1]);
    // Of three units at 0.01, two are discounted away and one allocated away: nothing is left to give.
    expect(priceFully(basket, [half], { policies: { existingLineDiscounts: 'stack' } })).toMatchObject({
      status: 'unchanged',
    });
  });

  it('of nothing are none that the benefits would have to beat, and stay', () => {
    const sent = withStaffDiscount([buildLine({ lineId: 'a', unitPrice: 1_000 })], [0]);
    const ofBasket: Policies = { existingDiscountScope: 'basket', existingLineDiscounts: 'keep' };
    expect(apply(sent, [twenty], ofBasket).totals.total).toBe(800);
    const { orderDiscounts } = apply(sent, [orderTen], { existingOrderDiscounts: 'replace_if_larger' });
    expect(orderDiscounts.map(({ orderDiscountId }) => orderDiscountId)).toEqual(['staff', 'loyalty-ten']);
  });

  it('are compared with ours as far as they would go, and not with those of protected lines', () => {
    const share = (orderDiscountId: string, amount: number) => ({
      orderDiscountAllocation: [{ orderDiscountId, orderDiscountAllocationAmount: amount }],
      orderLinePrice: 1_000 - amount,
    });
    const lines = [
      buildLine({ lineId: 'a', unitPrice: 1_000, ...share('goes', 100) }),
      buildLine({ lineId: 'b', unitPrice: 1_000, noDiscount: true, ...share('stays', 500) }),
    ];
    const orderDiscounts = [
      { orderDiscountId: 'goes', type: 'amount', amount: 100 },
      { orderDiscountId: 'stays', type: 'amount', amount: 500 },
    ] as const;
    const off: BenefitDefinition = { benefitId: 'off', kind: 'order_amount', amount: 300 };
    const sent = buildBasket(lines, { orderDiscounts: [...orderDiscounts] });
    expect(apply(sent, [off], { existingOrderDiscounts: 'replace_if_larger' }).totals.total).toBe(700 + 500);
  });
});

describe('existing discounts for the whole basket', () => {
  const policies: Policies = {
    existingLineDiscounts: 'replace_if_larger',
    existingOrderDiscounts: 'replace_if_larger',
    existingDiscountScope: 'basket',
  };
  const onA: BenefitDefinition = { ...twenty, appliesTo: { productIds: ['a'] } };
  const staff = { existingLineDiscountAmount: 300, existingLineDiscountText: 'Staff' };
  const lines = [
    buildLine({ lineId: 'a', productId: 'a', unitPrice: 2_000 }),
    buildLine({ lineId: 'b', productId: 'b', unitPrice: 1_000, ...staff }),
  ];

  it('are all given up where the benefits make the basket cheaper, also on lines without a benefit', () => {
    const decision = apply(buildBasket(lines), [onA], policies);
    expect(decision.lines[1]).toMatchObject({ existingLineDiscountType: 'none', orderLinePrice: 1_000 });
    expect(decision.lines[1]?.existingLineDiscountText).toBeUndefined();
    expect(decision.totals).toMatchObject({ existingDiscountTotal: 0, total: 1_600 + 1_000 });
    const { trace } = priceFully(buildBasket(lines), [onA], { policies, trace: true });
    expect(trace!.changes).toEqual([
      { lineId: 'a', benefitId: 'twenty', rule: 'line_discount', amount: -400 },
      { lineId: 'b', benefitId: 'twenty', rule: 'existing_line_discount_removed', amount: 300 },
    ]);
  });

  it('are all kept without a benefit where they save as much, or may not be replaced', () => {
    const [a, b] = lines as [BasketLine, BasketLine];
    const more = { existingLineDiscountAmount: 400, orderLinePrice: 600 };
    expect(priceFully(buildBasket([a, { ...b, ...more }]), [onA], { policies }).status).toBe('unchanged');
    const keep: Policies = { ...policies, existingOrderDiscounts: 'keep' };
    const decision = priceFully(buildBasket(lines), [onA], { policies: keep, trace: true });
    expect(decision).toMatchObject({ status: 'unchanged', reason: 'all_lines_excluded' });
    expect(decision.trace!.benefits).toMatchObject([{ applied: false, reason: 'existing_discount_kept' }]);
    expect(apply(buildBasket([a]), [onA], keep).totals.total).toBe(1_600);
  });

  it('go with the order discounts of the staff, compared in sum', () => {
    // 3.00 and 1.50 of the staff against 20 % of 30.00.
    expect(apply(withStaffDiscount(lines, [100, 50]), [twenty], policies).totals).toMatchObject({
      orderDiscountTotal: 0,
      total: 2_400,
    });
  });

  it('are never given up on a noDiscount line', () => {
    const protectedLine = { ...lines[1]!, noDiscount: true };
    const decision = apply(buildBasket([lines[0]!, protectedLine]), [twenty], policies);
    expect(decision.totals).toMatchObject({ existingDiscountTotal: 300, total: 1_600 + 700 });
    const shared = apply(withStaffDiscount([lines[0]!, protectedLine], [100, 50]), [twenty], policies);
    expect(shared.totals).toMatchObject({ orderDiscountTotal: 150, total: 1_500 + 650 });
  });
});
