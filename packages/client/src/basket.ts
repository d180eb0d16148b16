import type * as contract from '@loyalty/contract/basket-request';
import type * as answers from '@loyalty/contract/basket-response';

/**
 * Baskets as both sides write them (interface, section 2), each field with its unit and its source. *POS* is the caller's
 * own data, *service* the answer's, *client* what this package works out. Money is a whole number of minor units of the basket's currency: 3900 is 39.00 NOK.
 */

/** A basket with the member who pays for it: the body of a basket call. */
export interface BasketRequest {
  /** POS: a fresh lower-case UUID for every calculation. */
  calculationId: string;
  /** POS: the calculation whose place this one takes, when the basket changed; lower-case UUID. */
  supersedesCalculationId?: string;
  /** POS: from the card lookup, 1 to 64 characters. */
  loyaltyId: string;
  /** POS: ISO 4217, three capital letters. */
  currency: string;
  /** POS: the moment of the call, RFC 3339 with the till's UTC offset. */
  requestedAt: string;
  /** POS: where the basket comes from. */
  context: Context;
  /** POS: 1 to 200 lines. */
  lines: BasketLine[];
  /** POS: what staff gave on the whole order; empty when nothing. */
  orderDiscounts: OrderDiscount[];
  /** POS: sums over the lines. */
  totals: Totals;
}

/** Where a basket comes from. */
export interface Context {
  /** POS: ID of the venue. */
  venueId: string;
  /** POS: ID of the till. */
  cashRegisterId: string;
  /** POS: number of the terminal setup, which tells the service the venue. */
  baxId: string;
  /** POS: ID of the payment terminal, when known. */
  terminalId?: string;
  /** POS: number of the staff member, a whole number. */
  clerkNumber?: number;
  /** POS: `pos` is Windows, `mpos` Android. */
  channel: 'pos' | 'mpos';
}

/** A line as the till has it. */
export interface BasketLine {
  /** POS: unique in the basket. */
  lineId: string;
  /** POS: ID of the product in the venue. */
  productId: string;
  /** POS: ID of the product over all venues, when it has one. */
  productMasterId?: string;
  /** POS: ID of the product's group. */
  productGroupId?: string;
  /** POS: bar code, when known. */
  ean?: string;
  /** POS: text for the receipt. */
  name: string;
  /** POS: pieces, or a weight in the unit of the price; more than 0. */
  quantity: number;
  /** POS: price of one, in minor units. */
  unitPrice: number;
  /** POS: `quantity × unitPrice` in minor units, half up, before any discount. */
  originalLinePrice: number;
  /** POS: `lineId` of the product that this line is an option of. */
  parentLineId?: string;
  /** POS: true when the product may not legally be discounted. */
  noDiscount: boolean;
  /** POS: true when the product may not get a percentage. */
  noPercentageDiscount: boolean;
  /** POS: the kind of discount that the till gave on this line; the service may have reduced it. */
  existingLineDiscountType: 'none' | 'amount' | 'percent';
  /** POS: that discount in minor units; 0 when there is none. */
  existingLineDiscountAmount: number;
  /** POS: that discount in per cent, 0 to 100, at most two decimals. */
  existingLineDiscountPercent?: number;
  /** POS: text for that discount, at most 40 characters. */
  existingLineDiscountText?: string;
  /** POS: ID of its campaign. */
  existingLineDiscountCampaignId?: string;
  /** POS, and service for discounts that it added: shares of order discounts; empty when none. */
  orderDiscountAllocation: OrderDiscountAllocation[];
  /** POS, and service in an answer: price of the line in minor units, after all discounts. */
  orderLinePrice: number;
}

/** A line's share of an order discount. */
export interface OrderDiscountAllocation {
  /** POS, or service for a discount that it added: an entry of `orderDiscounts`. */
  orderDiscountId: string;
  /** POS, or service for a discount that it added: the share in minor units. */
  orderDiscountAllocationAmount: number;
}

/** A discount on the whole order. */
export interface OrderDiscount {
  /** POS, or service for one that it added: unique in the basket. */
  orderDiscountId: string;
  /** POS, or service for one that it added. */
  type: 'amount' | 'percent';
  /** POS, and service in an answer: minor units; the shares of the lines add up to it. */
  amount: number;
  /** POS, or service for one that it added: per cent, 0 to 100, at most two decimals. */
  percent?: number;
  /** POS, or service for one that it added: text for the bottom of the receipt, at most 40 characters. */
  text?: string;
  /** POS: ID of the campaign of a staff discount. */
  campaignId?: string;
  /** Service: the loyalty discount code, on a discount that it added. */
  discountCode?: string;
}

/** Sums over the lines, in minor units. POS in a request, service in an answer. */
export interface Totals {
  /** POS, and service in an answer: minor units, Σ `originalLinePrice`. */
  originalTotal: number;
  /** POS, and service in an answer: minor units, Σ `existingLineDiscountAmount`. */
  existingDiscountTotal: number;
  /** POS, and service in an answer: minor units, Σ of all shares of order discounts. */
  orderDiscountTotal: number;
  /** POS, and service in an answer: minor units, Σ `lineDiscountAmount` and the order discounts that the service added; 0 in a request. */
  loyaltyDiscountTotal: number;
  /** POS, and service in an answer: minor units, Σ `orderLinePrice`, which the guest pays. */
  total: number;
}

/** A line of an applied answer: the till's, one that was split from it, or one that the service added. */
export interface BasketLineOut extends BasketLine {
  /** Service: `none` on an untouched line. */
  lineDiscountType: 'none' | 'amount' | 'percent';
  /** Service: per cent, 0 to 100, at most two decimals; with the type `percent`. */
  lineDiscountPercent?: number;
  /** Service: the loyalty discount in minor units; 0 on an untouched line. */
  lineDiscountAmount: number;
  /** Service: text for the note under the product, at most 40 characters. */
  lineDiscountText?: string;
  /** Service: whether that note is printed. */
  showLineDiscountText: boolean;
  /** Service: the loyalty discount code; on a discounted line. */
  lineDiscountCode?: string;
  /** Service: the new price of one in minor units; absent when it did not change. */
  overrideUnitPrice?: number;
  /** Service: true on a line that it added. */
  addedByLoyalty?: boolean;
  /** Service: `lineId` of the line that this one was split from. */
  splitFromLineId?: string;
}

/** Fails to compile when these types and the contract's schemas part. */
type Same<Here, There> = [Here] extends [There] ? ([There] extends [Here] ? true : never) : never;
true satisfies Same<BasketRequest, contract.BasketRequest>;
true satisfies Same<BasketLineOut, answers.BasketLineOut>;
true satisfies Same<keyof BasketLineOut, keyof answers.BasketLineOut>;
true satisfies Same<keyof BasketRequest, keyof contract.BasketRequest>;
true satisfies Same<keyof OrderDiscount, keyof contract.OrderDiscount>;
true satisfies Same<keyof Context, keyof contract.Context>;
