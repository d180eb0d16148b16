import { callCommand } from '../redis/commands.ts';
import { replyText } from '../redis/scripts.ts';
import { runScript } from './scripts.ts';
import type { Store } from './store.ts';

/** Leads from the receipt number of a sale event (`transactionId`) to the calculation, for as long as that is kept. */
export async function noteReceipt(store: Store, transactionId: string, calculationId: string): Promise<void> {
  const key = store.keys.receipt(transactionId);
  await runScript(store.connection, 'note-receipt', [key], [calculationId, store.periods.retentionMs]);
}

/** Calculations whose sale events named this receipt, the first one first. Throws `StoreUnavailable`. */
export async function readReceipt(store: Store, transactionId: string): Promise<string[]> {
  const text = await callCommand(store.connection, 'get', store.keys.receipt(transactionId));
  return text === null ? [] : replyText(text).split(' ');
}
