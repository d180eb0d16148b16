import type { ExistingLineDiscounts, ExistingOrderDiscounts, Limit } from './programme.ts';
import type { SelectorDefinition } from './selector.ts';
import type { WhenDefinition } from './window.ts';

/** A programme in the words of the configuration file (docs/benefits.md), after every check and before compilation. */

export interface ProgrammeDefinition {
  readonly programmeId: string;
  readonly memberLabel?: string;
  readonly discountCode?: string;
  readonly existingLineDiscounts?: ExistingLineDiscounts;
  readonly existingOrderDiscounts?: ExistingOrderDiscounts;
  readonly benefits?: readonly BenefitDefinition[];
}

/** What every kind of benefit may say. Money in minor units of the venue's first currency. */
export interface BenefitConditions {
  readonly benefitId: string;
  readonly text?: string;
  readonly when?: WhenDefinition;
  readonly minimumSpend?: number;
  readonly minimumQuantity?: number;
  readonly maximumDiscount?: number;
  readonly limit?: Limit;
  readonly audience?: 'everyone' | 'granted';
  readonly exclusive?: boolean;
  readonly priority?: number;
}

interface AppliesTo {
  readonly appliesTo?: SelectorDefinition;
}

export interface UnitsDefinition extends AppliesTo {
  readonly quantity: number;
}

export type LinePercentDefinition = BenefitConditions &
  AppliesTo & { readonly kind: 'line_percent'; readonly percent: number };

export type LineAmountDefinition = BenefitConditions &
  AppliesTo & { readonly kind: 'line_amount'; readonly amount: number; readonly per: 'unit' | 'line' };

export type UnitPriceDefinition = BenefitConditions &
  AppliesTo & { readonly kind: 'unit_price'; readonly unitPrice: number };

export type BuyXGetYDefinition = BenefitConditions & {
  readonly kind: 'buy_x_get_y';
  readonly buy: UnitsDefinition;
  readonly get: UnitsDefinition & { readonly percent?: number };
};

export type FreeProductDefinition = BenefitConditions &
  AppliesTo & { readonly kind: 'free_product'; readonly productId: string; readonly quantity?: number };

export type BundlePriceDefinition = BenefitConditions & {
  readonly kind: 'bundle_price';
  readonly items: readonly UnitsDefinition[];
  readonly bundlePrice: number;
};

export type OrderPercentDefinition = BenefitConditions &
  AppliesTo & { readonly kind: 'order_percent'; readonly percent: number };

export type OrderAmountDefinition = BenefitConditions &
  AppliesTo & { readonly kind: 'order_amount'; readonly amount: number };

export type BenefitDefinition =
  | LinePercentDefinition
  | LineAmountDefinition
  | UnitPriceDefinition
  | BuyXGetYDefinition
  | FreeProductDefinition
  | BundlePriceDefinition
  | OrderPercentDefinition
  | OrderAmountDefinition;
