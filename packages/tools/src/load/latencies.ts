import { build, type Histogram } from 'hdr-histogram-js';

/** Microseconds from the scheduled send to the last byte of the answer. */
export interface Latencies {
  readonly count: number;
  readonly maxUs: number;
  /** Percentile → microseconds, from 50 upwards in ever finer steps; empty when nothing was counted. */
  readonly ladder: readonly (readonly [percentile: number, us: number])[];
}

/** Microseconds at a percentile. When there are too few values for it, the slowest one; NaN when there are none. */
export function percentileUs({ count, ladder, maxUs }: Latencies, percentile: number): number {
  if (count === 0) return Number.NaN;
  return ladder.find(([known]) => known >= percentile - 1e-9)?.[1] ?? maxUs;
}

/**
 * The highest latency in microseconds, two minutes; a longer one counts as this. Values have three significant digits.
 */
const HIGHEST_US = 120_000_000;

const US_PER_MS = 1000;

/** The resolution that the plotting tools use by default. */
const TICKS_PER_HALF_DISTANCE = 5;

/** The percentiles of a percentile plot: every step halves the distance to 100 %, with four points in between. */
const LADDER: readonly number[] = [0, 50, ...steps()].filter((percentile) => percentile <= 99.999);

function* steps(): Generator<number> {
  for (let distance = 50; distance > 0.0005; distance /= 2) {
    for (const part of [0.875, 0.75, 0.625, 0.5]) yield 100 - distance * part;
  }
  yield* [90, 95, 99, 99.9, 99.99];
}

/** A histogram of latencies. */
export class LatencyHistogram {
  readonly #histogram: Histogram = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: HIGHEST_US,
    numberOfSignificantValueDigits: 3,
    bitBucketSize: 32,
    useWebAssembly: false,
  });

  record(us: number): void {
    this.#histogram.recordValue(Math.min(HIGHEST_US, Math.max(0, Math.round(us))));
  }

  /** The distribution in the format of HdrHistogram's plotting tools (`.hgrm`), in milliseconds. */
  renderDistribution(): string {
    return this.#histogram.outputPercentileDistribution(TICKS_PER_HALF_DISTANCE, US_PER_MS, false);
  }

  summarize(): Latencies {
    const histogram = this.#histogram;
    const count = histogram.totalCount;
    // A percentile finer than one request has no meaning.
    const finest = 100 - 100 / Math.max(1, count);
    const percentiles = [...new Set(LADDER)].sort((a, b) => a - b).filter((percentile) => percentile <= finest);
    return {
      count,
      maxUs: histogram.maxValue,
      ladder: percentiles.map((percentile) => [percentile, histogram.getValueAtPercentile(percentile)] as const),
    };
  }
}
