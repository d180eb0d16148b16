import type { BasketLine } from '@loyalty/contract/basket-request';
import { type AppliedRule, at, sharesOf } from './applied.ts';
import { priceOf, shareOf, total } from './decimal.ts';

/** The arithmetic of an `applied` answer (interface, sections 2 and 4.6). */

function allocated(line: BasketLine): bigint {
  return total(line.orderDiscountAllocation.map((share) => share.orderDiscountAllocationAmount));
}

/** `linePrice`, `orderLinePrice` and the percentage's rounding on every line. */
export const lineIdentityFaults: AppliedRule = ({ answer }) =>
  answer.lines.flatMap((line) => {
    const original = priceOf(line.quantity, line.unitPrice);
    const price = line.overrideUnitPrice === undefined ? original : priceOf(line.quantity, line.overrideUnitPrice);
    const rest = price - BigInt(line.existingLineDiscountAmount) - BigInt(line.lineDiscountAmount) - allocated(line);
    const faults: string[] = [];
    if (BigInt(line.originalLinePrice) !== original) {
      faults.push(`${at(line)}: originalLinePrice ${line.originalLinePrice} should be ${original}`);
    }
    if (BigInt(line.orderLinePrice) !== rest) {
      faults.push(`${at(line)}: orderLinePrice ${line.orderLinePrice} should be ${rest}`);
    }
    if (line.existingLineDiscountType === 'none' && line.existingLineDiscountAmount !== 0) {
      faults.push(`${at(line)}: existingLineDiscountAmount with type none`);
    }
    return faults;
  });

/** Type, percentage, amount and code of the loyalty discount belong together. */
export const lineDiscountFaults: AppliedRule = ({ answer }) =>
  answer.lines.flatMap((line) => {
    const { lineDiscountType: type, lineDiscountPercent: percent, lineDiscountAmount: amount } = line;
    const faults: string[] = [];
    if (type === 'none' && amount !== 0) faults.push(`${at(line)}: lineDiscountAmount with type none`);
    if (type === 'percent' && percent === undefined) faults.push(`${at(line)}: lineDiscountPercent is missing`);
    if (type === 'percent' && percent !== undefined) {
      const expected = shareOf(line.originalLinePrice, percent);
      if (BigInt(amount) !== expected) faults.push(`${at(line)}: lineDiscountAmount ${amount} should be ${expected}`);
    }
    if ((line.lineDiscountCode !== undefined) !== (type !== 'none')) {
      faults.push(`${at(line)}: lineDiscountCode belongs to discounted lines and to no other`);
    }
    return faults;
  });

/** All five totals. Of the two formulas for `loyaltyDiscountTotal` the Totals table's one is taken. */
export const totalsFaults: AppliedRule = ({ answer, added }) => {
  const { lines } = answer;
  const expected = {
    originalTotal: total(lines.map((line) => line.originalLinePrice)),
    existingDiscountTotal: total(lines.map((line) => line.existingLineDiscountAmount)),
    orderDiscountTotal: lines.reduce((sum, line) => sum + allocated(line), 0n),
    loyaltyDiscountTotal:
      total(lines.map((line) => line.lineDiscountAmount)) + total([...added.values()].map(({ amount }) => amount)),
    total: total(lines.map((line) => line.orderLinePrice)),
  };
  return Object.entries(expected)
    .filter(([name, value]) => BigInt(answer.totals[name as keyof typeof expected]) !== value)
    .map(([name, value]) => `/totals/${name}: ${answer.totals[name as keyof typeof expected]} should be ${value}`);
};

/** An ID names one order discount, its allocations add up to its amount, and what is added carries a code. */
export const allocationFaults: AppliedRule = ({ answer, added }) => {
  const faults: string[] = [];
  const known = new Set<string>();
  for (const { orderDiscountId, amount } of answer.orderDiscounts) {
    if (known.has(orderDiscountId)) faults.push(`order discount ${orderDiscountId}: stands twice in the answer`);
    known.add(orderDiscountId);
    const sum = total(sharesOf(answer.lines, orderDiscountId));
    if (sum !== BigInt(amount)) faults.push(`order discount ${orderDiscountId}: ${amount}, but ${sum} is allocated`);
  }
  for (const line of answer.lines) {
    const unknown = line.orderDiscountAllocation.find((share) => !known.has(share.orderDiscountId));
    if (unknown) faults.push(`${at(line)}: allocation to ${unknown.orderDiscountId}, which the answer does not have`);
  }
  for (const discount of added.values()) {
    if (!discount.discountCode) faults.push(`order discount ${discount.orderDiscountId}: added without discountCode`);
  }
  return faults;
};
