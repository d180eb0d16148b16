/** Random baskets of 8 to 20 lines with more offers than a walk can look at, of which some make nothing cheaper. */

import type { BasketRequest } from '@loyalty/contract/basket-request';
import { Random } from '../../../simulator/src/random.ts';
import type { BenefitDefinition } from '../../src/definition.ts';
import { buildBasket, buildLine } from './basket.ts';

/** What most of the offers are: bundles and sets, coupons with a maximum, or coupons for so many units. */
const CROWDS = ['sets', 'maximums', 'coupons'] as const;

export function drawCrowd(seed: number): { basket: BasketRequest; benefits: BenefitDefinition[] } {
  const random = new Random(seed);
  const products = random.between(8, 20);
  const hasDiscounts = random.chance(0.3);
  const lines = Array.from({ length: products }, (_, at) => {
    const unitPrice = 100 * random.between(5, 60);
    const isCheaper = hasDiscounts && random.chance(0.3);
    return buildLine({
      lineId: `l${at}`,
      productId: `p${at}`,
      quantity: random.between(1, 3),
      unitPrice,
      ...(isCheaper && { existingLineDiscountAmount: random.between(1, unitPrice >> 2) }),
    });
  });
  const crowd = random.pick(CROWDS);
  const benefits = Array.from({ length: random.between(34, crowd === 'coupons' ? 130 : 60) }, (_, at) => ({
    benefitId: `b${String(at).padStart(3, '0')}`,
    ...drawOffer(random, random.chance(0.9) ? crowd : random.pick(CROWDS), products),
  }));
  return { basket: buildBasket(lines), benefits: benefits as unknown as BenefitDefinition[] };
}

function drawOffer(random: Random, kind: (typeof CROWDS)[number], products: number): object {
  const ids = Array.from({ length: random.between(2, 5) }, () => `p${random.below(products)}`);
  const goods = { appliesTo: { productIds: [...new Set(ids)] } };
  const percent = 5 * random.between(1, 12);
  if (kind === 'coupons') return { kind: 'line_percent', percent, ...goods, maximumUnits: random.between(1, 3) };
  if (kind === 'maximums') {
    const own = { maximumDiscount: 100 * random.between(2, 60) };
    return { kind: 'line_percent', percent, ...goods, ...own, ...(random.chance(0.5) && { maximumUnits: 2 }) };
  }
  const items = [{ quantity: 2, ...goods }];
  return random.pick([
    { kind: 'bundle_price', items, bundlePrice: 100 * random.between(10, 120) },
    { kind: 'bundle_price', items, percent },
    {
      kind: 'buy_x_get_y',
      buy: { quantity: random.between(1, 2), ...goods },
      get: { quantity: 1, ...goods, percent: 25 * random.between(1, 4) },
    },
  ]);
}
