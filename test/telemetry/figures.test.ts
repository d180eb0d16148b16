/** Figures of calls: buckets, rolling percentiles and what a scrape reads. */
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { BenefitCosts } from '../../src/telemetry/benefit-costs.ts';
import { BUCKETS_MS, BucketCounts } from '../../src/telemetry/bucket-counts.ts';
import { CallMetrics } from '../../src/telemetry/call-metrics.ts';
import { createRegistry } from '../../src/telemetry/exposition.ts';
import { metricsOf } from '../../src/telemetry/metric-kinds.ts';
import { registerPrimary, registerResources } from '../../src/telemetry/primary-exposition.ts';
import { RedisFigures } from '../../src/telemetry/redis-figures.ts';
import { ReloadRecord } from '../../src/telemetry/reload-record.ts';
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

test('a scrape reads counts, buckets, percentiles, budget and states', async () => {
  const metrics = new CallMetrics();
  const phases = { parse: 1, commit: 2 };
  metrics.observe({
    route: '/v1/pos/basket',
    latencyOf: '/v1/pos/basket',
    status: 200,
    code: 'none',
    durationMs: 3,
    phases,
  });
  metrics.observe({
    route: '/v1/pos/basket',
    latencyOf: '/v1/pos/basket',
    status: 503,
    code: 'unavailable',
    durationMs: 400.5,
    phases: {},
  });
  metrics.add('replayed');
  const costs = new BenefitCosts();
  costs.add({ programmeId: 'coffee-club', benefitId: 'half', currency: 'NOK', units: 2, saved: 500 });
  const registry = createRegistry(metrics, costs, () => ({
    budget: { p95Ms: 150, p99Ms: 250 },
    admission: { limit: 200, inFlight: 3, shed: 7 },
    uploads: { unfinished: 2, heldBytes: 4096, lost: { aborted: 1 } },
    pool: { threads: 1, expected: 2, queued: 0, lost: { stuck: 1, ended: 0 }, handedOver: 3 },
    isRedisUp: true,
    redisCause: 'refused',
    redisCauses: ['refused', 'loading'],
    redisMasters: [{ server: '10.0.0.1:6379', isUp: false }],
    redisSettings: [{ setting: 'appendonly', state: 'wrong' }],
    settingStates: ['right', 'wrong'],
    isDataGone: true,
    limitsLocally: true,
    redis: new RedisFigures(),
    logLosses: { blocked: 13, removed: 14 },
    descriptors: { open: 11, limit: 12 },
    certificateEndsMs: 5_000,
    environment: 'staging',
    configuration: 'abc',
    build: { version: '1.2.3', commit: '0f1e2d' },
  }));
  const resources = {
    folders: [{ name: 'DATA_DIR', freeBytes: 5, sizeBytes: 10 }],
    redis: { usedBytes: 7, limitBytes: 8, evictedKeys: 9, isFileWritten: true, isFileRewritten: false },
  };
  registerResources(metricsOf(registry), () => resources);
  const lines = (await registry.metrics()).split('\n');
  for (const line of [
    '# HELP loyalty_redis_breaker_openings_total Times the breaker opened: Redis left pings unanswered or closed the connection',
    'loyalty_requests_total{route="/v1/pos/basket",status="200",code="none"} 1',
    'loyalty_request_duration_seconds_bucket{route="/v1/pos/basket",phase="total",le="0.25"} 1',
    'loyalty_request_duration_seconds_bucket{route="/v1/pos/basket",phase="total",le="0.5"} 2',
    'loyalty_request_duration_seconds_bucket{route="/v1/pos/basket",phase="total",le="+Inf"} 2',
    'loyalty_request_duration_seconds_count{route="/v1/pos/basket",phase="commit"} 1',
    'loyalty_events_total{event="replayed"} 1',
    'loyalty_latency_budget_seconds{percentile="p99"} 0.25',
    'loyalty_benefit_baskets_total{programme="coffee-club",benefit="half",currency="NOK"} 1',
    'loyalty_benefit_units_total{programme="coffee-club",benefit="half",currency="NOK"} 2',
    'loyalty_benefit_saved_minor_units_total{programme="coffee-club",benefit="half",currency="NOK"} 500',
    'loyalty_requests_shed_total 7',
    'loyalty_in_flight 3',
    'loyalty_admission_limit 200',
    'loyalty_redis_up 1',
    'loyalty_redis_unreachable{cause="refused"} 1',
    'loyalty_redis_unreachable{cause="loading"} 0',
    'loyalty_redis_master_up{server="10.0.0.1:6379"} 0',
    'loyalty_rate_limit_local 1',
    'loyalty_redis_data_gone 1',
    'loyalty_redis_setting{setting="appendonly",state="wrong"} 1',
    'loyalty_redis_setting{setting="appendonly",state="right"} 0',
    'loyalty_redis_evicted_keys 9',
    'loyalty_file_descriptors_open 11',
    'loyalty_log_lines_lost_total{cause="blocked"} 13',
    'loyalty_log_lines_lost_total{cause="removed"} 14',
    'loyalty_file_descriptors_limit 12',
    'loyalty_build_info{version="1.2.3",commit="0f1e2d",environment="staging",configuration="abc"} 1',
    'loyalty_pool_threads_expected 2',
    'loyalty_pool_threads_lost_total{cause="stuck"} 1',
    'loyalty_pool_handed_over_total 3',
    'loyalty_redis_round_trip_seconds_bucket{le="+Inf"} 0',
    'loyalty_events_total{event="over_redeemed_units"} 0',
    'loyalty_redis_memory_used_bytes 7',
    'loyalty_redis_memory_limit_bytes 8',
    'loyalty_redis_file_written 1',
    'loyalty_redis_file_rewritten 0',
    'loyalty_disk_free_bytes{folder="DATA_DIR"} 5',
    'loyalty_disk_size_bytes{folder="DATA_DIR"} 10',
    'loyalty_tls_certificate_end_timestamp_seconds 5',
  ]) {
    expect(lines).toContain(line);
  }
  const p99 = 'loyalty_latency_last_minute_seconds{route="/v1/pos/basket",phase="total",percentile="p99"} ';
  expect(Number(lines.find((line) => line.startsWith(p99))?.slice(p99.length))).toBeCloseTo(0.4, 1);
});

test('the start is told with its fraction of a second, so that two starts within one are two', async () => {
  const registry = new Registry();
  registerPrimary(metricsOf(registry), {
    reloads: new ReloadRecord(),
    limits: () => [],
    events: () => ({ retentionSeconds: 1, unread: [] }),
    resources: () => ({ folders: [], redis: undefined }),
    counted: () => ({}),
  });
  const told = Number(/^process_start_time_seconds (\S+)$/m.exec(await registry.metrics())?.[1]);
  // A whole second would be half a second away at most, and a quarter on average.
  expect(Math.abs(told * 1000 - (Date.now() - process.uptime() * 1000))).toBeLessThan(50);
});
