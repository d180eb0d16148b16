import type { CheckedEnvironment } from '../programme/environment.ts';

/**
 * A worker thread's start data. The thread compiles the environment itself, because compiled functions cannot be
 * cloned.
 */
export interface WorkerData {
  readonly environment: CheckedEnvironment;
  /** The code of the process (code-identity.ts). */
  readonly code: string;
}
