import type { Connection } from '../redis/connection.ts';
import { StoreUnavailable } from '../redis/failure.ts';
import { noteReceiptScript } from './scripts/sales.ts';
import { awaitShared } from './spare-key.ts';
import { type Store, soldMs } from './store.ts';

/** More are forgotten: support then finds the sale by its calculation ID alone. */
const MAX_WAITING = 10_000;

/** Receipts whose master was away, to be noted when another one could be. */
const waiting = new WeakMap<Connection, Map<string, string>>();

/**
 * Leads from the receipt number of a sale event (`transactionId`) to the calculation, for as long as that is kept. It has a
 * slot of its own, and support alone needs it: while its master of a cluster is away it waits here, and the sale is booked.
 */
export async function noteReceipt(store: Store, transactionId: string, calculationId: string): Promise<void> {
  const { connection } = store;
  const late = waiting.get(connection) ?? new Map<string, string>();
  try {
    await awaitShared(store, write(store, transactionId, calculationId));
  } catch (error) {
    if (!(error instanceof StoreUnavailable) || !connection.isCluster) throw error;
    if (late.size < MAX_WAITING) waiting.set(connection, late.set(transactionId, calculationId));
    return;
  }
  const [next] = late;
  if (!next) return;
  late.delete(next[0]);
  void noteReceipt(store, ...next).catch(() => undefined);
}

async function write(store: Store, transactionId: string, calculationId: string): Promise<void> {
  const key = store.keys.receipt(transactionId);
  const keptMs = soldMs(store.periods);
  await noteReceiptScript(store.connection, { receipt: key }, { calculationId, keptMs });
}

/** Calculations whose sale events named this receipt, the first one first. Throws `StoreUnavailable`. */
export async function readReceipt(store: Store, transactionId: string): Promise<string[]> {
  const text = await store.connection.run(store.keys.receipt(transactionId), (client, key) => client.get(key));
  return text?.split(' ') ?? [];
}
