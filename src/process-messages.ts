import type { MetricObject } from 'prom-client';
import type { RefusalNote } from './telemetry/recent-refusals.ts';

/** What a service process tells its supervisor. */
export type ProcessMessage =
  | { readonly kind: 'listening' }
  | {
      readonly kind: 'state';
      readonly checks: Readonly<Record<string, string>>;
      readonly metrics: readonly MetricObject[];
      /** The last refusals, when there are other ones than were told before. */
      readonly refusals?: readonly RefusalNote[];
    };

/** How often a process tells its state: readiness and metrics are at most this old. */
export const STATE_INTERVAL_MS = 250;
