import { AggregatorRegistry, type MetricObject, type Registry } from 'prom-client';
import { READY } from './exposition.ts';
import { metricsOf } from './metric-kinds.ts';
import { registerStartTime } from './start-time.ts';

const EVENT_LOOP_LAG = /_eventloop_lag_/;

/** The metrics that one process reported last. */
export type Told = readonly MetricObject[];

/** The state of the processes now. */
export interface ProcessStates {
  /** Whether they are ready together. */
  readonly isReady: () => boolean;
  /** How many answer calls. */
  readonly serving: () => number;
  /** How many listen and do not report. */
  readonly silent: () => number;
  /** Processes that were killed because they hung, since the start. */
  readonly hung: () => number;
}

/**
 * The combined `/metrics` of several processes. The counts of ended processes are kept: Prometheus would take a falling
 * sum for a restart of all processes, and count the others' events a second time.
 */
export class ProcessMetrics {
  readonly #expected: number;
  readonly #states: ProcessStates;
  #retired: Told = [];
  #ended = 0;

  constructor(expected: number, states: ProcessStates) {
    [this.#expected, this.#states] = [expected, states];
  }

  /** Keeps the counts of a process that ended; `isFault` is false where it was replaced. */
  retire(told: Told, isFault: boolean): void {
    if (isFault) this.#ended += 1;
    const counted = told.filter(({ type }) => ['counter', 'histogram'].includes(type as unknown as string));
    this.#retired = aggregate([this.#retired, counted]);
  }

  /** Combines the metrics of all processes; `living` has one entry per living process. */
  merge(living: readonly Told[]): Registry {
    // The reported kinds are those of the text format, which the library's types do not express.
    const merged = AggregatorRegistry.aggregate([
      ...living.map(worstLag),
      this.#retired,
    ] as unknown as object[]) as Registry;
    const kinds = metricsOf(merged);
    const { gauge, count } = kinds;
    // One process that is not ready leaves the others ready, and where none is left, nobody else would say so.
    merged.removeSingleMetric(READY.name);
    gauge(READY.name, READY.help, () => Number(this.#states.isReady()));
    // That of the supervisor: a restart of it is a restart of the whole service.
    registerStartTime(kinds, 'first');
    gauge('loyalty_processes_expected', 'Service processes that there have to be', () => this.#expected);
    gauge('loyalty_processes_serving', 'Service processes that answer calls', () => this.#states.serving());
    gauge('loyalty_processes_silent', 'Service processes that listen and have not reported for 2 s', () =>
      this.#states.silent(),
    );
    count('loyalty_processes_hung_total', 'Service processes that hung for 10 s and were killed', () =>
      this.#states.hung(),
    );
    count('loyalty_processes_ended_total', 'Service processes that ended and were replaced', () => this.#ended);
    return merged;
  }
}

/**
 * Takes the maximum of the processes' event loop lag: in prom-client's mean, one hanging process among many would
 * disappear.
 */
function worstLag(told: Told): Told {
  return told.map((metric) => (EVENT_LOOP_LAG.test(metric.name) ? { ...metric, aggregator: 'max' } : metric));
}

function aggregate(told: readonly Told[]): Told {
  const registry = AggregatorRegistry.aggregate(told as unknown as object[]);
  return registry.getMetricsAsArray().map((metric) => (metric as unknown as { get: () => MetricObject }).get());
}
