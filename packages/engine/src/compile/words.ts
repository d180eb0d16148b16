import type { SelectorDefinition } from '../lines/selector.ts';
import type { Period } from './calendar.ts';
import type { WhenDefinition } from './window.ts';

/** The words of the configuration that programmes and benefits share. Each kind adds its own words in its file in benefits/. */

type AmountByCurrency = Readonly<Record<string, number>>;
/** An amount of money: minor units, or a map from currencies to minor units. */
export type Amount = number | AmountByCurrency;

/** A definition whose amounts are those of one currency. */
export type InCurrency<Definition> = {
  readonly [Field in keyof Definition]: Exclude<Definition[Field], AmountByCurrency>;
};

/** How loyalty order discounts stand to those that the staff gave (config/recipes.md, Staff discounts). */
export type ExistingOrderDiscounts = 'keep' | 'replace_if_larger';
/** `basket`: the guest has all that the staff gave, or the benefits. */
export type ExistingDiscountScope = 'line' | 'basket';

/** What a limit counts: baskets, discounted items, or the minor units that are saved. */
export type LimitCounts = 'baskets' | 'items' | 'money';

/** Whose limit it is: each member's own, or one for all members of the programme, or for all of them at one venue. */
export type LimitOwner = 'member' | CommonOwner;
export type CommonOwner = 'programme' | 'venue';

/** A benefit has at most so many limits; the smallest counts. */
export const MAX_LIMITS = 4;
export const MAX_LIMIT_QUANTITY = 1_000_000;

/** A limit in the words of the configuration: of so many baskets or items, or of so much money saved. */
export interface LimitDefinition {
  readonly quantity: Amount;
  readonly period: Period | 'basket';
  readonly counts: LimitCounts;
  /** Benefits with the same name share what is left. */
  readonly limitId?: string;
  /** `member` where it is absent. */
  readonly of?: LimitOwner;
}

/** A benefit requires at most so many sorts of goods. */
export const MAX_REQUIREMENTS = 4;

/** Goods that the basket has to hold, lines that may not be discounted included. */
export interface RequirementDefinition {
  readonly appliesTo?: SelectorDefinition;
  /** Units at least; 1 where it is absent. */
  readonly quantity?: number;
  /** What they cost at least, as they came. */
  readonly spend?: Amount;
}

/** A limit over baskets, which a counter keeps, of each member or of all; of money in the currency of the programme. */
export interface Limit {
  readonly quantity: number;
  readonly period: Period;
  readonly counts: LimitCounts;
  /** The name of a limit that several benefits share. */
  readonly limitId?: string;
  readonly of: LimitOwner;
}

/** The conditions that a benefit of any kind may name. */
export interface BenefitConditions {
  readonly benefitId: string;
  /** `false`: the benefit is not there. */
  readonly enabled?: boolean;
  readonly text?: Texts;
  /** Of several windows any one opens the benefit. */
  readonly when?: WhenDefinition | readonly WhenDefinition[];
  readonly minimumSpend?: Amount;
  /** The lines that count for `minimumSpend`: the eligible ones, or all of the basket. */
  readonly minimumSpendOn?: 'eligible' | 'basket';
  /** `net`: what the lines cost after line-level benefits counts, for discounts on the order. */
  readonly minimumSpendBasis?: 'incoming' | 'net';
  readonly minimumQuantity?: number;
  /** The units that count for `minimumQuantity`: those of eligible lines, or all of the basket. */
  readonly minimumQuantityOn?: 'eligible' | 'basket';
  /** Goods that the basket has to hold, all of a list; they keep their price by it and are bound by nothing. */
  readonly requires?: RequirementDefinition | readonly RequirementDefinition[];
  readonly maximumDiscount?: Amount;
  /** The benefit is not spent on a smaller saving of the guest. */
  readonly minimumSaving?: Amount;
  /** Units that it may take in one basket; where some are bought for others, the units given. */
  readonly maximumUnits?: number;
  /** Of several the smallest counts. */
  readonly limit?: LimitDefinition | readonly LimitDefinition[];
  readonly audience?: 'everyone' | 'granted';
  /** The group of the programme of which at most so many benefits apply in one basket. */
  readonly group?: string;
  readonly exclusive?: boolean;
  readonly priority?: number;
  /** Who bears the cost; a dimension of costs, which no answer names. */
  readonly fundedBy?: string;
}

export interface AppliesTo {
  readonly appliesTo?: SelectorDefinition;
}

/** Which units a benefit with a limit of units takes: those that make the guest save most, or the cheapest. */
export interface PicksUnits {
  readonly pick?: 'best' | 'cheapest';
}

/** A number of units of some products. */
export interface UnitsDefinition extends AppliesTo {
  readonly quantity: number;
}

/** A text, or texts by language: `{ nb: Bursdagskake, sv: Födelsedagstårta }`. */
export type Texts = string | Readonly<Record<string, string>>;

/**
 * The text in a language: that of exactly this language (`en-GB`), or that of the language without its region (`en`), or
 * the first in the file. A venue without a language gets the first.
 */
export function textIn(texts: Texts | undefined, language: string | undefined): string | undefined {
  if (texts === undefined || typeof texts === 'string') return texts;
  return texts[languageOfText(texts, language) ?? Object.keys(texts)[0]!];
}

/** The language of a map that a language finds; undefined where the first text has to stand in. */
export function languageOfText(
  texts: Readonly<Record<string, string>>,
  language: string | undefined,
): string | undefined {
  return [language, language?.split('-')[0]].find((name) => name !== undefined && Object.hasOwn(texts, name));
}

/** The entries of a field that may have none, one or a list of them. */
export function entriesOf<Entry>(written: Entry | readonly Entry[] | undefined): readonly Entry[] {
  return written === undefined ? [] : ([written].flat() as Entry[]);
}
