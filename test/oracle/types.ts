/** What the oracle is asked and what it answers. The definition is the configuration file's own, never compiled. */
import type { InCurrency } from '@loyalty/engine/compile/words';
import type { BenefitDefinition, ProgrammeDefinition } from '@loyalty/engine/definition';
import type { Member } from '@loyalty/engine/types';
import type { BasketBody, LineBody } from '../support/wire.ts';

export interface OracleProduct {
  readonly productId: string;
  readonly productGroupId?: string;
  readonly name: string;
  readonly unitPrice: number;
  readonly noDiscount: boolean;
  readonly noPercentageDiscount: boolean;
}

export interface OracleCase {
  readonly programme: ProgrammeDefinition & { readonly benefits: readonly BenefitDefinition[] };
  readonly products: readonly OracleProduct[];
  readonly grants: Member['grants'];
  readonly tier?: string;
  readonly basket: BasketBody;
  /** What is left of each limited benefit, by benefitId, and of each grant, by `benefitId/grantId`. */
  readonly available: Readonly<Record<string, number>>;
}

/** What the rules say about a line before any benefit touches it. */
export interface Line {
  readonly position: number;
  readonly body: LineBody;
  readonly units: number;
  /** False for goods that are one unit, whatever their quantity. */
  readonly isCounted: boolean;
  /** What one unit costs. */
  readonly price: number;
  readonly isSplittable: boolean;
  /** Kept existing discounts leave a line to order-level benefits only (rule 5). */
  readonly takesLineLevel: boolean;
  /** The lines that stand together in its units, the head first; absent where it stands alone. */
  readonly joined?: readonly JoinedLine[];
}

export interface JoinedLine {
  readonly line: Line;
  /** How many of its units go with each unit of the head. */
  readonly perUnit: number;
}

/** A benefit whose amounts are those of the basket's currency. */
export type PricedBenefit = InCurrency<BenefitDefinition>;

/** An open benefit with its selectors resolved: one set of eligible lines per selector, in the definition's order. */
export interface Offer {
  readonly benefit: PricedBenefit;
  /** Units of its limit that are left; Infinity without a limit. */
  readonly left: number;
  /** Units that it may take in this basket; Infinity where nothing limits them. */
  readonly items: number;
  /** The limit that it shares with others: its name, what it counts, and what is left. */
  readonly shared?: { readonly name: string; readonly counts: string; readonly left: number };
  /** It is opened by a grant with a quantity. */
  readonly spendsGrant: boolean;
  readonly eligible: readonly ReadonlySet<Line>[];
  /** Of a product that is given: the lines where it was rung up, and how many units are given there. */
  readonly rungUp?: { readonly lines: ReadonlySet<Line>; readonly units: number };
  /** At line level, per selector: the lines that it sees as one unit each, those that may take part. */
  readonly seen: readonly (readonly (readonly Line[])[])[];
}

/** What becomes of one line: units taken by groups and by benefits limited by items, and the benefit of what is left. */
export interface LinePlan {
  readonly line: Line;
  readonly taken: ReadonlyMap<Offer, number>;
  /** Units that were bought for offers which share them with no other benefit. */
  readonly apart: number;
  /** Of them those that share what their offers give. */
  readonly sharing: ReadonlyMap<Offer, number>;
  readonly rest: Offer | undefined;
}

/** One line-level combination; `bundles` counts the bundles of each `bundle_price` in it. */
export interface Combination {
  readonly plans: readonly LinePlan[];
  readonly bundles: ReadonlyMap<Offer, number>;
}

/** A line or a part of one, with what it costs so far. */
export interface Part {
  readonly line: Line;
  readonly offer: Offer | undefined;
  /** Units that the benefit discounts. */
  readonly units: number;
  /** Units that were bought for it and share what it gives. */
  readonly boughtUnits: number;
  readonly originalPrice: number;
  readonly existing: number;
  readonly allocated: number;
  /** The existing discount has given way. */
  isCleared?: boolean;
  /** What falls to the line of the effect on a unit with modifiers. */
  readonly share?: number;
  /** Of a line that stands with others: that unit, and whether it is counted here. */
  readonly unit?: { readonly line: Line; readonly items: number };
  cost: number;
}

export interface OracleAnswer {
  /** The lowest net cost of any permitted combination: its total less the price of the products given. */
  readonly netCost: number;
  /** What may be asked: where several combinations cost as little, each may leave other benefits out for their minimum saving. */
  readonly netCosts: readonly number[];
  /** The benefits of a combination that reaches it, with gifts. */
  readonly benefitIds: readonly string[];
  /** How many combinations were looked at. */
  readonly combinations: number;
}

/** The policy, and what of the staff's is gone. */
export interface SettleRules {
  readonly existingLineDiscounts: 'replace_if_larger' | 'keep' | 'stack';
  /** Staff order discounts that are gone, with their allocations. */
  readonly removed: ReadonlySet<string>;
}
