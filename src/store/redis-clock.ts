import type { Connection } from '../redis/connection.ts';
import { DeadlinePassed } from '../redis/failure.ts';
import { readClockScript } from './scripts/environment.ts';
import type { Store } from './store.ts';

/** The clock of Redis, in milliseconds since 1970: holds end by it, whatever ours says. Throws `StoreUnavailable`. */
export async function readRedisMs(connection: Connection): Promise<number> {
  const [seconds, microseconds] = await connection.runWithoutKey((client) => client.time());
  return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
}

/** The deadline of a call, after which none of its writes are accepted. */
export interface CallDeadline {
  /** The time left of the call. */
  readonly remainingMs: () => number;
  /** The deadline by the clock of the only server; meaningless on a cluster. */
  readonly redisMs: number;
}

/**
 * The deadline of a call by the clock that will judge it, that of the node with the key's slot. The nodes of a cluster
 * have clocks of their own, so that node is asked for its time; a single server was asked with the index entry. Throws
 * `StoreUnavailable` when the call's time has run out in the meantime.
 */
export async function slotDeadline(store: Store, key: string, { remainingMs, redisMs }: CallDeadline): Promise<number> {
  const nowMs = store.connection.isCluster ? await readClockScript(store.connection, { any: key }, {}) : undefined;
  const leftMs = remainingMs();
  if (leftMs <= 0) throw new DeadlinePassed();
  return Math.floor(nowMs === undefined ? redisMs : nowMs + leftMs);
}
