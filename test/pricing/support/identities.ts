import type { BasketLine, BasketRequest } from '../../../src/contract/basket-request.ts';
import type { BasketLineOut } from '../../../src/contract/basket-response.ts';
import type { AppliedDecision } from '../../../src/pricing/price.ts';

/**
 * Every identity and invariant of the interface for an applied decision, in BigInt and without any of the engine's
 * code. Throws the first violation as a sentence; plain conditions, because this runs for tens of thousands of baskets.
 */
export function expectIdentities(basket: BasketRequest, decision: AppliedDecision): void {
  for (const line of decision.lines) checkLine(line);
  checkOrderDiscounts(basket, decision);
  checkTotals(basket, decision);
  for (const line of basket.lines) checkOrigin(line, decision);
  const ids = decision.lines.map(({ lineId }) => lineId);
  check(new Set(ids).size === ids.length, 'a line ID stands twice');
  check(changesSomething(basket, decision), 'an applied decision changes nothing');
  for (const { units, limit } of decision.uses) check(units >= 1 && units <= limit, 'a use is not within its limit');
}

function check(condition: boolean, violation: string): asserts condition {
  if (!condition) throw new Error(violation);
}

function same(actual: number | bigint, expected: bigint, what: string): void {
  check(BigInt(actual) === expected, `${what}: ${actual} should be ${expected}`);
}

/** `quantity × price`, rounded half up, on the quantity's decimal text. */
export function exactPrice(quantity: number, price: number): bigint {
  const match = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(quantity)) as RegExpExecArray;
  const fraction = match[2] ?? '';
  const exponent = Number(match[3] ?? 0) - fraction.length;
  const scaled = BigInt((match[1] as string) + fraction) * BigInt(price);
  if (exponent >= 0) return scaled * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  return (2n * scaled + divisor) / (2n * divisor);
}

export function sum(values: readonly number[]): bigint {
  let total = 0n;
  for (const value of values) total += BigInt(value);
  return total;
}

function allocated({ orderDiscountAllocation }: BasketLine): bigint {
  return sum(orderDiscountAllocation.map((allocation) => allocation.orderDiscountAllocationAmount));
}

function checkLine(line: BasketLineOut): void {
  const at = `line ${line.lineId}`;
  const price = exactPrice(line.quantity, line.overrideUnitPrice ?? line.unitPrice);
  const discounts = BigInt(line.existingLineDiscountAmount) + BigInt(line.lineDiscountAmount) + allocated(line);
  same(line.orderLinePrice, price - discounts, `${at}: orderLinePrice`);
  same(line.originalLinePrice, exactPrice(line.quantity, line.unitPrice), `${at}: originalLinePrice`);
  check(line.orderLinePrice >= 0, `${at}: costs less than nothing`);
  const amounts = [line.lineDiscountAmount, line.existingLineDiscountAmount, line.originalLinePrice];
  check(
    amounts.every((amount) => Number.isSafeInteger(amount) && amount >= 0),
    `${at}: an amount is no Money`,
  );
  if (line.overrideUnitPrice !== undefined) {
    check(line.overrideUnitPrice < line.unitPrice, `${at}: the price is not lowered`);
  }
  if (line.existingLineDiscountType === 'none')
    check(line.existingLineDiscountAmount === 0, `${at}: none, but an amount`);
  checkDiscount(line, at);
}

function checkDiscount(line: BasketLineOut, at: string): void {
  const { lineDiscountType, lineDiscountAmount, lineDiscountPercent } = line;
  const isDiscounted = lineDiscountType !== 'none';
  check(isDiscounted === lineDiscountAmount > 0, `${at}: type ${lineDiscountType} with ${lineDiscountAmount}`);
  check(isDiscounted === (line.lineDiscountCode !== undefined), `${at}: the discount code`);
  check(line.showLineDiscountText === (line.lineDiscountText !== undefined), `${at}: the discount text`);
  if (!isDiscounted) check(!line.showLineDiscountText, `${at}: a text without a discount`);
  check((lineDiscountType === 'percent') === (lineDiscountPercent !== undefined), `${at}: the percentage`);
  if (lineDiscountPercent === undefined) return;
  const hundredths = BigInt(Math.round(lineDiscountPercent * 100));
  const exact = (2n * BigInt(line.originalLinePrice) * hundredths + 10_000n) / 20_000n;
  same(lineDiscountAmount, exact, `${at}: lineDiscountAmount`);
  check(!line.noPercentageDiscount, `${at}: a percentage on a noPercentageDiscount line`);
}

