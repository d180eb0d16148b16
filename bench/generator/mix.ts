/** The composition of a stream of requests. */
export interface Mix {
  /** Lines of a basket. */
  readonly lines: number;
  /** A share of the baskets (0 to 1) has another number of lines, and is a class of its own. */
  readonly large?: { readonly share: number; readonly lines: number };
  /** A share of the requests (0 to 1) repeats an earlier one, byte for byte. */
  readonly replayShare?: number;
  /** Every request after the first `baskets` repeats one of those, in turn: for the cost of a replay alone. */
  readonly replayOf?: { readonly baskets: number };
  /** Every basket is followed by the sale event that ends it. */
  readonly withSales?: boolean;
}

/** The classes of requests; each has its own histograms. */
export type RequestClass = 'basket' | 'large' | 'replay' | 'sale';

/** The venue of every basket, and its terminal set-up. */
export const VENUE = 'bench-venue';
export const TERMINAL_SETUP = '500123';

/** Members of the generated configuration, and one whose benefits all have limits. */
export const MEMBER_COUNT = 1000;
export const HOT_MEMBER = MEMBER_COUNT;
/** A member whose membership is paused. */
export const PAUSED_MEMBER = MEMBER_COUNT + 1;

/** The loyalty ID of a member, of constant length. */
export function loyaltyIdOf(member: number): string {
  return `member-${String(member).padStart(6, '0')}`;
}
