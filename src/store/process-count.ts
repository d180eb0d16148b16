import { noteProcessCount } from './local-limit.ts';
import { runScript } from './scripts.ts';
import type { Store } from './store.ts';

/** A process that has not been noted for this long has ended. */
const LIFETIME_MS = 15_000;

/**
 * Notes this process among those of the environment, and learns how many there are: each limits its calls to its share
 * while the bucket cannot be reached. Throws `StoreUnavailable`, and the last count remains.
 */
export async function countProcesses(store: Store, process: string): Promise<number> {
  const reply = await runScript(store.connection, 'count-processes', [store.keys.processes()], [process, LIFETIME_MS]);
  noteProcessCount(store.connection, reply as number);
  return reply as number;
}
