import type { Refusal } from '../contract/errors.ts';
import type { RedisCause } from '../redis/cause.ts';
import type { RateLimit } from '../store/rate-limit.ts';
import type { Phases, Stopwatch } from '../telemetry/stopwatch.ts';

/** The messages of a call to a worker thread and back: a task in, a result out, bodies as bytes. */

/** One call. `body` may be cut from a larger piece of memory, so it is copied out of it before it is transferred. */
export interface Task {
  readonly route: 'basket' | 'sale';
  readonly calculationId: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Instant of the machine's monotonic clock (`monotonicMs`) at which the caller is refused. */
  readonly deadlineMs: number;
  /** The same instant by the clock of the Redis node that took the call's token. */
  readonly redisDeadlineMs: number;
  /** Sale events: the calculation's index entry as read by the front end; undefined when there was none. */
  readonly indexEntry: string | undefined;
}

/** A large stored answer that is to be rendered again for its request. */
export interface ReplayTask {
  readonly stored: Uint8Array<ArrayBuffer>;
  readonly request: Uint8Array<ArrayBuffer>;
}

/** Runs a call to its end, in a worker thread or in the front end's own thread. */
export type TaskRunner = (task: Task) => Promise<TaskResult>;

/**
 * Runs a call in the front end if it takes little work. Otherwise it writes nothing, and a thread runs the call from its
 * beginning.
 */
export type InlineRunner = (task: Task, stopwatch?: Stopwatch) => Promise<TaskResult | 'too much work'>;

/**
 * Runs a basket call in the front end on the assumption that its ID was never seen, before its token is taken. Where that
 * is wrong, or where another order of the checks might answer otherwise, the ordinary way decides.
 */
export type FirstRunner = (
  task: Task,
  door: Door,
  stopwatch?: Stopwatch,
) => Promise<TaskResult | 'too much work' | NotFirst>;

/** What the front end knows of a call that has not taken its token. */
export interface Door {
  readonly rateLimit: RateLimit;
  /** True once the call was answered or its caller has gone. */
  readonly isOver: () => boolean;
}

export type NotFirst =
  /** Nothing was done. */
  | { readonly kind: 'unopened' }
  /** The token is taken, and the ID has an index entry. */
  | { readonly kind: 'known'; readonly entry: string; readonly redisNowMs: number }
  /** The bucket has no token. */
  | { readonly kind: 'refused by the bucket'; readonly retryAfterSeconds: number };

/** A sale, and what benefits gave in it; or one that a later event took back. Told once of a sale. */
export interface Redemption {
  readonly fate: 'sold' | 'undone';
  /** Of the calculation, in the venue's time zone: `2026-11-21`. */
  readonly day: string;
  readonly programmeId: string;
  readonly venueId: string;
  readonly currency: string;
  /** What the guest paid, in minor units. */
  readonly turnover: number;
  /** Of the member; empty where there is none. */
  readonly tier: string;
  readonly share: string;
  /** `saved` is in minor units. */
  readonly benefits: readonly { readonly benefitId: string; readonly units: number; readonly saved: number }[];
}

/** The outcome of a call. */
export type TaskResult = AnswerResult | RefusalResult;

interface ResultFacts {
  readonly facts: CallFacts;
  readonly phases: Phases;
  readonly redemption?: Redemption;
}

export interface AnswerResult extends ResultFacts {
  readonly kind: 'answer';
  /** JSON, UTF-8. */
  readonly body: Uint8Array;
  readonly isReplayed: boolean;
  /** Lines for the recording, if this call is in the sample. */
  readonly record?: string;
}

export interface RefusalResult extends ResultFacts {
  readonly kind: 'refusal';
  readonly refusal: Refusal;
  /** Set on `internal_error`, for the log alone; the caller never sees it. */
  readonly fault?: string;
}

/**
 * The log's facts about a call beside its route and times. They contain neither a loyalty ID nor a part of the body.
 */
export interface CallFacts {
  venueId?: string;
  /** The terminal setup (`baxId`) of a refused basket, as it was sent. */
  terminal?: string;
  status?: string;
  /** Why nothing applied, or why the call is `unavailable` (src/contract/unavailable.ts). */
  reason?: string;
  /** Why Redis refused the call (src/redis/cause.ts), and the master of a cluster that did. */
  cause?: RedisCause;
  server?: string;
  /** The phase in which the call's time ran out. */
  phase?: string;
  result?: string;
  isLate?: boolean;
  /** The basket was judged check by check (basket/basket-request.ts). */
  isUnusual?: true;
  overRedeemed?: number;
  /**
   * Offset of the basket's time from Redis' clock, above 0 when the basket was ahead; absent when the call priced no
   * basket.
   */
  clockOffsetSeconds?: number;
  /** Set when the offset is outside the configured window, which closed the benefits that depend on the time. */
  clockOff?: true;
  /** How far the clock of a test member was ahead; absent for everybody else. */
  clockMovedSeconds?: number;
  /** Holds of limited benefits that the call made, released and consumed; absent when 0. */
  holdsMade?: number;
  holdsReleased?: number;
  holdsConsumed?: number;
  /** Set when the stored answer could not be replayed, which is a fault of ours. */
  unreplayable?: true;
  /**
   * Discounts of our own that came back: order discounts that were taken off, and lines whose existing discount is what the
   * superseded calculation gave there. Absent when there are none.
   */
  ownDiscountsReturned?: number;
  /** Set when the choice of benefits was not proven best. */
  choice?: 'bounded';
  /** The most that a bounded choice may miss, in minor units; absent where no bound is known. */
  mayMiss?: number;
  /** Set when a bounded choice may miss more than a hundredth of what the guest pays, or when no bound is known. */
  mayMissMuch?: true;
  /** Set when the call was in the sample of the recording and could not be written there. */
  unrecorded?: true;
  /** Times that the basket was priced again because a benefit had run short. */
  shortages?: number;
}
