/** More offers on the same goods than can be had together. */
import { expect, test } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket } from './support/basket.ts';
import { line } from './support/choices.ts';
import { netCostOf, priceFully } from './support/price.ts';

const twoFor = (bundlePrice: number, benefitId: string): BenefitDefinition => ({
  benefitId,
  kind: 'bundle_price',
  items: [{ quantity: 2 }],
  bundlePrice,
});

test('of forty prices for two coffees, of which most are no better than what two cost, the best applies', () => {
  const dear = Array.from({ length: 39 }, (_, at) => twoFor(2_000 + 100 * (at % 3), `a${at}`));
  const basket = buildBasket([line('coffee', 2, 1_000)]);
  const found = priceFully(basket, [...dear, twoFor(1_500, 'best')], { trace: true });
  expect(netCostOf(basket, found)).toBe(1_500);
});
