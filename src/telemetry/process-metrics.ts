import { AggregatorRegistry, type MetricObject } from 'prom-client';

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

  /** The text of all of them together; `living` holds one entry per process that lives. */
  async merge(living: readonly Told[]): Promise<string> {
    const merged = AggregatorRegistry.aggregate([...living, this.#retired] as unknown as object[]);
    return [
      await merged.metrics(),
      sample('loyalty_processes_expected', 'Service processes that there have to be', 'gauge', this.#expected),
      sample('loyalty_processes_ended_total', 'Service processes that ended and were replaced', 'counter', this.#ended),
    ].join('\n');
  }
}

function aggregate(told: readonly Told[]): Told {
  const registry = AggregatorRegistry.aggregate(told as unknown as object[]);
  return registry.getMetricsAsArray().map((metric) => (metric as unknown as { get: () => MetricObject }).get());
}

function sample(name: string, help: string, type: string, value: number): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`;
}
