import type { BasketRequest, OrderDiscount, Totals } from '../basket-request.ts';
import type { AppliedResponse, BasketLineOut } from '../basket-response.ts';
import type { RefusalDetails } from '../errors.ts';
import { MAX_MONEY } from '../limits.ts';
import { multiplyQuantity } from '../money/quantity.ts';
import { percentOf, toHundredths } from '../money/round.ts';
import { findParentFault } from './parents.ts';

/**
 * What a schema cannot say of a basket: unique IDs, references to existing entries, and every identity (interface, section 2), in
 * one pass that is the same for a request and for our answer. Sums are numbers while they are safe integers, and exact bigints
 * above.
 */

/** Minor units, exact at any size. */
type Amount = number | bigint;

type RequestLine = BasketRequest['lines'][number];

interface AnyBasket {
  readonly lines: readonly RequestLine[] | readonly BasketLineOut[];
  readonly orderDiscounts: readonly OrderDiscount[];
  readonly totals: Totals;
}

/** The first broken reference of a request, and its first violated identity. They are refused at different steps of a call. */
export interface RequestFaults {
  readonly reference: RefusalDetails | undefined;
  readonly mismatch: RefusalDetails | undefined;
}

/** Checks a request that meets its schema. */
export function findRequestFaults(basket: BasketRequest): RequestFaults {
  const { reference, mismatch, hasLateParent } = examine(basket, undefined);
  return {
    reference: findSelfSupersession(basket) ?? reference ?? (hasLateParent ? findParentFault(basket.lines) : undefined),
    mismatch,
  };
}

/**
 * Checks an applied answer that meets its schema. `request` tells the existing order discounts from the added ones. Parents are
 * checked in requests only: an answer may have removed or split a parent.
 */
export function findAnswerMismatch(request: BasketRequest, answer: AppliedResponse): RefusalDetails | undefined {
  const { reference, mismatch } = examine(answer, request);
  return reference ?? mismatch;
}

function findSelfSupersession(basket: BasketRequest): RefusalDetails | undefined {
  if (basket.supersedesCalculationId !== basket.calculationId) return undefined;
  return { field: '/supersedesCalculationId', expected: 'another calculation than this one', received: 'this one' };
}

const NO_LOYALTY: Pick<BasketLineOut, 'lineDiscountAmount' | 'overrideUnitPrice'> = { lineDiscountAmount: 0 };

/** The pass over a request, or over the answer to `request`. */
function examine({ lines, orderDiscounts, totals }: AnyBasket, request: BasketRequest | undefined) {
  const allocated = new Map<string, Amount>();
  let repeatedDiscount: RefusalDetails | undefined;
  for (let at = 0; at < orderDiscounts.length; at++) {
    const { orderDiscountId } = orderDiscounts[at]!;
    if (allocated.has(orderDiscountId)) repeatedDiscount ??= repeated(`/orderDiscounts/${at}/orderDiscountId`);
    allocated.set(orderDiscountId, 0);
  }
  const lineIds = new Set<string>();
  let repeatedLine: RefusalDetails | undefined;
  let unknownDiscount: RefusalDetails | undefined;
  let wrongLine: RefusalDetails | undefined;
  let wrongDiscount: RefusalDetails | undefined;
  let hasLateParent = false;
  let originalTotal: Amount = 0;
  let existingDiscountTotal: Amount = 0;
  let orderDiscountTotal: Amount = 0;
  let total: Amount = 0;
  let loyaltyDiscountTotal = request ? sumAdded(request, orderDiscounts) : 0;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (lineIds.has(line.lineId)) repeatedLine ??= repeated(`/lines/${at}/lineId`);
    // Tills send a parent before its child; then it exists, and there is no circle. It is empty from callers that send every field.
    if (line.parentLineId && !lineIds.has(line.parentLineId)) hasLateParent = true;
    lineIds.add(line.lineId);
    let share: Amount = 0;
    for (let a = 0; a < line.orderDiscountAllocation.length; a++) {
      const { orderDiscountId, orderDiscountAllocationAmount: amount } = line.orderDiscountAllocation[a]!;
      const before = allocated.get(orderDiscountId);
      if (before === undefined)
        unknownDiscount ??= unknown(`/lines/${at}/orderDiscountAllocation/${a}/orderDiscountId`);
      else allocated.set(orderDiscountId, add(before, amount));
      share = add(share, amount);
    }
    // A request may have fields of these names too, which are unknown there and ignored.
    const { lineDiscountAmount, overrideUnitPrice } = request ? (line as BasketLineOut) : NO_LOYALTY;
    wrongLine ??= findLineMismatch(line, at, overrideUnitPrice, lineDiscountAmount, share);
    if (request) wrongDiscount ??= findLineDiscountMismatch(line as BasketLineOut, at);
    originalTotal = add(originalTotal, line.originalLinePrice);
    existingDiscountTotal = add(existingDiscountTotal, line.existingLineDiscountAmount);
    orderDiscountTotal = add(orderDiscountTotal, share);
    loyaltyDiscountTotal = add(loyaltyDiscountTotal, lineDiscountAmount);
    total = add(total, line.orderLinePrice);
  }
  const expected = { originalTotal, existingDiscountTotal, orderDiscountTotal, loyaltyDiscountTotal, total };
  return {
    reference: repeatedDiscount ?? repeatedLine ?? unknownDiscount,
    mismatch:
      wrongLine ??
      wrongDiscount ??
      findAllocationMismatch(orderDiscounts, allocated) ??
      findTotalsMismatch(totals, expected),
    hasLateParent,
  };
}

