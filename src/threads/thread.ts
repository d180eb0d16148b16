import type { ReplayTask, TaskRunner } from '../calls/messages.ts';
import { createRunner } from '../calls/runner.ts';
import { type Replayed, replayAnswer } from '../calls/stored/stored-answer.ts';
import { warmUp } from '../calls/warm-up.ts';
import { compileEnvironment } from '../programme/environment.ts';
import { Connection } from '../redis/connection.ts';
import { DeadlinePassed } from '../redis/failure.ts';
import { DataGuard } from '../store/data-guard.ts';
import { inspectFormat } from '../store/format.ts';
import { createKeys } from '../store/keys.ts';
import { readPseudonymKey } from '../store/pseudonyms.ts';
import { monotonicMs } from '../telemetry/stopwatch.ts';
import type { WorkerData } from './worker-data.ts';

/** Creates a worker thread's environment and store, and the function that answers one call with them, warmed up. */
export function createThreadRunner(data: WorkerData): TaskRunner {
  const environment = compileEnvironment(data.environment);
  const keys = createKeys(environment.name);
  const connection = new Connection(data.redis, 'loyalty-worker', { inspect: inspectFormat(keys) });
  const store = { connection, keys, periods: environment.calculation, guard: new DataGuard(data.dataset) };
  // A failure is harmless: the first sale event reads it, or the next connection.
  connection.on('ready', () => void readPseudonymKey(store).catch(() => undefined));
  const { repairDir, recording } = data;
  warmUp(environment, repairDir);
  return createRunner({ environment, store, repairDir, ...(recording && { recording }) }, withinDeadline);
}

/** Renders a large stored answer again. */
export function replayInThread({ stored, request }: ReplayTask): Replayed {
  return replayAnswer(Buffer.from(stored.buffer), request);
}

/**
 * A thread gives a call up this long before its deadline, so that its refusal, which names the phase, arrives before the gateway
 * refuses the call itself. Nothing is committed in this time (`COMMIT_MARGIN_MS`).
 */
const GIVE_UP_MS = 10;

/**
 * Gives up a call at its deadline, so that a hanging Redis does not fill the thread with waiting calls. The call may go
 * on in the background, but it cannot write: every commit carries the deadline.
 */
async function withinDeadline<Result>(work: Promise<Result>, deadlineMs: number): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new DeadlinePassed('no answer in time')),
    Math.max(0, deadlineMs - GIVE_UP_MS - monotonicMs()),
  );
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
