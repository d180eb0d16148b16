import type { BasketRequest, OrderDiscount, Totals } from '../../../src/contract/basket-request.ts';
import type { AppliedResponse, BasketLineOut, BasketResponse } from '../../../src/contract/basket-response.ts';
import { isUuid } from '../../../src/contract/headers.ts';
import type { SaleEvent } from '../../../src/contract/sale.ts';

/** What the loyalty step came to for an order (interface, section 3). */

export type OrderLoyaltyStatus = 'not_applicable' | 'member_not_found' | 'applied' | 'unchanged' | 'failed';

export type FailureReason = NonNullable<SaleEvent['failureReason']>;

/** A basket as the till goes on with: its own, or the one that replaced it. Money in minor units. */
export interface TillBasket {
  readonly lines: BasketRequest['lines'] | readonly BasketLineOut[];
  readonly orderDiscounts: readonly OrderDiscount[];
  readonly totals: Totals;
}

export interface LoyaltyOutcome {
  readonly calculationId: string;
  readonly status: OrderLoyaltyStatus;
  /** The basket to use. Unless `status` is `applied` it is the caller's own. */
  readonly basket: TillBasket;
  /** Present exactly when `status` is `failed`; goes into the sale event as it is. */
  readonly failureReason?: FailureReason;
  /** Why nothing applied: informational, never shown to the guest, and open to values that are not known yet. */
  readonly reason?: string;
  readonly memberLabel?: string;
  readonly receiptFooterText?: string;
  /** False where no calculation was made and none is to be reported. */
  readonly isSaleEventDue: boolean;
  /** For logs: what was wrong, or undefined. Holds no loyalty ID. */
  readonly detail?: string;
}

/** Why a checkout makes no call (interface, section 3). */
export type NoCallCause =
  /** Module off, cash payment, or no card lookup possible by design. */
  | 'no_loyalty_flow'
  /** The card lookup returned no member. */
  | 'no_member'
  /** The POS is offline: no lookup and no pricing; the event is sent when the order is replayed. */
  | 'offline';

/** The outcome of a checkout that makes no call. */
export function decideWithoutCall(basket: BasketRequest, cause: NoCallCause): LoyaltyOutcome {
  const calculationId = idOf(basket);
  if (cause === 'offline') return failed(basket, 'offline', 'the POS is offline');
  const status = cause === 'no_member' ? 'member_not_found' : 'not_applicable';
  return { calculationId, status, basket, isSaleEventDue: false };
}

/** The outcome of a call whose answer passed every check. */
export function accepted(basket: BasketRequest, answer: BasketResponse): LoyaltyOutcome {
  const { calculationId } = basket;
  if (answer.status === 'applied') return applied(basket, answer);
  if (answer.status === 'member_not_found') {
    return { calculationId, status: 'member_not_found', basket, isSaleEventDue: true };
  }
  const { reason, memberLabel } = answer;
  return {
    calculationId,
    status: 'unchanged',
    basket,
    reason,
    ...(memberLabel !== undefined && { memberLabel }),
    isSaleEventDue: true,
  };
}

function applied(basket: BasketRequest, answer: AppliedResponse): LoyaltyOutcome {
  const { lines, orderDiscounts, totals, memberLabel, receiptFooterText } = answer;
  return {
    calculationId: basket.calculationId,
    status: 'applied',
    basket: { lines, orderDiscounts, totals },
    ...(memberLabel !== undefined && { memberLabel }),
    ...(receiptFooterText !== undefined && { receiptFooterText }),
    isSaleEventDue: true,
  };
}

/** The loyalty step failed: the order keeps its basket, and the sale goes on. */
export function failed(basket: BasketRequest, failureReason: FailureReason, detail: string): LoyaltyOutcome {
  const calculationId = idOf(basket);
  const isSaleEventDue = isCalculationId(calculationId);
  return { calculationId, status: 'failed', basket, failureReason, isSaleEventDue, detail };
}

/**
 * Puts an applied basket into the till through the caller's own `swap`. Where that throws, the order keeps its basket
 * and the outcome is `failed` with `pos_error` (interface, section 3). Other outcomes come back as they are.
 */
export async function swapBasket(
  outcome: LoyaltyOutcome,
  original: BasketRequest,
  swap: (basket: TillBasket) => void | Promise<void>,
): Promise<LoyaltyOutcome> {
  if (outcome.status !== 'applied') return outcome;
  try {
    await swap(outcome.basket);
    return outcome;
  } catch (error) {
    return failed(original, 'pos_error', `the basket could not be swapped: ${(error as Error)?.message}`);
  }
}

/** The event that ends a finalised sale. `transactionId` is the caller's, 1 to 64 characters. */
export function saleEventOf(outcome: LoyaltyOutcome, transactionId: string): SaleEvent {
  const { calculationId, status, failureReason } = outcome;
  return { calculationId, status, transactionId, ...(failureReason !== undefined && { failureReason }) };
}

/** The event of a payment that was abandoned after the calculation; it belongs to the last calculation only. */
export function cancelledEventOf({ calculationId }: LoyaltyOutcome): SaleEvent {
  return { calculationId, status: 'cancelled' };
}

/** True for a lower-case UUID. Anything may come from a caller in JavaScript. */
export function isCalculationId(value: unknown): value is string {
  return typeof value === 'string' && isUuid(value);
}

/** Empty where the basket has none: then there is no calculation to report. */
function idOf(basket: BasketRequest | null | undefined): string {
  const calculationId: unknown = basket?.calculationId;
  return typeof calculationId === 'string' ? calculationId : '';
}
