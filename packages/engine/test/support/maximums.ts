/** Random baskets of 6 to 30 lines with coupons for a few things, percentages on all goods, and amounts of a month, most of them up to a maximum. */

import type { BasketRequest } from '@loyalty/contract/basket-request';
import { Random } from '../../../simulator/src/random.ts';
import type { BenefitDefinition } from '../../src/definition.ts';
import { buildBasket, buildLine } from './basket.ts';

const LINES = [6, 10, 15, 20, 30];
const GROUPS = 3;

export function drawMaximums(seed: number): { basket: BasketRequest; benefits: BenefitDefinition[] } {
  const random = new Random(seed);
  const count = random.pick(LINES);
  const isRough = random.chance(0.3);
  const lines = Array.from({ length: count }, (_, at) =>
    buildLine({
      lineId: `l${at}`,
      productId: `p${at}`,
      productGroupId: `g${random.below(GROUPS)}`,
      quantity: random.between(1, 3),
      unitPrice: isRough ? random.between(300, 6_000) : 100 * random.between(3, 60),
    }),
  );
  const benefits: object[] = Array.from({ length: random.between(1, 3) }, (_, at) => drawCoupon(random, `c${at}`));
  if (random.chance(0.5)) {
    const own = { benefitId: 'p', kind: 'line_percent', percent: random.pick([10, 20]) };
    benefits.push({ ...own, ...(random.chance(0.5) && { maximumDiscount: 100 * random.between(10, 60) }) });
  }
  if (random.chance(0.2)) {
    const limit = { quantity: 100 * random.between(5, 60), period: 'month', counts: 'money' };
    benefits.push({ benefitId: 'm', kind: 'line_percent', percent: 15, limit });
  }
  return { basket: buildBasket(lines), benefits: benefits as BenefitDefinition[] };
}

/** So many things of some groups or of all, cheaper in one of three ways. */
function drawCoupon(random: Random, benefitId: string): object {
  const rule = random.pick([
    { kind: 'line_percent', percent: random.pick([20, 30, 50]) },
    { kind: 'line_amount', amount: 100 * random.between(3, 30), per: 'unit' },
    { kind: 'unit_price', unitPrice: 100 * random.between(2, 20) },
  ]);
  const groups = random.chance(0.5) && { appliesTo: { productGroupIds: [`g${random.below(GROUPS)}`, 'g0'] } };
  const limit = { quantity: random.between(1, 9), period: random.pick(['basket', 'month']), counts: 'items' };
  const maximum = random.chance(0.7) && { maximumDiscount: 100 * random.between(5, 80) };
  return { benefitId, ...rule, ...groups, limit, ...maximum };
}
