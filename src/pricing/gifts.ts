import type { BasketRequest } from '../contract/basket-request.ts';
import { giftUnits } from './benefits/free-product.ts';
import type { Offer } from './offers.ts';
import type { FreeProductRule } from './programme.ts';
import type { Product, Venue } from './types.ts';

/** A product that a benefit adds to the basket for nothing. */
export interface Gift {
  readonly offer: Offer;
  readonly product: Product;
  readonly units: number;
  /** What it would cost, in minor units. */
  readonly worth: number;
}

/** Every gift among the offers. A gift changes no line, so it stands in the way of nothing. */
export function collectGifts(offers: readonly Offer[], venue: Venue, basket: BasketRequest): Gift[] {
  const gifts: Gift[] = [];
  let total = basket.totals.originalTotal;
  for (const offer of offers) {
    if (offer.benefit.level !== 'gift') continue;
    const rule = offer.benefit.rule as FreeProductRule;
    const product = venue.products.get(rule.productId);
    const left = offer.benefit.limit?.counts === 'items' ? offer.left : Number.POSITIVE_INFINITY;
    const units = giftUnits(rule, product, left);
    if (!product || units === 0) continue;
    const worth = units * product.unitPrice;
    // A basket at the edge of what Money can hold takes no more.
    if (total + worth > Number.MAX_SAFE_INTEGER) continue;
    total += worth;
    gifts.push({ offer, product, units, worth });
  }
  return gifts;
}
