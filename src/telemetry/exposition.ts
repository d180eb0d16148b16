import { collectDefaultMetrics, Registry } from 'prom-client';
import { type BenefitCosts, FATES } from './benefit-costs.ts';
import type { Build } from './build.ts';
import type { CallMetrics } from './call-metrics.ts';
import { type LimitFigures, registerLimits } from './limit-exposition.ts';
import type { LogLosses } from './log-watch.ts';
import { counter, gauge, histogram, labelledGauge } from './metric-kinds.ts';
import { registerRedis, type ScrapedRedis } from './redis-exposition.ts';
import type { ReloadRecord } from './reload-record.ts';
import { registerResources } from './resource-exposition.ts';
import type { Resources } from './resources.ts';

/** State that is read at each scrape. */
export interface ScrapedState extends ScrapedRedis {
  readonly budget: { readonly p95Ms: number; readonly p99Ms: number };
  readonly admission: { readonly limit: number; readonly inFlight: number; readonly shed: number };
  readonly uploads: {
    readonly unfinished: number;
    readonly heldBytes: number;
    readonly lost: Readonly<Record<string, number>>;
  };
  readonly pool: PoolState;
  readonly isReady: boolean;
  readonly reloads: ReloadRecord;
  readonly logLosses: LogLosses;
  readonly resources: Resources;
  readonly limits: readonly LimitFigures[];
  readonly environment: string;
  /** Version of the configuration in force. */
  readonly configuration: string;
  readonly build: Build;
}

export interface PoolState {
  /** Threads alive, and threads expected. */
  readonly threads: number;
  readonly expected: number;
  /** Calls that wait for a thread. */
  readonly queued: number;
  /** Threads that ended by themselves, and threads that were terminated because they were stuck. */
  readonly lost: { readonly stuck: number; readonly ended: number };
  /** Baskets that turned out to be too much work for the front end. */
  readonly handedOver: number;
}

const PERCENTILES = [50, 95, 99] as const;

/** Gauges of prom-client whose names end as a counter's does; `nodejs_active_handles` and its like say the same by type. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/**
 * Creates the registry of `/metrics` in the Prometheus text format: our own figures, and prom-client's figures of the
 * process.
 */
export function createRegistry(metrics: CallMetrics, costs: BenefitCosts, state: () => ScrapedState): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  registerCalls(registry, metrics);
  registerCosts(registry, costs);
  registerLatency(registry, metrics, state);
  registerClock(registry, metrics);
  registerAdmission(registry, state);
  registerUploads(registry, () => state().uploads);
  registerPool(registry, () => state().pool);
  registerRedis(registry, state);
  registerResources(registry, () => state().resources);
  registerLimits(registry, () => state().limits);
  registerConfiguration(registry, state);
  counter(registry, 'loyalty_log_lines_lost_total', 'Lines that never reached the log, by cause', () =>
    Object.entries(state().logLosses).map(([cause, count]) => [{ cause }, count]),
  );
  return registry;
}

function registerCalls(registry: Registry, metrics: CallMetrics): void {
  counter(registry, 'loyalty_requests_total', 'Calls by route, HTTP status and error code', () =>
    [...metrics.calls].map(([key, value]) => {
      const [route, status, code] = key.split(' ') as [string, string, string];
      return [{ route, status, code }, value];
    }),
  );
  counter(registry, 'loyalty_unavailable_total', 'Calls answered 503, by reason, and by phase at the deadline', () =>
    [...metrics.unavailable].map(([key, value]) => {
      const [reason, phase] = key.split(' ') as [string, string];
      return [{ reason, phase }, value];
    }),
  );
  counter(registry, 'loyalty_events_total', 'What happened to calculations, by kind', () =>
    [...metrics.events].map(([event, value]) => [{ event }, value]),
  );
}

function registerCosts(registry: Registry, costs: BenefitCosts): void {
  const each = (name: string, help: string, figure: 'baskets' | 'units' | 'saved') =>
    counter(registry, name, help, () =>
      costs.rows.flatMap(({ programmeId: programme, benefitId: benefit, currency, sums }) =>
        FATES.map((fate) => [{ programme, benefit, currency, fate }, sums[fate][figure]] as const),
      ),
    );
  each('loyalty_benefit_baskets_total', 'Baskets sold in which a benefit applied', 'baskets');
  each('loyalty_benefit_units_total', 'Units that a benefit gave in baskets sold', 'units');
  each('loyalty_benefit_saved_minor_units_total', 'Savings by a benefit in baskets sold, in minor units', 'saved');
}

