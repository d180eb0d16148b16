import type { BasketRequest } from '@loyalty/contract/basket-request';

/** Order discounts with a share of a `noDiscount` line, which nothing takes away. A till may write a share of 0 where there is none. */
export function ofProtectedLines(lines: BasketRequest['lines']): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { noDiscount, orderDiscountAllocation } of lines) {
    if (!noDiscount) continue;
    for (const { orderDiscountId, orderDiscountAllocationAmount: share } of orderDiscountAllocation) {
      if (share > 0) ids.add(orderDiscountId);
    }
  }
  return ids;
}
