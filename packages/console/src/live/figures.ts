import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';
import { type CountedEvent, EVENTS } from '../../../../src/telemetry/call-metrics.ts';

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
  /** What happened to calculations, in words. */
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
  // Only what the page shows is read, because collecting the other metrics costs time.
  const valuesOf = async (name: string): Promise<Values> => (await registry.getSingleMetric(name)?.get())?.values ?? [];
  const firstOf = async (name: string): Promise<number> => (await valuesOf(name))[0]?.value ?? 0;
  const unreachable = (await valuesOf('loyalty_redis_unreachable')).find(({ value }) => value === 1);
  const redisCause = unreachable?.labels['cause'];
  const build = (await valuesOf('loyalty_build_info'))[0]?.labels;
  const { p95Ms, p99Ms } = readPercentiles(await valuesOf('loyalty_latency_budget_seconds'));
  return {
    atMs,
    environment: String(build?.['environment'] ?? ''),
    configuration: String(build?.['configuration'] ?? ''),
    version: String(build?.['version'] ?? ''),
    commit: String(build?.['commit'] ?? ''),
    red,
    facts,
    isConfigurationRefused: (await valuesOf('loyalty_last_reload_successful'))[0]?.value === 0,
    isRedisUp: (await firstOf('loyalty_redis_up')) === 1,
    ...(redisCause !== undefined && { redisCause: String(redisCause) }),
    workers: await firstOf('loyalty_pool_threads'),
    queued: await firstOf('loyalty_pool_queue'),
    inFlight: await firstOf('loyalty_in_flight'),
    admissionLimit: await firstOf('loyalty_admission_limit'),
    shed: await firstOf('loyalty_requests_shed_total'),
    budget: { p95Ms, p99Ms },
    latency: readLatency(await valuesOf('loyalty_latency_last_minute_seconds')),
    calls: happened(await valuesOf('loyalty_requests_total')).map(({ labels, value }) => ({
      route: String(labels['route']),
      status: Number(labels['status']),
      code: String(labels['code']),
      count: value,
    })),
    events: Object.fromEntries(
      happened(await valuesOf('loyalty_events_total')).map(({ labels, value }) => [
        EVENTS[labels['event'] as CountedEvent],
        value,
      ]),
    ),
  };
}

/** Keeps the counters above zero; those at zero exist for alerts alone. */
function happened(values: Values): Values {
  return values.filter(({ value }) => value > 0);
}

function readLatency(values: Values): LiveFigures['latency'] {
  const totals = values.filter(({ labels }) => labels['phase'] === 'total');
  const byRoute = Map.groupBy(totals, ({ labels }) => String(labels['route']));
  return Object.fromEntries([...byRoute].map(([route, own]) => [route, readPercentiles(own)]));
}

function readPercentiles(values: Values): RouteLatency {
  const of = (percentile: string): number =>
    toMs(values.find(({ labels }) => labels['percentile'] === percentile)?.value ?? 0);
  return { p50Ms: of('p50'), p95Ms: of('p95'), p99Ms: of('p99') };
}

/** Converts seconds into milliseconds, rounded to the measured microsecond. */
function toMs(seconds: number): number {
  return Math.round(seconds * 1e6) / 1000;
}
