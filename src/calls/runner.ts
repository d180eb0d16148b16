import { refuse } from '../contract/errors.ts';
import { COMMIT_MARGIN_MS } from '../contract/limits.ts';
import { StoreUnavailable } from '../redis/failure.ts';
import { monotonicMs, Stopwatch } from '../telemetry/stopwatch.ts';
import { calculateBasket, type Outcome, type WorkerContext } from './basket-call.ts';
import type { CallFacts, TaskRunner } from './messages.ts';
import { settle } from './sale-call.ts';

const ROUTES = { basket: calculateBasket, sale: settle } as const;

/** Decides how long the outcome of a call is waited for. */
export type Patience = (work: Promise<Outcome>, deadlineMs: number) => Promise<Outcome>;

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

function toRefusal(error: unknown): Outcome {
  if (error instanceof StoreUnavailable) return unavailable();
  const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'refusal', refusal: refuse('internal_error'), fault };
}

function unavailable() {
  return { kind: 'refusal', refusal: refuse('unavailable') } as const;
}
