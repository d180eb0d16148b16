import { expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { expectApplied, priceFully } from './support/price.ts';

/** Order-level benefits come one after the other; the sequence decides what each of them finds left. */

const amount = (benefitId: string): BenefitDefinition => ({ benefitId, kind: 'order_amount', amount: 2_500 });

it('order discounts for which no steps are left are not given', () => {
  const basket = buildBasket([buildLine({ lineId: 'a', unitPrice: 10_000 })]);
  const amounts = [100, 200, 300, 400].map((own, at) => ({ ...amount(`b${at}`), amount: own }));
  const priced = (maximumSteps: number) => priceFully(basket, amounts, { maximumSteps });
  expect(priced(0)).toMatchObject({ status: 'unchanged' });
  expect(priced(1)).toMatchObject({ totals: { total: 9_900 } });
  expect(priced(3)).toMatchObject({ totals: { total: 9_000 } });
});

it('an answer has at most 10,000 shares of order discounts: the largest are given, in their sequence', () => {
  const lines = Array.from({ length: 200 }, (_, at) => buildLine({ lineId: `${at}`, unitPrice: 1_000 }));
  const basket = buildBasket(lines);
  // 50 for each of 200 lines; the smallest is neither the first nor the last one.
  const amounts = Array.from({ length: 50 }, (_, at) => (at === 20 ? 100 : 200 + at));
  const benefits: BenefitDefinition[] = amounts.map((amount, at) => ({
    benefitId: `b${String(at).padStart(2, '0')}`,
    kind: 'order_amount',
    amount,
  }));
  const one: BenefitDefinition = { benefitId: 'one', kind: 'order_percent', percent: 1 };
  const given = (own: BenefitDefinition[]) =>
    expectApplied(basket, priceFully(basket, own)).orderDiscounts.map(({ orderDiscountId }) => orderDiscountId);
  const all = benefits.map(({ benefitId }) => `loyalty-${benefitId}`);
  expect(given(benefits)).toEqual(all);
  expect(given([...benefits, one])).toEqual(['loyalty-one', ...all.filter((id) => id !== 'loyalty-b20')]);
});
