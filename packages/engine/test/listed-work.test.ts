/** To list the ways of a line is work like any other: it ends with the steps, also where no way is good enough to be listed. */
import { expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { DEFAULT_MAXIMUM_STEPS } from '../src/work.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { priceFully } from './support/price.ts';

/** Benefits alone may take a part of the steps more, and what cannot be left out as well. */
const MOST_STEPS = 1.5 * DEFAULT_MAXIMUM_STEPS;

const limited = (quantity: number) => ({ quantity, period: 'week', counts: 'items' });
const BENEFITS = [
  { benefitId: 'a', kind: 'line_percent', percent: 42.64, maximumDiscount: 12_120 },
  { benefitId: 'b', kind: 'line_percent', percent: 67.74, maximumDiscount: 65_340 },
  { benefitId: 'c', kind: 'line_amount', amount: 24_351, per: 'line' },
  { benefitId: 'd', kind: 'bundle_price', items: [{ quantity: 2 }], bundlePrice: 89, limit: limited(5) },
  { benefitId: 'e', kind: 'unit_price', unitPrice: 185, limit: limited(10) },
  { benefitId: 'f', kind: 'line_percent', percent: 10.39, limit: limited(1_000_000), maximumDiscount: 14_200 },
  { benefitId: 'g', kind: 'line_amount', amount: 138, per: 'line', limit: { ...limited(10), period: 'basket' } },
] as unknown as BenefitDefinition[];

it('twenty discounted units of one line take no more steps than a basket may', () => {
  const line = buildLine({
    lineId: '1',
    quantity: 20,
    unitPrice: 333_333_333,
    existingLineDiscountAmount: 2_466_666_664,
  });
  const { steps } = priceFully(buildBasket([line]), BENEFITS, {
    policies: { existingLineDiscounts: 'stack' },
    trace: true,
  }).trace!;
  expect(steps).toBeLessThan(MOST_STEPS);
});
