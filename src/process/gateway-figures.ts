import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { PublicServer } from '../gateway/server.ts';
import { REDIS_CAUSES } from '../redis/cause.ts';
import type { Connection } from '../redis/connection.ts';
import { SETTING_STATES, SETTINGS } from '../redis/server-checks.ts';
import { buildOf } from '../telemetry/build.ts';
import { EVENTS_TOTAL } from '../telemetry/call-metrics.ts';
import { LAGS_SINCE_LAST_READ, registerEventLoopLag } from '../telemetry/event-loop-lag.ts';
import { type Metrics, metricsOf } from '../telemetry/metric-kinds.ts';
import type { PricingPool } from '../threads/pricing-pool.ts';
import type { CostKeeper } from './cost-keeper.ts';
import type { Descriptors } from './descriptor-watch.ts';
import type { GatewayParts } from './gateway-parts.ts';
import type { Watches } from './watches.ts';

const PERCENTILES = [50, 95, 99] as const;

/** Gauges of prom-client whose names end as a counter's does; `nodejs_active_handles` and its like say the same by type. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** The primary's is the one of the service. */
const START_TIME = 'process_start_time_seconds';

/** The parts whose state is read beside those of the process. */
interface FigureSources extends Watches {
  readonly costs: CostKeeper;
  readonly server: PublicServer;
}

/**
 * Opens the registry of a gateway's metrics, which reads the state of the parts at each report: our own figures, and prom-client's figures
 * of the process. The primary combines those of all gateways.
 */
export function openFigures(parts: GatewayParts, sources: FigureSources): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of [...MISNAMED, ...LAGS_SINCE_LAST_READ, START_TIME]) registry.removeSingleMetric(name);
  const kinds = metricsOf(registry);
  registerEventLoopLag(kinds);
  registerCalls(kinds, parts);
  registerCosts(kinds, sources.costs);
  registerLatency(kinds, parts);
  registerAdmission(kinds, sources.server);
  registerPool(kinds, parts.pool);
  registerRedis(kinds, parts, sources);
  registerProcess(kinds, parts);
  return registry;
}

