import type { BasketLine, BasketRequest, OrderDiscount, Totals } from '@loyalty/contract/basket-request';
import { addQuantities, shareOf } from '@loyalty/contract/money/portion';
import { multiplyQuantity } from '@loyalty/contract/money/quantity';
import { sum } from '@loyalty/contract/money/sum';
import { type Quantities, staysOf } from './portions.ts';
import type { SoldBasket } from './sold-basket.ts';
import { listPrice, type StayingGift } from './staying-gifts.ts';

/** What stays with the guest after a return. */
export interface Rest {
  /** The basket as a till would have sent it; undefined when nothing of it stays. */
  readonly basket: BasketRequest | undefined;
  /** Products that the service had added and that stay. */
  readonly gifts: readonly StayingGift[];
}

/** The basket that stays, as if it had been bought alone. Discounts of the till stay in proportion. */
export function restOf({ basket, lines }: SoldBasket, returned: Quantities): Rest {
  const staying = new Map<number, number>();
  const gifts: StayingGift[] = [];
  for (const line of lines) {
    const quantity = staysOf(line, returned);
    if (quantity === 0) continue;
    if (line.line !== undefined) staying.set(line.line, addQuantities(staying.get(line.line) ?? 0, quantity));
    else if (line.gift) gifts.push({ lineId: line.lineId, product: line.gift, quantity });
  }
  const kept = basket.lines.flatMap((line, index) => {
    const quantity = staying.get(index);
    return quantity === undefined ? [] : [portionOfLine(line, quantity)];
  });
  return { basket: kept.length === 0 ? undefined : withLines(basket, kept), gifts };
}

/** The basket with products that were given, as lines that were bought. `basket` may be undefined: only they stay then. */
export function withBought(sold: BasketRequest, rest: BasketRequest | undefined, gifts: readonly StayingGift[]) {
  const bought = gifts.map((gift): BasketLine => {
    const { lineId, product, quantity } = gift;
    const price = listPrice(gift);
    const { productId, productMasterId, productGroupId, ean, name, unitPrice } = product;
    return {
      lineId,
      productId,
      name,
      quantity,
      unitPrice,
      originalLinePrice: price,
      orderLinePrice: price,
      ...(productMasterId !== undefined && { productMasterId }),
      ...(productGroupId !== undefined && { productGroupId }),
      ...(ean !== undefined && { ean }),
      noDiscount: product.noDiscount,
      noPercentageDiscount: product.noPercentageDiscount,
      existingLineDiscountType: 'none',
      existingLineDiscountAmount: 0,
      orderDiscountAllocation: [],
    };
  });
  return withLines(sold, [...(rest?.lines ?? []), ...bought]);
}

/** A part of a line, with the part of its discounts. */
function portionOfLine(line: BasketLine, quantity: number): BasketLine {
  if (quantity === line.quantity) return line;
  const originalLinePrice = Number(multiplyQuantity(quantity, line.unitPrice));
  let left = originalLinePrice;
  // Shares are rounded one by one, and the line must not drop below 0.
  const take = (amount: number): number => {
    const share = Math.min(left, shareOf(amount, quantity, line.quantity));
    left -= share;
    return share;
  };
  const existingLineDiscountAmount = take(line.existingLineDiscountAmount);
  const orderDiscountAllocation = line.orderDiscountAllocation.map((allocation) => ({
    ...allocation,
    orderDiscountAllocationAmount: take(allocation.orderDiscountAllocationAmount),
  }));
  return {
    ...line,
    quantity,
    originalLinePrice,
    existingLineDiscountAmount,
    orderDiscountAllocation,
    orderLinePrice: left,
  };
}

/** The basket with these lines, in which order discounts and totals add up. A line whose parent is gone has none. */
function withLines(basket: BasketRequest, kept: readonly BasketLine[]): BasketRequest {
  const lineIds = new Set(kept.map(({ lineId }) => lineId));
  const lines = kept.map((line) => {
    if (line.parentLineId === undefined || lineIds.has(line.parentLineId)) return line;
    const { parentLineId: _gone, ...alone } = line;
    return alone;
  });
  const amounts = new Map<string, number>();
  for (const { orderDiscountId, orderDiscountAllocationAmount } of lines.flatMap(
    (line) => line.orderDiscountAllocation,
  )) {
    amounts.set(orderDiscountId, (amounts.get(orderDiscountId) ?? 0) + orderDiscountAllocationAmount);
  }
  const orderDiscounts = basket.orderDiscounts.flatMap((discount): OrderDiscount[] => {
    const amount = amounts.get(discount.orderDiscountId);
    return amount === undefined ? [] : [{ ...discount, amount }];
  });
  return { ...basket, lines, orderDiscounts, totals: totalsOf(lines) };
}

/** The totals of a basket before any benefit. */
export function totalsOf(lines: readonly BasketLine[]): Totals {
  const allocations = lines.flatMap((line) => line.orderDiscountAllocation);
  return {
    originalTotal: sum(lines.map(({ originalLinePrice }) => originalLinePrice)),
    existingDiscountTotal: sum(lines.map(({ existingLineDiscountAmount }) => existingLineDiscountAmount)),
    orderDiscountTotal: sum(allocations.map((allocation) => allocation.orderDiscountAllocationAmount)),
    loyaltyDiscountTotal: 0,
    total: sum(lines.map(({ orderLinePrice }) => orderLinePrice)),
  };
}
