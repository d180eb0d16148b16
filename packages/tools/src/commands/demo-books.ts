import { findCalculation } from '../../../../src/store/find-calculation.ts';
import type { Store } from '../../../../src/store/store.ts';
import type { ServiceBooks } from '../../../simulator/src/reconcile.ts';
import { everyEvent } from '../events/every-event.ts';

/**
 * Opens the service's own books in its Redis: the calculations, and the event streams since `sinceMs` (Unix time by
 * Redis' clock). The streams are read once, so it must be called after all events have been sent.
 */
export async function openServiceBooks(store: Store, sinceMs: number): Promise<ServiceBooks> {
  // A stream may deliver the same entry more than once, so the distinct ones count.
  const recorded = new Map<string, Set<string>>();
  for await (const { event, words } of everyEvent(store, `${Math.max(0, sinceMs - 1)}-0`)) {
    if (event.result !== 'recorded') continue;
    const { calculationId = '' } = event;
    const entries = recorded.get(calculationId) ?? new Set();
    recorded.set(calculationId, entries.add(JSON.stringify(words)));
  }
  return async (calculationId) => {
    const record = await findCalculation(store, calculationId);
    if (!record) return undefined;
    return {
      saleStatus: record.sale?.status,
      transactionId: record.sale?.transactionId,
      recordedEvents: recorded.get(calculationId)?.size ?? 0,
    };
  };
}
