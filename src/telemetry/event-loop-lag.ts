import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metrics } from './metric-kinds.ts';
import { monotonicMs } from './stopwatch.ts';

/** A figure is of the last one to two of these, which is longer than a scrape interval. */
const WINDOW_MS = 30_000;
const NS_PER_SECOND = 1e9;

type Figure = (histogram: IntervalHistogram) => number;

const FIGURES: Readonly<Record<string, readonly [help: string, of: Figure]>> = {
  max: ['Longest', ({ max }) => max],
  mean: ['Mean', ({ mean }) => mean],
  p50: ['Median', (own) => own.percentile(50)],
  p90: ['90th percentile of the', (own) => own.percentile(90)],
  p99: ['99th percentile of the', (own) => own.percentile(99)],
};

/** The figures of prom-client that these take the place of, and two more that say nothing of a blocked loop. */
export const LAGS_SINCE_LAST_READ = ['min', 'stddev', ...Object.keys(FIGURES)].map(nameOf);

function nameOf(figure: string): string {
  return `nodejs_eventloop_lag_${figure}_seconds`;
}

/**
 * Delays of the event loop. Those of prom-client begin anew at each read: where several read, such as a process that reports to its
 * primary at every question, each sees a part. Two monitors that begin one after the other keep them for a time.
 */
export class EventLoopLag {
  #longer = startMonitor();
  #shorter = startMonitor();
  #sinceMs: number;

  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
  }

  /** Seconds. */
  read(of: Figure, nowMs: number): number {
    if (nowMs - this.#sinceMs >= WINDOW_MS) {
      this.#longer.disable();
      [this.#longer, this.#shorter, this.#sinceMs] = [this.#shorter, startMonitor(), nowMs];
    }
    return this.#longer.count > 0 ? of(this.#longer) / NS_PER_SECOND : 0;
  }
}

function startMonitor(): IntervalHistogram {
  const monitor = monitorEventLoopDelay();
  monitor.enable();
  return monitor;
}

export function registerEventLoopLag({ gauge }: Metrics): void {
  const lag = new EventLoopLag(monotonicMs());
  for (const [figure, [help, of]] of Object.entries(FIGURES))
    gauge(
      nameOf(figure),
      `${help} delay of the event loop, of the last minute`,
      () => lag.read(of, monotonicMs()),
      'max',
    );
}
