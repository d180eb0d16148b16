import type { Latencies } from '../../packages/tools/src/load/latencies.ts';
import type { SchedulePart } from '../../packages/tools/src/load/schedule.ts';
import type { Mix, RequestClass } from '../load/mix.ts';

/** The messages between the harness and the process that makes the load. */

export type Command =
  | {
      readonly kind: 'prepare';
      readonly mix: Mix;
      readonly secret: string;
      readonly seed: number;
      readonly count: number;
      /** Requests between a basket and its replay or sale event; by default far enough for it to have been answered. */
      readonly distance?: number;
    }
  | { readonly kind: 'closed'; readonly load: ClosedLoad }
  | { readonly kind: 'open'; readonly load: OpenLoad };

/** A load at saturation: each connection sends its next request when the last one is answered. */
export interface ClosedLoad {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** Ends after this many requests instead of a time. */
  readonly amount?: number;
}

/** A schedule that is independent of the answers. */
export interface OpenLoad {
  readonly url: string;
  readonly phases: readonly Phase[];
  /** Connections opened before the start, and the most that are opened when all are busy. */
  readonly connections: { readonly least: number; readonly most: number };
  readonly seed: number;
}

/** A part of the schedule with independent random requests, `perSecond` on average. */
export interface Phase extends SchedulePart {
  readonly name: string;
}

export type Reply = { readonly result: unknown } | { readonly error: string };

export interface Prepared {
  readonly count: number;
  readonly bodyBytes: number;
}

export interface ClosedResult {
  readonly seconds: number;
  readonly requests: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Connection errors, timeouts and wrong answers. */
  readonly faults: number;
  readonly bytesIn: number;
  /** Milliseconds as autocannon measures: from the actual send, so under saturation mostly queueing. */
  readonly latencyMs: { readonly p50: number; readonly p99: number };
  readonly preparedLate: number;
}

export interface PhaseResult {
  readonly name: string;
  readonly seconds: number;
  readonly sent: number;
  /** Answers with 200, per class. */
  readonly accepted: Readonly<Partial<Record<RequestClass, Latencies>>>;
  /** The same over all classes. */
  readonly acceptedAll: Latencies;
  /** Answers with 429 or 503, over all classes. */
  readonly refused: Latencies;
  readonly statuses: Readonly<Record<string, number>>;
  /** Replays that were answered without `Idempotent-Replayed`. */
  readonly computedAgain: number;
}

/** The results of the requests that were due in one slice of time. */
export interface Slice {
  readonly accepted: number;
  readonly refused: number;
  readonly failed: number;
  readonly worstAcceptedUs: number;
}

export interface OpenResult {
  readonly phases: readonly PhaseResult[];
  readonly sliceMs: number;
  readonly slices: readonly Slice[];
  readonly faults: Faults;
  /** The generator's own delay in noticing that a request was due, which is contained in every latency above. */
  readonly sendDelay: Latencies;
  readonly connections: number;
  readonly preparedLate: number;
  /** Bodies that were parsed and compared with their request. */
  readonly verified: number;
}

export interface Faults {
  /** Connections that ended while an answer was due. */
  readonly broken: number;
  /** Requests still unanswered long after the end. */
  readonly unanswered: number;
  /** Sampled bodies with a wrong ID or wrong sums. */
  readonly wrongBodies: number;
}
