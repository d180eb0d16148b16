import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { type Circumstances, expectApplied, priceFully } from './support/price.ts';

/** Limits that several benefits share; the basket is of 2026-11-21, in NOK. */

const lines = [
  buildLine({ lineId: 'a', productId: 'coffee', quantity: 3, unitPrice: 4_000 }),
  buildLine({ lineId: 'b', productId: 'bun', quantity: 2, unitPrice: 3_000 }),
  buildLine({ lineId: 'c', productId: 'cake', unitPrice: 9_000 }),
];
const of = (...productIds: string[]) => ({ appliesTo: { productIds } });

/** The saving, the counters with what is taken of them, and the benefits that applied. */
function look(benefits: readonly BenefitDefinition[], more: Circumstances = {}) {
  const basket = buildBasket(lines);
  const decision = priceFully(basket, benefits, { ...more, trace: true });
  const applied = decision.trace!.benefits.filter((benefit) => benefit.applied).map(({ benefitId }) => benefitId);
  if (decision.status !== 'applied') return { saved: 0, uses: [], applied, trace: decision.trace! };
  const { totals, uses } = expectApplied(basket, decision);
  const counters = uses.map(({ usageKey, units, limit }) => `${usageKey}=${units}/${limit}`);
  return { saved: basket.totals.total - totals.total, uses: counters, applied, trace: decision.trace! };
}

const percentOff = (benefitId: string, percent: number, more: object): BenefitDefinition =>
  ({ benefitId, kind: 'line_percent', percent, ...more }) as BenefitDefinition;

describe('a limit by items that benefits share', () => {
  const limit = { quantity: 3, period: 'week', counts: 'items', limitId: 'treats' } as const;
  const coffee = percentOff('coffee', 50, { ...of('coffee'), limit });
  const bun = percentOff('bun', 100, { ...of('bun'), limit });

  it('is spent where it saves most, and counted once', () => {
    // Two buns at 30.00 each, and one coffee at half of 40.00.
    const { saved, uses, trace } = look([coffee, bun]);
    expect([saved, uses]).toEqual([8_000, ['@treats#items:2026-W47=3/3']]);
    expect(trace.benefits.map(({ left }) => left)).toEqual(['0 left this week', '0 left this week']);
    const two = { left: { '@treats#items': 2 } };
    expect(look([coffee, bun], two)).toMatchObject({
      saved: 6_000,
      applied: ['bun'],
      uses: ['@treats#items:2026-W47=2/3'],
    });
    expect(look([coffee, bun], { left: { '@treats#items': 0 } })).toMatchObject({ saved: 0, uses: [] });
  });

  it('gives the dearest products first', () => {
    const gift = (productId: string) =>
      ({ benefitId: productId, kind: 'free_product', productId, limit }) as BenefitDefinition;
    const product = (productId: string, unitPrice: number) => ({
      productId,
      name: productId,
      unitPrice,
      noDiscount: false,
      noPercentageDiscount: false,
    });
    const products = [product('a', 100), product('b', 300), product('c', 200)];
    const left = { '@treats#items': 2 };
    expect(look([gift('a'), gift('b'), gift('c')], { products, left })).toMatchObject({
      applied: ['b', 'c'],
      uses: ['@treats#items:2026-W47=2/3'],
    });
  });

  it('may be of one basket, without a counter', () => {
    const inBasket = { ...limit, quantity: 2, period: 'basket' as const };
    const benefits = [coffee, bun].map((benefit) => ({ ...benefit, limit: inBasket }) as BenefitDefinition);
    expect(look(benefits)).toMatchObject({ saved: 6_000, applied: ['bun'], uses: [] });
  });

  it('is decided at once on a hundred lines of a hundred units', () => {
    const many = Array.from({ length: 100 }, (_, at) =>
      buildLine({ lineId: `l${at}`, productId: at % 2 ? 'coffee' : 'bun', quantity: 100, unitPrice: 1_000 + 10 * at }),
    );
    const wide = { ...limit, quantity: 150 };
    const benefits = [coffee, bun].map((benefit) => ({ ...benefit, limit: wide }) as BenefitDefinition);
    const decision = priceFully(buildBasket(many), benefits, { trace: true });
    // The dearest buns at 19.80 and 19.60.
    expect(decision).toMatchObject({ status: 'applied', totals: { loyaltyDiscountTotal: 100 * 1_980 + 50 * 1_960 } });
  });
});

describe('a limit in money that benefits share', () => {
  const limit = { quantity: 10_000, period: 'month', counts: 'money', limitId: 'purse' } as const;

  it('shows as an amount what another discount on the order has cut', () => {
    const tenth = (benefitId: string) =>
      ({ benefitId, kind: 'order_percent', percent: 10, limit: { ...limit, quantity: 4_000 } }) as BenefitDefinition;
    const basket = buildBasket(lines);
    // 27.00 of 270.00, and of the purse of 40.00 the rest.
    expect(expectApplied(basket, priceFully(basket, [tenth('a'), tenth('b')])).orderDiscounts).toMatchObject([
      { type: 'percent', percent: 10, amount: 2_700 },
      { type: 'amount', amount: 1_300 },
    ]);
  });
});
