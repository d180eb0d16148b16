import type { Refusal } from '@loyalty/contract/errors';
import type { Environment } from '../programme/environment.ts';
import type { Store } from '../store/store.ts';
import type { CallKind, Tokens } from '../store/tokens.ts';
import type { Stopwatch } from '../telemetry/stopwatch.ts';
import type { RenderedAnswer } from './answer.ts';
import type { CallFacts } from './call-facts.ts';
import type { Circumstances } from './circumstances.ts';
import type { CostEntry } from './cost-entry.ts';
import type { PricedCall, PricingTask } from './pricing.ts';
import type { ReadCall } from './read-call.ts';
import type { Replayed } from './stored/stored-answer.ts';

/** What the steps of a call share: the call itself, the parts of the service that it uses, and its outcome. */

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
  /** Notes what a step has found, at once: a call may end at its deadline, between any two steps. */
  readonly note: (facts: CallFacts) => void;
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

/** What is recorded of a call. `none`: its calculations are not in the sample; `failed`: it could not be rendered. */
export type Recorded = { readonly kind: 'lines'; readonly lines: string } | { readonly kind: 'none' | 'failed' };

/** What is recorded of calls, as lines of NDJSON. */
export interface Recording {
  /** A committed basket, and the end of the calculation that it supersedes. */
  ofBasket(configuration: string, call: ReadCall, circumstances: Circumstances, answer: RenderedAnswer): Recorded;
  /** The end of a calculation by its sale event. Undefined where it is not in the sample. */
  ofSale(calculationId: string, status: string): string | undefined;
}

/** The threads that do what would hold the event loop. Both throw `PoolUnavailable`, or the error that ended the thread. */
export interface PricingThreads {
  /** Undefined where the threads have another configuration by now. `deadlineMs` is an instant of `monotonicMs`. */
  price(task: PricingTask, deadlineMs: number): Promise<PricedCall | undefined>;
  replay(stored: Buffer, request: Uint8Array<ArrayBuffer>): Promise<Replayed>;
}

/** The end of a call's work. */
export type Outcome = (Answered | Refused) & {
  /** What is known of the call by its end alone, beside what its steps have noted. */
  readonly facts: CallFacts;
  readonly costEntries?: readonly CostEntry[];
};

interface Answered {
  readonly kind: 'answer';
  /** JSON, UTF-8. */
  readonly body: Uint8Array;
  readonly isReplayed: boolean;
  /** Lines for the recording, if this call is in the sample. */
  readonly recordingLines?: string;
}

interface Refused {
  readonly kind: 'refusal';
  readonly refusal: Refusal;
  /** Set on `internal_error`, for the log alone; the caller never sees it. */
  readonly fault?: string;
}
