import { refuse } from '../contract/errors.ts';
import { COMMIT_MARGIN_MS } from '../contract/limits.ts';
import { StoreUnavailable } from '../redis/failure.ts';
import { monotonicMs, Stopwatch } from '../telemetry/stopwatch.ts';
import { calculateBasket, calculateFirst, type Outcome, type TooMuchWork, type WorkerContext } from './basket-call.ts';
import type { CallFacts, FirstRunner, InlineRunner, Task, TaskResult, TaskRunner } from './messages.ts';
import { settle } from './sale-call.ts';

const ROUTES = { basket: calculateBasket, sale: settle } as const;

/**
 * A basket that takes more steps than this to price goes from the front end to a thread. Ten times what a usual basket of
 * 20 lines takes, and about half a millisecond: as much again is lost by handing it over (docs/measurements/pricing.md).
 */
const INLINE_STEPS = 400;

/** Bounds the time for which the outcome of a call is awaited. */
export type Patience = (work: Promise<Outcome | TooMuchWork>, deadlineMs: number) => Promise<Outcome | TooMuchWork>;

/** Creates the function that runs a call in a thread, whatever work it takes. */
export function createRunner(context: Omit<WorkerContext, 'patience'>, patience: Patience): TaskRunner {
  return async (task) => {
    const result = await runTask(context, task, patience);
    if (result === 'too much work') throw new Error('assertion failed: no work is too much for a thread');
    return result;
  };
}

/**
 * Creates the function that runs a call in the front end, where none may take long. A call runs until its last command has
 * ended: that delays no other call, and the gateway's own timer answers at the deadline.
 */
export function createInlineRunner(context: Omit<WorkerContext, 'patience'>): InlineRunner {
  return (task) => runTask({ ...context, patience: INLINE_STEPS }, task, (work) => work);
}

/** Creates the function that tries a basket call in the front end as the first of its ID. */
export function createFirstRunner(context: Omit<WorkerContext, 'patience'>): FirstRunner {
  const patient = { ...context, patience: INLINE_STEPS };
  return async (task, door) => {
    const facts: CallFacts = {};
    const stopwatch = new Stopwatch();
    const outcome = await calculateFirst(patient, task, door, facts, stopwatch).catch(toRefusal);
    if (outcome.kind === 'too much work') return outcome.kind;
    if (outcome.kind !== 'answer' && outcome.kind !== 'refusal') return outcome;
    return { ...outcome, facts, phases: stopwatch.phases };
  };
}

async function runTask(context: WorkerContext, task: Task, patience: Patience): Promise<TaskResult | 'too much work'> {
  // A call that waited too long in the queue can no longer be committed, so no work is spent on it.
  if (monotonicMs() > task.deadlineMs - COMMIT_MARGIN_MS) return { ...unavailable(), facts: {}, phases: {} };
  const facts: CallFacts = {};
  const stopwatch = new Stopwatch();
  const work = ROUTES[task.route](context, task, facts, stopwatch);
  const outcome = await patience(work, task.deadlineMs).catch(toRefusal);
  if (outcome.kind === 'too much work') return outcome.kind;
  return { ...outcome, facts, phases: stopwatch.phases };
}

function toRefusal(error: unknown): Outcome {
  if (error instanceof StoreUnavailable) return unavailable();
  const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'refusal', refusal: refuse('internal_error'), fault };
}

function unavailable() {
  return { kind: 'refusal', refusal: refuse('unavailable') } as const;
}
