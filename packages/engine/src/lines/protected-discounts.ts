import type { BasketRequest } from '@loyalty/contract/basket-request';

/** Order discounts with a share of a `noDiscount` line, which nothing takes away. A till may write a share of 0 where there is none. */
export function ofProtectedLines(lines: BasketRequest['lines']): ReadonlySet<string> {
  const shares = lines.flatMap((line) => (line.noDiscount ? line.orderDiscountAllocation : []));
  return new Set(
    shares.flatMap(({ orderDiscountId, orderDiscountAllocationAmount }) =>
      orderDiscountAllocationAmount > 0 ? orderDiscountId : [],
    ),
  );
}
