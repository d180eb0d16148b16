import { Identifier } from '@loyalty/contract/scalars';
import { Type } from '@loyalty/contract/schema-type';
import { optional, UnitCount } from '../compile/fields.ts';
import type { AppliesTo, BenefitConditions } from '../compile/words.ts';
import { type Kind, selectLines } from './kind.ts';

interface FreeProductDefinition extends BenefitConditions, AppliesTo {
  readonly kind: 'free_product';
  readonly productId: string;
  readonly quantity?: number;
  /** Units that were rung up already are given, and only those beyond them are added. */
  readonly inBasketFirst?: boolean;
}

/** `free_product`: a product of the venue's own list is added and costs nothing, or one that was rung up already does. */
export const freeProduct: Kind<FreeProductDefinition> = {
  level: 'gift',
  fields: {
    productId: Identifier,
    quantity: optional(UnitCount, { default: 1 }),
    inBasketFirst: optional(Type.Boolean(), { default: false }),
  },
  usesPriceList: true,
  seesLines: true,
  selections: (definition) => selectLines(definition, false),
  addedProductId: ({ productId }) => productId,
  rungUp: ({ productId, inBasketFirst }) => (inBasketFirst ? { productIds: [productId] } : undefined),
  compile: ({ productId, quantity = 1 }) => ({ level: 'gift', productId, quantity }),
};
