import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import { faultsOfDecision } from '../../../test/support/judge.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import { DEFAULT_MAXIMUM_STEPS } from '../src/work.ts';
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
    expect(met).toMatchObject({ total: 850, method: 'exact' });
    const unmet = price([ten, net(901)], [line(0, 1_000)]);
    expect(unmet).toMatchObject({ total: 900, method: 'exact' });
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
    expect(all).toMatchObject({ total: 800, method: 'exact' });
    expect(all.why('ten')).toMatchObject({ reason: 'others_save_more', instead: ['net'] });
    // On one line alone: 540 and 400 are enough.
    const one = price([ten, net(940, 200)], [line(0, 600), line(1, 400)]);
    expect(one).toMatchObject({ total: 740, method: 'exact' });
    expect(one.decision).toMatchObject({ lines: [{ lineDiscountAmount: 60 }, { lineDiscountAmount: 0 }] });
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

  it('is asked of sets, and forms fewer of them', () => {
    const pairs: BenefitDefinition = {
      benefitId: 'pairs',
      kind: 'buy_x_get_y',
      buy: { quantity: 1 },
      get: { quantity: 1 },
    };
    // One pair of two: 300 are left, less 250.
    const four = buildLine({ lineId: 'four', quantity: 4, unitPrice: 100 });
    expect(price([pairs, net(300, 250)], [four])).toMatchObject({ total: 50, method: 'exact' });
  });

  it('is reached by lines that keep their price, also where they would share what is given', () => {
    const pairs: BenefitDefinition = {
      ...{ benefitId: 'pairs', kind: 'buy_x_get_y', spread: true },
      buy: { quantity: 1, appliesTo: { productIds: ['pair'] } },
      get: { quantity: 1, appliesTo: { productIds: ['pair'] } },
    };
    const orderDiscountAllocation = [{ orderDiscountId: 'staff', orderDiscountAllocationAmount: 400 }];
    const two = line(99, 1_000, { productId: 'pair', quantity: 2, orderDiscountAllocation });
    const basket = buildBasket([...Array.from({ length: 13 }, (_, at) => line(at, 1_000)), two], {
      orderDiscounts: [{ orderDiscountId: 'staff', type: 'amount', amount: 400 }],
    });
    const decision = priceFully(basket, [pairs, net(14_600, 5_000)]);
    expect(decision).toMatchObject({ totals: { total: 9_600 } });
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

  it('is given on many lines, and says that it is not proven', () => {
    const lines = Array.from({ length: 60 }, (_, at) => line(at, 1_000 + 10 * at));
    const sum = lines.reduce((all, { originalLinePrice }) => all + originalLinePrice, 0);
    const after = sum - sum / 10;
    const proven = price([ten, net(after, 5_000)], lines);
    expect(proven).toMatchObject({ total: after - 5_000, method: 'exact' });
    const one = price([ten, net(after + 1, 5_000)], lines);
    // The cheapest line keeps its price.
    expect(one).toMatchObject({ total: after + 100 - 5_000, method: 'bounded', mostMissed: 99 });
    // Some lines give up what is missing to the unit, and nothing can cost less.
    const some = price([ten, net(after + 1_000, 5_000)], lines);
    expect(some).toMatchObject({ total: after + 1_000 - 5_000, method: 'exact' });
    const none = price([ten, net(after + 1, 50)], lines);
    expect(none).toMatchObject({ total: after, mostMissed: 49 });
    expect(one.steps).toBeLessThanOrEqual(DEFAULT_MAXIMUM_STEPS * 1.5);
  });
});
