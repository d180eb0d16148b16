/** The sums over an `applied` basket: allocations per order discount, and the five totals (interface, section 2). */
import { isDeepStrictEqual } from 'node:util';
import type { Report } from './check-fields.ts';
import { sumOf } from './decimal.ts';
import type { AppliedBody, BasketBody, LineBody, OrderDiscountBody } from './wire.ts';

/** Σ orderDiscountAllocationAmount of a line. */
export function allocatedTo(line: LineBody): bigint {
  return sumOf(line.orderDiscountAllocation.map((entry) => entry.orderDiscountAllocationAmount));
}

/** Reports what is wrong with the order discounts of the answer and with their allocations. */
export function checkOrderDiscounts(
  request: BasketBody,
  answer: AppliedBody,
  discountCode: string,
  staff: ReadonlyMap<string, OrderDiscountBody>,
  report: Report,
): void {
  const seen = new Set<string>();
  for (const discount of answer.orderDiscounts) {
    const at = `order discount ${discount.orderDiscountId}`;
    if (seen.has(discount.orderDiscountId)) report(`${at}: stands twice in the answer`);
    seen.add(discount.orderDiscountId);
    const entries = answer.lines.flatMap((line) => line.orderDiscountAllocation).filter(belongsTo(discount));
    if (sumOf(entries.map((entry) => entry.orderDiscountAllocationAmount)) !== BigInt(discount.amount)) {
      report(`${at}: the allocations do not add up to ${discount.amount}`);
    }
    const original = staff.get(discount.orderDiscountId);
    if (!original) {
      if (discount.discountCode !== discountCode) report(`${at}: is added without the discountCode ${discountCode}`);
      if (discount.amount === 0) report(`${at}: is added and worth nothing`);
      if ((discount.type === 'percent') !== (discount.percent !== undefined))
        report(`${at}: percent and type disagree`);
    } else if (isDeepStrictEqual(original, discount)) {
      for (const line of request.lines) checkAllocationEcho(line, answer, discount, report);
    } else if (discount.amount > original.amount) {
      report(`${at}: a staff discount grew`);
    }
  }
}

function belongsTo(discount: OrderDiscountBody): (entry: { orderDiscountId: string }) => boolean {
  return (entry) => entry.orderDiscountId === discount.orderDiscountId;
}

/** An allocation is set by the POS and echoed verbatim; the parts of a split share it to the unit. */
function checkAllocationEcho(line: LineBody, answer: AppliedBody, discount: OrderDiscountBody, report: Report): void {
  const parts = answer.lines.filter((part) => (part.splitFromLineId ?? part.lineId) === line.lineId);
  if (parts.length === 0) return;
  const sent = line.orderDiscountAllocation
    .filter(belongsTo(discount))
    .map((entry) => entry.orderDiscountAllocationAmount);
  const back = parts.flatMap((part) => part.orderDiscountAllocation).filter(belongsTo(discount));
  const amounts = back.map((entry) => entry.orderDiscountAllocationAmount);
  const holds = parts.length === 1 ? isDeepStrictEqual(sent, amounts) : sumOf(sent) === sumOf(amounts);
  if (!holds) report(`line ${line.lineId}: the allocation of ${discount.orderDiscountId} is not echoed`);
}

/** Reports every total that is not the sum it stands for. */
export function checkTotals(answer: AppliedBody, staff: ReadonlyMap<string, OrderDiscountBody>, report: Report): void {
  const added = answer.orderDiscounts.filter((discount) => !staff.has(discount.orderDiscountId));
  const expected: Record<keyof AppliedBody['totals'], bigint> = {
    originalTotal: sumOf(answer.lines.map((line) => line.originalLinePrice)),
    existingDiscountTotal: sumOf(answer.lines.map((line) => line.existingLineDiscountAmount)),
    orderDiscountTotal: answer.lines.reduce((sum, line) => sum + allocatedTo(line), 0n),
    loyaltyDiscountTotal:
      sumOf(answer.lines.map((line) => line.lineDiscountAmount)) + sumOf(added.map((discount) => discount.amount)),
    total: sumOf(answer.lines.map((line) => line.orderLinePrice)),
  };
  for (const [name, value] of Object.entries(expected)) {
    const found = answer.totals[name as keyof AppliedBody['totals']];
    if (BigInt(found) !== value) report(`/totals/${name}: ${found} should be ${value}`);
  }
}
