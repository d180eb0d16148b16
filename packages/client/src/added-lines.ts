import type { AppliedResponse } from '@loyalty/contract/basket-response';
import type { RefusalDetails } from '@loyalty/contract/errors';

/** What the caller's own price list says of a product. Money in minor units of the basket's currency. */
export interface ListedProduct {
  readonly unitPrice: number;
  readonly noDiscount?: boolean;
  readonly noPercentageDiscount?: boolean;
}

/** Looks a venue's product up; undefined when the venue does not sell it. */
export type PriceList = (venueId: string, productId: string) => ListedProduct | undefined;

/** For a caller that gave no price list: a line that cannot be priced again cannot be accepted. */
export const EMPTY_PRICE_LIST: PriceList = () => undefined;

/**
 * Prices the lines that the service added again, from the caller's price list, and names the first that differs
 * (interface, section 4.7). Their arithmetic has been judged with that of all lines. Throws where the list throws.
 */
export function findAddedLineFault(
  venueId: string,
  { lines }: AppliedResponse,
  priceList: PriceList,
): RefusalDetails | undefined {
  for (const [index, line] of lines.entries()) {
    if (line.addedByLoyalty !== true) continue;
    const at = `/lines/${index}`;
    const { unitPrice, lineDiscountType } = line;
    const listed = lookUp(priceList, venueId, line.productId);
    if (!listed) return { field: `${at}/productId`, expected: 'a product of the venue', received: 'an unknown one' };
    if (listed.unitPrice !== unitPrice) {
      return { field: `${at}/unitPrice`, expected: listed.unitPrice, received: unitPrice };
    }
    const isDiscounted = lineDiscountType !== 'none' || line.overrideUnitPrice !== undefined;
    const isProtected = listed.noDiscount === true || line.noDiscount;
    const isPercentProtected = listed.noPercentageDiscount === true || line.noPercentageDiscount;
    if ((isProtected && isDiscounted) || (isPercentProtected && lineDiscountType === 'percent')) {
      const field = `${at}/lineDiscountType`;
      return { field, expected: 'none on a protected product', received: lineDiscountType };
    }
  }
  return undefined;
}

function lookUp(priceList: PriceList, venueId: string, productId: string): ListedProduct | undefined {
  try {
    return priceList(venueId, productId);
  } catch (error) {
    throw new Error(`the till's price list threw: ${(error as Error)?.message}`);
  }
}
