import { isUuid } from '@loyalty/contract/headers';
import type { BasketLineOut, BasketRequest, OrderDiscount, Totals } from './basket.ts';
import type { RefusalFacts } from './refusal.ts';
import type { CompletedSale, FailureReason, SaleEvent } from './sale.ts';

/** The loyalty step of an order, as it came out (interface, section 3). */

/** The status that the order keeps. */
export type OrderLoyaltyStatus = LoyaltyOutcome['status'];

/** Narrow it by `status`: only an applied outcome has lines with discounts, only a failed one has a reason for that. */
export type LoyaltyOutcome =
  | AppliedOutcome
  | UnchangedOutcome
  | MemberNotFoundOutcome
  | FailedOutcome
  | NotApplicableOutcome;

/** The basket that takes the place of the till's own. */
export interface AppliedBasket {
  /** Service: all lines to charge, with their loyalty discounts. */
  readonly lines: readonly BasketLineOut[];
  /** Service: the till's own as kept or changed, and those that were added. */
  readonly orderDiscounts: readonly OrderDiscount[];
  /** Service: sums over the lines, in minor units. */
  readonly totals: Totals;
}

interface AnyOutcome {
  /** POS: that of the basket; empty when it had none. */
  readonly calculationId: string;
  /** Client: true when the calculation is to be reported once the order is finalised or abandoned. */
  readonly isSaleEventDue: boolean;
}

interface OwnBasketOutcome extends AnyOutcome {
  /** POS: the caller's own basket, which is charged; undefined when it could not be built, and the till charges its own total. */
  readonly basket: BasketRequest | undefined;
}

/** The answer was right in every part, and the basket changes. */
export interface AppliedOutcome extends AnyOutcome {
  /** Client: the status of the order. */
  readonly status: 'applied';
  /** Service: the basket to charge. */
  readonly basket: AppliedBasket;
  /** Service: label of the member for the receipt, at most 40 characters. */
  readonly memberLabel?: string;
  /** Service: text for the bottom of the receipt, at most 200 characters. */
  readonly receiptFooterText?: string;
}

/** Nothing applies. */
export interface UnchangedOutcome extends AnyOutcome {
  /** Client: the status of the order. */
  readonly status: 'unchanged';
  /** POS: the caller's own basket, which is charged. */
  readonly basket: BasketRequest;
  /** Service: why nothing applies. Never shown to the guest, and open to values that are not known yet. */
  readonly reason: string;
  /** Service: label of the member for the receipt, at most 40 characters. */
  readonly memberLabel?: string;
}

/** The lookup or the service knows no such member. */
export interface MemberNotFoundOutcome extends OwnBasketOutcome {
  /** Client: the status of the order. */
  readonly status: 'member_not_found';
}

/** The call failed or its answer was refused. The sale goes on. What a refusal says of itself is in `RefusalFacts`. */
export interface FailedOutcome extends OwnBasketOutcome, RefusalFacts {
  /** Client: the status of the order. */
  readonly status: 'failed';
  /** Client: goes into the sale event as it is. */
  readonly failureReason: FailureReason;
  /** Client: what was wrong, for logs. Holds no loyalty ID. */
  readonly detail: string;
}

/** No loyalty flow ran. */
export interface NotApplicableOutcome extends OwnBasketOutcome {
  /** Client: the status of the order. */
  readonly status: 'not_applicable';
}

/** Why a checkout makes no call (interface, section 3). */
export type NoCallCause =
  /** Module off, cash payment, or no card lookup possible by design. */
  | 'no_loyalty_flow'
  /** The card lookup returned no member. */
  | 'no_member'
  /** The POS is offline: no lookup and no pricing; the event is sent when the order is replayed. */
  | 'offline';

/** A basket, or what `buildBasket` gives in its place when there can be none. */
export type BuiltBasket = BasketRequest | FailedOutcome;

/** True for the outcome that stands in the place of a basket; anything may come from a caller in JavaScript. */
export function isUnbuilt(built: BuiltBasket | null | undefined): built is FailedOutcome {
  return typeof built === 'object' && built !== null && 'failureReason' in built;
}

/** The outcome of a checkout that makes no call. */
export function decideWithoutCall(built: BuiltBasket, cause: NoCallCause): LoyaltyOutcome {
  if (cause === 'offline') return failed(built, 'offline', 'the POS is offline');
  if (cause !== 'no_member' && cause !== 'no_loyalty_flow') {
    return failed(built, 'pos_error', `cause: found ${cause}, allowed: no_loyalty_flow, no_member, offline`);
  }
  const status = cause === 'no_member' ? 'member_not_found' : 'not_applicable';
  return { calculationId: idOf(built), status, basket: basketOf(built), isSaleEventDue: false };
}

/** The loyalty step failed: the order keeps its basket, if it has one, and the sale goes on. */
export function failed(
  built: BuiltBasket,
  failureReason: FailureReason,
  detail: string,
  facts: RefusalFacts = {},
): FailedOutcome {
  const calculationId = idOf(built);
  const isSaleEventDue = isCalculationId(calculationId);
  return { calculationId, status: 'failed', basket: basketOf(built), failureReason, isSaleEventDue, detail, ...facts };
}

/** There is no basket to call with, so the till keeps its own; that is a failure of the POS (interface, section 3). */
export function unbuilt(calculationId: string, detail: string): FailedOutcome {
  const isSaleEventDue = isCalculationId(calculationId);
  return { calculationId, status: 'failed', basket: undefined, failureReason: 'pos_error', isSaleEventDue, detail };
}

/**
 * Puts an applied basket into the till through the caller's own `swap`. Where that throws, the order keeps its basket
 * and the outcome is `failed` with `pos_error` (interface, section 3). Other outcomes come back as they are.
 */
export async function swapBasket(
  outcome: LoyaltyOutcome,
  original: BuiltBasket,
  swap: (basket: AppliedBasket) => void | Promise<void>,
): Promise<LoyaltyOutcome> {
  if (!outcome) return failed(original, 'pos_error', 'there is no outcome to swap');
  if (outcome.status !== 'applied') return outcome;
  try {
    await swap(outcome.basket);
    return outcome;
  } catch (error) {
    const detail = `the basket could not be swapped: ${(error as Error)?.message}`;
    return { ...unbuilt(outcome.calculationId, detail), basket: basketOf(original) };
  }
}

/** The event that ends a finalised sale. `transactionId` is the caller's, 1 to 64 characters. Never throws: the event of no outcome is `invalid`. */
export function saleEventOf(outcome: LoyaltyOutcome, transactionId: string): SaleEvent {
  const { calculationId, status } = outcome ?? {};
  if (outcome?.status !== 'failed') return { calculationId, status, transactionId } as CompletedSale;
  return { calculationId, status: 'failed', transactionId, failureReason: outcome.failureReason };
}

/** The event of a payment that was abandoned after the calculation; it belongs to the last calculation only. */
export function cancelledEventOf(outcome: LoyaltyOutcome): SaleEvent {
  return { calculationId: outcome?.calculationId, status: 'cancelled' };
}

/** True for a lower-case UUID. Anything may come from a caller in JavaScript. */
export function isCalculationId(value: unknown): value is string {
  return typeof value === 'string' && isUuid(value);
}

/** Empty where the basket has none: then there is no calculation to report. */
function idOf(built: BuiltBasket | null | undefined): string {
  const calculationId: unknown = built?.calculationId;
  return typeof calculationId === 'string' ? calculationId : '';
}

function basketOf(built: BuiltBasket): BasketRequest | undefined {
  return isUnbuilt(built) ? undefined : built;
}
