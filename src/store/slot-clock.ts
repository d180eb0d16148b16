import { StoreUnavailable } from '../redis/failure.ts';
import { runScript } from './scripts.ts';
import type { Store } from './store.ts';

/**
 * The end of a call as an instant of the clock that will judge it: that of the node on which the key's slot lives, for the
 * nodes of a cluster have clocks of their own. `remainingMs()` is what is left of the call. Throws `StoreUnavailable` when
 * the call's time has run out meanwhile.
 */
export async function slotDeadline(store: Store, key: string, remainingMs: () => number): Promise<number> {
  const nowMs = (await runScript(store.connection, 'read-clock', [key], [])) as number;
  const leftMs = remainingMs();
  if (leftMs <= 0) throw new StoreUnavailable('the deadline has passed');
  return Math.floor(nowMs + leftMs);
}
