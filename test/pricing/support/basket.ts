import type { BasketLine, BasketRequest, OrderDiscount } from '../../../src/contract/basket-request.ts';
import { multiplyQuantity } from '../../../src/money/quantity.ts';

/** Builds baskets whose identities hold; a test names only what it is about. */

export function buildLine(fields: Partial<BasketLine> & { lineId: string }): BasketLine {
  const { quantity = 1, unitPrice = 1_000, existingLineDiscountAmount = 0, orderDiscountAllocation = [] } = fields;
  const originalLinePrice = Number(multiplyQuantity(quantity, unitPrice));
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
  const orderDiscountTotal = (more.orderDiscounts ?? []).reduce(
    (sum: number, { amount }: OrderDiscount) => sum + amount,
    0,
  );
  return {
    calculationId: '00000000-0000-4000-8000-000000000001',
    loyaltyId: 'member',
    currency: 'NOK',
    requestedAt: '2026-11-21T12:00:00+01:00',
    context: { venueId: 'venue', cashRegisterId: 'till', baxId: '1', channel: 'pos' },
    lines,
    orderDiscounts: [],
    totals: {
      originalTotal: lines.reduce((sum, line) => sum + line.originalLinePrice, 0),
      existingDiscountTotal: lines.reduce((sum, line) => sum + line.existingLineDiscountAmount, 0),
      orderDiscountTotal,
      loyaltyDiscountTotal: 0,
      total: lines.reduce((sum, line) => sum + line.orderLinePrice, 0),
    },
    ...more,
  };
}
