import type { AppliesTo, BenefitConditions } from '../benefit-definition.ts';
import { type Kind, selectLines } from './kind.ts';

interface FreeProductDefinition extends BenefitConditions, AppliesTo {
  readonly kind: 'free_product';
  readonly productId: string;
  readonly quantity?: number;
}

/** `free_product`: a product of the venue's own list is added and costs nothing. */
export const freeProduct: Kind<FreeProductDefinition> = {
  usesPriceList: true,
  selections: (definition) => selectLines(definition, false),
  addedProductId: ({ productId }) => productId,
  compile: ({ productId, quantity = 1 }) => ({ level: 'gift', productId, quantity }),
};
