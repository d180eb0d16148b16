import type { BasketRequest } from '@loyalty/contract/basket-request';
import type { LineFacts } from '../lines/lines.ts';
import type { Offer } from '../offers/offers.ts';
import type { Gift } from '../settle/gifts.ts';
import type { Venue } from '../types.ts';
import type { Work } from '../work.ts';
import type { Standing } from './standing.ts';

/** What is chosen from, and with what. */

export interface DecisionInput {
  readonly basket: BasketRequest;
  /** The lines of the basket as they came. */
  readonly lines: readonly LineFacts[];
  readonly venue: Venue;
  /** Bounds the effort of the search. */
  readonly work: Work;
  /** To find out whether only minimum savings, or minimums on what lines cost after other benefits, stand in the way. */
  readonly ignoresMinimums?: boolean;
  /** To find out what the benefits would give where the staff's discounts of the whole basket are given up for them. */
  readonly givesUpStaffDiscounts?: boolean;
}

/** Offers that may all be had together, and the standing of the staff's discounts with them. */
export interface Selection {
  readonly standing: Standing;
  /** The lines as line-level benefits see them: of a unit with modifiers one stands for all. */
  readonly lines: readonly LineFacts[];
  readonly selection: readonly Offer[];
  readonly gifts: readonly Gift[];
}

/** A discount on the order asks for a minimum of what lines cost after line-level benefits. */
export function asksForNet({ standing, selection }: Selection): boolean {
  return standing.withLoyaltyOrderDiscounts && selection.some(({ benefit }) => benefit.netMinimum > 0);
}
