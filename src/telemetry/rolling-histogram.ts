import { createRequire } from 'node:module';
import type { Int32Histogram } from 'hdr-histogram-js';

// The package's own entry also loads its compression and WebAssembly, which are forty modules of a start. Required, because
// loaders do not agree on what the default export of a module in the older format is.
const own = createRequire(import.meta.url)('hdr-histogram-js/dist/Int32Histogram.js') as {
  readonly default: typeof Int32Histogram;
};

/** Six windows of ten seconds cover the last minute; every ten seconds the oldest one is dropped. */
const WINDOWS = 6;
const WINDOW_MS = 10_000;
const HIGHEST_MICROSECONDS = 60_000_000;
/** With two digits a percentile is off by at most one per cent, and a histogram takes ten kilobytes. */
const DIGITS = 2;

/** Durations of the last minute, kept in microseconds as one HDR histogram per window. */
export class RollingHistogram {
  readonly #windows: Int32Histogram[] = Array.from({ length: WINDOWS }, newHistogram);
  #current = 0;
  #startedAtMs: number;

  constructor(nowMs: number = performance.now()) {
    this.#startedAtMs = nowMs;
  }

  /** Records a duration in milliseconds. */
  record(durationMs: number, nowMs: number = performance.now()): void {
    this.#advance(nowMs);
    this.#windows[this.#current]!.recordValue(
      Math.min(HIGHEST_MICROSECONDS, Math.max(1, Math.round(durationMs * 1000))),
    );
  }

  /** The duration in milliseconds that `percent` of the recorded ones do not exceed; undefined when there are none. */
  percentile(percent: number, nowMs: number = performance.now()): number | undefined {
    return this.percentiles([percent], nowMs)[0];
  }

  /** The same for several percentages, in their order; empty when nothing was recorded. The windows are added up once. */
  percentiles(percents: readonly number[], nowMs: number = performance.now()): number[] {
    this.#advance(nowMs);
    const filled = this.#windows.filter(({ totalCount }) => totalCount > 0);
    if (filled.length === 0) return [];
    const [first] = filled as [Int32Histogram];
    const all = filled.length === 1 ? first : newHistogram();
    if (all !== first) for (const window of filled) all.add(window);
    return percents.map((percent) => all.getValueAtPercentile(percent) / 1000);
  }

  #advance(nowMs: number): void {
    const passed = Math.floor((nowMs - this.#startedAtMs) / WINDOW_MS);
    if (passed <= 0) return;
    for (let window = 0; window < Math.min(passed, WINDOWS); window += 1) {
      this.#current = (this.#current + 1) % WINDOWS;
      this.#windows[this.#current]!.reset();
    }
    this.#startedAtMs += passed * WINDOW_MS;
  }
}

function newHistogram(): Int32Histogram {
  return new own.default(1, HIGHEST_MICROSECONDS, DIGITS);
}
