import type { Connection } from '../redis/connection.ts';
import type { Keys } from './keys.ts';

/** What every noun of this room works with: a connection, the key names and the periods of the environment. */
export interface Store {
  readonly connection: Connection;
  readonly keys: Keys;
  readonly periods: StorePeriods;
}

/** All in milliseconds (configuration, `calculation`). */
export interface StorePeriods {
  /** A calculation without a sale event or a successor expires after this (interface, section 3: 30 minutes). */
  readonly holdMs: number;
  /** A stored answer is replayed for this long (interface, section 8: 24 hours). */
  readonly idempotencyMs: number;
  /** What became of a calculation is known for this long, for late sale events. */
  readonly retentionMs: number;
}
