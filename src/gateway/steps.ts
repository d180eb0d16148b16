import type { CallFacts, EventLoopCalls, Task, TaskResult, TooMuchWork } from '../calls/messages.ts';
import type { Replayed } from '../calls/stored/stored-answer.ts';
import { type Refusal, refuse } from '../contract/errors.ts';
import { PoolUnavailable, type UnavailableReason } from '../contract/unavailable.ts';
import type { RedisCause } from '../redis/cause.ts';
import { reasonOf, StoreUnavailable } from '../redis/failure.ts';
import type { CallKind, RateLimit } from '../store/rate-limit.ts';
import type { Store } from '../store/store.ts';
import { monotonicMs, Stopwatch, WORKER_PHASES } from '../telemetry/stopwatch.ts';
import type { Credentials } from './authenticate.ts';
import type { Call } from './call.ts';
import type { RequestHead } from './request-head.ts';

/** What the steps of a call share: its context, its record, and the ways in which a step ends it. */

/** The parts of the service that a call needs. */
export interface LifecycleContext {
  readonly store: () => Store;
  /** Small calls run on the event loop: handing them to a thread costs more than pricing them. */
  readonly eventLoop: () => EventLoopCalls;
  /** A body up to this size begins there. Reading a larger one alone would hold up every other call. */
  readonly inlineBytes: number;
  /** Threads, for large bodies and for baskets that are much work. */
  readonly runInThread: (task: Task) => Promise<TaskResult>;
  readonly credentials: () => Credentials;
  readonly rateLimit: () => RateLimit;
  readonly deadlineMs: () => number;
  /** Why no call may be answered now, although Redis would carry out its commands. */
  readonly obstacle: () => RedisCause | undefined;
  /** Gives a stored answer to its request again. */
  readonly replay: (stored: Buffer, request: Uint8Array<ArrayBuffer>) => Replayed | Promise<Replayed>;
  readonly onFault: (call: Call, fault: string) => void;
  /** Called with every result, even when its caller has gone. */
  readonly onResult: (result: TaskResult) => void;
}

/** The log's facts about a call, filled in as they become known. */
export interface CallRecord extends CallFacts {
  readonly route: string;
  calculationId?: string;
  code?: string;
  /** The address of a caller who failed to authenticate; behind a proxy it is the proxy's. */
  remote?: string;
  isReplayed?: boolean;
  /** Refused by admission, before anything was done. */
  isShed?: boolean;
  /** The call ended before its last byte arrived. */
  isUnfinished?: boolean;
  /** The caller is authenticated. */
  isAuthentic?: boolean;
}

/** A completely received call on its way through the steps. */
export interface ReceivedCall {
  readonly kind: CallKind;
  readonly head: RequestHead;
  readonly body: Uint8Array<ArrayBuffer>;
  /** The only way to answer it. */
  readonly call: Call;
  readonly record: CallRecord;
}

/** Runs a step with a stopwatch of its own, whose phases are reported as the call's until it ends. */
export async function withPhases<Result>(
  { stopwatch }: Call,
  kind: CallKind,
  run: (nested: Stopwatch) => Promise<Result>,
): Promise<Result> {
  stopwatch.nested = new Stopwatch(monotonicMs(), WORKER_PHASES[kind]);
  const result = await run(stopwatch.nested);
  stopwatch.nested = undefined;
  return result;
}

/** Goes on in a thread. */
export async function goOnInThread(context: LifecycleContext, received: ReceivedCall, task: Task): Promise<void> {
  const { call, kind } = received;
  const result = await withPhases(call, kind, (stopwatch) => {
    stopwatch.handOver();
    return context.runInThread(task);
  });
  endWithResult(context, received, result);
}

/** Goes on in a thread with a basket that was too much work for the event loop. */
export function handOver(
  context: LifecycleContext,
  received: ReceivedCall,
  task: Task,
  { opened, spent }: TooMuchWork,
): Promise<void> {
  return goOnInThread(context, received, { ...task, opened, spent });
}

export function endWithResult(context: LifecycleContext, received: ReceivedCall, result: TaskResult): void {
  const { call, record } = received;
  call.stopwatch.lap('worker');
  // The call may be committed: whatever is counted or recorded of it must not come between it and its answer.
  try {
    context.onResult(result);
  } catch (error) {
    context.onFault(call, `${(error as Error).stack}`);
  }
  // Of a call that is over nobody reads the record any more; the log is told of a fault all the same.
  Object.assign(record, result.facts);
  // The pricer's phases are nested within `worker`.
  Object.assign(call.stopwatch.phases, result.phases);
  if (result.kind === 'refusal') {
    if (result.fault !== undefined) context.onFault(call, result.fault);
    call.deadlinePhase = result.facts.phase;
    return endRefused(received, result.refusal);
  }
  record.isReplayed = result.isReplayed;
  call.answer(result.body, result.isReplayed);
}

export function endRefused({ call, record }: ReceivedCall, refusal: Refusal): void {
  if (call.isOver) return;
  record.code = refusal.code;
  call.refuse(refusal);
}

export function endUnavailable(
  received: ReceivedCall,
  reason: UnavailableReason,
  refusal = refuse('unavailable'),
): void {
  const { call, record } = received;
  record.reason = reason;
  if (reason === 'deadline') record.phase ??= call.stopwatch.runningPhase;
  call.deadlinePhase = record.phase;
  endRefused(received, refusal);
}

export function refuseForError(context: LifecycleContext, received: ReceivedCall, error: unknown): void {
  if (error instanceof StoreUnavailable) {
    const { redisCause: cause, server } = error;
    Object.assign(received.record, cause && { cause }, server && { server });
    return endUnavailable(received, reasonOf(error));
  }
  if (error instanceof PoolUnavailable) return endUnavailable(received, 'threads');
  context.onFault(received.call, error instanceof Error ? (error.stack ?? error.message) : String(error));
  endRefused(received, refuse('internal_error'));
}
