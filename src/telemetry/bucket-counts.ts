/** Upper bounds in milliseconds; 150, 250 and 400 are the budget and the deadline. */
export const BUCKETS_MS = [1, 2.5, 5, 10, 25, 50, 100, 150, 250, 400, 500, 1000] as const;

/** Durations since the start, counted per bucket in plain numbers, because every call is recorded here. */
export class BucketCounts {
  readonly bounds: readonly number[];
  /** One count more than there are bounds; the last one is `+Inf`. */
  readonly counts: number[];
  sumMs = 0;

  constructor(bounds: readonly number[] = BUCKETS_MS) {
    this.bounds = bounds;
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  record(durationMs: number): void {
    let bucket = 0;
    while (bucket < this.bounds.length && durationMs > this.bounds[bucket]!) bucket += 1;
    this.counts[bucket]! += 1;
    this.sumMs += durationMs;
  }
}