function registerClock(registry: Registry, { clockOffsets }: CallMetrics): void {
  histogram(
    registry,
    'loyalty_requested_at_offset_seconds',
    "Distance of a priced basket's requestedAt from Redis' clock, behind it or ahead of it",
    () => Object.entries(clockOffsets).map(([direction, buckets]) => [{ direction }, buckets] as const),
  );
}

function registerLatency(registry: Registry, metrics: CallMetrics, state: () => ScrapedState): void {
  histogram(
    registry,
    'loyalty_request_duration_seconds',
    'Time from the last byte of a request to its answer, by route and phase; phase total is the whole call',
    () => Array.from(metrics.figures, ({ route, phase, buckets }) => [{ route, phase }, buckets] as const),
  );
  labelledGauge(
    registry,
    'loyalty_latency_last_minute_seconds',
    'Percentiles of the last minute, by route and phase; phase total is the whole call',
    () =>
      Array.from(metrics.figures).flatMap(({ route, phase, lastMinute }) =>
        lastMinute
          .percentiles(PERCENTILES)
          .map(
            (milliseconds, index) =>
              [{ route, phase, percentile: `p${PERCENTILES[index]}` }, milliseconds / 1000] as const,
          ),
      ),
    // Percentiles of several processes cannot be merged; an alarm needs the worst one.
    'max',
  );
  labelledGauge(
    registry,
    'loyalty_latency_budget_seconds',
    'Latency that the budget allows',
    () => [
      [{ percentile: 'p95' }, state().budget.p95Ms / 1000],
      [{ percentile: 'p99' }, state().budget.p99Ms / 1000],
    ],
    'first',
  );
}

function registerAdmission(registry: Registry, state: () => ScrapedState): void {
  gauge(registry, 'loyalty_ready', '1 while the service is ready for calls', () => Number(state().isReady), 'min');
  gauge(registry, 'loyalty_in_flight', 'Calls taken in and not answered yet', () => state().admission.inFlight);
  gauge(registry, 'loyalty_admission_limit', 'Calls in flight that admission allows', () => state().admission.limit);
  counter(registry, 'loyalty_requests_shed_total', 'Calls refused by admission', () => [[{}, state().admission.shed]]);
}

function registerUploads(registry: Registry, uploads: () => ScrapedState['uploads']): void {
  gauge(registry, 'loyalty_uploads_unfinished', 'Bodies on their way', () => uploads().unfinished);
  gauge(registry, 'loyalty_uploads_held_bytes', 'Bytes held of bodies on their way', () => uploads().heldBytes);
  counter(registry, 'loyalty_uploads_lost_total', 'Bodies that never arrived whole, by cause', () =>
    Object.entries(uploads().lost).map(([cause, count]) => [{ cause }, count]),
  );
}

function registerPool(registry: Registry, pool: () => PoolState): void {
  gauge(registry, 'loyalty_pool_threads', 'Worker threads alive', () => pool().threads);
  gauge(registry, 'loyalty_pool_threads_expected', 'Worker threads that there have to be', () => pool().expected);
  gauge(registry, 'loyalty_pool_queue', 'Calls that wait for a worker thread', () => pool().queued);
  counter(registry, 'loyalty_pool_threads_lost_total', 'Worker threads that had to be replaced, by cause', () =>
    Object.entries(pool().lost).map(([cause, count]) => [{ cause }, count]),
  );
  counter(registry, 'loyalty_pool_handed_over_total', 'Baskets that were too much work for the front end', () => [
    [{}, pool().handedOver],
  ]);
}

function registerConfiguration(registry: Registry, state: () => ScrapedState): void {
  const reloads = () => state().reloads;
  labelledGauge(
    registry,
    'loyalty_build_info',
    'Version and commit of the service, environment and version of the configuration in force; always 1',
    () => {
      const { build, environment, configuration } = state();
      return [[{ version: build.version, commit: build.commit, environment, configuration }, 1]];
    },
    'first',
  );
  counter(registry, 'loyalty_reloads_total', 'Reloads of configuration and secrets, by result', () => [
    [{ result: 'succeeded' }, reloads().succeeded],
    [{ result: 'refused' }, reloads().refused],
  ]);
  gauge(
    registry,
    'loyalty_last_reload_successful',
    '0 from a refused reload until one succeeds',
    () => Number(!reloads().isLastRefused),
    'min',
  );
  gauge(
    registry,
    'loyalty_last_reload_success_timestamp_seconds',
    'When configuration and secrets were last loaded',
    () => reloads().lastSuccessMs / 1000,
    'min',
  );
}
