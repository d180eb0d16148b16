import { randomUUID } from 'node:crypto';
import type { BasketLine, BasketRequest } from '../../contract/basket-request.ts';
import { multiplyQuantity } from '../../money/quantity.ts';

/** Baskets for the staging test members, as sent by a till at oslo-central. */
export function demoBaskets(): { readonly title: string; readonly basket: BasketRequest }[] {
  const lines = [
    line('1', '4711', 'Filter coffee', 2, 3900),
    line('2', '4712', 'Cinnamon bun', 1, 4500),
    line('3', '5100', 'Salad by weight', 0.345, 19_900),
    { ...line('4', '9000', 'Bottle deposit', 1, 300), noDiscount: true },
  ];
  return [
    { title: 'The test member with 20 % on every discountable line', basket: basket('test-member-20', lines) },
    { title: 'The test member without benefits', basket: basket('test-member-none', lines) },
    { title: 'The loyalty ID that nobody has', basket: basket('test-member-unknown', lines) },
  ];
}

function line(lineId: string, productId: string, name: string, quantity: number, unitPrice: number): BasketLine {
  const price = Number(multiplyQuantity(quantity, unitPrice));
  return {
    lineId,
    productId,
    name,
    quantity,
    unitPrice,
    originalLinePrice: price,
    noDiscount: false,
    noPercentageDiscount: false,
    existingLineDiscountType: 'none',
    existingLineDiscountAmount: 0,
    orderDiscountAllocation: [],
    orderLinePrice: price,
  };
}

function basket(loyaltyId: string, lines: readonly BasketLine[]): BasketRequest {
  const total = lines.reduce((sum, { orderLinePrice }) => sum + orderLinePrice, 0);
  return {
    calculationId: randomUUID(),
    loyaltyId,
    currency: 'NOK',
    requestedAt: new Date().toISOString(),
    context: { venueId: 'oslo-central', cashRegisterId: 'till-1', baxId: '500123', channel: 'pos' },
    lines: [...lines],
    orderDiscounts: [],
    totals: { originalTotal: total, existingDiscountTotal: 0, orderDiscountTotal: 0, loyaltyDiscountTotal: 0, total },
  };
}
