import { AggregatorRegistry, type MetricObject, type Registry } from 'prom-client';
import { counter, gauge } from './metric-kinds.ts';

const EVENT_LOOP_LAG = /_eventloop_lag_/;

/** The metrics of one process, as it told them last. */
export type Told = readonly MetricObject[];

/**
 * One `/metrics` of several processes. What processes that ended have counted is kept: a sum that falls looks to
 * Prometheus like a restart of everything, and it would count all that the others have counted a second time.
 */
export class ProcessMetrics {
  readonly #expected: number;
  #retired: Told = [];
  #ended = 0;

  constructor(expected: number) {
    this.#expected = expected;
  }

  /** Takes over what a process that ended had counted. */
  retire(told: Told): void {
    this.#ended += 1;
    const counted = told.filter(({ type }) => ['counter', 'histogram'].includes(type as unknown as string));
    this.#retired = aggregate([this.#retired, counted]);
  }

  /** The metrics of all of them together; `living` holds one entry per process that lives. */
  merge(living: readonly Told[]): Registry {
    // What is told is in the text format's own kind; the library's types cannot know that.
    const merged = AggregatorRegistry.aggregate([
      ...living.map(worstLag),
      this.#retired,
    ] as unknown as object[]) as Registry;
    gauge(merged, 'loyalty_processes_expected', 'Service processes that there have to be', () => this.#expected);
    counter(merged, 'loyalty_processes_ended_total', 'Service processes that ended and were replaced', () => [
      [{}, this.#ended],
    ]);
    return merged;
  }
}

/** prom-client takes the mean of the processes' event loop lag, in which one that hangs among many disappears. */
function worstLag(told: Told): Told {
  return told.map((metric) => (EVENT_LOOP_LAG.test(metric.name) ? { ...metric, aggregator: 'max' } : metric));
}

function aggregate(told: readonly Told[]): Told {
  const registry = AggregatorRegistry.aggregate(told as unknown as object[]);
  return registry.getMetricsAsArray().map((metric) => (metric as unknown as { get: () => MetricObject }).get());
}
