import { TransactionId, Uuid } from './scalars.ts';
import { type Static, Type } from './schema-type.ts';

/**
 * Body of the post-sale event. The interface only names its fields (interface, section 2). The fields required by each
 * status are our decision (docs/decisions.md), checked in packages/contract/src/basket/sale-event.ts.
 */

export const SALE_STATUSES = [
  'applied',
  'unchanged',
  'member_not_found',
  'failed',
  'not_applicable',
  'cancelled',
] as const;
export type SaleStatus = (typeof SALE_STATUSES)[number];

export const FAILURE_REASONS = [
  'invalid_response',
  'http_error',
  'timeout',
  'connection_error',
  'pos_error',
  'offline',
] as const;

export const SaleEvent = Type.Object({
  calculationId: Uuid,
  status: Type.Enum([...SALE_STATUSES]),
  transactionId: Type.Optional(TransactionId),
  failureReason: Type.Optional(Type.Enum([...FAILURE_REASONS])),
});
export type SaleEvent = Static<typeof SaleEvent>;

export type SaleResult = 'recorded' | 'duplicate' | 'unknown_calculation';
