import { callCommand } from '../redis/commands.ts';
import { eventStream } from './keys.ts';
import type { Store } from './store.ts';

/**
 * An entry of the event stream (format: docs/operations.md). Every value is text. Consumers join on `calculationId` and
 * receive each event at least once.
 */
export interface SettledEvent {
  readonly calculationId: string;
  readonly result: 'recorded' | 'unknown_calculation' | 'conflict' | 'expired';
  readonly status: string;
  readonly transactionId: string;
  readonly failureReason: string;
  /** The status of the calculation's answer: applied, unchanged or member_not_found. */
  readonly answered?: string;
  readonly venueId?: string;
  readonly programmeId?: string;
  /** The member in Redis keys, in place of the loyalty ID. */
  readonly member?: string;
  readonly currency?: string;
  /** What the sale gave by benefits: `benefitId=units/saved`, separated by blanks. */
  readonly benefits?: string;
  /** Limited benefits consumed: `usageKey=units/limit`, separated by blanks. */
  readonly uses?: string;
  /** `1` when the event came after expiry or supersession. */
  readonly late?: string;
  /** Units consumed past a limit by this event. */
  readonly overRedeemed?: string;
}

/** Appends to the calculation's stream, which keeps its entries for the retention time. */
export async function appendEvent(store: Store, event: SettledEvent): Promise<void> {
  const key = store.keys.events(eventStream(event.calculationId));
  const oldestMs = Date.now() - store.periods.retentionMs;
  const fields = Object.entries(event).flat();
  await callCommand(store.connection, 'xadd', key, 'MINID', '~', oldestMs, '*', ...fields);
}
