import type { Metrics } from './metric-kinds.ts';

const MS_PER_SECOND = 1000;
const START_SECONDS = Math.round(Date.now() - process.uptime() * MS_PER_SECOND) / MS_PER_SECOND;

/**
 * When the primary started, because its restart is a restart of the whole service, to the millisecond: prom-client says whole seconds, and a service that starts again within one would
 * seem not to have started at all.
 */
export function registerStartTime({ gauge }: Metrics): void {
  gauge('process_start_time_seconds', 'When the service started, since 1970', () => START_SECONDS);
}
