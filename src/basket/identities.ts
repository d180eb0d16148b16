import type { BasketRequest, OrderDiscount, Totals } from '../contract/basket-request.ts';
import type { AppliedResponse, BasketLineOut } from '../contract/basket-response.ts';
import type { RefusalDetails } from '../contract/errors.ts';
import { MAX_MONEY } from '../contract/limits.ts';
import { multiplyQuantity } from '../money/quantity.ts';
import { percentOf, toHundredths } from '../money/round.ts';
import { findIdFault } from './references.ts';

/**
 * The arithmetic of a basket (interface, section 2): every identity of a request and of our answer. Sums are numbers
 * while they are safe integers, and exact bigints above.
 */

/** Minor units, exact at any size. */
type Amount = number | bigint;

/** A line of a request or of an answer, as far as the identities need it. */
type AnyLine = BasketRequest['lines'][number] & Partial<BasketLineOut>;

/** Finds the first violated identity of a request. */
export function findRequestMismatch(basket: BasketRequest): RefusalDetails | undefined {
  return (
    findLineMismatch(basket.lines) ??
    findAllocationMismatch(basket.lines, basket.orderDiscounts) ??
    findTotalsMismatch(basket.lines, basket.totals, 0)
  );
}

/**
 * Finds the first violated identity or broken reference of an answer. `request` tells the existing order discounts from
 * the added ones.
 */
export function findAnswerMismatch(request: BasketRequest, answer: AppliedResponse): RefusalDetails | undefined {
  const before = new Set(request.orderDiscounts.map(({ orderDiscountId }) => orderDiscountId));
  const added = answer.orderDiscounts.filter(({ orderDiscountId }) => !before.has(orderDiscountId));
  const loyaltyDiscountTotal = add(
    sum(answer.lines, (line) => line.lineDiscountAmount),
    sum(added, ({ amount }) => amount),
  );
  return (
    findIdFault(answer) ??
    findLineMismatch(answer.lines) ??
    findLineDiscountMismatch(answer.lines) ??
    findAllocationMismatch(answer.lines, answer.orderDiscounts) ??
    findTotalsMismatch(answer.lines, answer.totals, loyaltyDiscountTotal)
  );
}

function findLineMismatch(lines: readonly AnyLine[]): RefusalDetails | undefined {
  for (const [index, line] of lines.entries()) {
    const at = `/lines/${index}`;
    const original = multiplyQuantity(line.quantity, line.unitPrice);
    if (line.originalLinePrice !== original)
      return mismatch(`${at}/originalLinePrice`, original, line.originalLinePrice);
    const discount = line.existingLineDiscountAmount;
    if (line.existingLineDiscountType === 'none' && discount !== 0) {
      return mismatch(`${at}/existingLineDiscountAmount`, 0, discount);
    }
    const allocated = sumOfAllocations(line);
    const { overrideUnitPrice } = line;
    const price = overrideUnitPrice === undefined ? original : multiplyQuantity(line.quantity, overrideUnitPrice);
    const taken = [discount, line.lineDiscountAmount ?? 0, allocated] as const;
    // Plain numbers are exact down to zero; below zero the price differs in any case.
    const left = Number(price) - Number(taken[0]) - Number(taken[1]) - Number(taken[2]);
    if (line.orderLinePrice !== left) {
      const exact = taken.reduce<bigint>((rest, amount) => rest - BigInt(amount), BigInt(price));
      return mismatch(`${at}/orderLinePrice`, exact, line.orderLinePrice);
    }
  }
  return undefined;
}

function findLineDiscountMismatch(lines: readonly BasketLineOut[]): RefusalDetails | undefined {
  for (const [index, line] of lines.entries()) {
    const expected = expectedLineDiscount(line);
    const field = `/lines/${index}/lineDiscountAmount`;
    if (expected !== line.lineDiscountAmount) return mismatch(field, expected, line.lineDiscountAmount);
    const hasCode = line.lineDiscountCode !== undefined;
    if (hasCode === (line.lineDiscountType === 'none')) {
      return { field: `/lines/${index}/lineDiscountCode`, expected: 'present on discounted lines only' };
    }
  }
  return undefined;
}

function expectedLineDiscount(line: BasketLineOut): number {
  if (line.lineDiscountType === 'none') return 0;
  if (line.lineDiscountType === 'amount') return line.lineDiscountAmount;
  const hundredths = toHundredths(line.lineDiscountPercent ?? Number.NaN);
  // With a missing percentage, or one of more than two decimals, every amount is wrong.
  return hundredths === undefined ? -1 : percentOf(line.originalLinePrice, hundredths);
}

function findAllocationMismatch(
  lines: readonly AnyLine[],
  orderDiscounts: readonly OrderDiscount[],
): RefusalDetails | undefined {
  const allocated = new Map<string, Amount>();
  for (const line of lines) {
    for (const { orderDiscountId, orderDiscountAllocationAmount } of line.orderDiscountAllocation) {
      allocated.set(orderDiscountId, add(allocated.get(orderDiscountId) ?? 0, orderDiscountAllocationAmount));
    }
  }
  for (const [index, { orderDiscountId, amount }] of orderDiscounts.entries()) {
    const expected = allocated.get(orderDiscountId) ?? 0;
    if (expected !== amount) return mismatch(`/orderDiscounts/${index}/amount`, expected, amount);
  }
  return undefined;
}

function findTotalsMismatch(
  lines: readonly AnyLine[],
  totals: Totals,
  loyaltyDiscountTotal: Amount,
): RefusalDetails | undefined {
  const expected: Record<keyof Totals, Amount> = {
    originalTotal: sum(lines, (line) => line.originalLinePrice),
    existingDiscountTotal: sum(lines, (line) => line.existingLineDiscountAmount),
    orderDiscountTotal: sum(lines, sumOfAllocations),
    loyaltyDiscountTotal,
    total: sum(lines, (line) => line.orderLinePrice),
  };
  for (const name of Object.keys(expected) as (keyof Totals)[]) {
    if (totals[name] !== expected[name]) return mismatch(`/totals/${name}`, expected[name], totals[name]);
  }
  return undefined;
}

/**
 * Sums exactly. A sum of non-negative amounts that exceeds the safe integers stays above them, and is computed again as
 * a bigint.
 */
function sum<T>(items: readonly T[], amount: (item: T) => Amount): Amount {
  let total = 0;
  for (const item of items) total += Number(amount(item));
  if (total <= MAX_MONEY) return total;
  return items.reduce((exact, item) => exact + BigInt(amount(item)), 0n);
}

function add(left: Amount, right: Amount): Amount {
  const total = Number(left) + Number(right);
  return total <= MAX_MONEY ? total : BigInt(left) + BigInt(right);
}

function sumOfAllocations(line: AnyLine): Amount {
  return sum(line.orderDiscountAllocation, (share) => share.orderDiscountAllocationAmount);
}

function mismatch(field: string, expected: Amount, received: number): RefusalDetails {
  const isSafe = expected >= Number.MIN_SAFE_INTEGER && expected <= Number.MAX_SAFE_INTEGER;
  return { field, expected: isSafe ? Number(expected) : String(expected), received };
}
