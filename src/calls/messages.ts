import type { Refusal } from '../contract/errors.ts';
import type { Phases } from '../telemetry/stopwatch.ts';

/** A call as a task and its result: all that crosses to a worker thread and back, bytes in and bytes out. */

/** One call. `body` is an ArrayBuffer of its own and is transferred, never cloned. */
export interface Task {
  readonly route: 'basket' | 'sale';
  readonly calculationId: string;
  readonly body: ArrayBuffer;
  /** Instant of the machine's monotonic clock (`monotonicMs`) after which nobody waits for the answer. */
  readonly deadlineMs: number;
  /** The same instant by the clock of the Redis node that took the call's token. */
  readonly redisDeadlineMs: number;
  /** Sale events: the calculation's index entry as the front end has read it; undefined when there was none. */
  readonly indexEntry: string | undefined;
}

/** Runs a call to its end; the same in a worker thread and in the front end's own. */
export type TaskRunner = (task: Task) => Promise<TaskResult>;

/**
 * Runs a call in the front end as long as that takes little; otherwise nothing has been written, and the call is to be run
 * by a thread from its beginning.
 */
export type InlineRunner = (task: Task) => Promise<TaskResult | 'too much work'>;

/** What a call has come to. */
export type TaskResult = AnswerResult | RefusalResult;

interface ResultFacts {
  readonly facts: CallFacts;
  readonly phases: Phases;
}

export interface AnswerResult extends ResultFacts {
  readonly kind: 'answer';
  /** JSON, UTF-8. */
  readonly body: Uint8Array;
  readonly isReplayed: boolean;
  /** A line for the recording, when this call is one of the sample. */
  readonly record?: string;
}

export interface RefusalResult extends ResultFacts {
  readonly kind: 'refusal';
  readonly refusal: Refusal;
  /** Set on `internal_error`: for the log, never for the caller. */
  readonly fault?: string;
}

/** What the log says of a call beside its route and times. Never a loyalty ID, never a part of the body. */
export interface CallFacts {
  venueId?: string;
  status?: string;
  reason?: string;
  result?: string;
  isLate?: boolean;
  overRedeemed?: number;
  /** How far the basket's time was from Redis', above 0 when it was ahead; absent when nothing was priced. */
  clockOffsetSeconds?: number;
  /** Set when that is outside the configured window: benefits that go by the clock were closed. */
  clockOff?: true;
  /** Holds of limited benefits that the call took, gave back and turned into consumption; absent when none. */
  holdsMade?: number;
  holdsReleased?: number;
  holdsConsumed?: number;
  /** How often the basket was priced again because a benefit had run short. */
  shortages?: number;
}
