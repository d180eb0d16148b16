import type { BasketRequest } from '../../contract/basket-request.ts';
import { isAt, type Offer } from '../offers/offers.ts';
import type { Pool } from '../pools.ts';
import type { Product, Venue } from '../types.ts';

/** A product that a benefit adds to the basket for nothing. */
export interface Gift {
  readonly offer: Offer;
  readonly product: Product;
  readonly units: number;
  /** The price of the units, in minor units. */
  readonly worth: number;
}

/** The price of all the products given, in minor units. */
export function worthOfGifts(gifts: readonly Gift[]): number {
  return gifts.reduce((sum, { worth }) => sum + worth, 0);
}

/** Every gift among the offers. A gift changes no line, so it stands in the way of nothing. */
export function collectGifts(offers: readonly Offer[], venue: Venue, basket: BasketRequest): Gift[] {
  const gifts: Gift[] = [];
  const dealt = offers.some(({ pool }) => pool?.counts === 'items') ? dealPools(offers, venue) : undefined;
  let total = basket.totals.originalTotal;
  for (const offer of offers) {
    const addition = isAt(offer, 'gift') ? offer.benefit.rule : offer.adds;
    if (!addition) continue;
    const product = venue.products.get(addition.productId);
    // The venue may have ruled out discounts on the product, and a product that costs nothing is no gift.
    if (!product || product.noDiscount || product.unitPrice === 0) continue;
    const units = dealt?.get(offer) ?? (offer.adds ? addition.quantity : Math.min(addition.quantity, offer.items));
    if (units === 0) continue;
    const worth = units * product.unitPrice;
    // A basket at the edge of what Money can hold takes no more.
    if (total + worth > Number.MAX_SAFE_INTEGER) continue;
    total += worth;
    gifts.push({ offer, product, units, worth });
  }
  return gifts;
}

/** Of a limit by items that gifts share the dearest products have their part first. */
function dealPools(offers: readonly Offer[], { products }: Venue): Map<Offer, number> {
  const priceOf = (productId: string): number => products.get(productId)?.unitPrice ?? 0;
  const sharing = offers.flatMap((offer) => (isAt(offer, 'gift') && offer.pool?.counts === 'items' ? offer : []));
  sharing.sort((a, b) => priceOf(b.benefit.rule.productId) - priceOf(a.benefit.rule.productId));
  const left = new Map<Pool, number>();
  const dealt = new Map<Offer, number>();
  for (const offer of sharing) {
    const pool = offer.pool!;
    const rest = left.get(pool) ?? pool.left;
    const product = products.get(offer.benefit.rule.productId);
    const units = product && !product.noDiscount ? Math.min(offer.benefit.rule.quantity, offer.items, rest) : 0;
    dealt.set(offer, units);
    left.set(pool, rest - units);
  }
  return dealt;
}
