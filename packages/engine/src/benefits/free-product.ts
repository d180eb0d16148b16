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
  usesPriceList: true,
  seesLines: true,
  selections: (definition) => selectLines(definition, false),
  addedProductId: ({ productId }) => productId,
  rungUp: ({ productId, inBasketFirst }) => (inBasketFirst ? { productIds: [productId] } : undefined),
  compile: ({ productId, quantity = 1 }) => ({ level: 'gift', productId, quantity }),
};
