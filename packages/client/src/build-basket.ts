import { randomUUID } from 'node:crypto';
import { Context as ContextSchema } from '@loyalty/contract/basket-request';
import { MAX_LINES } from '@loyalty/contract/limits';
import { allocate } from '@loyalty/contract/money/allocate';
import { isSumOf } from '@loyalty/contract/money/portion';
import type { BasketLine, BasketRequest, Context, OrderDiscount } from './basket.ts';
import type { BasketDraft, Discount, LineDraft, OrderDiscountDraft } from './draft.ts';
import { pick } from './known-fields.ts';
import { assertMoney, multiplyQuantity, percentOf, sumOf } from './money.ts';
import { type FailedOutcome, unbuilt } from './outcome.ts';

/** Builds the basket of a call from the till's own data: every amount, share and total follows, exact to the minor unit. */

const CONTEXT_FIELDS = Object.keys(ContextSchema.properties) as (keyof Context)[];
const PRODUCT_FIELDS = [
  'productId',
  'productMasterId',
  'productGroupId',
  'ean',
  'name',
  'quantity',
  'unitPrice',
  'parentLineId',
  'noDiscount',
] as const satisfies readonly (keyof LineDraft)[];

/**
 * A request that adds up, with the fields of the interface and no others of the draft. Never throws: a draft that cannot
 * be exact (half a cent, a discount above the price), or has not 1 to 200 lines, is the outcome `failed` with `pos_error`,
 * whose `detail` says what is wrong. Every function that takes a basket takes that outcome too.
 */
export function buildBasket(draft: BasketDraft): BasketRequest | FailedOutcome {
  const calculationId = String(draft?.calculationId ?? randomUUID());
  try {
    return buildExactly(draft, calculationId);
  } catch (error) {
    return unbuilt(calculationId, `the basket cannot be built: ${(error as Error)?.message}`);
  }
}

function buildExactly(draft: BasketDraft, calculationId: string): BasketRequest {
  const count = draft.lines.length;
  if (count === 0 || count > MAX_LINES) throw new RangeError(`it has ${count} lines, allowed: 1 to ${MAX_LINES}`);
  const lines = draft.lines.map(buildLine);
  const orderDiscounts = (draft.orderDiscounts ?? []).map((each, index) => buildOrderDiscount(each, index, lines));
  assertAllocationsKnown(lines, orderDiscounts);
  const sum = <Part>(parts: readonly Part[], amount: (part: Part) => number) => sumOf(parts.map(amount), 'total');
  const totals = {
    originalTotal: sum(lines, (line) => line.originalLinePrice),
    existingDiscountTotal: sum(lines, (line) => line.existingLineDiscountAmount),
    orderDiscountTotal: sum(orderDiscounts, ({ amount }) => amount),
    loyaltyDiscountTotal: 0,
    total: sum(lines, (line) => line.orderLinePrice),
  };
  return {
    calculationId,
    ...pick(draft, ['supersedesCalculationId', 'loyaltyId', 'currency']),
    requestedAt: draft.requestedAt ?? new Date().toISOString(),
    context: pick(draft.context, CONTEXT_FIELDS),
    lines,
    orderDiscounts,
    totals,
  };
}

/**
 * The same line in parts, as when a discount is for two pieces of three. The quantities add up to that of the line, and an
 * amount of discount is shared over the parts. The first part keeps the line's ID. Throws a RangeError when the quantities
 * do not add up.
 */
export function splitLine(line: LineDraft, quantities: readonly number[]): LineDraft[] {
  if (!isSumOf(line.quantity, quantities)) {
    throw new RangeError(`quantity: ${quantities.join(' + ')} is not ${line.quantity}`);
  }
  if (line.orderDiscountAllocation?.length) throw new RangeError('a line with shares of the till cannot be split');
  const { lineId, discount } = line;
  const prices = quantities.map((quantity) => multiplyQuantity(quantity, line.unitPrice));
  const shares = discount?.amount === undefined ? [] : shareExactly(discount.amount, prices, 'discount');
  return quantities.map((quantity, index) => ({
    ...line,
    quantity,
    ...(lineId !== undefined && { lineId: index === 0 ? lineId : `${lineId}-${index + 1}` }),
    ...(discount?.amount !== undefined && { discount: { ...discount, amount: shares[index]! } }),
  }));
}

