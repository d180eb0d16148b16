import type { UnchangedReason } from '@loyalty/contract/basket-response';

/**
 * The decision as an answer needs it beside its request: which benefit did what to which line. Money in minor units, all
 * numbers are integers from 0 to 2^53 − 1. Every text of the configuration and of the member that the answer shows is here,
 * so that request and content make the same answer under any later configuration.
 */

export type AnswerContent = AppliedContent | UnchangedContent | MemberNotFoundContent;

export interface MemberNotFoundContent {
  readonly status: 'member_not_found';
}

export interface UnchangedContent {
  readonly status: 'unchanged';
  readonly reason: UnchangedReason;
  readonly memberLabel: string | undefined;
}

export interface AppliedContent {
  readonly status: 'applied';
  readonly memberLabel: string | undefined;
  readonly receiptFooterText: string | undefined;
  readonly discountCode: string;
  /** The benefits that have an effect; the other fields name them by their index. */
  readonly benefits: readonly NamedBenefit[];
  /** Each way in which a benefit shows on a line, once. */
  readonly effects: readonly LineEffect[];
  /** Every line or part of a line that differs from the request, in the order of the answer. */
  readonly parts: readonly ChangedPart[];
  /** Indexes of the request's order discounts that gave way. */
  readonly removedOrderDiscounts: readonly number[];
  readonly orders: readonly AddedOrderDiscount[];
  readonly gifts: readonly AddedProduct[];
}

export interface NamedBenefit {
  readonly benefitId: string;
  readonly text: string | undefined;
}

/** Neither a percentage nor a unit price: an amount. */
export interface LineEffect {
  readonly benefit: number;
  readonly percentHundredths: number | undefined;
  readonly overrideUnitPrice: number | undefined;
}

export interface ChangedPart {
  /** Index of its line in the request. */
  readonly line: number;
  /** Absent when the line is whole. */
  readonly cut: Cut | undefined;
  /** The existing line discount gave way. */
  readonly isCleared: boolean;
  /** Absent when no benefit takes the part. */
  readonly effect: AppliedEffect | undefined;
}

/** A part of a line that was split. */
export interface Cut {
  readonly units: number;
  /** Its share of the existing line discount. */
  readonly existing: number;
  /** Its share of each of the line's allocations that stay, in their order. */
  readonly allocations: readonly number[];
}

export interface AppliedEffect {
  /** Index of the effect. */
  readonly effect: number;
  /** Units that the benefit takes: a weighed line is one. */
  readonly units: number;
  /** What it takes off. It may be 0: a cheap unit of a bundle. */
  readonly amount: number;
}

export interface AddedOrderDiscount {
  readonly benefit: number;
  readonly amount: number;
  /** Present where the discount is still the whole percentage. */
  readonly percentHundredths: number | undefined;
  /** The share of every part of the answer, gifts left out; a part without one has 0. */
  readonly shares: readonly number[];
}

/** A product that the service adds, discounted by its whole price. */
export interface AddedProduct {
  readonly benefit: number;
  readonly productId: string;
  readonly productMasterId: string | undefined;
  readonly productGroupId: string | undefined;
  readonly ean: string | undefined;
  readonly name: string;
  readonly units: number;
  readonly unitPrice: number;
  readonly noDiscount: boolean;
  readonly noPercentageDiscount: boolean;
}
