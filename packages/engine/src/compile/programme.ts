import type { Share } from '../conditions/share.ts';
import type { ExistingLineDiscounts } from '../lines/lines.ts';
import type { LineSelector, Selector, SelectorIndex } from '../lines/selector.ts';
import type { Rule } from './rule.ts';
import type { Opening } from './window.ts';
import type { ExistingDiscountScope, ExistingOrderDiscounts, Limit } from './words.ts';

/** A programme as pricing wants it: checked, sorted by benefitId, with everything precomputed that a basket would ask for. */

export interface Programme {
  readonly programmeId: string;
  readonly memberLabel?: string;
  readonly discountCode: string;
  readonly existingLineDiscounts: ExistingLineDiscounts;
  readonly existingOrderDiscounts: ExistingOrderDiscounts;
  readonly existingDiscountScope: ExistingDiscountScope;
  /** Steps of a choice at most (work.ts). */
  readonly maximumSteps: number;
  /** In the order of their benefitId; a benefit's `ordinal` is its place here. */
  readonly benefits: readonly Benefit[];
  /** The benefits with `enabled: false`, in the order of their benefitId. Pricing does not see them. */
  readonly disabled: readonly { readonly benefitId: string }[];
  /** The benefits with a limit over baskets. */
  readonly limited: readonly Benefit[];
  /** The shares of the members that its benefits are for. */
  readonly shares: readonly Share[];
  /** Any limit is one for all members. */
  readonly hasCommonLimits: boolean;
  /** Any benefit is in a group, shares a limit by baskets or has a minimum saving: which benefits apply together is then restricted. */
  readonly isRestricted: boolean;
  readonly selectorIndex: SelectorIndex;
  /** Ordinals of the benefits with a selector that takes every line. */
  readonly unselective: readonly number[];
  /** The programme with its amounts in each currency that any benefit names; empty where none does. */
  readonly inCurrency: ReadonlyMap<string, Programme>;
}

/** At most so many of the benefits of a group apply in one basket. */
export interface BenefitGroup {
  readonly name: string;
  readonly atMost: number;
  /** Only those of the highest priority that match the basket are open. */
  readonly takesPriority: boolean;
}

/** Goods of which a basket has to hold so many units, and so many minor units as they came. */
export interface Requirement {
  readonly selector: Selector;
  readonly quantity: number;
  readonly spend: number;
}

/** Every field is always there, so that all benefits have one shape: they are read for every basket. */
export interface Benefit<Own extends Rule = Rule> {
  readonly ordinal: number;
  readonly benefitId: string;
  readonly text: string | undefined;
  readonly rule: Own;
  /** The level of the rule. */
  readonly level: Own['level'];
  /** The number of the rule's scale among the scales of the programme, from 0; −1 for rules without a scale. */
  readonly scaleNumber: number;
  /** Names money without its currency, or takes it from the venue's list: the venue's first currency is meant. */
  readonly namesMoney: boolean;
  /** Its amounts by currency are there in the currency of the programme. */
  readonly isPriced: boolean;
  /** The currencies in which it is priced; undefined without amounts by currency. */
  readonly currencies: readonly string[] | undefined;
  readonly selectors: readonly Selector[];
  /** The lines of which units are given before any are added. */
  readonly rungUp: LineSelector | undefined;
  /** Any of them opens the benefit; without one it is always open. */
  readonly openings: readonly Opening[];
  /** What lines have to cost as they came. */
  readonly minimumSpend: number;
  /** What lines have to cost after line-level benefits; 0 without such a minimum. */
  readonly netMinimum: number;
  readonly minimumSpendOn: 'eligible' | 'basket';
  readonly minimumQuantity: number;
  readonly minimumQuantityOn: 'eligible' | 'basket';
  /** Goods that the basket has to hold. */
  readonly requires: readonly Requirement[];
  /** Minor units per basket; `Infinity` without a cap. */
  readonly maximumDiscount: number;
  /** Minor units; 0 without a minimum. */
  readonly minimumSaving: number;
  /** Units that it may take in one basket; `Infinity` without such a limit. */
  readonly maximumUnits: number;
  /** Its limits over baskets; of several the smallest counts. */
  readonly limits: readonly Limit[];
  /** The limits of one basket that it shares with others by their `limitId`. */
  readonly sharedInBasket: readonly Omit<Limit, 'period'>[];
  readonly audience: 'everyone' | 'granted';
  readonly group: BenefitGroup | undefined;
  /** It takes the cheapest units, before all others are chosen. */
  readonly picksCheapest: boolean;
  readonly exclusive: boolean;
  readonly priority: number;
  /** Who bears the cost. */
  readonly fundedBy: string | undefined;
}