function buildLine(draft: LineDraft, index: number): BasketLine {
  const lineId = draft.lineId ?? String(index + 1);
  const { discount } = draft;
  const originalLinePrice = multiplyQuantity(draft.quantity, draft.unitPrice);
  const existing = discount ? amountOf(discount, originalLinePrice) : 0;
  if (existing > originalLinePrice) throw new RangeError(`line ${lineId}: the discount is above the price`);
  const orderDiscountAllocation = (draft.orderDiscountAllocation ?? []).map((share) => ({
    orderDiscountId: share.orderDiscountId,
    orderDiscountAllocationAmount: assertMoney(share.orderDiscountAllocationAmount, `line ${lineId}: share`),
  }));
  const shared = orderDiscountAllocation.reduce((sum, share) => sum + share.orderDiscountAllocationAmount, 0);
  if (shared > originalLinePrice - existing) throw new RangeError(`line ${lineId}: its shares are above its price`);
  const { percent, text, campaignId } = discount ? pick(discount, ['percent', 'text', 'campaignId']) : {};
  return {
    ...pick(draft, PRODUCT_FIELDS),
    lineId,
    noPercentageDiscount: draft.noPercentageDiscount ?? false,
    originalLinePrice,
    existingLineDiscountType: discount ? typeOf(discount) : 'none',
    existingLineDiscountAmount: existing,
    ...(percent !== undefined && { existingLineDiscountPercent: percent }),
    ...(text !== undefined && { existingLineDiscountText: text }),
    ...(campaignId !== undefined && { existingLineDiscountCampaignId: campaignId }),
    orderDiscountAllocation,
    orderLinePrice: originalLinePrice - existing - shared,
  };
}

/** The entry of an order discount: with the sum of the till's own shares, or shared out here. */
function buildOrderDiscount(draft: OrderDiscountDraft, index: number, lines: readonly BasketLine[]): OrderDiscount {
  const orderDiscountId = draft.orderDiscountId ?? String(index + 1);
  const own = lines
    .flatMap((line) => line.orderDiscountAllocation)
    .filter((share) => share.orderDiscountId === orderDiscountId)
    .map((share) => share.orderDiscountAllocationAmount);
  return {
    orderDiscountId,
    type: typeOf(draft),
    amount: own.length > 0 ? sumOwnShares(draft, orderDiscountId, own) : shareOut(draft, orderDiscountId, lines),
    ...pick(draft, ['percent', 'text', 'campaignId']),
  };
}

/** What the lines already bear of this discount. */
function sumOwnShares({ amount, lineIds }: OrderDiscountDraft, id: string, own: readonly number[]): number {
  if (lineIds) throw new RangeError(`order discount ${id}: either lineIds or shares of the till`);
  const sum = sumOf(own, `order discount ${id}`);
  if ((amount ?? sum) !== sum) throw new RangeError(`order discount ${id}: its shares add up to ${sum}, not ${amount}`);
  return sum;
}

/** Enters the shares of an order discount in the lines, and returns its amount. */
function shareOut(draft: OrderDiscountDraft, orderDiscountId: string, lines: readonly BasketLine[]): number {
  const { lineIds, percent } = draft;
  const isPercentage = typeof percent === 'number';
  const isEligible = ({ lineId, noDiscount, noPercentageDiscount }: BasketLine): boolean =>
    !noDiscount && !(isPercentage && noPercentageDiscount) && (lineIds?.includes(lineId) ?? true);
  const eligible = lines.filter(isEligible);
  const prices = eligible.map((line) => line.orderLinePrice);
  const amount = amountOf(draft, sumOf(prices, 'total'));
  for (const [at, share] of shareExactly(amount, prices, `order discount ${orderDiscountId}`).entries()) {
    if (share === 0) continue;
    const line = eligible[at]!;
    line.orderDiscountAllocation.push({ orderDiscountId, orderDiscountAllocationAmount: share });
    line.orderLinePrice -= share;
  }
  return amount;
}

function assertAllocationsKnown(lines: readonly BasketLine[], orderDiscounts: readonly OrderDiscount[]): void {
  const known = new Set(orderDiscounts.map(({ orderDiscountId }) => orderDiscountId));
  for (const { lineId, orderDiscountAllocation } of lines) {
    const unknown = orderDiscountAllocation.find(({ orderDiscountId }) => !known.has(orderDiscountId));
    if (unknown) throw new RangeError(`line ${lineId}: no order discount has the ID ${unknown.orderDiscountId}`);
  }
}

/** By price and to the last unit; no share is above its price. */
function shareExactly(amount: number, prices: readonly number[], what: string): number[] {
  if (amount > sumOf(prices, 'total')) throw new RangeError(`${what}: ${amount} is above the price of its lines`);
  return allocate(amount, prices);
}

/** A till in JavaScript writes null for what it has not. */
function amountOf({ amount, percent }: Discount, price: number): number {
  const followed = percent === undefined || percent === null ? undefined : percentOf(price, percent);
  const discount = amount ?? followed;
  if (discount === undefined) throw new RangeError('a discount has neither an amount nor a percentage');
  return assertMoney(discount, 'discount');
}

function typeOf({ percent }: Discount): 'amount' | 'percent' {
  return percent === undefined || percent === null ? 'amount' : 'percent';
}
