import { bundlePrice } from './bundle-price.ts';
import { buyXGetY } from './buy-x-get-y.ts';
import { freeProduct } from './free-product.ts';
import type { Kind } from './kind.ts';
import { lineAmount } from './line-amount.ts';
import { linePercent } from './line-percent.ts';
import { orderAmount } from './order-amount.ts';
import { orderPercent } from './order-percent.ts';
import { unitPrice } from './unit-price.ts';

/** The register of kinds, by the name that the configuration gives them. */
export const KINDS = {
  line_percent: linePercent,
  line_amount: lineAmount,
  unit_price: unitPrice,
  buy_x_get_y: buyXGetY,
  free_product: freeProduct,
  bundle_price: bundlePrice,
  order_percent: orderPercent,
  order_amount: orderAmount,
} as const;

export type BenefitKind = keyof typeof KINDS;

type DefinitionOf<Name extends BenefitKind> = (typeof KINDS)[Name] extends Kind<infer Definition> ? Definition : never;

/** A benefit in the words of the configuration. */
export type BenefitDefinition = { [Name in BenefitKind]: DefinitionOf<Name> }[BenefitKind];

/** The kind of a benefit. It is asked about definitions of its own kind only, such as the one that is passed. */
export function kindOf(definition: BenefitDefinition): Kind<BenefitDefinition> {
  return KINDS[definition.kind];
}
