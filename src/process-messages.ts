import type { MetricObject } from 'prom-client';

/** What a service process tells its supervisor. */
export type ProcessMessage =
  | { readonly kind: 'listening' }
  | {
      readonly kind: 'state';
      readonly checks: Readonly<Record<string, string>>;
      readonly metrics: readonly MetricObject[];
    };

/** How often a process tells its state: readiness and metrics are at most this old. */
export const STATE_INTERVAL_MS = 250;
