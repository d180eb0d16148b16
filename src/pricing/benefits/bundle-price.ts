import { percentOf, toHundredths } from '../../money/round.ts';
import type { Amount, InCurrency } from '../amounts.ts';
import type { BenefitConditions, UnitsDefinition } from '../benefit-definition.ts';
import { type BundleRule, PLAIN_AMOUNT } from '../rule.ts';
import type { Kind } from './kind.ts';

/** Exactly one of `bundlePrice`, `percent` and `amount` is there. */
interface BundlePriceDefinition extends BenefitConditions {
  readonly kind: 'bundle_price';
  readonly items: readonly UnitsDefinition[];
  readonly bundlePrice?: Amount;
  readonly percent?: number;
  readonly amount?: Amount;
}

/** `bundle_price`: so many units of each item together for a fixed price, at a percentage off, or at an amount off. */
export const bundlePrice: Kind<BundlePriceDefinition> = {
  selections: ({ items, percent }) =>
    items.map(({ appliesTo = {} }, item) => ({
      selector: appliesTo,
      place: `items[${item}].appliesTo`,
      isPercentage: percent !== undefined,
    })),
  compile: (definition) => ({
    level: 'bundle',
    quantities: definition.items.map(({ quantity }) => quantity),
    expression: PLAIN_AMOUNT,
    discount: discountOf(definition),
    estimate: estimateOf(definition),
  }),
};

function discountOf({ bundlePrice: each, percent, amount }: InCurrency<BundlePriceDefinition>): BundleRule['discount'] {
  if (each !== undefined) return (price, bundles) => price - bundles * each;
  if (amount !== undefined) return (price, bundles) => Math.min(bundles * amount, price);
  const percentHundredths = toHundredths(percent!)!;
  return (price) => percentOf(price, percentHundredths);
}

function estimateOf({ bundlePrice: each, percent, amount }: InCurrency<BundlePriceDefinition>): BundleRule['estimate'] {
  if (each !== undefined) return { ofPrice: 1, perBundle: -each };
  if (amount !== undefined) return { ofPrice: 0, perBundle: amount };
  return { ofPrice: percent! / 100, perBundle: 0 };
}