function checkOrderDiscounts(basket: BasketRequest, { lines, orderDiscounts }: AppliedDecision): void {
  const allocations = lines.flatMap((line) => line.orderDiscountAllocation);
  const ids = new Set(orderDiscounts.map(({ orderDiscountId }) => orderDiscountId));
  check(ids.size === orderDiscounts.length, 'an order discount ID stands twice');
  for (const { orderDiscountId, amount, type, percent, discountCode } of orderDiscounts) {
    const own = allocations.filter((allocation) => allocation.orderDiscountId === orderDiscountId);
    same(amount, sum(own.map((a) => a.orderDiscountAllocationAmount)), `order discount ${orderDiscountId}`);
    const sent = basket.orderDiscounts.find((discount) => discount.orderDiscountId === orderDiscountId);
    if (sent) {
      check(amount === sent.amount, `order discount ${orderDiscountId}: the staff's amount changed`);
      continue;
    }
    check(discountCode === 'loyalty' && amount > 0, `order discount ${orderDiscountId}: code or amount`);
    check((type === 'percent') === (percent !== undefined), `order discount ${orderDiscountId}: the percentage`);
    for (const line of lines.filter(({ noPercentageDiscount }) => noPercentageDiscount && type === 'percent')) {
      const touched = line.orderDiscountAllocation.some((allocation) => allocation.orderDiscountId === orderDiscountId);
      check(!touched, `line ${line.lineId}: a percentage of the order on a noPercentageDiscount line`);
    }
  }
  check(
    allocations.every(({ orderDiscountId }) => ids.has(orderDiscountId)),
    'an allocation to nothing',
  );
}

function checkTotals(basket: BasketRequest, { lines, orderDiscounts, totals }: AppliedDecision): void {
  const before = new Set(basket.orderDiscounts.map(({ orderDiscountId }) => orderDiscountId));
  const added = orderDiscounts.filter(({ orderDiscountId }) => !before.has(orderDiscountId));
  const loyalty = sum(lines.map((line) => line.lineDiscountAmount)) + sum(added.map(({ amount }) => amount));
  same(totals.originalTotal, sum(lines.map((line) => line.originalLinePrice)), 'originalTotal');
  same(
    totals.existingDiscountTotal,
    sum(lines.map((line) => line.existingLineDiscountAmount)),
    'existingDiscountTotal',
  );
  same(
    totals.orderDiscountTotal,
    lines.map(allocated).reduce((a, b) => a + b, 0n),
    'orderDiscountTotal',
  );
  same(totals.loyaltyDiscountTotal, loyalty, 'loyaltyDiscountTotal');
  same(totals.total, sum(lines.map((line) => line.orderLinePrice)), 'total');
  const gifts = sum(lines.filter(({ addedByLoyalty }) => addedByLoyalty).map((line) => line.originalLinePrice));
  same(totals.originalTotal, BigInt(basket.totals.originalTotal) + gifts, 'originalTotal against the request');
}

const ECHOED = ['productId', 'productMasterId', 'productGroupId', 'ean', 'name', 'unitPrice', 'parentLineId'] as const;

/** A line is kept as it was, or its parts add up to it; a `noDiscount` line comes back field by field. */
function checkOrigin(line: BasketLine, { lines, orderDiscounts }: AppliedDecision): void {
  const at = `line ${line.lineId}`;
  const own = lines.filter(({ lineId, splitFromLineId }) => (splitFromLineId ?? lineId) === line.lineId);
  const isSplit = own.some(({ splitFromLineId }) => splitFromLineId !== undefined);
  check(own.length >= 1 && isSplit === own.length > 1, `${at}: is gone, or split into one`);
  for (const part of own) {
    for (const field of ECHOED) check(part[field] === line[field], `${at}: ${field} is not echoed`);
    check(part.noDiscount === line.noDiscount, `${at}: noDiscount is not echoed`);
    if (!isSplit) check(part.quantity === line.quantity, `${at}: quantity is not echoed`);
    const kept = part.existingLineDiscountType !== 'none' || line.existingLineDiscountType === 'none';
    check(kept || part.lineDiscountAmount > 0 || part.overrideUnitPrice !== undefined, `${at}: cleared for nothing`);
  }
  same(line.originalLinePrice, sum(own.map((part) => part.originalLinePrice)), `${at}: Σ originalLinePrice`);
  check(own.reduce((total, { quantity }) => total + quantity, 0) === line.quantity, `${at}: Σ quantity`);
  for (const { orderDiscountId, orderDiscountAllocationAmount: amount } of line.orderDiscountAllocation) {
    if (!orderDiscounts.some((discount) => discount.orderDiscountId === orderDiscountId)) continue;
    const shares = own
      .flatMap((part) => part.orderDiscountAllocation)
      .filter((a) => a.orderDiscountId === orderDiscountId);
    same(amount, sum(shares.map((a) => a.orderDiscountAllocationAmount)), `${at}: Σ shares of ${orderDiscountId}`);
  }
  if (!line.noDiscount) return;
  const untouched = { ...line, lineDiscountType: 'none', lineDiscountAmount: 0, showLineDiscountText: false };
  const [out] = own as [BasketLineOut];
  const differs = Object.keys({ ...untouched, ...out }).find((name) => text(out, name) !== text(untouched, name));
  check(differs === undefined, `${at}: ${differs} of a noDiscount line was touched`);
}

function text(value: object, name: string): string | undefined {
  return JSON.stringify((value as Record<string, unknown>)[name]);
}

function changesSomething(basket: BasketRequest, { lines, orderDiscounts }: AppliedDecision): boolean {
  if (lines.length !== basket.lines.length || orderDiscounts.length !== basket.orderDiscounts.length) return true;
  return lines.some((line, i) => line.orderLinePrice !== basket.lines[i]!.orderLinePrice);
}
