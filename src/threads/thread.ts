import { type PricedCall, type PricingTask, parseTask, priceTask } from '../calls/pricing.ts';
import { type Replayed, replayAnswer } from '../calls/stored/stored-answer.ts';
import { warmUp } from '../calls/warm-up.ts';
import { type CheckedEnvironment, compileEnvironment } from '../programme/environment.ts';
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

/** A large stored answer that is to be rendered again for its request. */
export interface ReplayTask {
  readonly stored: Uint8Array<ArrayBuffer>;
  readonly request: Uint8Array<ArrayBuffer>;
}

/** The work of a thread: bytes in, bytes out. */
export type ThreadTask = PricingTask | ReplayTask;
/** A thread says that it has begun a task by its number. */
export type NumberedTask = ThreadTask & { readonly number: number };

/** Compiles a thread's environment, and returns the function that does a task by it, warmed up. */
export function createThread({ environment: checked }: WorkerData): (task: ThreadTask) => PricedCall | Replayed {
  const environment = compileEnvironment(checked);
  warmUp(environment, parseTask);
  return (task) => {
    if ('stored' in task) return replayAnswer(Buffer.from(task.stored.buffer), task.request);
    return priceTask(environment, task);
  };
}
