import { calculateUsual, type WorkerContext } from './basket-call.ts';
import type { CallFacts, EventLoopCalls } from './messages.ts';
import { resultOf, toRefusal } from './result.ts';

/**
 * A basket that takes more steps than this to price goes from the event loop to a thread. Ten times what a usual basket of
 * 20 lines takes, and about half a millisecond: as much again is lost by handing it over (docs/measurements/pricing.md).
 */
export const EVENT_LOOP_STEPS = 400;

/** Creates the function that runs the usual basket call on the event loop. */
export function createUsualCall(context: Omit<WorkerContext, 'patience'>): EventLoopCalls['usual'] {
  const patient = { ...context, patience: EVENT_LOOP_STEPS };
  return async (task, door, stopwatch) => {
    const facts: CallFacts = {};
    let outcome: Awaited<ReturnType<typeof calculateUsual>>;
    try {
      outcome = await calculateUsual(patient, task, door, facts, stopwatch);
    } catch (error) {
      outcome = toRefusal(error, facts);
    }
    if (outcome.kind !== 'answer' && outcome.kind !== 'refusal') return outcome;
    return resultOf(task, outcome, facts, stopwatch);
  };
}
