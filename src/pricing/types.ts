import type { OrderDiscount, Totals } from '../contract/basket-request.ts';
import type { BasketLineOut, UnchangedReason } from '../contract/basket-response.ts';
import type { Programme } from './programme.ts';

/** What goes into pricing and what comes out. Money is in minor units of the basket's currency everywhere. */

export interface Member {
  readonly programmeId: string;
  readonly loyaltyId: string;
  readonly status: 'active' | 'paused' | 'expired' | 'blocked';
  readonly tier?: string;
  readonly memberLabel?: string;
  /** Benefits with `audience: granted` that this member has. */
  readonly grants: readonly string[];
}

/** A product of the venue's own price list: what the service may add to a basket. */
export interface Product {
  readonly productId: string;
  readonly productMasterId?: string;
  readonly productGroupId?: string;
  readonly ean?: string;
  readonly name: string;
  readonly unitPrice: number;
  readonly noDiscount: boolean;
  readonly noPercentageDiscount: boolean;
}

export interface Venue {
  readonly venueId: string;
  readonly terminalSetups: readonly string[];
  readonly currencies: readonly string[];
  readonly timeZone: string;
  readonly programme: Programme;
  readonly products: ReadonlyMap<string, Product>;
}

/** One limited benefit in the period that a basket falls into; `usageKey` names the two together. */
export interface LimitedUse {
  readonly benefitId: string;
  readonly usageKey: string;
  readonly limit: number;
}

/** What a decision takes of a limited benefit: 1 for a limit by baskets, the discounted items for one by items. */
export interface Use extends LimitedUse {
  readonly units: number;
}

export interface AppliedDecision {
  readonly status: 'applied';
  readonly lines: BasketLineOut[];
  readonly orderDiscounts: OrderDiscount[];
  readonly totals: Totals;
  readonly memberLabel?: string;
  readonly receiptFooterText?: string;
  readonly uses: Use[];
  readonly trace?: Trace;
}

export interface UnchangedDecision {
  readonly status: 'unchanged';
  readonly reason: UnchangedReason;
  readonly memberLabel?: string;
  readonly trace?: Trace;
}

export type Decision = AppliedDecision | UnchangedDecision;

/** Why the decision is what it is; filled by src/pricing/explain.ts and absent unless asked for. */
export interface Trace {
  readonly method: 'exact';
}
