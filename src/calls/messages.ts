import type { Refusal } from '../contract/errors.ts';
import type { RedisCause } from '../redis/cause.ts';
import type { Supersession } from '../store/calculations.ts';
import type { CommonCounters } from '../store/common-limits.ts';
import type { Tombstone } from '../store/index-entry.ts';
import type { MemberToken } from '../store/keys.ts';
import type { MemberSnapshot } from '../store/members.ts';
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
  /** Sale events: the calculation's index entry as read by the gateway; undefined when there was none. */
  readonly indexEntry: string | undefined;
  /** A basket call that is opened already, and was too much work for the event loop. */
  readonly opened?: Opened;
  /** What its phases took there. */
  readonly spent?: Phases;
}

/** What Redis said of a basket call before its price: its member, its claim on the ID, and what it supersedes. Plain data. */
export interface Opened {
  /** The configuration by which it was asked. */
  readonly configuration: string;
  readonly token: MemberToken;
  readonly fingerprint: string;
  readonly snapshot: MemberSnapshot;
  /** The counters of limits over all members, at the time that the basket names. */
  readonly common: CommonCounters;
  /** The machine's monotonic clock when the snapshot arrived. Redis' clock read `snapshot.nowMs` at this instant or before it. */
  readonly readAtMs: number;
  readonly tombstone: Tombstone | undefined;
  readonly supersedes: Supersession | undefined;
  /** Lines whose existing discount is what the superseded calculation gave: perhaps ours, perhaps the staff's. */
  readonly ownLines: number;
}

/** The basket is too much work to be priced on the event loop. Nothing was written but its claim, and a thread goes on. */
export interface TooMuchWork {
  readonly kind: 'too much work';
  readonly opened: Opened;
  readonly spent: Phases;
}

/** A large stored answer that is to be rendered again for its request. */
export interface ReplayTask {
  readonly stored: Uint8Array<ArrayBuffer>;
  readonly request: Uint8Array<ArrayBuffer>;
}

/** Runs a call to its end in a worker thread. */
export type TaskRunner = (task: Task) => Promise<TaskResult>;

/** Small calls on the event loop, under one configuration. */
export interface EventLoopCalls {
  /** The usual basket call: of an ID that nobody has seen, before its token is taken. Any other one goes the long way. */
  readonly usual: (task: Task, door: Door, stopwatch: Stopwatch) => Promise<TaskResult | TooMuchWork | NotUsual>;
  /** Any call, once its token is taken and its ID was looked up. */
  readonly looked: (task: Task, stopwatch: Stopwatch) => Promise<TaskResult | TooMuchWork>;
}

/** What the gateway knows of a call that has not taken its token. */
export interface Door {
  readonly rateLimit: RateLimit;
  /** True once the call was answered or its caller has gone. */
  readonly isOver: () => boolean;
}

/** Why a basket call is not the usual one, and what was done until that was known. */
export type NotUsual =
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

interface Answered {
  readonly kind: 'answer';
  /** JSON, UTF-8. */
  readonly body: Uint8Array;
  readonly isReplayed: boolean;
  /** Lines for the recording, if this call is in the sample. */
  readonly record?: string;
}

interface Refused {
  readonly kind: 'refusal';
  readonly refusal: Refusal;
  /** Set on `internal_error`, for the log alone; the caller never sees it. */
  readonly fault?: string;
}

/** The end of a call's work. */
export type Outcome = (Answered | Refused) & { readonly redemption?: Redemption };

/** The outcome of a call, with what the log says of it. */
export type TaskResult = Outcome & { readonly facts: CallFacts; readonly phases: Phases };

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
