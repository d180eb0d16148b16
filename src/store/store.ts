import type { Connection } from '../redis/connection.ts';
import type { Keys } from './keys.ts';

/** The parameter of every function in this room: a connection, the key names and the periods of the environment. */
export interface Store {
  readonly connection: Connection;
  readonly keys: Keys;
  readonly periods: StorePeriods;
  /** The name of the data that should be there (data-guard.ts); absent where nobody answers calls. */
  readonly guard?: { readonly name: string | undefined };
}

/** How long a calculation is kept once it is sold, in milliseconds. */
export function soldMs({ soldMs: own, retentionMs }: StorePeriods): number {
  return Math.max(own ?? 0, retentionMs);
}

/**
 * A key of all members for a script of one of them: undefined on a cluster, where it is in another slot, and the caller does what the script leaves.
 */
export function besideMember({ connection }: Store, key: string): string | undefined {
  return connection.isCluster ? undefined : key;
}

/** Periods in milliseconds (configuration, `calculation`). */
export interface StorePeriods {
  /** A calculation without a sale event or a successor expires after this (interface, section 3: 30 minutes). */
  readonly holdMs: number;
  /** A stored answer is replayed for this long (interface, section 8: 24 hours). */
  readonly idempotencyMs: number;
  /** The history of a calculation is kept for this long, for late sale events. */
  readonly retentionMs: number;
  /** A sold calculation is kept for this long after its sale, so that goods can be returned; as long as others without it. */
  readonly soldMs?: number;
}
