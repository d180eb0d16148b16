/** The caller's half of the interface, as the package `loyalty-basket-client`. */
import './node-version.ts';

export type { ListedProduct, PriceList } from './added-lines.ts';
export type {
  BasketLine,
  BasketLineOut,
  BasketRequest,
  Context,
  OrderDiscount,
  OrderDiscountAllocation,
  Totals,
} from './basket.ts';
export { buildBasket, splitLine } from './build-basket.ts';
export { LoyaltyClient } from './client.ts';
export type { BasketDraft, Discount, LineDraft, OrderDiscountDraft } from './draft.ts';
export type { AttemptNames, ExtraHeaders } from './extra-headers.ts';
export { CALL_LIMITS, type CallLimits, SALE_BACKOFF, type SaleBackoff } from './limits.ts';
export { multiplyQuantity, percentOf } from './money.ts';
export type { CallRecord, ClientOptions } from './options.ts';
export { FileStore } from './outbox/file-store.ts';
export type { CalledCalculation, StoppedEvent } from './outbox/ledger.ts';
export type { Receipt, SaleEnding } from './outbox/outbox.ts';
export { memoryStore, type OutboxRecord, type OutboxStore } from './outbox/store.ts';
export {
  type AppliedBasket,
  type AppliedOutcome,
  type BuiltBasket,
  cancelledEventOf,
  decideWithoutCall,
  type FailedOutcome,
  type LoyaltyOutcome,
  type MemberNotFoundOutcome,
  type NoCallCause,
  type NotApplicableOutcome,
  type OrderLoyaltyStatus,
  saleEventOf,
  swapBasket,
  type UnchangedOutcome,
} from './outcome.ts';
export { type PrintedDiscount, type PrintedLine, type Printout, printoutOf } from './printout.ts';
export type { RefusalFacts } from './refusal.ts';
export type { CancelledSale, CompletedSale, FailedSale, FailureReason, SaleEvent, SaleResult } from './sale.ts';