/** The sum of the order discounts that the service added. */
function sumAdded(request: BasketRequest, orderDiscounts: readonly OrderDiscount[]): Amount {
  const before = new Set(request.orderDiscounts.map(({ orderDiscountId }) => orderDiscountId));
  return orderDiscounts.reduce<Amount>(
    (sum, { orderDiscountId, amount }) => (before.has(orderDiscountId) ? sum : add(sum, amount)),
    0,
  );
}

function findLineMismatch(
  line: RequestLine,
  at: number,
  overrideUnitPrice: number | undefined,
  lineDiscountAmount: number,
  share: Amount,
): RefusalDetails | undefined {
  const original = multiplyQuantity(line.quantity, line.unitPrice);
  if (line.originalLinePrice !== original) {
    return mismatch(`/lines/${at}/originalLinePrice`, original, line.originalLinePrice);
  }
  const discount = line.existingLineDiscountAmount;
  if (line.existingLineDiscountType === 'none' && discount !== 0) {
    return mismatch(`/lines/${at}/existingLineDiscountAmount`, 0, discount);
  }
  const price = overrideUnitPrice === undefined ? original : multiplyQuantity(line.quantity, overrideUnitPrice);
  // Plain numbers are exact down to zero; below zero the price differs in any case.
  const left = Number(price) - discount - lineDiscountAmount - Number(share);
  if (line.orderLinePrice === left) return undefined;
  const exact = BigInt(price) - BigInt(discount) - BigInt(lineDiscountAmount) - BigInt(share);
  return mismatch(`/lines/${at}/orderLinePrice`, exact, line.orderLinePrice);
}

function findLineDiscountMismatch(line: BasketLineOut, at: number): RefusalDetails | undefined {
  const expected = expectedLineDiscount(line);
  if (expected !== line.lineDiscountAmount) {
    return mismatch(`/lines/${at}/lineDiscountAmount`, expected, line.lineDiscountAmount);
  }
  const hasCode = line.lineDiscountCode !== undefined;
  if (hasCode !== (line.lineDiscountType === 'none')) return undefined;
  return { field: `/lines/${at}/lineDiscountCode`, expected: 'present on discounted lines only' };
}

function expectedLineDiscount(line: BasketLineOut): number {
  if (line.lineDiscountType === 'none') return 0;
  if (line.lineDiscountType === 'amount') return line.lineDiscountAmount;
  const hundredths = toHundredths(line.lineDiscountPercent ?? Number.NaN);
  // With a missing percentage, or one of more than two decimals, every amount is wrong.
  return hundredths === undefined ? -1 : percentOf(line.originalLinePrice, hundredths);
}

function findAllocationMismatch(
  orderDiscounts: readonly OrderDiscount[],
  allocated: ReadonlyMap<string, Amount>,
): RefusalDetails | undefined {
  for (let at = 0; at < orderDiscounts.length; at++) {
    const { orderDiscountId, amount } = orderDiscounts[at]!;
    const expected = allocated.get(orderDiscountId)!;
    if (expected !== amount) return mismatch(`/orderDiscounts/${at}/amount`, expected, amount);
  }
  return undefined;
}

function findTotalsMismatch(
  totals: Totals,
  expected: Readonly<Record<keyof Totals, Amount>>,
): RefusalDetails | undefined {
  for (const name of TOTALS) {
    if (totals[name] !== expected[name]) return mismatch(`/totals/${name}`, expected[name], totals[name]);
  }
  return undefined;
}

const TOTALS = [
  'originalTotal',
  'existingDiscountTotal',
  'orderDiscountTotal',
  'loyaltyDiscountTotal',
  'total',
] as const satisfies readonly (keyof Totals)[];

/** Adds exactly. Amounts are not negative, so a sum beyond the safe integers stays there. */
function add(left: Amount, right: Amount): Amount {
  const sum = Number(left) + Number(right);
  return sum <= MAX_MONEY ? sum : BigInt(left) + BigInt(right);
}

function repeated(field: string): RefusalDetails {
  return { field, expected: 'an ID used once', received: 'one used before' };
}

function unknown(field: string): RefusalDetails {
  return { field, expected: 'an orderDiscountId of orderDiscounts', received: 'an unknown one' };
}

function mismatch(field: string, expected: Amount, received: number): RefusalDetails {
  const isSafe = expected >= Number.MIN_SAFE_INTEGER && expected <= Number.MAX_SAFE_INTEGER;
  return { field, expected: isSafe ? Number(expected) : String(expected), received };
}
