import type { CheckedEnvironment } from '../programme/environment.ts';

/**
 * A worker thread's start data. The thread compiles the environment itself, because compiled functions cannot be
 * cloned.
 */
export interface WorkerData {
  readonly environment: CheckedEnvironment;
  /** Folder for baskets whose answer failed its own check. */
  readonly repairDir: string;
  /** The code of the process (code-identity.ts). */
  readonly code: string;
}
