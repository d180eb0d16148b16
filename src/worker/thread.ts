import { refuse } from '../contract/errors.ts';
import type { CallFacts, Task, TaskResult, WorkerData } from '../pool/messages.ts';
import { loadEnvironment } from '../programme/environment.ts';
import { Connection } from '../store/connection.ts';
import { StoreUnavailable } from '../store/failure.ts';
import { createKeys } from '../store/keys.ts';
import { monotonicMs, Stopwatch } from '../telemetry/stopwatch.ts';
import { calculateBasket, type Outcome, type WorkerContext } from './calculate-basket.ts';
import { settle } from './settle.ts';

const ROUTES = { basket: calculateBasket, sale: settle } as const;

/** Builds what a thread keeps for its life, and the function that answers one call. */
export function createThread(data: WorkerData): (task: Task) => Promise<TaskResult> {
  const environment = loadEnvironment(data.environmentText, data.environmentSource);
  const connection = new Connection(data.redis, 'loyalty-worker');
  const store = { connection, keys: createKeys(environment.name), periods: environment.calculation };
  const context = { environment, store, repairDir: data.repairDir };
  return (task) => runTask(context, task);
}

async function runTask(context: WorkerContext, task: Task): Promise<TaskResult> {
  const facts: CallFacts = {};
  const stopwatch = new Stopwatch();
  const outcome = await withinDeadline(task.deadlineMs, ROUTES[task.route](context, task, facts, stopwatch)).catch(
    toRefusal,
  );
  const { phases } = stopwatch;
  if (outcome.kind === 'refusal') return { ...outcome, facts, phases };
  // A copy of its own: a small Buffer shares a pooled slab, and posting that would send other calls' bytes along.
  const body = new Uint8Array(outcome.body).buffer;
  return { kind: 'answer', body, isReplayed: outcome.isReplayed, facts, phases };
}

/**
 * Gives a call up at its deadline, so that a Redis that hangs does not fill the thread with waiting calls. What goes on
 * in the background writes nothing more: every commit names the deadline.
 */
async function withinDeadline(deadlineMs: number, work: Promise<Outcome>): Promise<Outcome> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new StoreUnavailable('no answer in time')),
    Math.max(0, deadlineMs - monotonicMs()),
  );
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

function toRefusal(error: unknown): Outcome {
  if (error instanceof StoreUnavailable) return { kind: 'refusal', refusal: refuse('unavailable') };
  const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'refusal', refusal: refuse('internal_error'), fault };
}
