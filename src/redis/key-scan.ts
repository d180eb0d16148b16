import type { Redis } from 'ioredis';
import type { Connection } from './connection.ts';
import { toStoreError } from './failure.ts';

/** Keys that Redis scans per command; each command blocks it for about a quarter of a millisecond. */
const KEYS_PER_STEP = 250;

/** Some of the matching keys, and the share of all keys scanned so far. */
export interface KeyPage {
  readonly server: Redis;
  readonly keys: readonly string[];
  /** From 0 to 1; an estimate, because keys are added and removed during the scan. */
  readonly share: number;
}

/**
 * Finds every key of a form (`*` matches any text), one server after the other, in no order. As with SCAN, keys written
 * during the scan may be missing, and a key may come twice. Throws `StoreUnavailable`.
 */
export async function* scanKeys(connection: Connection, form: string): AsyncGenerator<KeyPage> {
  const { servers } = connection;
  const sizes = await Promise.all(servers.map((server) => orStoreError(server.dbsize())));
  const everything = sizes.reduce((sum, size) => sum + size, 0);
  let looked = 0;
  for (const server of servers) {
    let cursor = '0';
    do {
      const [next, keys] = await orStoreError(server.scan(cursor, 'MATCH', form, 'COUNT', KEYS_PER_STEP));
      cursor = next;
      looked += KEYS_PER_STEP;
      yield { server, keys, share: Math.min(1, looked / Math.max(1, everything)) };
    } while (cursor !== '0');
  }
}

/** Converts the errors of commands that are sent to a server past the connection's breaker. */
export function orStoreError<T>(reply: Promise<T>): Promise<T> {
  return reply.catch((error: unknown) => Promise.reject(toStoreError(error)));
}
