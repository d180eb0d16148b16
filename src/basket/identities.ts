import type { BasketRequest, OrderDiscount, Totals } from '../contract/basket-request.ts';
import type { AppliedResponse, BasketLineOut } from '../contract/basket-response.ts';
import type { RefusalDetails } from '../contract/errors.ts';
import { multiplyQuantity } from '../money/quantity.ts';
import { percentOf, toHundredths } from '../money/round.ts';

/**
 * The arithmetic of the specification (section 2): every identity of a basket, as it came and as we answer it. A sum of
 * safe integers beyond 2^53 is never rounded back below it, so comparing with plain numbers is exact where it matters.
 */

/** A line as the identities see it, in a request or in an answer. */
type AnyLine = BasketRequest['lines'][number] & Partial<BasketLineOut>;

/** The first identity of a request that does not hold. */
export function findRequestMismatch(basket: BasketRequest): RefusalDetails | undefined {
  return (
    findLineMismatch(basket.lines) ??
    findAllocationMismatch(basket.lines, basket.orderDiscounts) ??
    findTotalsMismatch(basket.lines, basket.totals, 0)
  );
}

/** The first identity of an answer that does not hold. `request` says which order discounts were there before. */
export function findAnswerMismatch(request: BasketRequest, answer: AppliedResponse): RefusalDetails | undefined {
  const before = new Set(request.orderDiscounts.map(({ orderDiscountId }) => orderDiscountId));
  const added = answer.orderDiscounts.filter(({ orderDiscountId }) => !before.has(orderDiscountId));
  const loyaltyDiscountTotal =
    sum(answer.lines, (line) => line.lineDiscountAmount) + sum(added, ({ amount }) => amount);
  return (
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
    const allocated = sum(line.orderDiscountAllocation, (share) => share.orderDiscountAllocationAmount);
    const { overrideUnitPrice } = line;
    const price = overrideUnitPrice === undefined ? original : multiplyQuantity(line.quantity, overrideUnitPrice);
    const left = BigInt(price) - BigInt(discount) - BigInt(line.lineDiscountAmount ?? 0) - BigInt(allocated);
    if (BigInt(line.orderLinePrice) !== left) return mismatch(`${at}/orderLinePrice`, left, line.orderLinePrice);
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

function expectedLineDiscount(line: BasketLineOut): number | bigint {
  if (line.lineDiscountType === 'none') return 0;
  if (line.lineDiscountType === 'amount') return line.lineDiscountAmount;
  const hundredths = toHundredths(line.lineDiscountPercent ?? Number.NaN);
  // No amount is right beside a percentage that is missing or has more than two decimals.
  return hundredths === undefined ? -1 : percentOf(line.originalLinePrice, hundredths);
}

function findAllocationMismatch(
  lines: readonly AnyLine[],
  orderDiscounts: readonly OrderDiscount[],
): RefusalDetails | undefined {
  const allocated = new Map<string, number>();
  for (const line of lines) {
    for (const { orderDiscountId, orderDiscountAllocationAmount } of line.orderDiscountAllocation) {
      allocated.set(orderDiscountId, (allocated.get(orderDiscountId) ?? 0) + orderDiscountAllocationAmount);
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
  loyaltyDiscountTotal: number,
): RefusalDetails | undefined {
  const expected: Totals = {
    originalTotal: sum(lines, (line) => line.originalLinePrice),
    existingDiscountTotal: sum(lines, (line) => line.existingLineDiscountAmount),
    orderDiscountTotal: sum(lines, (line) =>
      sum(line.orderDiscountAllocation, (share) => share.orderDiscountAllocationAmount),
    ),
    loyaltyDiscountTotal,
    total: sum(lines, (line) => line.orderLinePrice),
  };
  for (const name of Object.keys(expected) as (keyof Totals)[]) {
    if (totals[name] !== expected[name]) return mismatch(`/totals/${name}`, expected[name], totals[name]);
  }
  return undefined;
}

function sum<T>(items: readonly T[], amount: (item: T) => number): number {
  let total = 0;
  for (const item of items) total += amount(item);
  return total;
}

function mismatch(field: string, expected: number | bigint, received: number): RefusalDetails {
  const isSafe = expected >= Number.MIN_SAFE_INTEGER && expected <= Number.MAX_SAFE_INTEGER;
  return { field, expected: isSafe ? Number(expected) : String(expected), received };
}
