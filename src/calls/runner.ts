import { COMMIT_MARGIN_MS } from '../contract/limits.ts';
import { monotonicMs, Stopwatch, WORKER_PHASES } from '../telemetry/stopwatch.ts';
import { calculateBasket, type WorkerContext } from './basket-call.ts';
import type { CallFacts, EventLoopCalls, Outcome, Task, TaskResult, TaskRunner, TooMuchWork } from './messages.ts';
import { resultOf, toRefusal, unavailable } from './result.ts';
import { settle } from './sale-call.ts';
import { createUsualCall, EVENT_LOOP_STEPS } from './usual-call.ts';

const ROUTES = { basket: calculateBasket, sale: settle } as const;

/** Bounds the time for which the outcome of a call is awaited. */
export type Patience = (work: Promise<Outcome | TooMuchWork>, deadlineMs: number) => Promise<Outcome | TooMuchWork>;

/** Creates the function that runs a call in a thread, whatever work it takes. */
export function createRunner(context: Omit<WorkerContext, 'patience'>, patience: Patience): TaskRunner {
  return async (task) => {
    const stopwatch = new Stopwatch(monotonicMs(), WORKER_PHASES[task.route], task.spent);
    const result = await runTask(context, task, patience, stopwatch, 'queue');
    if (result.kind === 'too much work') throw new Error('assertion failed: no work is too much for a thread');
    return result;
  };
}

/**
 * Creates the functions that run small calls on the event loop, where none may take long. A call runs until its last command
 * has ended: that delays no other call, and the gateway's own timer answers at the deadline.
 */
export function createEventLoopCalls(context: Omit<WorkerContext, 'patience'>): EventLoopCalls {
  const patient = { ...context, patience: EVENT_LOOP_STEPS };
  return {
    usual: createUsualCall(context),
    // There is no queue: the time went into asking Redis for token and ID.
    looked: (task, stopwatch) => runTask(patient, task, (work) => work, stopwatch, 'lookup'),
  };
}

/** `before` is the phase that a call comes from. */
async function runTask(
  context: WorkerContext,
  task: Task,
  patience: Patience,
  stopwatch: Stopwatch,
  before: string,
): Promise<TaskResult | TooMuchWork> {
  // A call that waited too long can no longer be committed, so no work is spent on it.
  if (monotonicMs() > task.deadlineMs - COMMIT_MARGIN_MS) {
    return { ...unavailable(), facts: { reason: 'deadline', phase: before }, phases: {} };
  }
  const facts: CallFacts = {};
  const work = ROUTES[task.route](context, task, facts, stopwatch);
  const outcome = await patience(work, task.deadlineMs).catch((error) => toRefusal(error, facts));
  return outcome.kind === 'too much work' ? outcome : resultOf(task, outcome, facts, stopwatch);
}
