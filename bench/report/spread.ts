import { type Latencies, percentileUs } from '../../packages/tools/src/load/latencies.ts';

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

/** Milliseconds at a percentile; NaN without latencies. */
export function percentileMs(latencies: Latencies | undefined, percentile: number): number {
  return latencies === undefined ? Number.NaN : percentileUs(latencies, percentile) / 1000;
}
