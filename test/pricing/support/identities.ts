import { expect } from 'vitest';
import type { BasketRequest } from '../../../src/contract/basket-request.ts';
import type { BasketLineOut } from '../../../src/contract/basket-response.ts';
import type { AppliedDecision } from '../../../src/pricing/price.ts';

/**
 * Every identity of the specification, checked with BigInt and none of the engine's code. Throws through `expect`, so
 * that a failing property shows the numbers.
 */

export function exactLinePrice(quantity: number, unitPrice: number): bigint {
  const match = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(quantity)) as RegExpExecArray;
  const fraction = match[2] ?? '';
  const exponent = Number(match[3] ?? 0) - fraction.length;
  const scaled = BigInt((match[1] as string) + fraction) * BigInt(unitPrice);
  if (exponent >= 0) return scaled * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  return (2n * scaled + divisor) / (2n * divisor);
}

export function sum(values: readonly number[]): bigint {
  return values.reduce((total, value) => total + BigInt(value), 0n);
}

/** Checks an applied decision against the basket it answers. */
export function expectIdentities(basket: BasketRequest, decision: AppliedDecision): void {
  for (const line of decision.lines) expectLine(line);
  expectTotals(basket, decision);
  expectProtected(basket, decision);
}

function expectLine(line: BasketLineOut): void {
  const allocated = sum(line.orderDiscountAllocation.map((a) => a.orderDiscountAllocationAmount));
  const linePrice = exactLinePrice(line.quantity, line.overrideUnitPrice ?? line.unitPrice);
  const expected = linePrice - BigInt(line.existingLineDiscountAmount) - BigInt(line.lineDiscountAmount) - allocated;
  expect(BigInt(line.orderLinePrice)).toBe(expected);
  expect(line.orderLinePrice).toBeGreaterThanOrEqual(0);
  expect(BigInt(line.originalLinePrice)).toBe(exactLinePrice(line.quantity, line.unitPrice));
  if (line.existingLineDiscountType === 'none') expect(line.existingLineDiscountAmount).toBe(0);
  if (line.lineDiscountType === 'none') {
    expect([line.lineDiscountAmount, line.showLineDiscountText]).toEqual([0, false]);
    expect(line).not.toHaveProperty('lineDiscountCode');
    expect(line).not.toHaveProperty('lineDiscountText');
  } else {
    expect(line.lineDiscountAmount).toBeGreaterThan(0);
    expect(line.lineDiscountCode).toBeTruthy();
  }
  expect('lineDiscountPercent' in line).toBe(line.lineDiscountType === 'percent');
  if (line.lineDiscountType === 'percent') {
    const hundredths = BigInt(Math.round((line.lineDiscountPercent as number) * 100));
    const exact = (2n * BigInt(line.originalLinePrice) * hundredths + 10_000n) / 20_000n;
    expect(BigInt(line.lineDiscountAmount)).toBe(exact);
  }
}

function expectTotals(basket: BasketRequest, { lines, orderDiscounts, totals }: AppliedDecision): void {
  const before = new Set(basket.orderDiscounts.map(({ orderDiscountId }) => orderDiscountId));
  const added = orderDiscounts.filter(({ orderDiscountId }) => !before.has(orderDiscountId));
  const allocations = lines.flatMap((line) => line.orderDiscountAllocation);
  for (const { orderDiscountId, amount } of orderDiscounts) {
    const own = allocations.filter((allocation) => allocation.orderDiscountId === orderDiscountId);
    expect(sum(own.map((allocation) => allocation.orderDiscountAllocationAmount))).toBe(BigInt(amount));
  }
  const known = new Set(orderDiscounts.map(({ orderDiscountId }) => orderDiscountId));
  expect(allocations.filter(({ orderDiscountId }) => !known.has(orderDiscountId))).toEqual([]);
  expect(known.size).toBe(orderDiscounts.length);
  for (const discount of added) expect(discount.discountCode).toBeTruthy();
  expect({
    originalTotal: sum(lines.map((line) => line.originalLinePrice)),
    existingDiscountTotal: sum(lines.map((line) => line.existingLineDiscountAmount)),
    orderDiscountTotal: sum(allocations.map((a) => a.orderDiscountAllocationAmount)),
    loyaltyDiscountTotal: sum(lines.map((l) => l.lineDiscountAmount)) + sum(added.map(({ amount }) => amount)),
    total: sum(lines.map((line) => line.orderLinePrice)),
  }).toEqual(Object.fromEntries(Object.entries(totals).map(([name, value]) => [name, BigInt(value)])));
}

/** `noDiscount` lines come back as they went in, field by field. */
function expectProtected(basket: BasketRequest, { lines }: AppliedDecision): void {
  for (const line of basket.lines.filter(({ noDiscount }) => noDiscount)) {
    const out = lines.find(({ lineId }) => lineId === line.lineId) as BasketLineOut;
    expect(out).toEqual({ ...line, lineDiscountType: 'none', lineDiscountAmount: 0, showLineDiscountText: false });
  }
}
