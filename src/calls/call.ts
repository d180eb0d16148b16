import type { Refusal } from '@loyalty/contract/errors';
import type { Environment } from '../programme/environment.ts';
import type { RedisCause } from '../redis/cause.ts';
import type { Store } from '../store/store.ts';
import type { CallKind, Tokens } from '../store/tokens.ts';
import type { Stopwatch } from '../telemetry/stopwatch.ts';
import type { RenderedAnswer } from './answer.ts';
import type { Circumstances } from './circumstances.ts';
import type { PricedCall, PricingTask } from './pricing.ts';
import type { ReadCall } from './read-call.ts';
import type { Redemption } from './redemption.ts';
import type { Replayed } from './stored/stored-answer.ts';

/** What the steps of a call share: the call itself, the parts of the service that it uses, its facts and its outcome. */

/** An authentic call, completely received. */
export interface CallRequest {
  readonly kind: CallKind;
  /** The `Idempotency-Key`; empty where it is not valid. */
  readonly calculationId: string;
  /** What is wrong with its headers. */
  readonly headRefusal: Refusal | undefined;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Instant of the machine's monotonic clock (`monotonicMs`) at which the caller is refused. */
  readonly deadlineMs: number;
  /** True once the call was answered or its caller has gone. */
  readonly isOver: () => boolean;
  readonly facts: CallFacts;
  readonly stopwatch: Stopwatch;
}

/** The environment, store and folders by which a basket is priced. */
export interface PricingContext {
  readonly environment: Environment;
  readonly store: Store;
  /** Folder for baskets whose answer failed its own check. */
  readonly repairDir: string;
}

/** The parts of the service that a call uses, under one configuration. */
export interface CallContext extends PricingContext {
  readonly tokens: Tokens;
  readonly threads: PricingThreads;
  /** A body up to this size is priced in place, unless that is much work. */
  readonly inlineBytes: number;
  /** Present when answered baskets are recorded. */
  readonly recording?: Recording;
}

/** What is recorded of calls, as lines; empty for calculations that are not in the sample. */
export interface Recording {
  /** A committed basket, and the end of the calculation that it supersedes. */
  ofBasket(
    configuration: string,
    call: ReadCall,
    circumstances: Circumstances,
    answer: RenderedAnswer,
    facts: CallFacts,
  ): string;
  /** The end of a calculation by its sale event. */
  ofSale(calculationId: string, status: string): string;
}

/** The threads that do what would hold the event loop. Both throw `PoolUnavailable`, or the error that ended the thread. */
export interface PricingThreads {
  /** Undefined where the threads have another configuration by now. `deadlineMs` is an instant of `monotonicMs`. */
  price(task: PricingTask, deadlineMs: number): Promise<PricedCall | undefined>;
  replay(stored: Buffer, request: Uint8Array<ArrayBuffer>): Promise<Replayed>;
}

/** The end of a call's work. */
export type Outcome = (Answered | Refused) & { readonly redemption?: Redemption };

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

/**
 * The log's facts about a call beside its route and times. They contain neither a loyalty ID nor a part of the body.
 */
export interface CallFacts {
  venueId?: string;
  /** The terminal setup (`baxId`) of a refused basket, as it was sent. */
  terminal?: string;
  status?: string;
  /** Why nothing applied, or why the call is `unavailable` (packages/contract/src/unavailable.ts). */
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
  /** The answer was given before, to the same request. */
  isReplayed?: true;
  /** Set when the stored answer could not be replayed, which is a fault of ours. */
  unreplayable?: true;
  /**
   * Discounts of our own that came back: order discounts that were taken off, and lines whose existing discount is what the
   * superseded calculation gave there. Absent when there are none.
   */
  ownDiscountsReturned?: number;
  /** An estimate of the most that another choice of benefits could save, in minor units; absent where it is 0. */
  gap?: number;
  /** The same as a part of what the guest pays. */
  gapOfTotal?: number;
  /** Set when the call was in the sample of the recording and could not be written there. */
  unrecorded?: true;
  /** Times that the basket was priced again because a benefit had run short. */
  shortages?: number;
}
