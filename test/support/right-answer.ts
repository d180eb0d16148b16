/**
 * The right answer when one percentage is given on every line that may have it: the yardstick of the judge. The double's
 * answer is simpler and follows no policy for existing discounts.
 */
import { shareOf, total } from '../../packages/conformance/src/kit/judge/decimal.ts';
import type { AppliedBody, BasketBody, LineBody, LineOutBody } from './wire.ts';

function allocatedTo(line: LineBody): number {
  return line.orderDiscountAllocation.reduce((sum, entry) => sum + entry.orderDiscountAllocationAmount, 0);
}

/**
 * The line with the percentage on it, where it is larger than what the staff gave and the line may have it
 * (`replace_if_larger`). A percentage that exceeds the rest of the line's price becomes an amount. `shown` is the form
 * in which the line is printed, when that differs from the form that is priced.
 */
export function discountedLine(line: LineBody, percent: number, shown: LineBody = line): LineOutBody {
  const untouched: LineOutBody = {
    ...structuredClone(shown),
    lineDiscountType: 'none',
    lineDiscountAmount: 0,
    showLineDiscountText: false,
  };
  if (line.noDiscount || line.noPercentageDiscount) return untouched;
  const whole = Number(shareOf(line.originalLinePrice, percent));
  const bearable = line.originalLinePrice - allocatedTo(line);
  const amount = Math.min(whole, bearable);
  if (amount <= line.existingLineDiscountAmount) return untouched;
  const cleared: LineOutBody = { ...untouched, existingLineDiscountType: 'none', existingLineDiscountAmount: 0 };
  delete cleared.existingLineDiscountPercent;
  delete cleared.existingLineDiscountText;
  delete cleared.existingLineDiscountCampaignId;
  return {
    ...cleared,
    lineDiscountType: amount === whole ? 'percent' : 'amount',
    ...(amount === whole && { lineDiscountPercent: percent }),
    lineDiscountAmount: amount,
    lineDiscountCode: 'loyalty',
    orderLinePrice: bearable - amount,
  };
}

/** The `applied` body for a basket on which every line gets the percentage. */
export function rightAnswer(request: BasketBody, percent: number): AppliedBody {
  const body: AppliedBody = {
    calculationId: request.calculationId,
    status: 'applied',
    lines: request.lines.map((line) => discountedLine(line, percent)),
    orderDiscounts: structuredClone(request.orderDiscounts),
    totals: { ...request.totals },
  };
  return withTotals(request, body);
}

/** The same body with its totals added up afresh, so that a planted violation elsewhere stands alone. */
export function withTotals(request: BasketBody, body: AppliedBody): AppliedBody {
  const sent = new Set(request.orderDiscounts.map((discount) => discount.orderDiscountId));
  const added = body.orderDiscounts.filter((discount) => !sent.has(discount.orderDiscountId));
  const drift: Partial<Record<keyof AppliedBody['totals'], number>> = {};
  const before = body.totals;
  const sums = {
    originalTotal: body.lines.map((line) => line.originalLinePrice),
    existingDiscountTotal: body.lines.map((line) => line.existingLineDiscountAmount),
    orderDiscountTotal: body.lines.map(allocatedTo),
    loyaltyDiscountTotal: [...body.lines.map((line) => line.lineDiscountAmount), ...added.map((entry) => entry.amount)],
    total: body.lines.map((line) => line.orderLinePrice),
  };
  for (const [name, amounts] of Object.entries(sums)) {
    if (amounts.every(Number.isSafeInteger)) drift[name as keyof typeof sums] = Number(total(amounts));
  }
  return { ...body, totals: { ...before, ...drift } };
}
