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
}

export interface Limit {
  readonly quantity: number;
  readonly period: Period;
  readonly counts: 'baskets' | 'items';
}

export interface LinePercentRule {
  readonly kind: 'line_percent';
  readonly percentHundredths: number;
  readonly selector: Selector;
}

export type Rule = LinePercentRule;
export type BenefitKind = Rule['kind'];

export interface Benefit {
  readonly ordinal: number;
  readonly benefitId: string;
  readonly text?: string;
  readonly rule: Rule;
  readonly window?: Window;
  readonly channels?: ReadonlySet<string>;
  readonly venueIds?: ReadonlySet<string>;
  readonly tiers?: ReadonlySet<string>;
  readonly minimumSpend: number;
  readonly limit?: Limit;
  readonly audience: 'everyone' | 'granted';
  readonly priority: number;
}
