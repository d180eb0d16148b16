import type { BasketRequest, OrderDiscount, Totals } from '@loyalty/contract/basket-request';
import type { AppliedResponse, BasketLineOut, BasketResponse } from '@loyalty/contract/basket-response';
import { multiplyQuantity } from '@loyalty/contract/money/quantity';
import { PERCENT_SCALE, percentOf } from '@loyalty/contract/money/round';

/** The right answer, which every misbehaviour starts from: 20 % on each line that may be discounted. */

const PERCENT = 20;
export const DISCOUNT_CODE = 'loyalty';
/** A loyalty ID that ends so is answered `unchanged`, or `member_not_found`, like the test members of staging. */
const NONE_SUFFIX = '-none';
const UNKNOWN_SUFFIX = '-unknown';

/** Answers a basket as the interface asks for. The basket has been judged before. */
export function answerHonestly(request: BasketRequest): BasketResponse {
  const { calculationId, loyaltyId } = request;
  if (loyaltyId.endsWith(UNKNOWN_SUFFIX)) return { calculationId, status: 'member_not_found' };
  if (loyaltyId.endsWith(NONE_SUFFIX)) return { calculationId, status: 'unchanged', reason: 'no_applicable_benefits' };
  const answer = applyTwentyPercent(request);
  const isOwnReturned = answer.orderDiscounts.length < request.orderDiscounts.length;
  return answer.totals.loyaltyDiscountTotal > 0 || isOwnReturned
    ? answer
    : { calculationId, status: 'unchanged', reason: 'all_lines_excluded' };
}

/** The applied answer, even where no line takes a discount. */
export function applyTwentyPercent(sent: BasketRequest): AppliedResponse {
  const request = withoutOwnDiscounts(sent);
  const lines = request.lines.map((line): BasketLineOut => {
    const amount = percentOf(line.originalLinePrice, PERCENT * PERCENT_SCALE);
    const isEligible = !line.noDiscount && !line.noPercentageDiscount && amount > 0 && amount <= line.orderLinePrice;
    return isEligible
      ? {
          ...line,
          lineDiscountType: 'percent',
          lineDiscountPercent: PERCENT,
          lineDiscountAmount: amount,
          lineDiscountText: `Member ${PERCENT} %`,
          showLineDiscountText: true,
          lineDiscountCode: DISCOUNT_CODE,
        }
      : { ...line, lineDiscountType: 'none', lineDiscountAmount: 0, showLineDiscountText: false };
  });
  return addUp({
    calculationId: request.calculationId,
    status: 'applied',
    memberLabel: 'Double Club',
    lines,
    orderDiscounts: structuredClone(request.orderDiscounts),
    totals: request.totals,
  });
}

/** An order discount with our own code came back with the basket: it is taken off with its allocations. */
function withoutOwnDiscounts(request: BasketRequest): BasketRequest {
  const own = request.orderDiscounts.filter(({ discountCode }) => discountCode === DISCOUNT_CODE);
  if (own.length === 0) return request;
  const ids = new Set(own.map(({ orderDiscountId }) => orderDiscountId));
  const lines = request.lines.map((line) => {
    const kept = line.orderDiscountAllocation.filter((share) => !ids.has(share.orderDiscountId));
    const taken = sharesOf(line) - sharesOf({ orderDiscountAllocation: kept });
    return { ...line, orderDiscountAllocation: kept, orderLinePrice: line.orderLinePrice + taken };
  });
  return { ...request, lines, orderDiscounts: request.orderDiscounts.filter((discount) => !own.includes(discount)) };
}

/**
 * The same answer with every line price and total calculated anew, so that a planted fault is the only one; a stale sum
 * would let a caller find it by chance. Order discounts with a code count as added.
 */
export function addUp(answer: AppliedResponse): AppliedResponse {
  const lines = answer.lines.map((line) => {
    const original = Number(multiplyQuantity(line.quantity, line.unitPrice));
    const { overrideUnitPrice } = line;
    const price =
      overrideUnitPrice === undefined ? original : Number(multiplyQuantity(line.quantity, overrideUnitPrice));
    const orderLinePrice = price - line.existingLineDiscountAmount - line.lineDiscountAmount - sharesOf(line);
    return { ...line, originalLinePrice: original, orderLinePrice };
  });
  return { ...answer, lines, totals: totalsOf(lines, answer.orderDiscounts) };
}

function totalsOf(lines: readonly BasketLineOut[], orderDiscounts: readonly OrderDiscount[]): Totals {
  const sum = (amount: (line: BasketLineOut) => number) => lines.reduce((total, line) => total + amount(line), 0);
  const added = orderDiscounts.filter(({ discountCode }) => discountCode !== undefined);
  return {
    originalTotal: sum((line) => line.originalLinePrice),
    existingDiscountTotal: sum((line) => line.existingLineDiscountAmount),
    orderDiscountTotal: sum(sharesOf),
    loyaltyDiscountTotal:
      sum((line) => line.lineDiscountAmount) + added.reduce((total, { amount }) => total + amount, 0),
    total: sum((line) => line.orderLinePrice),
  };
}

function sharesOf({ orderDiscountAllocation }: Pick<BasketLineOut, 'orderDiscountAllocation'>): number {
  return orderDiscountAllocation.reduce((sum, share) => sum + share.orderDiscountAllocationAmount, 0);
}
