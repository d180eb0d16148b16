import type { Period } from './calendar.ts';
import type { Selector, SelectorIndex } from './selector.ts';
import type { Window } from './window.ts';

/** A programme as pricing wants it: checked, sorted by benefitId, with everything precomputed that a basket would ask for. */

export type ExistingLineDiscounts = 'replace_if_larger' | 'keep' | 'stack';
export type ExistingOrderDiscounts = 'keep' | 'replace_if_larger';

export interface Programme {
  readonly programmeId: string;
  readonly memberLabel?: string;
  readonly discountCode: string;
  readonly existingLineDiscounts: ExistingLineDiscounts;
  readonly existingOrderDiscounts: ExistingOrderDiscounts;
  /** In the order of their benefitId; a benefit's `ordinal` is its place here. */
  readonly benefits: readonly Benefit[];
  readonly limited: readonly Benefit[];
  readonly selectorIndex: SelectorIndex;
  /** Per selector the ordinal of its benefit. */
  readonly benefitOfSelector: readonly number[];
  /** Ordinals of the benefits with a selector that takes every line. */
  readonly unselective: readonly number[];
}

export interface Limit {
  readonly quantity: number;
  readonly period: Period;
  readonly counts: 'baskets' | 'items';
}

export interface LinePercentRule {
  readonly kind: 'line_percent';
  readonly percentHundredths: number;
}

export interface LineAmountRule {
  readonly kind: 'line_amount';
  readonly amount: number;
  readonly per: 'unit' | 'line';
}

export interface UnitPriceRule {
  readonly kind: 'unit_price';
  readonly unitPrice: number;
}

/** `buy` and `get` are the benefit's selectors 0 and 1. */
export interface BuyXGetYRule {
  readonly kind: 'buy_x_get_y';
  readonly buyQuantity: number;
  readonly getQuantity: number;
  readonly percentHundredths: number;
}

export interface FreeProductRule {
  readonly kind: 'free_product';
  readonly productId: string;
  readonly quantity: number;
}

/** Item n asks for `quantities[n]` units of the benefit's selector n. */
export interface BundlePriceRule {
  readonly kind: 'bundle_price';
  readonly quantities: readonly number[];
  readonly bundlePrice: number;
}

export interface OrderPercentRule {
  readonly kind: 'order_percent';
  readonly percentHundredths: number;
}

export interface OrderAmountRule {
  readonly kind: 'order_amount';
  readonly amount: number;
}

export type LineRule = LinePercentRule | LineAmountRule | UnitPriceRule;
export type OrderRule = OrderPercentRule | OrderAmountRule;
export type Rule = LineRule | OrderRule | BuyXGetYRule | BundlePriceRule | FreeProductRule;
export type BenefitKind = Rule['kind'];

/** Where a kind works: on single lines, on groups of units, by adding a line, or on the order as a whole. */
export type Level = 'line' | 'group' | 'gift' | 'order';

/** Every field is always there, so that all benefits have one shape: they are read for every basket. */
export interface Benefit {
  readonly ordinal: number;
  readonly benefitId: string;
  readonly text: string | undefined;
  readonly rule: Rule;
  readonly level: Level;
  /** A percentage kind touches no `noPercentageDiscount` line. */
  readonly isPercentage: boolean;
  /** Names an amount of money, which means the venue's first currency only. */
  readonly namesMoney: boolean;
  readonly selectors: readonly Selector[];
  readonly window: Window | undefined;
  readonly channels: ReadonlySet<string> | undefined;
  readonly venueIds: ReadonlySet<string> | undefined;
  readonly tiers: ReadonlySet<string> | undefined;
  readonly minimumSpend: number;
  readonly minimumQuantity: number;
  /** Minor units per basket; `Infinity` without a cap. */
  readonly maximumDiscount: number;
  readonly limit: Limit | undefined;
  readonly audience: 'everyone' | 'granted';
  readonly exclusive: boolean;
  readonly priority: number;
}
