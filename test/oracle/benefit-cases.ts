/** Random benefits of every kind, with conditions, caps and limits drawn often enough to collide. */

import { type BenefitKind, KINDS } from '@loyalty/engine/benefits/register';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import { drawFields } from '../../packages/engine/test/support/fields.ts';
import type { Random } from '../../packages/simulator/src/random.ts';

type Draw = (random: Random) => Record<string, unknown>;

/** The own fields of kinds whose fields are not drawn each by itself. */
const DRAWS: Readonly<Partial<Record<BenefitKind, Draw>>> = {
  buy_x_get_y: (random) => ({
    buy: {
      quantity: random.between(1, 2),
      ...selector(random),
      ...(random.chance(0.25) && { combinable: true }),
    },
    ...(random.chance(0.3) && { pick: random.pick(['per_set', 'cheapest']) }),
    get: {
      quantity: random.between(1, 2),
      ...selector(random),
      ...(random.chance(0.6) && { percent: random.pick([10, 50, 100]) }),
    },
  }),
  free_product: (random) => ({
    productId: random.pick(['a', 'b', 'c', 'd']),
    ...(random.chance(0.3) && { quantity: 2 }),
    ...selector(random),
  }),
  bundle_price: (random) => ({
    items: Array.from({ length: random.between(1, 2) }, () => ({
      quantity: random.between(1, 2),
      ...selector(random),
    })),
    bundlePrice: random.pick([0, 10, 20, 40, 60, 90, 150]),
  }),
  order_percent: (random) => ({ percent: random.pick([5, 10, 15, 33.33, 100]), ...selector(random) }),
  order_amount: (random) => ({ amount: random.pick([1, 7, 20, 50, 200]), ...selector(random) }),
};

/** The own fields of a kind, each by its schema. */
function fieldsOf(random: Random, kind: BenefitKind): Record<string, unknown> {
  return drawFields<unknown>(kind, {
    percent: () => random.pick([5, 10, 12.5, 20, 33.33, 50, 100]),
    amount: (field) => (field === 'unitPrice' ? random.pick([0, 5, 15, 30, 40, 60]) : random.between(1, 50)),
    selector: () => selector(random).appliesTo,
    units: () => ({ quantity: random.between(1, 2), ...selector(random) }),
    count: () => random.between(1, 3),
    choice: (values) => random.pick(values),
  });
}

const NAMES = Object.keys(KINDS) as BenefitKind[];
/** A gift costs nothing and competes with nothing, so it is drawn once in a while only. */
const COMPETING = NAMES.filter((kind) => KINDS[kind].level !== 'gift');

export function randomBenefit(random: Random, benefitId: string): BenefitDefinition {
  const kind = random.chance(0.95) ? random.pick(COMPETING) : 'free_product';
  const isOrderLevel = KINDS[kind].level === 'order';
  const definition = {
    benefitId,
    kind,
    ...(DRAWS[kind]?.(random) ?? fieldsOf(random, kind)),
    ...(random.chance(0.1) && { minimumSpend: random.pick([1, 40, 100, 200]) }),
    ...(random.chance(0.1) && { minimumQuantity: random.between(1, 4) }),
    ...(kind !== 'free_product' && random.chance(0.25) && { maximumDiscount: random.pick([1, 10, 25, 60]) }),
    ...(random.chance(0.4) && {
      limit: {
        quantity: random.between(1, 4),
        period: random.pick(['lifetime', 'year', 'month', 'week', 'day']),
        counts: isOrderLevel ? 'baskets' : random.pick(['baskets', 'items']),
      },
    }),
    ...(random.chance(0.08) && { audience: 'granted' }),
    ...(random.chance(0.1) && { exclusive: true }),
    ...(random.chance(0.4) && { priority: random.between(-2, 2) }),
  };
  return definition as unknown as BenefitDefinition;
}

/** Every line, a group, some products, or all but one. */
function selector(random: Random): { readonly appliesTo?: object } {
  if (random.chance(0.55)) return {};
  const appliesTo = random.pick([
    { productGroupIds: ['g'] },
    { productGroupIds: ['h'] },
    { productIds: ['a'] },
    { productIds: ['a', 'c'] },
    { excludeProductIds: ['b'] },
    { productGroupIds: ['h'], productIds: ['b'] },
  ]);
  return { appliesTo };
}
