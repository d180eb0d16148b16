import { collectDefaultMetrics, Gauge, type MetricObject, Registry } from 'prom-client';
import { BUCKETS_MS, type CallMetrics } from './call-metrics.ts';

/** States that are asked for when somebody scrapes. */
export interface ScrapedState {
  readonly budget: { readonly p95Ms: number; readonly p99Ms: number };
  readonly admission: { readonly limit: number; readonly inFlight: number; readonly shed: number };
  readonly pool: { readonly threads: number; readonly queued: number };
  readonly isRedisUp: boolean;
  readonly environment: string;
  readonly configuration: string;
}

const QUANTILES = [50, 95, 99] as const;

/** `/metrics` in the Prometheus text format: our own figures, and the process' from prom-client. */
export function createRegistry(metrics: CallMetrics, state: () => ScrapedState): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'loyalty_' });
  registerFigures(registry, metrics);
  gauge(registry, 'loyalty_in_flight', 'Calls in flight', () => state().admission.inFlight);
  gauge(registry, 'loyalty_admission_limit', 'Calls in flight that admission allows', () => state().admission.limit);
  gauge(registry, 'loyalty_pool_threads', 'Worker threads alive', () => state().pool.threads);
  gauge(registry, 'loyalty_pool_queue', 'Calls that wait for a worker thread', () => state().pool.queued);
  gauge(registry, 'loyalty_redis_up', '1 while Redis answers', () => Number(state().isRedisUp), 'min');
  new Gauge({
    name: 'loyalty_build_info',
    help: 'Environment and version of the configuration, always 1',
    labelNames: ['environment', 'configuration'],
    aggregator: 'first',
    registers: [registry],
    collect() {
      this.reset();
      const { environment, configuration } = state();
      this.set({ environment, configuration }, 1);
    },
  });
  new Gauge({
    name: 'loyalty_latency_budget_seconds',
    help: 'Latency that the budget allows',
    labelNames: ['quantile'],
    aggregator: 'first',
    registers: [registry],
    collect() {
      const { p95Ms, p99Ms } = state().budget;
      this.set({ quantile: '0.95' }, p95Ms / 1000);
      this.set({ quantile: '0.99' }, p99Ms / 1000);
    },
  });
  counter(registry, 'loyalty_requests_shed_total', 'Calls refused by admission', () => [[{}, state().admission.shed]]);
  return registry;
}

function registerFigures(registry: Registry, metrics: CallMetrics): void {
  counter(registry, 'loyalty_requests_total', 'Calls by route, HTTP status and error code', () =>
    [...metrics.calls].map(([key, value]) => {
      const [route, status, code] = key.split(' ') as [string, string, string];
      return [{ route, status, code }, value];
    }),
  );
  counter(registry, 'loyalty_events_total', 'What happened to calculations, by kind', () =>
    [...metrics.events].map(([event, value]) => [{ event }, value]),
  );
  histogram(registry, metrics);
  new Gauge({
    name: 'loyalty_latency_last_minute_seconds',
    help: 'Percentiles of the last minute, by route and phase; phase total is the whole call',
    labelNames: ['route', 'phase', 'quantile'],
    // Percentiles of several processes cannot be merged; the worst one is what an alarm is for.
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.reset();
      for (const { route, phase, lastMinute } of metrics.figures) {
        for (const percent of QUANTILES) {
          const milliseconds = lastMinute.percentile(percent);
          if (milliseconds !== undefined)
            this.set({ route, phase, quantile: String(percent / 100) }, milliseconds / 1000);
        }
      }
    },
  });
}

type Labelled = readonly [labels: Record<string, string>, value: number];

function gauge(
  registry: Registry,
  name: string,
  help: string,
  value: () => number,
  aggregator: 'sum' | 'min' = 'sum',
): void {
  new Gauge({
    name,
    help,
    aggregator,
    registers: [registry],
    collect() {
      this.set(value());
    },
  });
}

/** A counter whose values are kept elsewhere: prom-client's own costs a hash of the labels with every call. */
function counter(registry: Registry, name: string, help: string, read: () => readonly Labelled[]): void {
  register(registry, name, () => ({
    name,
    help,
    type: 'counter',
    aggregator: 'sum',
    values: read().map(([labels, value]) => ({ labels, value })),
  }));
}

function histogram(registry: Registry, metrics: CallMetrics): void {
  const name = 'loyalty_request_duration_seconds';
  const help = 'Time from the last byte of a request to its answer, by route and phase; phase total is the whole call';
  register(registry, name, () => {
    const values: object[] = [];
    for (const { route, phase, buckets } of metrics.figures) {
      let cumulated = 0;
      for (const [index, count] of buckets.counts.entries()) {
        cumulated += count;
        const bound = BUCKETS_MS[index];
        const le = bound === undefined ? '+Inf' : bound / 1000;
        values.push({ metricName: `${name}_bucket`, labels: { route, phase, le }, value: cumulated });
      }
      values.push({ metricName: `${name}_sum`, labels: { route, phase }, value: buckets.sumMs / 1000 });
      values.push({ metricName: `${name}_count`, labels: { route, phase }, value: cumulated });
    }
    return { name, help, type: 'histogram', aggregator: 'sum', values };
  });
}

/** prom-client renders whatever has a name and can be asked for its values. */
function register(registry: Registry, name: string, get: () => object): void {
  const metric = { name, get: async () => get() as MetricObject, reset: () => undefined };
  registry.registerMetric(metric as unknown as Gauge);
}
