import { collectDefaultMetrics, Registry } from 'prom-client';
import type { BenefitCosts } from './benefit-costs.ts';
import type { Build } from './build.ts';
import { type CallMetrics, EVENTS_TOTAL } from './call-metrics.ts';
import { LAGS_SINCE_LAST_READ, registerEventLoopLag } from './event-loop-lag.ts';
import type { LogLosses } from './log-watch.ts';
import { type Metrics, metricsOf } from './metric-kinds.ts';
import { registerRedis, type ScrapedRedis } from './redis-exposition.ts';
import type { Descriptors } from './resources.ts';

/** State that is read at each report. */
export interface ScrapedState extends ScrapedRedis {
  readonly budget: { readonly p95Ms: number; readonly p99Ms: number };
  readonly admission: { readonly limit: number; readonly inFlight: number; readonly shed: number };
  readonly uploads: {
    readonly unfinished: number;
    readonly heldBytes: number;
    readonly lost: Readonly<Record<string, number>>;
  };
  readonly pool: PoolState;
  readonly logLosses: LogLosses;
  readonly descriptors: Descriptors | undefined;
  /** When the certificate that is served ends, in milliseconds since 1970; undefined without TLS. */
  readonly certificateEndsMs: number | undefined;
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
  /** Baskets that turned out to be too much work for the event loop. */
  readonly handedOver: number;
}

const PERCENTILES = [50, 95, 99] as const;

/** Gauges of prom-client whose names end as a counter's does; `nodejs_active_handles` and its like say the same by type. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** The primary's is the one of the service. */
const START_TIME = 'process_start_time_seconds';

/**
 * Creates the registry of a gateway's metrics: our own figures, and prom-client's figures of the process. The primary combines
 * those of all gateways.
 */
export function createRegistry(metrics: CallMetrics, costs: BenefitCosts, state: () => ScrapedState): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of [...MISNAMED, ...LAGS_SINCE_LAST_READ, START_TIME]) registry.removeSingleMetric(name);
  const kinds = metricsOf(registry);
  registerEventLoopLag(kinds);
  registerCalls(kinds, metrics);
  registerCosts(kinds, costs);
  registerLatency(kinds, metrics, state);
  registerAdmission(kinds, state);
  registerPool(kinds, () => state().pool);
  registerRedis(kinds, state);
  registerDescriptors(kinds, () => state().descriptors);
  kinds.labelledGauge(
    'loyalty_tls_certificate_end_timestamp_seconds',
    'When the certificate that is served ends',
    () => [state().certificateEndsMs].flatMap((ms) => (ms === undefined ? [] : [[{}, ms / 1000] as const])),
    'min',
  );
  registerConfiguration(kinds, state);
  kinds.causes('loyalty_log_lines_lost_total', 'Lines that never reached the log, by cause', () => ({
    ...state().logLosses,
  }));
  return registry;
}

function registerCalls({ counter, histogram }: Metrics, metrics: CallMetrics): void {
  counter('loyalty_requests_total', 'Calls by route, HTTP status and error code', () =>
    [...metrics.calls].map(([key, value]) => {
      const [route, status, code] = key.split(' ') as [string, string, string];
      return [{ route, status, code }, value];
    }),
  );
  counter('loyalty_unavailable_total', 'Calls answered 503, by reason, and by phase at the deadline', () =>
    [...metrics.unavailable].map(([key, value]) => {
      const [reason, phase] = key.split(' ') as [string, string];
      return [{ reason, phase }, value];
    }),
  );
  counter(EVENTS_TOTAL.name, EVENTS_TOTAL.help, () => [...metrics.events].map(([event, value]) => [{ event }, value]));
  histogram(
    'loyalty_requested_at_offset_seconds',
    "Distance of a priced basket's requestedAt from Redis' clock, behind it or ahead of it",
    () => Object.entries(metrics.clockOffsets).map(([direction, buckets]) => [{ direction }, buckets] as const),
  );
  histogram(
    'loyalty_choice_gap',
    'What another choice of benefits could save of a priced basket at most, estimated, as a part of what the guest pays',
    () => [[{}, metrics.gaps] as const],
  );
}

