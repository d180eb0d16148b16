import type { MetricObject } from 'prom-client';
import type { ReloadCause, ReloadOutcome } from '../ops/admin/administration.ts';
import type { RefusalNote } from '../telemetry/recent-refusals.ts';

/** What a service process tells its supervisor. */
export type ProcessMessage =
  | { readonly kind: 'listening' }
  | { readonly kind: 'reload'; readonly id: number; readonly outcome: ReloadOutcome }
  | {
      readonly kind: 'state';
      readonly checks: Readonly<Record<string, string>>;
      readonly metrics: readonly MetricObject[];
      /** The last refusals, when there are other ones than were told before. */
      readonly refusals?: readonly RefusalNote[];
    };

/** What a supervisor tells its processes. */
export type SupervisorMessage =
  /** To reload, and to tell under the same number how that went. `cause` is for the log. */
  | { readonly kind: 'reload'; readonly id: number; readonly cause: ReloadCause }
  /** That it has refused the files itself: for the metrics, which are the processes'. */
  | { readonly kind: 'reload refused' };

/** How often a process tells its state: readiness and metrics are at most this old. */
export const STATE_INTERVAL_MS = 250;
