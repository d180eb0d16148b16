import { percentOf, toHundredths } from '@loyalty/contract/money/round';
import { Type } from '@loyalty/contract/schema-type';
import { AnyAmount, PercentValue, PositiveAmount, UnitsEntry } from '../compile/fields.ts';
import { type BundleRule, PLAIN_AMOUNT } from '../compile/rule.ts';
import type { Amount, BenefitConditions, InCurrency, UnitsDefinition } from '../compile/words.ts';
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
  level: 'bundle',
  fields: {
    items: Type.Array(UnitsEntry, { minItems: 1, maxItems: 10, description: 'a list of 1 to 10 items' }),
    // One of these three (programme/benefit-relations.ts).
    bundlePrice: Type.Optional(AnyAmount),
    percent: Type.Optional(PercentValue),
    amount: Type.Optional(PositiveAmount),
  },
  selections: ({ items, percent }) =>
    withoutRepeats(items).map(({ appliesTo = {}, place }) => ({
      selector: appliesTo,
      place,
      isPercentage: percent !== undefined,
    })),
  compile: (definition) => ({
    level: 'bundle',
    quantities: withoutRepeats(definition.items).map(({ quantity }) => quantity),
    expression: PLAIN_AMOUNT,
    discount: discountOf(definition),
    estimate: estimateOf(definition),
  }),
};

/** Items that ask for the same goods are one item, of as many units as all of them. */
function withoutRepeats(items: readonly UnitsDefinition[]): (UnitsDefinition & { readonly place: string })[] {
  const merged = new Map<string, UnitsDefinition & { readonly place: string }>();
  for (const [at, item] of items.entries()) {
    const goods = JSON.stringify(item.appliesTo ?? {});
    const same = merged.get(goods);
    if (same) merged.set(goods, { ...same, quantity: same.quantity + item.quantity });
    else merged.set(goods, { ...item, place: `items[${at}].appliesTo` });
  }
  return [...merged.values()];
}

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
