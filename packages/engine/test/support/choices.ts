import type { BasketLine } from '@loyalty/contract/basket-request';
import { buildLine } from './basket.ts';

/** A line whose product is called like it. */
export const line = (lineId: string, quantity: number, unitPrice: number, more: Partial<BasketLine> = {}): BasketLine =>
  buildLine({ lineId, productId: lineId, quantity, unitPrice, ...more });

/** What the staff took off a line, and off the order. */
export const staff = (existingLineDiscountAmount: number) => ({ existingLineDiscountAmount });
export const allocated = (...amounts: number[]) => ({
  orderDiscountAllocation: amounts.map((amount, at) => ({
    orderDiscountId: `staff-${at}`,
    orderDiscountAllocationAmount: amount,
  })),
});
