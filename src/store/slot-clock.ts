import { StoreUnavailable } from '../redis/failure.ts';
import { runScript } from './scripts.ts';
import type { Store } from './store.ts';

/** When a call ends, after which nothing of it may be written. */
export interface CallDeadline {
  /** What is left of the call. */
  readonly remainingMs: () => number;
  /** The end as an instant of the clock of the node that took the call's token. */
  readonly redisMs: number;
}

/**
 * The end of a call as an instant of the clock that will judge it: that of the node on which the key's slot lives. The nodes
 * of a cluster have clocks of their own, so theirs is asked; a single server is the one that took the token. Throws
 * `StoreUnavailable` when the call's time has run out meanwhile.
 */
export async function slotDeadline(store: Store, key: string, { remainingMs, redisMs }: CallDeadline): Promise<number> {
  const nowMs = store.connection.isCluster
    ? ((await runScript(store.connection, 'read-clock', [key], [])) as number)
    : undefined;
  const leftMs = remainingMs();
  if (leftMs <= 0) throw new StoreUnavailable('the deadline has passed');
  return Math.floor(nowMs === undefined ? redisMs : nowMs + leftMs);
}
