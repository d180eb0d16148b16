/** The caller's half of the interface, as the package `loyalty-basket-client`. */
export type { BasketLine, BasketRequest, OrderDiscount, Totals } from '../../../src/contract/basket-request.ts';
export type { BasketLineOut } from '../../../src/contract/basket-response.ts';
export type { SaleEvent, SaleResult, SaleStatus } from '../../../src/contract/sale.ts';
export { multiplyQuantity } from '../../../src/money/quantity.ts';
export type { ListedProduct, PriceList } from './added-lines.ts';
export { LoyaltyClient } from './client.ts';
export { CALL_LIMITS, type CallLimits, SALE_BACKOFF, type SaleBackoff } from './limits.ts';
export type { CallRecord, ClientOptions } from './options.ts';
export { FileStore } from './outbox/file-store.ts';
export type { CalledCalculation, StoppedEvent } from './outbox/ledger.ts';
export type { Receipt, SaleEnding } from './outbox/outbox.ts';
export { memoryStore, type OutboxRecord, type OutboxStore } from './outbox/store.ts';
export {
  cancelledEventOf,
  decideWithoutCall,
  type FailureReason,
  type LoyaltyOutcome,
  type NoCallCause,
  type OrderLoyaltyStatus,
  saleEventOf,
  swapBasket,
  type TillBasket,
} from './outcome.ts';
