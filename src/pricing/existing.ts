import type { BasketLine } from '../contract/basket-request.ts';
import type { ExistingLineDiscounts } from './programme.ts';

/** What a discount already on the line leaves to a loyalty effect, by the programme's policy. */

/** Σ of the staff order discounts that lie on the line, in minor units. */
export function allocatedAmount(line: BasketLine): number {
  let sum = 0;
  for (const allocation of line.orderDiscountAllocation) sum += allocation.orderDiscountAllocationAmount;
  return sum;
}

/** The largest loyalty effect that leaves the line at or above 0, in minor units. */
export function roomFor(line: BasketLine, policy: ExistingLineDiscounts): number {
  return policy === 'stack' ? line.orderLinePrice : line.originalLinePrice - allocatedAmount(line);
}

/**
 * What the guest saves when the line takes a loyalty effect of `amount`: at most 0 where the policy forbids it or where
 * the discount already there is as good.
 */
export function savingOf(line: BasketLine, amount: number, policy: ExistingLineDiscounts): number {
  const existing = line.existingLineDiscountAmount;
  if (policy === 'stack') return amount;
  if (policy === 'keep') return existing > 0 ? 0 : amount;
  return amount - existing;
}
