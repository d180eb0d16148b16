import type { Amount } from '../amounts.ts';
import type { BenefitConditions, UnitsDefinition } from '../benefit-definition.ts';
import { PLAIN_AMOUNT } from '../rule.ts';
import type { Kind } from './kind.ts';

interface BundlePriceDefinition extends BenefitConditions {
  readonly kind: 'bundle_price';
  readonly items: readonly UnitsDefinition[];
  readonly bundlePrice: Amount;
}

/** `bundle_price`: so many units of each item together for a fixed price. */
export const bundlePrice: Kind<BundlePriceDefinition> = {
  selections: ({ items }) =>
    items.map(({ appliesTo = {} }, item) => ({
      selector: appliesTo,
      place: `items[${item}].appliesTo`,
      isPercentage: false,
    })),
  compile: ({ items, bundlePrice: each }) => ({
    level: 'bundle',
    quantities: items.map(({ quantity }) => quantity),
    canBeCut: true,
    expression: PLAIN_AMOUNT,
    discount: (price, bundles) => price - bundles * each,
  }),
};
