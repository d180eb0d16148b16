import type { Gauge, MetricObject, Registry } from 'prom-client';
import type { BucketCounts } from './bucket-counts.ts';

/**
 * Metrics whose values are kept elsewhere as plain numbers and read at each scrape: prom-client's own metrics hash the
 * labels on every call.
 */

export type Labelled = readonly [labels: Readonly<Record<string, string>>, value: number];

/** How the figures of several processes are combined. */
export type Aggregator = 'sum' | 'min' | 'max' | 'first' | 'omit';

type Read = () => readonly Labelled[];
type ReadBuckets = () => Iterable<readonly [labels: Readonly<Record<string, string>>, buckets: BucketCounts]>;

/** The functions that add a metric to a registry, which reads its values at each scrape. */
export interface Metrics {
  gauge(name: string, help: string, read: () => number, aggregator?: Aggregator): void;
  labelledGauge(name: string, help: string, read: Read, aggregator: Aggregator): void;
  /** A counter without labels. */
  count(name: string, help: string, read: () => number): void;
  counter(name: string, help: string, read: Read): void;
  /** A counter by cause. */
  causes(name: string, help: string, read: () => Readonly<Record<string, number>>): void;
  /** A histogram in seconds, from buckets that are counted in milliseconds. */
  histogram(name: string, help: string, read: ReadBuckets): void;
}

export function metricsOf(registry: Registry): Metrics {
  const labelledGauge: Metrics['labelledGauge'] = (name, help, read, aggregator) =>
    register(registry, { name, help, type: 'gauge', aggregator }, () => samples(read()));
  const counter: Metrics['counter'] = (name, help, read) =>
    register(registry, { name, help, type: 'counter', aggregator: 'sum' }, () => samples(read()));
  return {
    labelledGauge,
    counter,
    gauge: (name, help, read, aggregator = 'sum') => labelledGauge(name, help, () => [[{}, read()]], aggregator),
    count: (name, help, read) => counter(name, help, () => [[{}, read()]]),
    causes: (name, help, read) =>
      counter(name, help, () => Object.entries(read()).map(([cause, count]) => [{ cause }, count])),
    histogram: (name, help, read) =>
      register(registry, { name, help, type: 'histogram', aggregator: 'sum' }, () =>
        [...read()].flatMap(([labels, buckets]) => bucketSamples(name, labels, buckets)),
      ),
  };
}

function bucketSamples(name: string, labels: object, { bounds, counts, sumMs }: BucketCounts): object[] {
  const values: object[] = [];
  let cumulated = 0;
  for (const [index, count] of counts.entries()) {
    cumulated += count;
    const bound = bounds[index];
    const le = bound === undefined ? '+Inf' : bound / 1000;
    values.push({ metricName: `${name}_bucket`, labels: { ...labels, le }, value: cumulated });
  }
  values.push({ metricName: `${name}_sum`, labels, value: sumMs / 1000 });
  values.push({ metricName: `${name}_count`, labels, value: cumulated });
  return values;
}

function samples(labelled: readonly Labelled[]): object[] {
  return labelled.map(([labels, value]) => ({ labels, value }));
}

interface Description {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly aggregator: Aggregator;
}

/** Registers a metric. prom-client renders any object with a name and a `get`. */
function register(registry: Registry, description: Description, read: () => object[]): void {
  const get = async () => ({ ...description, values: read() }) as unknown as MetricObject;
  registry.registerMetric({ name: description.name, get, reset: () => undefined } as unknown as Gauge);
}
