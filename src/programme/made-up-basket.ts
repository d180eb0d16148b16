import type { BasketLine, BasketRequest } from '@loyalty/contract/basket-request';
import type { Venue } from '@loyalty/engine/types';
import type { VenueEntry } from './schema.ts';

/** Baskets that nobody has bought: they warm up a thread, and show how well a programme is priced. */

/** A product as far as it has names. The price of a unit is in minor units. */
export type MadeUpProduct = Partial<NonNullable<VenueEntry['products']>[number]> & { readonly unitPrice: number };

export const MADE_UP_ID = '00000000-0000-4000-8000-000000000000';

/** So many lines of one to three units, without any discount. Each basket begins elsewhere in the list, and goes through it in other strides. */
export function makeBasket(
  number: number,
  lineCount: number,
  products: readonly MadeUpProduct[],
  { venueId, terminalSetups, currencies }: Venue,
  requestedAt: string,
): BasketRequest {
  const lines = Array.from({ length: lineCount }, (_, at): BasketLine => {
    const product = products[(number + at * (1 + (number % 3))) % products.length]!;
    const quantity = 1 + ((at * (number + 1)) % 3);
    const price = quantity * product.unitPrice;
    const { productId = `made-up-${at}`, productMasterId, productGroupId, ean } = product;
    return {
      lineId: `line-${at}`,
      productId,
      ...(productMasterId !== undefined && { productMasterId }),
      ...(productGroupId !== undefined && { productGroupId }),
      ...(ean !== undefined && { ean }),
      name: 'made up',
      quantity,
      unitPrice: product.unitPrice,
      originalLinePrice: price,
      noDiscount: false,
      noPercentageDiscount: product.noPercentageDiscount ?? false,
      existingLineDiscountType: 'none',
      existingLineDiscountAmount: 0,
      orderDiscountAllocation: [],
      orderLinePrice: price,
    };
  });
  const total = lines.reduce((sum, { orderLinePrice }) => sum + orderLinePrice, 0);
  return {
    calculationId: MADE_UP_ID,
    loyaltyId: 'made-up',
    currency: currencies[0]!,
    requestedAt,
    context: { venueId, cashRegisterId: 'made-up', baxId: terminalSetups[0]!, channel: 'pos' },
    lines,
    orderDiscounts: [],
    totals: { originalTotal: total, existingDiscountTotal: 0, orderDiscountTotal: 0, loyaltyDiscountTotal: 0, total },
  };
}
