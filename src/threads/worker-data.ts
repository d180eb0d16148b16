import type { CheckedEnvironment } from '../programme/environment.ts';
import type { Build } from '../telemetry/build.ts';

/**
 * A worker thread's start data. The thread compiles the environment itself, because compiled functions cannot be
 * cloned.
 */
export interface WorkerData {
  readonly environment: CheckedEnvironment;
  /** The build of the process. */
  readonly build: Build;
}
