import { randomUUID } from 'node:crypto';
import { allocate } from '../../../src/money/allocate.ts';
import type { BasketLine, BasketRequest, OrderDiscount } from './basket.ts';
import { assertMoney, multiplyQuantity, percentOf, sumOf } from './money.ts';
import { isSumOf } from './quantity-sum.ts';

/** Builds the basket of a call from the till's own data: every amount, share and total follows, exact to the minor unit. */

/** A basket as the till knows it. */
export interface BasketDraft
  extends Pick<BasketRequest, 'loyaltyId' | 'currency' | 'context' | 'supersedesCalculationId'> {
  /** POS: lower-case UUID; a fresh one when absent. */
  readonly calculationId?: string;
  /** POS: RFC 3339 with the till's UTC offset; now, in UTC, when absent. */
  readonly requestedAt?: string;
  /** POS: 1 to 200 lines. */
  readonly lines: readonly LineDraft[];
  /** POS: what staff gave on the whole order, each on what the ones before have left. */
  readonly orderDiscounts?: readonly OrderDiscountDraft[];
}

/** A line as the till knows it. */
export interface LineDraft
  extends Pick<BasketLine, 'productId' | 'name' | 'quantity' | 'unitPrice' | 'noDiscount'>,
    Partial<Pick<BasketLine, 'productMasterId' | 'productGroupId' | 'ean' | 'parentLineId'>> {
  /** POS: unique in the basket; the line's number from 1 when absent. */
  readonly lineId?: string;
  /** POS: true when the product may not get a percentage; false when absent. */
  readonly noPercentageDiscount?: boolean;
  /** POS: what staff, or the product's own price discount, gave on this line. */
  readonly discount?: Discount;
}

/** What staff gave: either an amount, or a percentage. */
export type Discount = AmountDiscount | PercentDiscount;

interface AmountDiscount extends DiscountWords {
  /** POS: minor units. */
  readonly amount: number;
  /** POS: not beside an amount. */
  readonly percent?: never;
}

interface PercentDiscount extends DiscountWords {
  /** POS: 0 to 100 per cent, at most two decimals. */
  readonly percent: number;
  /** POS: not beside a percentage, from which it follows. */
  readonly amount?: never;
}

interface DiscountWords {
  /** POS: at most 40 characters. */
  readonly text?: string;
  /** POS: ID of the campaign. */
  readonly campaignId?: string;
}

/** A discount on the order, shared over its lines by their prices. `noDiscount` lines get no share. */
export type OrderDiscountDraft = Discount & {
  /** POS: unique in the basket; its number from 1 when absent. */
  readonly orderDiscountId?: string;
  /** POS: the lines that it is for; all when absent. */
  readonly lineIds?: readonly string[];
};

/** A request that adds up. Throws a RangeError that names what cannot be: half a cent, or a discount above the price. */
export function buildBasket(draft: BasketDraft): BasketRequest {
  const { calculationId = randomUUID(), requestedAt = new Date().toISOString(), ...head } = draft;
  const lines = draft.lines.map(buildLine);
  const orderDiscounts = (draft.orderDiscounts ?? []).map((discount, index) => shareOut(discount, index, lines));
  const sum = (amount: (line: BasketLine) => number): number => sumOf(lines.map(amount), 'total');
  const totals = {
    originalTotal: sum((line) => line.originalLinePrice),
    existingDiscountTotal: sum((line) => line.existingLineDiscountAmount),
    orderDiscountTotal: sumOf(
      orderDiscounts.map(({ amount }) => amount),
      'total',
    ),
    loyaltyDiscountTotal: 0,
    total: sum((line) => line.orderLinePrice),
  };
  return { ...head, calculationId, requestedAt, lines, orderDiscounts, totals };
}

/**
 * The same line in parts, as when a discount is for two pieces of three. The quantities add up to that of the line, and an
 * amount of discount is shared over the parts. The first part keeps the line's ID.
 */
export function splitLine(line: LineDraft, quantities: readonly number[]): LineDraft[] {
  if (!isSumOf(line.quantity, quantities)) {
    throw new RangeError(`quantity: ${quantities.join(' + ')} is not ${line.quantity}`);
  }
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
  const { lineId = String(index + 1), noPercentageDiscount = false, discount, ...product } = draft;
  const originalLinePrice = multiplyQuantity(draft.quantity, draft.unitPrice);
  const existing = discount ? amountOf(discount, originalLinePrice) : 0;
  if (existing > 0 && draft.noDiscount) throw new RangeError(`line ${lineId}: a discount on a noDiscount line`);
  if (existing > originalLinePrice) throw new RangeError(`line ${lineId}: the discount is above the price`);
  return {
    ...product,
    lineId,
    noPercentageDiscount,
    originalLinePrice,
    existingLineDiscountType: discount ? typeOf(discount) : 'none',
    existingLineDiscountAmount: existing,
    ...(discount?.percent !== undefined && { existingLineDiscountPercent: discount.percent }),
    ...(discount?.text !== undefined && { existingLineDiscountText: discount.text }),
    ...(discount?.campaignId !== undefined && { existingLineDiscountCampaignId: discount.campaignId }),
    orderDiscountAllocation: [],
    orderLinePrice: originalLinePrice - existing,
  };
}

/** Enters the shares of an order discount in the lines, and returns its entry. */
function shareOut(draft: OrderDiscountDraft, index: number, lines: readonly BasketLine[]): OrderDiscount {
  const { orderDiscountId = String(index + 1), lineIds, percent, text, campaignId } = draft;
  const eligible = lines.filter(
    (line) =>
      !line.noDiscount &&
      !(percent !== undefined && line.noPercentageDiscount) &&
      (lineIds === undefined || lineIds.includes(line.lineId)),
  );
  const prices = eligible.map((line) => line.orderLinePrice);
  const amount = amountOf(draft, sumOf(prices, 'total'));
  const shares = shareExactly(amount, prices, `order discount ${orderDiscountId}`);
  for (const [at, line] of eligible.entries()) {
    const share = shares[at]!;
    if (share === 0) continue;
    line.orderDiscountAllocation.push({ orderDiscountId, orderDiscountAllocationAmount: share });
    line.orderLinePrice -= share;
  }
  return {
    orderDiscountId,
    type: typeOf(draft),
    amount,
    ...(percent !== undefined && { percent }),
    ...(text !== undefined && { text }),
    ...(campaignId !== undefined && { campaignId }),
  };
}

/** By price and to the last unit; no share is above its price. */
function shareExactly(amount: number, prices: readonly number[], what: string): number[] {
  if (amount > sumOf(prices, 'total')) throw new RangeError(`${what}: ${amount} is above the price of its lines`);
  return allocate(amount, prices);
}

function amountOf({ amount, percent }: Discount, price: number): number {
  return percent === undefined ? assertMoney(amount, 'discount') : percentOf(price, percent);
}

function typeOf({ percent }: Discount): 'amount' | 'percent' {
  return percent === undefined ? 'amount' : 'percent';
}
