import type { OrderDiscount, Totals } from '@loyalty/contract/basket-request';
import type { BasketLineOut, UnchangedReason } from '@loyalty/contract/basket-response';
import type { Programme } from './compile/programme.ts';
import type { CommonOwner, LimitCounts } from './compile/words.ts';

/** The input and the result of pricing. Money is in minor units of the basket's currency everywhere. */

export interface Member {
  readonly programmeId: string;
  readonly loyaltyId: string;
  readonly status: 'active' | 'paused' | 'expired' | 'blocked';
  readonly tier?: string;
  readonly memberLabel?: string;
  /** The vouchers that open benefits with `audience: granted`; a benefitId alone is one without end or count. */
  readonly grants: readonly (string | Grant)[];
  /** The member's part under each salt, where the loyalty ID is a pseudonym (conditions/share.ts). */
  readonly shareParts?: Readonly<Record<string, number>>;
}

/** What of a member decides the price of a basket, and is kept and recorded of it. `shareParts`: neither has the loyalty ID. */
export type PricedMember = Pick<Member, 'status' | 'tier' | 'grants' | 'shareParts'>;

/** A voucher of a member. */
export interface Grant {
  readonly benefitId: string;
  /** Unique among the grants of the member. */
  readonly grantId: string;
  /** The baskets in which the benefit may apply; without one as many as there are. */
  readonly quantity?: number;
  /** The first and the last day on which it is there, `2026-12-31`. */
  readonly from?: string;
  readonly to?: string;
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
  /** The first is the one that prices in `products` mean. */
  readonly currencies: readonly string[];
  readonly timeZone: string;
  readonly programme: Programme;
  readonly products: ReadonlyMap<string, Product>;
}

/** A limited benefit in the period that a basket falls into, or a grant with a quantity; `usageKey` names its counter. */
export interface LimitedUse {
  readonly benefitId: string;
  readonly usageKey: string;
  readonly limit: number;
  readonly counts: LimitCounts;
  /** One counter for all members of the programme, or at the venue; absent for a member's own. */
  readonly of?: CommonOwner;
}

/** How much a decision takes of a limit: 1 of a limit by baskets, otherwise the items or the minor units. */
export interface Use extends LimitedUse {
  readonly units: number;
}

/** What one benefit gives in a basket. */
export interface GivenBenefit {
  readonly benefitId: string;
  /** Discounted units; 1 of a discount on the order. */
  readonly units: number;
  /** Minor units, with the price of products given. */
  readonly saved: number;
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

/** Why the decision is what it is; absent unless asked for. */
export interface Trace {
  /** The effort that the choice took (work.ts). */
  readonly steps: number;
  /** What the relaxation of the choice promises beyond it, in minor units: an estimate of what another combination could still save. */
  readonly gap: number;
  /** Every minor unit of difference between the incoming and the outgoing basket. */
  readonly changes: readonly TracedChange[];
  /** Units that were bought for a benefit, which shares them with no other. */
  readonly bought: readonly TracedPurchase[];
  /** Every benefit of the programme, in the order of the benefitId. */
  readonly benefits: readonly TracedBenefit[];
}

export type ChangeRule =
  | 'line_discount'
  | 'unit_price'
  | 'order_discount'
  | 'product_added'
  | 'existing_line_discount_removed'
  | 'existing_order_discount_removed'
  /** An order discount of the service itself came back and was taken off; it belongs to no benefit. */
  | 'own_discount_returned';

/** One change of one outgoing line. The amounts of all changes sum to the difference of the totals. */
export interface TracedChange {
  /** Of the outgoing line. */
  readonly lineId: string;
  /** Empty where no benefit caused the change. */
  readonly benefitId: string;
  readonly rule: ChangeRule;
  /** Minor units that the line costs more (above 0) or less (below 0) by this change. */
  readonly amount: number;
}

export interface TracedPurchase {
  /** Of the outgoing line. */
  readonly lineId: string;
  readonly benefitId: string;
  readonly units: number;
}

export type RefusalReason =
  | 'member_inactive'
  | 'disabled'
  | 'not_granted'
  | 'grants_used_up'
  /** Of a condition of a window (conditions/). */
  | `other_${string}`
  | 'clock_off'
  | 'not_now'
  | 'limit_used_up'
  | 'no_matching_line'
  | 'lines_excluded'
  | 'lines_discounted'
  | 'lines_protected'
  | 'existing_discount_kept'
  | 'below_minimum_spend'
  | 'below_minimum_quantity'
  | 'goods_missing'
  | 'too_few_units'
  | 'nothing_to_save'
  | 'below_minimum_saving'
  | 'group_used_up'
  | 'lower_priority'
  | 'not_combinable'
  | 'others_save_more';

export interface TracedBenefit {
  readonly benefitId: string;
  readonly applied: boolean;
  /** The saving in minor units, with the price of products given; 0 when the benefit did not apply. */
  readonly saved: number;
  /** What is left of its limit and its grants after this basket, for people: `49.00 left this month`. */
  readonly left?: string;
  /** The first reason why it did not apply. */
  readonly reason?: RefusalReason;
  /** `reason` in a sentence, with what is true of this basket where more can be said: `It ended on 13 December.` */
  readonly explanation?: string;
  /** The smallest change that would make it apply, for people: `11.00 more`, `1 more of cake`, `Fridays from 14:00`. */
  readonly change?: string;
  /** The benefits that it gave way to. */
  readonly instead?: readonly string[];
}
