/** Baskets of shops at prices near the largest that the interface permits. */

import type { BasketRequest } from '@loyalty/contract/basket-request';
import { expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { expectApplied, netCostOf, priceFully } from './support/price.ts';
import { drawShape, SHAPES } from './support/shapes.ts';

const CASES = 3;
const TIMES = 1_000_000_000;

function dearer({ lines }: BasketRequest): BasketRequest {
  return buildBasket(
    lines.map(({ lineId, productId, productGroupId, quantity, unitPrice }) =>
      buildLine({ lineId, productId, productGroupId: productGroupId!, quantity, unitPrice: unitPrice * TIMES }),
    ),
  );
}

it.each(SHAPES)('%s at a thousand million times the price', (wanted) => {
  for (let seed = 1; seed <= CASES * SHAPES.length; seed++) {
    const { shape, basket, benefits } = drawShape(seed);
    if (shape !== wanted) continue;
    const large = dearer(basket);
    const decision = priceFully(large, [...benefits], {});
    if (decision.status === 'applied') expectApplied(large, decision);
    // Percentages save in proportion, and amounts no more than nothing.
    const usual = priceFully(basket, [...benefits], {});
    if (usual.status === 'applied') expect(decision.status, `seed ${seed}`).toBe('applied');
    expect(netCostOf(large, decision)).toBeLessThanOrEqual(large.totals.total);
  }
});

it('a million of units at the price of a house are dealt out, and the choice comes to its end', () => {
  const line = (lineId: string, group: string, quantity: number, unitPrice: number) =>
    buildLine({ lineId, productId: `product-${group}`, productGroupId: group, quantity, unitPrice });
  const basket = buildBasket([
    line('a', 'group-0', 1_000_001, 333_333_333),
    line('b', 'group-0', 999_999, 5),
    line('c', 'group-1', 1_000_000, 333_333_333),
  ]);
  const of = (quantity: number, ...productGroupIds: string[]) => ({ quantity, appliesTo: { productGroupIds } });
  const benefits = [
    { benefitId: 'one', kind: 'line_percent', percent: 97.84, limit: { quantity: 1, period: 'week', counts: 'items' } },
    { benefitId: 'pair', kind: 'bundle_price', items: [of(3, 'group-2', 'group-1'), of(3, 'group-0')], bundlePrice: 1 },
    {
      benefitId: 'many',
      kind: 'bundle_price',
      bundlePrice: 2_944,
      items: [of(1, 'group-0'), of(2, 'group-1'), of(948, 'group-1')],
    },
    {
      benefitId: 'five',
      kind: 'line_percent',
      percent: 28.81,
      limit: { quantity: 5, period: 'week', counts: 'items' },
    },
  ] as unknown as BenefitDefinition[];
  const applied = expectApplied(basket, priceFully(basket, benefits, {}));
  // The dear units are in bundles of six at 1, but for a few.
  expect(applied.totals.total).toBeLessThan(basket.totals.total / 1_000);
});
