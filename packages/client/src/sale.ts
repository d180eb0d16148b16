import type * as contract from '@loyalty/contract/sale';

/** Why a loyalty step failed (interface, section 3). */
export type FailureReason = (typeof contract.FAILURE_REASONS)[number];

/** What the service made of a sale event; all are final. */
export type SaleResult = contract.SaleResult;

/** How one calculation ended. What the service would refuse does not compile. */
export type SaleEvent = CompletedSale | FailedSale | CancelledSale;

interface FinalisedSale {
  /** POS: the calculation that is reported, lower-case UUID. */
  readonly calculationId: string;
  /** POS: the transaction, 1 to 64 characters. */
  readonly transactionId: string;
}

/** The sale was finalised, and the loyalty step came to an answer, or to none by design. */
export interface CompletedSale extends FinalisedSale {
  /** POS: the status of the order. */
  readonly status: 'applied' | 'unchanged' | 'member_not_found' | 'not_applicable';
  /** POS: belongs to failed steps only. */
  readonly failureReason?: never;
}

/** The sale was finalised with the till's own basket, because the loyalty step failed. */
export interface FailedSale extends FinalisedSale {
  /** POS: the status of the order. */
  readonly status: 'failed';
  /** POS: why it failed. */
  readonly failureReason: FailureReason;
}

/** The payment was abandoned after the calculation. */
export interface CancelledSale {
  /** POS: the last calculation of the order, lower-case UUID. */
  readonly calculationId: string;
  /** POS: nobody paid. */
  readonly status: 'cancelled';
  /** POS: the transaction, 1 to 64 characters, when there was one. */
  readonly transactionId?: string;
  /** POS: belongs to failed steps only. */
  readonly failureReason?: never;
}
