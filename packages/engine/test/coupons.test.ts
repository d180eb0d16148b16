import type { BasketRequest } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import { timesCases } from '../../../test/support/effort.ts';
import { Random } from '../../simulator/src/random.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { largestAssignment } from './support/hungarian.ts';
import { expectApplied, netCostOf, priceFully } from './support/price.ts';

/** Members with several coupons, each a percentage off a few units. */

interface Drawn {
  readonly benefits: BenefitDefinition[];
  readonly basket: BasketRequest;
  /** What the dearest coupons save on the units that suit them best, in minor units. */
  readonly optimum: number;
}

/** Coupons by `maximumUnits` and by a daily limit of items; every fourth draw names some of the products only. */
function draw(seed: number, coupons: number, count: number): Drawn {
  const random = new Random(seed);
  const isPicky = seed % 4 === 0;
  const lines = Array.from({ length: count }, (_, n) =>
    buildLine({ lineId: `l${n}`, productId: `p${random.below(6)}`, unitPrice: random.between(100, 3_000) }),
  );
  const drawn = Array.from({ length: coupons }, (_, n) => {
    const percent = random.between(5, 60);
    const units = random.between(1, 3);
    const productIds = isPicky ? Array.from({ length: 3 }, () => `p${random.below(6)}`) : undefined;
    const definition = {
      benefitId: `c${n}`,
      kind: 'line_percent',
      percent,
      text: `c${n}`,
      ...(productIds ? { appliesTo: { productIds: [...new Set(productIds)] } } : {}),
      ...(random.chance(0.5)
        ? { maximumUnits: units }
        : { limit: { quantity: units, period: 'day', counts: 'items' } }),
    } as BenefitDefinition;
    return { definition, percent, units, productIds };
  });
  const gains = drawn.flatMap(({ percent, units, productIds }) => {
    const row = lines.map(({ unitPrice, productId }) =>
      !productIds || productIds.includes(productId) ? Math.floor((unitPrice * percent + 50) / 100) : 0,
    );
    return new Array<number[]>(units).fill(row);
  });
  const benefits = drawn.map(({ definition }) => definition);
  return { benefits, basket: buildBasket(lines), optimum: largestAssignment(gains) };
}

describe('coupons on single units save what the best assignment saves, and it is proven', () => {
  it.each([
    [5, 10, 40],
    [6, 12, 40],
    [8, 15, 40],
    [8, 20, 40],
    [12, 60, 10],
    [12, 200, 4],
  ])('%i coupons on %i lines', (coupons, lines, cases) => {
    for (let seed = 1; seed <= timesCases(cases); seed++) {
      const { benefits, basket, optimum } = draw(seed, coupons, lines);
      const decision = priceFully(basket, benefits);
      expect(basket.totals.total - netCostOf(basket, decision), `seed ${seed}`).toBe(optimum);
      if (optimum > 0) expectApplied(basket, decision);
    }
  });
});

it('the coupons are used alike in every order of the lines', () => {
  for (let seed = 1; seed <= timesCases(20); seed++) {
    const { benefits, basket } = draw(seed, 6, 12);
    const turned = buildBasket(basket.lines.toReversed());
    const textsOf = (own: BasketRequest): unknown =>
      expectApplied(own, priceFully(own, benefits))
        .lines.map(({ lineId, lineDiscountText, orderLinePrice }) => [lineId, lineDiscountText, orderLinePrice])
        .sort();
    expect(textsOf(turned), `seed ${seed}`).toEqual(textsOf(basket));
  }
});
