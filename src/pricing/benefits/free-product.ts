import type { FreeProductRule } from '../programme.ts';
import type { Product } from '../types.ts';
import type { Kind } from './kind.ts';

/** `free_product`: a product of the venue's own list is added and costs nothing. Touches no line of the basket. */
export const freeProduct: Kind<'free_product'> = {
  level: 'gift',
  isPercentage: false,
  namesMoney: true,
  compile: ({ kind, productId, quantity }) => ({ kind, productId, quantity: quantity ?? 1 }),
  selectors: ({ appliesTo }) => [appliesTo],
};

/**
 * How many units of the product are given: at most `left` where a limit counts items, and none of a product that may not
 * be discounted or that costs nothing.
 */
export function giftUnits({ quantity }: FreeProductRule, product: Product | undefined, left: number): number {
  if (!product || product.noDiscount || product.unitPrice === 0) return 0;
  return Math.min(quantity, left);
}
