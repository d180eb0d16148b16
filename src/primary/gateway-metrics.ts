import { AggregatorRegistry, type MetricObject, type Registry } from 'prom-client';
import { EVENTS_TOTAL } from '../telemetry/call-metrics.ts';
import { metricsOf } from '../telemetry/metric-kinds.ts';
import { type PrimaryFigures, registerPrimary } from './primary-figures.ts';

const EVENT_LOOP_LAG = /_eventloop_lag_/;

/** The metrics that one gateway reported last. */
export type Told = readonly MetricObject[];

/** The state of the gateways now. */
export interface GatewayStates {
  /** Whether the service is ready. */
  readonly isReady: boolean;
  /** How many there have to be. */
  readonly expected: number;
  /** How many answer calls. */
  readonly serving: number;
  /** How many listen and do not report. */
  readonly silent: number;
  /** Processes that were killed because they hung, since the start. */
  readonly hung: number;
}

/**
 * The `/metrics` of the service: the sums of all gateways, and the primary's own figures. The counts of ended gateways are kept:
 * Prometheus would take a falling sum for a restart of all of them, and count the others' events a second time. So what each gateway
 * said last is kept: prom-client's `clusterMetrics` forgets a gateway that was killed, and fails at one that hangs.
 */
export class GatewayMetrics {
  #retired: Told = [];
  #ended = 0;

  /** Keeps the counts of a gateway that ended; `isFault` is false where it was replaced. */
  retire(told: Told, isFault: boolean): void {
    if (isFault) this.#ended += 1;
    const counted = told.filter(({ type }) => ['counter', 'histogram'].includes(type as unknown as string));
    this.#retired = aggregate([this.#retired, counted])
      .getMetricsAsArray()
      .map((metric) => (metric as unknown as { get: () => MetricObject }).get());
  }

  /** Combines the metrics of all gateways; `living` has one entry per living gateway. */
  merge(living: readonly Told[], states: GatewayStates, figures: PrimaryFigures): Registry {
    const merged = aggregate([...living.map(worstLag), this.#retired, [countedBy(figures)]]);
    const kinds = metricsOf(merged);
    const { gauge, count } = kinds;
    registerPrimary(kinds, figures);
    gauge('loyalty_ready', '1 while the service is ready for calls', () => Number(states.isReady));
    gauge('loyalty_processes_expected', 'Service processes that there have to be', () => states.expected);
    gauge('loyalty_processes_serving', 'Service processes that answer calls', () => states.serving);
    gauge(
      'loyalty_processes_silent',
      'Service processes that listen and have not reported for 2 s',
      () => states.silent,
    );
    count('loyalty_processes_hung_total', 'Service processes that hung for 10 s and were killed', () => states.hung);
    count('loyalty_processes_ended_total', 'Service processes that ended and were replaced', () => this.#ended);
    return merged;
  }
}

/** What the primary counts of calculations, to be added to what the gateways have counted. */
function countedBy({ counted }: PrimaryFigures): MetricObject {
  const values = Object.entries(counted).map(([event, value]) => ({ labels: { event }, value }));
  return { ...EVENTS_TOTAL, type: 'counter', aggregator: 'sum', values } as unknown as MetricObject;
}

/**
 * Takes the maximum of the gateways' event loop lag: in prom-client's mean, one hanging gateway among many would
 * disappear.
 */
function worstLag(told: Told): Told {
  return told.map((metric) => (EVENT_LOOP_LAG.test(metric.name) ? { ...metric, aggregator: 'max' } : metric));
}

/** The reported kinds are those of the text format, which the library's types do not express. */
function aggregate(told: readonly Told[]): Registry {
  return AggregatorRegistry.aggregate(told as unknown as object[]) as Registry;
}
