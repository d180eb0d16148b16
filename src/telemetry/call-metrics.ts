import { RollingHistogram } from './rolling-histogram.ts';
import type { Phases } from './stopwatch.ts';

/** Upper bounds in milliseconds; 150, 250 and 400 are the budget and the deadline. */
export const BUCKETS_MS = [1, 2.5, 5, 10, 25, 50, 100, 150, 250, 400, 500, 1000] as const;

/** One call, as far as it is counted. */
export interface ObservedCall {
  readonly route: string;
  /** 0 when the caller hung up. */
  readonly status: number;
  readonly code: string;
  readonly durationMs: number;
  readonly phases: Phases;
}

/** Durations since the start, counted per bucket. */
export class BucketCounts {
  /** One more than there are bounds: the last one is `+Inf`. */
  readonly counts = new Array<number>(BUCKETS_MS.length + 1).fill(0);
  sumMs = 0;

  record(durationMs: number): void {
    let bucket = 0;
    while (bucket < BUCKETS_MS.length && durationMs > BUCKETS_MS[bucket]!) bucket += 1;
    this.counts[bucket]! += 1;
    this.sumMs += durationMs;
  }
}

/** What is kept of one phase of one route; the whole call is the phase `total`. */
export interface PhaseFigures {
  readonly route: string;
  readonly phase: string;
  readonly buckets: BucketCounts;
  readonly lastMinute: RollingHistogram;
}

export const TOTAL = 'total';

/** Counts and latencies of calls. Recording is a few additions: it is on every call's way. */
export class CallMetrics {
  /** Calls by `route status code`. */
  readonly calls = new Map<string, number>();
  readonly #figures = new Map<string, PhaseFigures>();
  /** Plain events by name, with an optional label value: `sale recorded`. */
  readonly events = new Map<string, number>();

  get figures(): Iterable<PhaseFigures> {
    return this.#figures.values();
  }

  observe(call: ObservedCall): void {
    count(this.calls, `${call.route} ${call.status} ${call.code}`, 1);
    this.#record(call.route, TOTAL, call.durationMs);
    for (const phase in call.phases) this.#record(call.route, phase, call.phases[phase]!);
  }

  /** Counts something that happened, e.g. `replayed`; `amount` is a whole number. */
  add(event: string, amount = 1): void {
    if (amount > 0) count(this.events, event, amount);
  }

  #record(route: string, phase: string, durationMs: number): void {
    const key = `${route} ${phase}`;
    let figures = this.#figures.get(key);
    if (!figures) {
      figures = { route, phase, buckets: new BucketCounts(), lastMinute: new RollingHistogram() };
      this.#figures.set(key, figures);
    }
    figures.buckets.record(durationMs);
    figures.lastMinute.record(durationMs);
  }
}

function count(counts: Map<string, number>, key: string, amount: number): void {
  counts.set(key, (counts.get(key) ?? 0) + amount);
}
