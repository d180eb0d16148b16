import type { Latencies } from '../../packages/tools/src/load/latencies.ts';

/** Returns the middle value, of an even number the mean of the two; NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? Number.NaN) + (sorted[Math.floor(half)] ?? Number.NaN)) / 2;
}

/** Renders `median (least … most)` of several measurements in few digits, or the single value. */
export function showSpread(values: readonly number[]): string {
  if (values.length === 0) return '–';
  const quoted = showNumber(median(values));
  if (values.length === 1) return quoted;
  return `${quoted} (${showNumber(Math.min(...values))} … ${showNumber(Math.max(...values))})`;
}

/** Renders three significant digits below a thousand, whole numbers with separators above. */
export function showNumber(value: number): string {
  if (Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return '∞';
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}

/** Milliseconds at a percentile. When there are too few values for it, the slowest one; NaN when there are none. */
export function percentileMs(latencies: Latencies | undefined, percentile: number): number {
  if (!latencies || latencies.count === 0) return Number.NaN;
  const step = latencies.ladder.find(([known]) => known >= percentile - 1e-9);
  return (step ? step[1] : latencies.maxUs) / 1000;
}
