import type { BasketLine, BasketRequest, OrderDiscountAllocation } from './basket.ts';

/** A basket as the till knows it. Fields that are not named here stay in the till: a draft may be the till's own object. */
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
  /** POS: what staff, or the product's own price discount, gave on this line; a `noDiscount` line may have one too. */
  readonly discount?: Discount;
  /** POS: shares of order discounts that the till has worked out itself. Such a discount is not shared out again: its amount is their sum. */
  readonly orderDiscountAllocation?: readonly OrderDiscountAllocation[];
}

/** What staff gave: an amount, a percentage, or a percentage with the amount that the till made of it. */
export type Discount = AmountDiscount | PercentDiscount;

interface AmountDiscount extends DiscountText {
  /** POS: minor units. */
  readonly amount: number;
  /** POS: 0 to 100 per cent; beside an amount it is only named, and the amount counts. */
  readonly percent?: number;
}

interface PercentDiscount extends DiscountText {
  /** POS: 0 to 100 per cent, at most two decimals. */
  readonly percent: number;
  /** POS: minor units; follows from the percentage when absent. */
  readonly amount?: number;
}

interface DiscountText {
  /** POS: at most 40 characters. */
  readonly text?: string;
  /** POS: ID of the campaign. */
  readonly campaignId?: string;
}

/** A discount on the order. Without shares of the till's own it is shared by price over its lines that are not `noDiscount`. */
export type OrderDiscountDraft = Discount & {
  /** POS: unique in the basket; its number from 1 when absent. */
  readonly orderDiscountId?: string;
  /** POS: the lines that it is for; all when absent. Not beside shares of the till's own. */
  readonly lineIds?: readonly string[];
};
