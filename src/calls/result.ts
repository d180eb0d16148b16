import { type Refusal, refuse } from '../contract/errors.ts';
import { reasonOf, StoreUnavailable } from '../redis/failure.ts';
import type { Stopwatch } from '../telemetry/stopwatch.ts';
import type { Outcome } from './basket-call.ts';
import type { CallFacts, Task, TaskResult } from './messages.ts';
import { findSender } from './sender.ts';

/** The end of a call whose work has ended with an outcome, with what the log says of it. */
export function resultOf(task: Task, outcome: Outcome, facts: CallFacts, stopwatch: Stopwatch): TaskResult {
  const { phases } = stopwatch;
  if (outcome.kind === 'refusal') {
    noteRefusal(task, outcome, facts, stopwatch);
    return { ...outcome, facts, phases };
  }
  // Written out, because spreading an outcome of several shapes costs more than the rest of this file.
  const { kind, body, isReplayed, record, redemption } = outcome;
  const result = { kind, body, isReplayed, facts, phases };
  if (record === undefined && redemption === undefined) return result;
  return { ...result, ...(record !== undefined && { record }), ...(redemption && { redemption }) };
}

/** What an error of its work makes of a call. */
export function toRefusal(error: unknown, facts: CallFacts): Outcome {
  if (error instanceof StoreUnavailable) {
    facts.reason = reasonOf(error);
    if (error.redisCause) facts.cause = error.redisCause;
    if (error.server) facts.server = error.server;
    return unavailable();
  }
  const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'refusal', refusal: refuse('internal_error'), fault };
}

export function unavailable() {
  return { kind: 'refusal', refusal: refuse('unavailable') } as const;
}

/** Adds what support needs of a refused call: its phase when its time ran out, otherwise the till that sent it. */
function noteRefusal(task: Task, { refusal }: { refusal: Refusal }, facts: CallFacts, stopwatch: Stopwatch): void {
  if (refusal.code === 'unavailable') {
    // A script that came too late refuses without an error.
    facts.reason ??= 'deadline';
    if (facts.reason === 'deadline') facts.phase = stopwatch.runningPhase;
  } else if (task.route === 'basket') Object.assign(facts, findSender(task.body));
}
