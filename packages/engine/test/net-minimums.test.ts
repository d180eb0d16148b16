import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import { faultsOfDecision } from '../../../test/support/judge.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { type Circumstances, priceFully } from './support/price.ts';

/** Minimums on what lines cost after line-level benefits. */

const ten: BenefitDefinition = { benefitId: 'ten', kind: 'line_percent', percent: 10 };
const net = (minimumSpend: number, amount = 50): BenefitDefinition => ({
  benefitId: 'net',
  kind: 'order_amount',
  amount,
  minimumSpend,
  minimumSpendBasis: 'net',
});
const line = (at: number, unitPrice: number, more: Partial<BasketLine> = {}) =>
  buildLine({ lineId: `line-${at}`, quantity: 1, unitPrice, ...more });

function price(benefits: BenefitDefinition[], lines: BasketLine[], more: Circumstances = {}) {
  const basket = buildBasket(lines);
  const decision = priceFully(basket, benefits, { trace: true, ...more });
  if (decision.status === 'applied') expect(faultsOfDecision(basket, decision)).toEqual([]);
  const total = decision.status === 'applied' ? decision.totals.total : basket.totals.total;
  const why = (benefitId: string) => decision.trace!.benefits.find((benefit) => benefit.benefitId === benefitId)!;
  return { decision, total, why, ...decision.trace! };
}

describe('a net minimum', () => {
  it('is met to the unit, and is not one unit above', () => {
    // 1,000 less 100 for the members is 900.
    const met = price([ten, net(900)], [line(0, 1_000)]);
    expect(met).toMatchObject({ total: 850 });
    const unmet = price([ten, net(901)], [line(0, 1_000)]);
    expect(unmet).toMatchObject({ total: 900 });
    expect(unmet.why('net')).toMatchObject({
      reason: 'below_minimum_spend',
      change: '0.01 short of the minimum after other benefits',
    });
  });

  it('counts as the basket came where nothing makes lines cheaper', () => {
    expect(price([net(1_000)], [line(0, 1_000)]).total).toBe(950);
    const { decision, why } = price([net(1_001)], [line(0, 1_000)]);
    expect(decision).toMatchObject({ status: 'unchanged', reason: 'basket_too_small' });
    expect(why('net')).toMatchObject({ reason: 'below_minimum_spend', change: '0.01 more' });
  });

  it('says what is missing after other benefits, also where the basket as it came is too small', () => {
    // 1,000 less 100 for the members is 900.
    expect(price([ten, net(1_050)], [line(0, 1_000)]).why('net')).toMatchObject({
      reason: 'below_minimum_spend',
      change: '1.50 short of the minimum after other benefits',
    });
  });

  it('leaves other benefits out where the guest pays less so', () => {
    const all = price([ten, net(901, 200)], [line(0, 1_000)]);
    expect(all).toMatchObject({ total: 800 });
    expect(all.why('ten')).toMatchObject({ reason: 'others_save_more', instead: ['net'] });
    // On both lines or on none: what is chosen line by line knows nothing of the minimum.
    const two = price([ten, net(940, 200)], [line(0, 600), line(1, 400)]);
    expect(two).toMatchObject({ total: 800 });
  });

  it('looks at the eligible lines or at all of the basket', () => {
    const lines = [line(0, 500, { productId: 'a' }), line(1, 500, { productId: 'b' })];
    const own = { ...net(600), appliesTo: { productIds: ['a'] } } as BenefitDefinition;
    expect(price([own], lines).total).toBe(1_000);
    expect(price([{ ...own, minimumSpendOn: 'basket' }], lines).total).toBe(950);
    expect(price([ten, { ...own, minimumSpendOn: 'basket', minimumSpend: 901 }], lines).total).toBe(900);
    // 540 of a are below 550, and 600 of it with 450 of b cost more than 540 and 450.
    const dearer = [line(0, 600, { productId: 'a' }), line(1, 500, { productId: 'b' })];
    expect(price([ten, { ...own, minimumSpend: 550 }], dearer).total).toBe(990);
  });

  it('comes before any discount on the order', () => {
    const percent: BenefitDefinition = { benefitId: 'percent', kind: 'order_percent', percent: 50 };
    expect(price([percent, net(900)], [line(0, 1_000)]).total).toBe(450);
  });

  it('gives the staff discount back where it would stand below', () => {
    const orderDiscountAllocation = [{ orderDiscountId: 'staff', orderDiscountAllocationAmount: 100 }];
    const basket = buildBasket([line(0, 1_000, { orderDiscountAllocation })], {
      orderDiscounts: [{ orderDiscountId: 'staff', type: 'amount', amount: 100 }],
    });
    const policies = { existingOrderDiscounts: 'replace_if_larger' } as const;
    // Without the staff's discount the basket costs 1,000, and 1,001 are not met.
    const totals = [1_000, 1_001].map((minimum) => {
      const decision = priceFully(basket, [net(minimum, 150)], { policies });
      return decision.status === 'applied' ? decision.totals.total : basket.totals.total;
    });
    expect(totals).toEqual([850, 900]);
  });

  it('belongs to a group as others do, and gives way where it is not met', () => {
    const small: BenefitDefinition = { benefitId: 'small', kind: 'order_amount', amount: 20, group: 'one' };
    const policies = { groups: { one: { atMost: 1 } } };
    const totalOf = (minimum: number) =>
      price([ten, { ...net(minimum), group: 'one' }, small], [line(0, 1_000)], { policies }).total;
    expect([900, 901].map(totalOf)).toEqual([850, 880]);
  });
});
