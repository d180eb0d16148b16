/** Figures of calls: buckets and rolling percentiles; and the start of the service. */
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { registerPrimary } from '../../src/primary/primary-figures.ts';
import { BUCKETS_MS, BucketCounts } from '../../src/telemetry/bucket-counts.ts';
import { metricsOf } from '../../src/telemetry/metric-kinds.ts';
import { RollingHistogram } from '../../src/telemetry/rolling-histogram.ts';

test('a duration counts in the first bucket that it does not exceed', () => {
  const buckets = new BucketCounts();
  for (const durationMs of [0.2, 1, 1.01, 250, 250.1, 5000]) buckets.record(durationMs);
  const filled = Object.fromEntries(buckets.counts.map((count, index) => [BUCKETS_MS[index] ?? 'more', count]));
  expect(filled).toMatchObject({ 1: 2, 2.5: 1, 250: 1, 400: 1, more: 1 });
  expect(buckets.counts.reduce((sum, count) => sum + count, 0)).toBe(6);
});

test('percentiles are those of the last minute, within one per cent', () => {
  const histogram = new RollingHistogram(0);
  expect(histogram.percentile(99, 0)).toBeUndefined();
  for (let durationMs = 1; durationMs <= 1000; durationMs += 1) histogram.record(durationMs, 1000);
  expect(histogram.percentile(50, 1000)).toBeCloseTo(500, -1);
  expect(histogram.percentile(99, 1000)! / 990).toBeCloseTo(1, 1);
  for (let count = 0; count < 1000; count += 1) histogram.record(2, 45_000);
  expect(histogram.percentile(99, 45_000)).toBeGreaterThan(900);
  // Seventy seconds on, the first thousand have left.
  expect(histogram.percentile(99, 70_000)).toBeCloseTo(2, 1);
  expect(histogram.percentile(99, 200_000)).toBeUndefined();
});

test('the start is told with its fraction of a second, so that two starts within one are two', async () => {
  const registry = new Registry();
  registerPrimary(metricsOf(registry), {
    reloads: { succeeded: 0, refused: 0, isLastRefused: false, lastSuccessMs: 0 },
    watched: { limits: [], unread: [], folders: [], redis: undefined },
    retentionMs: 1000,
    counted: {},
  });
  const told = Number(/^process_start_time_seconds (\S+)$/m.exec(await registry.metrics())?.[1]);
  // Between the two clocks the machine may stand still; of many looks at them the nearest one counts.
  const looks = Array.from({ length: 100 }, () => Math.abs(told * 1000 - (Date.now() - process.uptime() * 1000)));
  // A whole second would be half a second away at most, and a quarter on average.
  expect(Math.min(...looks)).toBeLessThan(50);
});
