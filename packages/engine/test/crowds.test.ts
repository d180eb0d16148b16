/** More offers on the same goods than a walk can look at: those that may save most are looked at, and a proof counts the others. */
import { expect, test } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket } from './support/basket.ts';
import { line } from './support/choices.ts';
import { drawCrowd } from './support/crowds.ts';
import { netCostOf, priceFully } from './support/price.ts';

const twoFor = (bundlePrice: number, benefitId: string): BenefitDefinition => ({
  ...{ benefitId, kind: 'bundle_price', items: [{ quantity: 2 }], bundlePrice },
});

test('of forty prices for two coffees, of which most are no better than what two cost, the best applies', () => {
  const dear = Array.from({ length: 39 }, (_, at) => twoFor(2_000 + 100 * (at % 3), `a${at}`));
  const basket = buildBasket([line('coffee', 2, 1_000)]);
  const found = priceFully(basket, [...dear, twoFor(1_500, 'best')], { trace: true });
  expect([netCostOf(basket, found), found.trace!.method]).toEqual([1_500, 'exact']);
});

test('no thirty of the offers save more than the bound of all of them permits', () => {
  for (let seed = 1; seed <= 4; seed++) {
    const { basket, benefits } = drawCrowd(seed);
    const { trace, ...answer } = priceFully(basket, benefits, { trace: true, maximumSteps: 3_000 });
    for (const from of [0, benefits.length - 30]) {
      const some = priceFully(basket, benefits.slice(from, from + 30), { maximumSteps: 3_000 });
      const least = netCostOf(basket, answer) - trace!.mostMissed;
      expect(netCostOf(basket, some), `${seed} from ${from}`).toBeGreaterThanOrEqual(least);
    }
  }
});
