import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';

/** The figures of the live page at one moment. Durations are milliseconds; counts are since the start. */
export interface LiveFigures {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly environment: string;
  readonly configuration: string;
  /** The build of the service. */
  readonly version: string;
  readonly commit: string;
  /** Red checks of readiness with their reasons; empty when the service is ready. */
  readonly red: Readonly<Record<string, string>>;
  /** Trouble with which the service is ready, in words by name. */
  readonly facts: Readonly<Record<string, string>>;
  /** True from a refused reload until one succeeds: the files are not what is in force. */
  readonly isConfigurationRefused: boolean;
  readonly isRedisUp: boolean;
  /** The cause why Redis cannot be used, as in the metric; missing while it can. */
  readonly redisCause?: string;
  readonly workers: number;
  readonly queued: number;
  readonly inFlight: number;
  readonly admissionLimit: number;
  readonly shed: number;
  readonly budget: { readonly p95Ms: number; readonly p99Ms: number };
  /** Percentiles of the last minute by route; routes without calls are missing. */
  readonly latency: Readonly<Record<string, RouteLatency>>;
  readonly calls: readonly CallCount[];
  readonly events: Readonly<Record<string, number>>;
}

export interface RouteLatency {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

/**
 * Calls by their outcome. Status 0 with code `aborted` means that the caller hung up; route `shed` means a refusal by
 * admission.
 */
export interface CallCount {
  readonly route: string;
  readonly status: number;
  readonly code: string;
  readonly count: number;
}

/** The metrics on the page. Only these are read, because collecting the others costs time. */
const NAMES = [
  'loyalty_build_info',
  'loyalty_last_reload_successful',
  'loyalty_redis_up',
  'loyalty_redis_unreachable',
  'loyalty_pool_threads',
  'loyalty_pool_queue',
  'loyalty_in_flight',
  'loyalty_admission_limit',
  'loyalty_requests_shed_total',
  'loyalty_latency_budget_seconds',
  'loyalty_latency_last_minute_seconds',
  'loyalty_requests_total',
  'loyalty_events_total',
] as const;
type Name = (typeof NAMES)[number];
type Values = MetricObjectWithValues<MetricValue<string>>['values'];

/**
 * Reads the page's figures from the registry of `/metrics`, so that both always agree; with several processes it is the
 * merged registry. `red` are the red checks of readiness.
 */
export async function readLiveFigures(
  registry: Registry,
  { red, facts }: Pick<LiveFigures, 'red' | 'facts'>,
  atMs: number,
): Promise<LiveFigures> {
  const metrics = await Promise.all(NAMES.map((name) => registry.getSingleMetric(name)?.get()));
  const valuesOf = (name: Name): Values => metrics[NAMES.indexOf(name)]?.values ?? [];
  const firstOf = (name: Name): number => valuesOf(name)[0]?.value ?? 0;
  const redisCause = valuesOf('loyalty_redis_unreachable').find(({ value }) => value === 1)?.labels['cause'];
  const build = valuesOf('loyalty_build_info')[0]?.labels;
  return {
    atMs,
    environment: String(build?.['environment'] ?? ''),
    configuration: String(build?.['configuration'] ?? ''),
    version: String(build?.['version'] ?? ''),
    commit: String(build?.['commit'] ?? ''),
    red,
    facts,
    isConfigurationRefused: valuesOf('loyalty_last_reload_successful')[0]?.value === 0,
    isRedisUp: firstOf('loyalty_redis_up') === 1,
    ...(redisCause !== undefined && { redisCause: String(redisCause) }),
    workers: firstOf('loyalty_pool_threads'),
    queued: firstOf('loyalty_pool_queue'),
    inFlight: firstOf('loyalty_in_flight'),
    admissionLimit: firstOf('loyalty_admission_limit'),
    shed: firstOf('loyalty_requests_shed_total'),
    budget: readBudget(valuesOf('loyalty_latency_budget_seconds')),
    latency: readLatency(valuesOf('loyalty_latency_last_minute_seconds')),
    calls: happened(valuesOf('loyalty_requests_total')).map(({ labels, value }) => ({
      route: String(labels['route']),
      status: Number(labels['status']),
      code: String(labels['code']),
      count: value,
    })),
    events: Object.fromEntries(
      happened(valuesOf('loyalty_events_total')).map(({ labels, value }) => [String(labels['event']), value]),
    ),
  };
}

/** Keeps the counters above zero; those at zero exist for alerts alone. */
function happened(values: Values): Values {
  return values.filter(({ value }) => value > 0);
}

function readBudget(values: Values): LiveFigures['budget'] {
  const of = (percentile: string): number =>
    toMs(values.find(({ labels }) => labels['percentile'] === percentile)?.value ?? 0);
  return { p95Ms: of('p95'), p99Ms: of('p99') };
}

function readLatency(values: Values): Record<string, RouteLatency> {
  const latency: Record<string, { p50Ms: number; p95Ms: number; p99Ms: number }> = {};
  for (const { labels, value } of values) {
    const { route, phase, percentile } = labels;
    if (phase !== 'total') continue;
    latency[String(route)] ??= { p50Ms: 0, p95Ms: 0, p99Ms: 0 };
    const field = ({ p50: 'p50Ms', p95: 'p95Ms', p99: 'p99Ms' } as const)[String(percentile)];
    if (field) latency[String(route)]![field] = toMs(value);
  }
  return latency;
}

/** Converts seconds into milliseconds, rounded to the measured microsecond. */
function toMs(seconds: number): number {
  return Math.round(seconds * 1e6) / 1000;
}
