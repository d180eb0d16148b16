import { readCalculation } from '../../store/calculation-record.ts';
import { EVENT_STREAMS } from '../../store/keys.ts';
import type { Store } from '../../store/store.ts';
import type { ServiceBooks } from '../simulator/reconcile.ts';

/** Entries fetched at once: some 100 KB. */
const PAGE = 1_000;

/**
 * The service's own books, from its Redis: what it keeps of each calculation, and the event streams since `sinceMs` (Unix
 * time by Redis' clock). Reads the streams once, so it is opened when nothing is under way any more.
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

/** Different `recorded` entries of each calculation; the same entry again is the stream's at least once. */
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
      const event: Record<string, string> = {};
      for (let index = 0; index + 1 < fields.length; index += 2) event[fields[index]!] = fields[index + 1]!;
      const { calculationId = '', result } = event;
      if (result !== 'recorded') continue;
      const entries = recorded.get(calculationId) ?? new Set();
      recorded.set(calculationId, entries.add(JSON.stringify(fields)));
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    from = `(${last[0]}`;
  }
}
