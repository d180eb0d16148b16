import { readCalculation } from '../../../../src/store/calculation-record.ts';
import { EVENT_STREAMS } from '../../../../src/store/keys.ts';
import { readEvent } from '../../../../src/store/read-event.ts';
import type { Store } from '../../../../src/store/store.ts';
import type { ServiceBooks } from '../../../simulator/src/reconcile.ts';

/** Entries fetched at once, about 100 KB. */
const PAGE = 1_000;

/**
 * Opens the service's own books in its Redis: the calculations, and the event streams since `sinceMs` (Unix time by
 * Redis' clock). The streams are read once, so it must be called after all events have been sent.
 */
export async function openServiceBooks(store: Store, sinceMs: number): Promise<ServiceBooks> {
  const recorded = new Map<string, Set<string>>();
  for (let stream = 0; stream < EVENT_STREAMS; stream += 1) await readStream(store, stream, sinceMs, recorded);
  return async (calculationId) => {
    const record = await readCalculation(store, calculationId);
    if (!record) return undefined;
    return {
      saleStatus: record.sale?.status,
      transactionId: record.sale?.transactionId,
      recordedEvents: recorded.get(calculationId)?.size ?? 0,
    };
  };
}

/** Collects the distinct `recorded` entries of each calculation; a stream may deliver the same entry more than once. */
async function readStream(
  { connection, keys }: Store,
  stream: number,
  sinceMs: number,
  recorded: Map<string, Set<string>>,
): Promise<void> {
  let from = String(sinceMs);
  for (;;) {
    const start = from;
    const page = await connection.run((client) => client.xrange(keys.events(stream), start, '+', 'COUNT', PAGE));
    for (const [, fields] of page) {
      const { calculationId = '', result } = readEvent(fields);
      if (result !== 'recorded') continue;
      const entries = recorded.get(calculationId) ?? new Set();
      recorded.set(calculationId, entries.add(JSON.stringify(fields)));
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    from = `(${last[0]}`;
  }
}
