import type { BasketLine, BasketRequest } from '@loyalty/contract/basket-request';
import { totalsOf } from '../../../conformance/src/kit/baskets.ts';
import { priceOf } from '../../../conformance/src/kit/judge/decimal.ts';

/**
 * Builds baskets whose identities hold; a test names only what it is about. Apart from the kit's baskets, because a line
 * follows here from the interface's own field names, which the examples of docs/benefits.md are written in.
 */

export function buildLine(fields: Partial<BasketLine> & { lineId: string }): BasketLine {
  const { quantity = 1, unitPrice = 1_000, existingLineDiscountAmount = 0, orderDiscountAllocation = [] } = fields;
  const originalLinePrice = Number(priceOf(quantity, unitPrice));
  const allocated = orderDiscountAllocation.reduce((sum, { orderDiscountAllocationAmount: amount }) => sum + amount, 0);
  return {
    productId: 'p1',
    name: 'Product',
    quantity,
    unitPrice,
    originalLinePrice,
    noDiscount: false,
    noPercentageDiscount: false,
    existingLineDiscountType: existingLineDiscountAmount > 0 ? 'amount' : 'none',
    existingLineDiscountAmount,
    orderDiscountAllocation,
    orderLinePrice: originalLinePrice - existingLineDiscountAmount - allocated,
    ...fields,
  };
}

export function buildBasket(lines: BasketLine[], more: Partial<BasketRequest> = {}): BasketRequest {
  return {
    calculationId: '00000000-0000-4000-8000-000000000001',
    loyaltyId: 'member',
    currency: 'NOK',
    requestedAt: '2026-11-21T12:00:00+01:00',
    context: { venueId: 'venue', cashRegisterId: 'till', baxId: '1', channel: 'pos' },
    lines,
    orderDiscounts: [],
    totals: totalsOf(lines),
    ...more,
  };
}
