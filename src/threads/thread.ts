import { calculateBasket, type Outcome, type WorkerContext } from '../calls/basket-call.ts';
import type { CallFacts, TaskRunner, WorkerData } from '../calls/messages.ts';
import { settle } from '../calls/sale-call.ts';
import { refuse } from '../contract/errors.ts';
import { COMMIT_MARGIN_MS } from '../contract/limits.ts';
import { loadEnvironment } from '../programme/environment.ts';
import { Connection } from '../redis/connection.ts';
import { StoreUnavailable } from '../redis/failure.ts';
import { createKeys } from '../store/keys.ts';
import { monotonicMs, Stopwatch } from '../telemetry/stopwatch.ts';

const ROUTES = { basket: calculateBasket, sale: settle } as const;

/** What a worker thread keeps for its life, and the function that answers one call. */
export function createThreadRunner(data: WorkerData): TaskRunner {
  const environment = loadEnvironment(data.environmentText, data.environmentSource);
  const connection = new Connection(data.redis, 'loyalty-worker');
  const store = { connection, keys: createKeys(environment.name), periods: environment.calculation };
  const { repairDir, recording } = data;
  return createRunner({ environment, store, repairDir, ...(recording && { recording }) }, withinDeadline);
}

/** Decides how long the outcome of a call is waited for. */
type Patience = (work: Promise<Outcome>, deadlineMs: number) => Promise<Outcome>;

/**
 * The function that answers one call, for whoever has an environment and a store. Without `patience` it ends when its last
 * command has: the front end, where nothing waits behind a call, gives up by itself.
 */
export function createRunner(context: WorkerContext, patience: Patience = (work) => work): TaskRunner {
  return async (task) => {
    // What waited too long in the queue cannot be committed any more: nothing is spent on it.
    if (monotonicMs() > task.deadlineMs - COMMIT_MARGIN_MS) return { ...unavailable(), facts: {}, phases: {} };
    const facts: CallFacts = {};
    const stopwatch = new Stopwatch();
    const work = ROUTES[task.route](context, task, facts, stopwatch);
    const outcome = await patience(work, task.deadlineMs).catch(toRefusal);
    return { ...outcome, facts, phases: stopwatch.phases };
  };
}

/**
 * Gives a call up at its deadline, so that a Redis that hangs does not fill the thread with waiting calls. What goes on
 * in the background writes nothing more: every commit names the deadline.
 */
async function withinDeadline(work: Promise<Outcome>, deadlineMs: number): Promise<Outcome> {
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
  if (error instanceof StoreUnavailable) return unavailable();
  const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'refusal', refusal: refuse('internal_error'), fault };
}

function unavailable() {
  return { kind: 'refusal', refusal: refuse('unavailable') } as const;
}
