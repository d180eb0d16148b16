import type { MetricObject } from 'prom-client';
import type {
  FoundRequest,
  LogLevel,
  ReloadCause,
  ReloadOutcome,
} from '../../packages/console/src/admin/administration.ts';
import type { RefusalNote } from '../telemetry/recent-refusals.ts';

/** Messages from a service process to its supervisor. */
export type ProcessMessage =
  /** A sign of life, from the start of the process to its end. */
  | { readonly kind: 'alive' }
  | { readonly kind: 'listening' }
  | { readonly kind: 'reload'; readonly id: number; readonly outcome: ReloadOutcome }
  | ({ readonly kind: 'find request'; readonly id: number } & FoundRequest)
  | {
      readonly kind: 'state';
      readonly checks: Readonly<Record<string, string>>;
      readonly facts: Readonly<Record<string, string>>;
      readonly metrics: readonly MetricObject[];
      /** The last refusals, sent only after they have changed. */
      readonly refusals?: readonly RefusalNote[];
    };

/** Messages from a supervisor to its processes. */
export type SupervisorMessage =
  /** Asks for a reload; the answer carries the same number. `cause` is for the log. */
  | { readonly kind: 'reload'; readonly id: number; readonly cause: ReloadCause }
  /** Asks what became of a request in the process. */
  | { readonly kind: 'find request'; readonly id: number; readonly requestId: string }
  | { readonly kind: 'log level'; readonly level: LogLevel }
  /** Another process has taken its place: it ends when its connections have gone over. */
  | { readonly kind: 'retire' }
  /** Reports that the supervisor itself refused the files, for the processes' metrics. */
  | { readonly kind: 'reload refused' };

/** How often a process sends its state; readiness and metrics are at most this old. */
export const STATE_INTERVAL_MS = 250;
