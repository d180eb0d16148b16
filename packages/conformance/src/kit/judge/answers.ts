import { isDeepStrictEqual } from 'node:util';
import type { BasketRequest, OrderDiscount } from '../../../../../src/contract/basket-request.ts';
import type { AppliedResponse, BasketLineOut } from '../../../../../src/contract/basket-response.ts';
import { priceOf, quantitiesAddUp, shareOf, total } from '../decimal.ts';

/**
 * What an `applied` answer owes to its request (interface, sections 2 and 4.6). Every function lists
 * its faults; all of them expect a body whose fields have passed fields.ts.
 */

function allocated(line: BasketLineOut): bigint {
  return total(line.orderDiscountAllocation.map((share) => share.orderDiscountAllocationAmount));
}

function at(line: BasketLineOut): string {
  return `line ${line.lineId}`;
}

/** `linePrice`, `orderLinePrice` and the percentage's rounding on every line. */
export function lineIdentityFaults(answer: AppliedResponse): string[] {
  return answer.lines.flatMap((line) => {
    const original = priceOf(line.quantity, line.unitPrice);
    const price = priceOf(line.quantity, line.overrideUnitPrice ?? line.unitPrice);
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
}

/** Type, percentage, amount and code of the loyalty discount belong together. */
export function lineDiscountFaults(answer: AppliedResponse): string[] {
  return answer.lines.flatMap((line) => {
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
}

/** One predefined discount code for the whole integration. */
export function discountCodesOf(request: BasketRequest, answer: AppliedResponse): string[] {
  const added = addedDiscounts(request, answer).map((discount) => discount.discountCode);
  return [...answer.lines.map((line) => line.lineDiscountCode), ...added].filter((code) => code !== undefined);
}

export function addedDiscounts(request: BasketRequest, answer: AppliedResponse): readonly OrderDiscount[] {
  const before = new Set(request.orderDiscounts.map((discount) => discount.orderDiscountId));
  return answer.orderDiscounts.filter((discount) => !before.has(discount.orderDiscountId));
}

/** All five totals. Of the two formulas for `loyaltyDiscountTotal` the Totals table's one is taken. */
export function totalsFaults(request: BasketRequest, answer: AppliedResponse): string[] {
  const { lines } = answer;
  const added = addedDiscounts(request, answer).map((discount) => discount.amount);
  const expected = {
    originalTotal: total(lines.map((line) => line.originalLinePrice)),
    existingDiscountTotal: total(lines.map((line) => line.existingLineDiscountAmount)),
    orderDiscountTotal: lines.reduce((sum, line) => sum + allocated(line), 0n),
    loyaltyDiscountTotal: total([...lines.map((line) => line.lineDiscountAmount), ...added]),
    total: total(lines.map((line) => line.orderLinePrice)),
  };
  return Object.entries(expected)
    .filter(([name, value]) => BigInt(answer.totals[name as keyof typeof expected]) !== value)
    .map(([name, value]) => `/totals/${name}: ${answer.totals[name as keyof typeof expected]} should be ${value}`);
}

/** The sum of allocations per order discount equals its amount; what is added carries a code and allocates nothing protected. */
export function allocationFaults(request: BasketRequest, answer: AppliedResponse): string[] {
  const faults: string[] = [];
  const known = new Set(answer.orderDiscounts.map((discount) => discount.orderDiscountId));
  for (const line of answer.lines) {
    const unknown = line.orderDiscountAllocation.find((share) => !known.has(share.orderDiscountId));
    if (unknown) faults.push(`${at(line)}: allocation to ${unknown.orderDiscountId}, which the answer does not have`);
  }
  for (const { orderDiscountId, amount } of answer.orderDiscounts) {
    const shares = answer.lines
      .flatMap((line) => line.orderDiscountAllocation)
      .filter((share) => share.orderDiscountId === orderDiscountId);
    const sum = total(shares.map((share) => share.orderDiscountAllocationAmount));
    if (sum !== BigInt(amount)) faults.push(`order discount ${orderDiscountId}: ${amount}, but ${sum} is allocated`);
  }
  for (const discount of addedDiscounts(request, answer)) {
    if (!discount.discountCode) faults.push(`order discount ${discount.orderDiscountId}: added without discountCode`);
  }
  return faults;
}

const ECHOED = [
  'productId',
  'productMasterId',
  'productGroupId',
  'ean',
  'unitPrice',
  'parentLineId',
  'noDiscount',
  'noPercentageDiscount',
] as const;

/** Identity and quantity fields come back verbatim; split lines add up; an unknown line was added on purpose. */
export function echoFaults(request: BasketRequest, answer: AppliedResponse): string[] {
  const sent = new Map(request.lines.map((line) => [line.lineId, line]));
  const faults: string[] = [];
  const ids = answer.lines.map((line) => line.lineId);
  if (new Set(ids).size !== ids.length) faults.push('lines: a lineId stands twice');
  for (const line of answer.lines) {
    const origin = sent.get(line.splitFromLineId ?? line.lineId);
    if (line.addedByLoyalty === true) continue;
    if (!origin) {
      faults.push(`${at(line)}: was not sent, and is neither added nor split`);
      continue;
    }
    for (const name of ECHOED) {
      if (!isDeepStrictEqual(line[name], origin[name])) faults.push(`${at(line)}: ${name} is not echoed`);
    }
    if (line.splitFromLineId === undefined && line.name !== origin.name) faults.push(`${at(line)}: name is changed`);
  }
  for (const line of request.lines) {
    const parts = answer.lines.filter((part) => (part.splitFromLineId ?? part.lineId) === line.lineId);
    const quantities = parts.map((part) => part.quantity);
    if (parts.length > 0 && !quantitiesAddUp(quantities, line.quantity)) {
      faults.push(`line ${line.lineId}: quantity ${line.quantity} came back as ${quantities.join(' + ')}`);
    }
    // An existing discount may be kept, reduced or cleared; nobody asked the service for a larger one.
    const existing = total(parts.map((part) => part.existingLineDiscountAmount));
    if (existing > BigInt(line.existingLineDiscountAmount)) {
      faults.push(`line ${line.lineId}: the existing discount grew to ${existing}`);
    }
  }
  return faults;
}

/** No loyalty effect touches a `noDiscount` line, and no percentage a `noPercentageDiscount` line. */
export function protectionFaults(request: BasketRequest, answer: AppliedResponse): string[] {
  const added = new Set(addedDiscounts(request, answer).map((discount) => discount.orderDiscountId));
  return answer.lines.flatMap((line) => {
    const isAllocated = line.orderDiscountAllocation.some((share) => added.has(share.orderDiscountId));
    const isTouched = line.lineDiscountType !== 'none' || line.overrideUnitPrice !== undefined || isAllocated;
    if (line.noDiscount && isTouched) return [`${at(line)}: is noDiscount and discounted`];
    return line.noPercentageDiscount && line.lineDiscountType === 'percent'
      ? [`${at(line)}: is noPercentageDiscount and has a percentage`]
      : [];
  });
}

/** `applied` always changes the basket in at least one way (interface, section 2, invariant). */
export function changeFaults(request: BasketRequest, answer: AppliedResponse): string[] {
  const isSame =
    answer.lines.length === request.lines.length &&
    isDeepStrictEqual(answer.orderDiscounts, request.orderDiscounts) &&
    answer.lines.every((line, index) => {
      const before = request.lines[index];
      const isTouched = line.lineDiscountType !== 'none' || line.overrideUnitPrice !== undefined;
      return before !== undefined && !isTouched && Object.entries(before).every(hasEqual(line));
    });
  return isSame ? ['/status: is applied, but nothing is changed'] : [];
}

function hasEqual(line: BasketLineOut): (field: [string, unknown]) => boolean {
  return ([name, value]) => isDeepStrictEqual(line[name as keyof BasketLineOut], value);
}