function registerCosts({ counter }: Metrics, costs: BenefitCosts): void {
  const each = (name: string, help: string, figure: 'baskets' | 'units' | 'saved') =>
    counter(name, help, () =>
      costs.rows.map(({ programmeId: programme, benefitId: benefit, currency, [figure]: value }) => [
        { programme, benefit, currency },
        value,
      ]),
    );
  each('loyalty_benefit_baskets_total', 'Baskets sold in which a benefit applied', 'baskets');
  each('loyalty_benefit_units_total', 'Units that a benefit gave in baskets sold', 'units');
  each('loyalty_benefit_saved_minor_units_total', 'Savings by a benefit in baskets sold, in minor units', 'saved');
}

function registerLatency({ histogram, labelledGauge }: Metrics, metrics: CallMetrics, state: () => ScrapedState): void {
  histogram(
    'loyalty_request_duration_seconds',
    'Time from the last byte of a request to its answer, by route and phase; phase total is the whole call',
    () => Array.from(metrics.figures, ({ route, phase, buckets }) => [{ route, phase }, buckets] as const),
  );
  labelledGauge(
    'loyalty_latency_last_minute_seconds',
    'Percentiles of the last minute, by route and phase; phase total is the whole call',
    () =>
      Array.from(metrics.figures).flatMap(({ route, phase, lastMinute }) =>
        lastMinute
          .percentiles(PERCENTILES)
          .map((ms, index) => [{ route, phase, percentile: `p${PERCENTILES[index]}` }, ms / 1000] as const),
      ),
    // Percentiles of several processes cannot be merged; an alarm needs the worst one.
    'max',
  );
  const budget = () => state().budget;
  labelledGauge(
    'loyalty_latency_budget_seconds',
    'Latency that the budget allows',
    () => [
      [{ percentile: 'p95' }, budget().p95Ms / 1000],
      [{ percentile: 'p99' }, budget().p99Ms / 1000],
    ],
    'first',
  );
}

function registerAdmission({ gauge, count, causes }: Metrics, state: () => ScrapedState): void {
  gauge('loyalty_in_flight', 'Calls taken in and not answered yet', () => state().admission.inFlight);
  gauge('loyalty_admission_limit', 'Calls in flight that admission allows', () => state().admission.limit);
  count('loyalty_requests_shed_total', 'Calls refused by admission', () => state().admission.shed);
  gauge('loyalty_uploads_unfinished', 'Bodies on their way', () => state().uploads.unfinished);
  gauge('loyalty_uploads_held_bytes', 'Bytes held of bodies on their way', () => state().uploads.heldBytes);
  causes('loyalty_uploads_lost_total', 'Bodies that never arrived whole, by cause', () => state().uploads.lost);
}

function registerPool({ gauge, count, causes }: Metrics, pool: () => PoolState): void {
  gauge('loyalty_pool_threads', 'Worker threads alive', () => pool().threads);
  gauge('loyalty_pool_threads_expected', 'Worker threads that there have to be', () => pool().expected);
  gauge('loyalty_pool_queue', 'Calls that wait for a worker thread', () => pool().queued);
  causes('loyalty_pool_threads_lost_total', 'Worker threads that had to be replaced, by cause', () => pool().lost);
  count(
    'loyalty_pool_handed_over_total',
    'Baskets that were too much work for the event loop',
    () => pool().handedOver,
  );
}

function registerDescriptors({ labelledGauge }: Metrics, descriptors: () => Descriptors | undefined): void {
  const each = (name: string, help: string, which: 'min' | 'max', figure: keyof Descriptors) =>
    labelledGauge(name, help, () => [descriptors()].flatMap((own) => (own ? [[{}, own[figure]] as const] : [])), which);
  each('loyalty_file_descriptors_open', 'Files and connections open in the fullest process', 'max', 'open');
  each('loyalty_file_descriptors_limit', 'Files and connections that a process may open', 'min', 'limit');
}

function registerConfiguration({ labelledGauge }: Metrics, state: () => ScrapedState): void {
  labelledGauge(
    'loyalty_build_info',
    'Version and commit of the service, environment and version of the configuration in force; always 1',
    () => {
      const { build, environment, configuration } = state();
      return [[{ version: build.version, commit: build.commit, environment, configuration }, 1]];
    },
    'first',
  );
}
