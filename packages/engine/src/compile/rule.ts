import type { LineFacts } from '../lines/lines.ts';

/**
 * Benefits after compilation. Pricing knows five families of rules and no kind: each kind in benefits/ compiles its words
 * into a rule of one family, so a new kind of a family changes nothing outside its own file and the register. Money is in
 * minor units. The functions of a rule answer the same for the same arguments and change nothing.
 */

/** How an effect shows in the answer when nothing has cut it. */
export interface Expression {
  readonly percentHundredths?: number;
  readonly overrideUnitPrice?: number;
}

/** The effect shows as an amount. */
export const PLAIN_AMOUNT: Expression = {};

/**
 * Tells what units of a line become cheaper by, from 0 to their price. `cost` is what they cost after their share of an existing
 * discount that stays; without it they have the share that falls to so many units of the line (lines/lines.ts).
 */
type Effect = (line: LineFacts, units: number, cost?: number) => number;

interface UnitRule {
  readonly expression: Expression;
}

/** Makes units of single lines cheaper, each line by itself. */
export interface LineRule extends UnitRule {
  readonly level: 'line';
  /**
   * Rules of one scale can be compared without computing them: on the same units the one of greater strength is never
   * worse.
   */
  readonly scale: string;
  readonly strength: number;
  readonly effect: Effect;
  readonly extent: (line: LineFacts) => Extent;
  /**
   * The effect on units with modifiers that cost `price` together, where it is not what the rule takes off each of their
   * lines; it comes off the first line, and off the next one what the first does not cost.
   */
  readonly together: ((line: LineFacts, units: number, price: number) => number) | undefined;
}

/**
 * How the effect of a rule grows with the units of a line. A rule takes `perUnit` off each unit, or `once` off
 * the line whatever its units; the other one is 0.
 */
export interface Extent {
  /** May be a fraction. */
  readonly perUnit: number;
  readonly once: number;
}

/**
 * Makes units cheaper for which others are bought. The first selector names what is bought, the second what is given. Both
 * together are a set.
 */
export interface BuyGetRule extends UnitRule {
  readonly level: 'buyGet';
  readonly buyQuantity: number;
  readonly getQuantity: number;
  /** The last set may give fewer units than the others, and gives at least so many: `getQuantity` where all have to be complete. */
  readonly leastGiven: number;
  /**
   * `per_set`: of the units in a set that may be bought and given, the cheapest are given, and any units may take part.
   * `cheapest`: there are as many sets as fit, and the cheapest units of all are given.
   */
  readonly pick: 'per_set' | 'cheapest';
  /** Other benefits may discount the units that are bought. */
  readonly sharesBought: boolean;
  /** All units of the sets share what is taken off the given ones. Then `sharesBought` is false. */
  readonly spreads: boolean;
  /** The effect on given units. */
  readonly effect: Effect;
  readonly extent: (line: LineFacts) => Extent;
  /** Equal for rules that have the same effect on the same units. */
  readonly effectKey: string;
}

/** Makes units cheaper that are bought together: item n asks for `quantities[n]` units of the benefit's selector n. */
export interface BundleRule extends UnitRule {
  readonly level: 'bundle';
  readonly quantities: readonly number[];
  /** The discount on so many bundles that cost `price` together; 0 or below where they become no cheaper. */
  readonly discount: (price: number, bundles: number) => number;
  /** No discount is more than this part of the price and so much for each bundle, but for rounding. */
  readonly estimate: { readonly ofPrice: number; readonly perBundle: number };
}

/** Adds a product for nothing and touches no line of the basket. */
export interface GiftRule {
  readonly level: 'gift';
  readonly productId: string;
  readonly quantity: number;
}

/** Makes the order cheaper as a whole, after all rules above. */
export interface OrderRule {
  readonly level: 'order';
  /** The discount on lines that still cost `rest` together, from 0 to `rest`; given `times` where it goes by the spend. */
  readonly amount: (rest: number, times: number) => number;
  /** The discount comes once for every full so many minor units that the eligible lines cost as they came; 0: once. */
  readonly perSpend: number;
  /** The percentage, for a rule that takes the same part of every rest; otherwise undefined. */
  readonly percentHundredths: number | undefined;
}

export type Rule = LineRule | BuyGetRule | BundleRule | GiftRule | OrderRule;

/** Where a rule works: the name of its family. */
export type Level = Rule['level'];
export type RuleAt<Name extends Level> = Extract<Rule, { level: Name }>;

/** True for rules that form deals, sets or bundles: they need several units at once, on whatever lines. */
export function formsDeals(level: Level): level is 'buyGet' | 'bundle' {
  return level === 'buyGet' || level === 'bundle';
}
