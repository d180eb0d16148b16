import type { Gauge, MetricObject, Registry } from 'prom-client';
import type { BucketCounts } from './bucket-counts.ts';

/**
 * Metrics whose values are kept elsewhere as plain numbers and read at each scrape: prom-client's own metrics hash the
 * labels on every call.
 */

export type Labelled = readonly [labels: Readonly<Record<string, string>>, value: number];

/** How the figures of several processes are combined. */
export type Aggregator = 'sum' | 'min' | 'max' | 'first';

/** A gauge without labels. */
export function gauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => number,
  aggregator: Aggregator = 'sum',
): void {
  labelledGauge(registry, name, help, () => [[{}, read()]], aggregator);
}

export function labelledGauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => readonly Labelled[],
  aggregator: Aggregator,
): void {
  register(registry, { name, help, type: 'gauge', aggregator }, () => samples(read()));
}

export function counter(registry: Registry, name: string, help: string, read: () => readonly Labelled[]): void {
  register(registry, { name, help, type: 'counter', aggregator: 'sum' }, () => samples(read()));
}

/** A histogram in seconds, from buckets that are counted in milliseconds. */
export function histogram(
  registry: Registry,
  name: string,
  help: string,
  read: () => Iterable<readonly [labels: Readonly<Record<string, string>>, buckets: BucketCounts]>,
): void {
  register(registry, { name, help, type: 'histogram', aggregator: 'sum' }, () => {
    const values: object[] = [];
    for (const [labels, { bounds, counts, sumMs }] of read()) {
      let cumulated = 0;
      for (const [index, count] of counts.entries()) {
        cumulated += count;
        const bound = bounds[index];
        const le = bound === undefined ? '+Inf' : bound / 1000;
        values.push({ metricName: `${name}_bucket`, labels: { ...labels, le }, value: cumulated });
      }
      values.push({ metricName: `${name}_sum`, labels, value: sumMs / 1000 });
      values.push({ metricName: `${name}_count`, labels, value: cumulated });
    }
    return values;
  });
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