function registerCalls({ counter, histogram }: Metrics, { metrics }: GatewayParts): void {
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

function registerCosts({ counter }: Metrics, { costs }: CostKeeper): void {
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

function registerLatency({ histogram, labelledGauge }: Metrics, parts: GatewayParts): void {
  const { metrics } = parts;
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
  const budget = () => parts.inForce.calls.environment.latencyBudget;
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

function registerAdmission({ gauge, count, causes }: Metrics, { admission, uploads }: PublicServer): void {
  gauge('loyalty_in_flight', 'Calls taken in and not answered yet', () => admission.state.inFlight);
  gauge('loyalty_admission_limit', 'Calls in flight that admission allows', () => admission.state.limit);
  count('loyalty_requests_shed_total', 'Calls refused by admission', () => admission.state.shed);
  gauge('loyalty_uploads_unfinished', 'Bodies on their way', () => uploads.state.unfinished);
  gauge('loyalty_uploads_held_bytes', 'Bytes held of bodies on their way', () => uploads.state.heldBytes);
  causes('loyalty_uploads_lost_total', 'Bodies that never arrived whole, by cause', () => uploads.state.lost);
}

function registerPool({ gauge, count, causes }: Metrics, pool: PricingPool): void {
  gauge('loyalty_pool_threads', 'Worker threads alive', () => pool.state.threads);
  gauge('loyalty_pool_threads_expected', 'Worker threads that there have to be', () => pool.state.expected);
  gauge('loyalty_pool_queue', 'Calls that wait for a worker thread', () => pool.state.queued);
  causes('loyalty_pool_threads_lost_total', 'Worker threads that had to be replaced, by cause', () => pool.state.lost);
  count(
    'loyalty_pool_handed_over_total',
    'Baskets that were too much work for the event loop',
    () => pool.state.handedOver,
  );
}

/** The figures of the connection to Redis, and of the servers behind it. */
function registerRedis(
  { gauge, labelledGauge, count, counter, histogram }: Metrics,
  { connection, tokens }: GatewayParts,
  { redisWatch, settingsWatch, dataWatch }: FigureSources,
): void {
  const redis = connection.figures;
  gauge('loyalty_redis_up', '1 while Redis answers', () => Number(connection.isAvailable), 'min');
  labelledGauge(
    'loyalty_redis_unreachable',
    'Why Redis cannot be used: 1 for the cause in force, 0 for every other one',
    () => REDIS_CAUSES.map((cause) => [{ cause }, Number(cause === redisWatch.trouble?.cause)]),
    'max',
  );
  labelledGauge(
    'loyalty_redis_master_up',
    '1 while a master of Redis answers and takes writes; without a cluster, the only server',
    () => mastersOf(connection, redisWatch).map(({ server, isUp }) => [{ server }, Number(isUp)]),
    'min',
  );
  labelledGauge(
    'loyalty_redis_setting',
    'Settings of Redis by state: 1 for the state that a setting is in, 0 for the others; of a cluster the worst master',
    () =>
      SETTINGS.flatMap((setting) => {
        const present = settingsWatch.stateOf(setting);
        return SETTING_STATES.map((state) => [{ setting, state }, Number(state === present)] as const);
      }),
    'max',
  );
  gauge(
    'loyalty_redis_data_gone',
    '1 while data that was in Redis before is missing: it came back empty',
    () => Number(dataWatch.isGone),
    'max',
  );
  gauge(
    'loyalty_rate_limit_local',
    '1 while a process limits its calls by itself, because the key of the rate limit cannot be reached',
    () => Number(tokens.isLocal),
    'max',
  );
  count(
    'loyalty_redis_breaker_openings_total',
    'Times the breaker opened: Redis left pings unanswered or closed the connection',
    () => redis.breakerOpenings,
  );
  count('loyalty_redis_reconnects_total', 'Connections to Redis made after the first', () =>
    Math.max(0, redis.connects - 1),
  );
  counter('loyalty_redis_commands_failed_total', 'Commands that failed, or were refused by the breaker', () => [
    [{ cause: 'failed' }, redis.failed],
    [{ cause: 'refused' }, redis.refused],
  ]);
  histogram('loyalty_redis_round_trip_seconds', "Round trips of the gateway thread's commands to Redis", () => [
    [{}, redis.roundTrips],
  ]);
}

/** A server that is alone is up or down with its connection. */
function mastersOf(connection: Connection, { masters, trouble }: Watches['redisWatch']) {
  if (!connection.isCluster) return [{ server: 'only', isUp: connection.isAvailable && !trouble }];
  return masters.map(({ server, trouble: own }) => ({ server, isUp: connection.isAvailable && !own }));
}

function registerProcess({ labelledGauge, causes }: Metrics, parts: GatewayParts): void {
  const { descriptorWatch, log, settings } = parts;
  const ofDescriptors = (name: string, help: string, which: 'min' | 'max', figure: keyof Descriptors) =>
    labelledGauge(
      name,
      help,
      () => [descriptorWatch.descriptors].flatMap((own) => (own ? [[{}, own[figure]] as const] : [])),
      which,
    );
  ofDescriptors('loyalty_file_descriptors_open', 'Files and connections open in the fullest process', 'max', 'open');
  ofDescriptors('loyalty_file_descriptors_limit', 'Files and connections that a process may open', 'min', 'limit');
  // Read once, as the listener reads it.
  const ends = settings.tls ? [new X509Certificate(readFileSync(settings.tls.certFile)).validToDate.getTime()] : [];
  labelledGauge(
    'loyalty_tls_certificate_end_timestamp_seconds',
    'When the certificate that is served ends',
    () => ends.map((ms) => [{}, ms / 1000] as const),
    'min',
  );
  const { version, commit } = buildOf(settings);
  labelledGauge(
    'loyalty_build_info',
    'Version and commit of the service, environment and version of the configuration in force; always 1',
    () => {
      const { name: environment, version: configuration } = parts.inForce.calls.environment;
      return [[{ version, commit, environment, configuration }, 1]];
    },
    'first',
  );
  causes('loyalty_log_lines_lost_total', 'Lines that never reached the log, by cause', () => ({ ...log.losses() }));
}
