import { type Refusal, refuse } from '../contract/errors.ts';
import { COMMIT_MARGIN_MS } from '../contract/limits.ts';
import { reasonOf, StoreUnavailable } from '../redis/failure.ts';
import { monotonicMs, Stopwatch, WORKER_PHASES } from '../telemetry/stopwatch.ts';
import { calculateBasket, calculateFirst, type Outcome, type TooMuchWork, type WorkerContext } from './basket-call.ts';
import type { CallFacts, FirstRunner, InlineRunner, Task, TaskResult, TaskRunner } from './messages.ts';
import { settle } from './sale-call.ts';
import { findSender } from './sender.ts';

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
  return (task, stopwatch) => runTask({ ...context, patience: INLINE_STEPS }, task, (work) => work, stopwatch);
}

/** Creates the function that tries a basket call in the front end as the first of its ID. */
export function createFirstRunner(context: Omit<WorkerContext, 'patience'>): FirstRunner {
  const patient = { ...context, patience: INLINE_STEPS };
  return async (task, door, stopwatch = new Stopwatch(monotonicMs(), WORKER_PHASES.basket)) => {
    const facts: CallFacts = {};
    let outcome: Awaited<ReturnType<typeof calculateFirst>>;
    try {
      outcome = await calculateFirst(patient, task, door, facts, stopwatch);
    } catch (error) {
      outcome = toRefusal(error, facts);
    }
    if (outcome.kind === 'too much work') return outcome.kind;
    if (outcome.kind !== 'answer' && outcome.kind !== 'refusal') return outcome;
    if (outcome.kind === 'refusal') noteRefusal(task, outcome, facts, stopwatch);
    return resultOf(outcome, facts, stopwatch);
  };
}

async function runTask(
  context: WorkerContext,
  task: Task,
  patience: Patience,
  frontStopwatch?: Stopwatch,
): Promise<TaskResult | 'too much work'> {
  // A call that waited too long in the queue can no longer be committed, so no work is spent on it.
  if (monotonicMs() > task.deadlineMs - COMMIT_MARGIN_MS) {
    // The front end has no queue: there, the time went into asking Redis for token and ID.
    return { ...unavailable(), facts: { reason: 'deadline', phase: frontStopwatch ? 'lookup' : 'queue' }, phases: {} };
  }
  const facts: CallFacts = {};
  const stopwatch = frontStopwatch ?? new Stopwatch(monotonicMs(), WORKER_PHASES[task.route]);
  const work = ROUTES[task.route](context, task, facts, stopwatch);
  const outcome = await patience(work, task.deadlineMs).catch((error) => toRefusal(error, facts));
  if (outcome.kind === 'too much work') return outcome.kind;
  if (outcome.kind === 'refusal') noteRefusal(task, outcome, facts, stopwatch);
  return resultOf(outcome, facts, stopwatch);
}

/** Written out, because spreading an outcome of several shapes costs more than the rest of this file. */
function resultOf(outcome: Outcome, facts: CallFacts, { phases }: Stopwatch): TaskResult {
  if (outcome.kind === 'refusal') return { ...outcome, facts, phases };
  const { kind, body, isReplayed, record, redemption } = outcome;
  const result = { kind, body, isReplayed, facts, phases };
  if (record === undefined && redemption === undefined) return result;
  return { ...result, ...(record !== undefined && { record }), ...(redemption && { redemption }) };
}

function toRefusal(error: unknown, facts: CallFacts): Outcome {
  if (error instanceof StoreUnavailable) {
    facts.reason = reasonOf(error);
    if (error.redisCause) facts.cause = error.redisCause;
    if (error.server) facts.server = error.server;
    return unavailable();
  }
  const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'refusal', refusal: refuse('internal_error'), fault };
}

/** Adds what support needs of a refused call: its phase when its time ran out, otherwise the till that sent it. */
function noteRefusal(task: Task, { refusal }: { refusal: Refusal }, facts: CallFacts, stopwatch: Stopwatch): void {
  if (refusal.code === 'unavailable') {
    // A script that came too late refuses without an error.
    facts.reason ??= 'deadline';
    if (facts.reason === 'deadline') facts.phase = stopwatch.runningPhase;
  } else if (task.route === 'basket') Object.assign(facts, findSender(task.body));
}

function unavailable() {
  return { kind: 'refusal', refusal: refuse('unavailable') } as const;
}
