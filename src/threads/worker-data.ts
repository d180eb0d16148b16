import type { CheckedEnvironment } from '../programme/environment.ts';
import type { RecordingOptions } from '../recording/record.ts';
import type { RedisAddress } from '../redis/address.ts';

/**
 * A worker thread's start data. The thread compiles the environment itself, because compiled functions cannot be
 * cloned.
 */
export interface WorkerData {
  readonly environment: CheckedEnvironment;
  readonly redis: RedisAddress;
  /** Folder for baskets whose answer failed its own check. */
  readonly repairDir: string;
  /** Shared memory for the name of the data that should be in Redis (store/data-guard.ts). */
  readonly dataset: SharedArrayBuffer;
  /** Present when answered baskets are recorded. */
  readonly recording?: RecordingOptions;
  /** Shared memory for the threads' signs of life (pulse.ts). */
  readonly pulse: SharedArrayBuffer;
  /** The code of the process (code-identity.ts). */
  readonly code: string;
}
