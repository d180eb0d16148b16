/** What a real service counts: each event in the life of a hold moves its own counter, from zero, by one. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { configurationOf, singleUseMembers } from '../support/configuration.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/wait.ts';
import type { BasketBody } from '../support/wire.ts';

/** Longer than a busy machine needs from a basket to its sale. */
const HOLD_MS = 5_000;

const configuration = configurationOf({
  holdMinutes: HOLD_MS / 60_000,
  moreMembers: singleUseMembers('guest', 30),
});
const stage = useService({ configuration, isPatient: false });

let guests = 0;

function offer(more: Partial<BasketBody> = {}): BasketBody {
  guests += 1;
  return basketOf([{}], { loyaltyId: `guest-${guests}`, ...more });
}

async function events(): Promise<Record<string, number>> {
  const samples = (await scrape(stage.service)).filter(({ name }) => name === 'loyalty_events_total');
  return Object.fromEntries(samples.map(({ labels, value }) => [labels.event, value]));
}

/** The counters that moved while `act` ran, by how much. */
async function changes(act: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await events();
  await act();
  const after = await events();
  const moved = Object.keys(after).filter((event) => after[event] !== before[event]);
  return Object.fromEntries(moved.map((event) => [event, after[event]! - (before[event] ?? 0)]));
}

async function call(basket: BasketBody): Promise<BasketBody> {
  expect((await stage.caller.basket(basket)).status).toBe(200);
  return basket;
}

test('every event and every code is there before it happens, at zero', async () => {
  const samples = await scrape(stage.service);
  for (const event of ['over_redeemed_units', 'sale_late', 'hold_made', 'hold_expired', 'replayed'])
    expect(readingOf(samples, 'loyalty_events_total', { event }), event).toBe(0);
  for (const code of ['idempotency_conflict', 'stale_timestamp', 'rate_limited', 'internal_error', 'unavailable'])
    expect(readingOf(samples, 'loyalty_requests_total', { route: '/v1/pos/basket', code }), code).toBe(0);
});

test('a hold is made, and consumed by its sale', async () => {
  const basket = offer();
  expect(await changes(() => call(basket))).toEqual({ answer_applied: 1, hold_made: 1 });
  expect(await changes(() => call(basket))).toEqual({ replayed: 1 });
  const sale = saleOf(basket.calculationId);
  expect(await changes(() => stage.caller.sale(sale))).toEqual({ sale_recorded: 1, hold_consumed: 1 });
  expect(await changes(() => stage.caller.sale(sale))).toEqual({ sale_duplicate: 1 });
});

test('a hold is released by a cancelled sale, and by a successor of the same or of another member', async () => {
  const cancelled = await call(offer());
  const cancel = saleOf(cancelled.calculationId, 'cancelled');
  expect(await changes(() => stage.caller.sale(cancel))).toEqual({ sale_recorded: 1, hold_released: 1 });

  const first = await call(offer());
  const { loyaltyId, calculationId } = first;
  const successor = basketOf([{}], { loyaltyId, supersedesCalculationId: calculationId });
  const swapped = { answer_applied: 1, hold_made: 1, hold_released: 1 };
  expect(await changes(() => call(successor))).toEqual(swapped);
  const stranger = offer({ supersedesCalculationId: successor.calculationId });
  expect(await changes(() => call(stranger))).toEqual(swapped);
});

test('a basket without a limited benefit holds nothing', async () => {
  const basket = basketOf();
  expect(await changes(() => call(basket))).toEqual({ answer_applied: 1 });
  const sale = saleOf(basket.calculationId);
  expect(await changes(() => stage.caller.sale(sale))).toEqual({ sale_recorded: 1 });
});

test('a sale after its hold is late, and past the limit when another one was faster', async () => {
  const late = await call(offer());
  // Earlier tests leave holds behind: all of them have to be over, and with them this one.
  await until('the hold to expire', async () => {
    const { hold_made, hold_consumed, hold_released, hold_expired } = await events();
    return hold_made! === hold_consumed! + hold_released! + hold_expired!;
  });
  const winner = await call(basketOf([{}], { loyaltyId: late.loyaltyId }));
  await stage.caller.sale(saleOf(winner.calculationId));
  expect(await changes(() => stage.caller.sale(saleOf(late.calculationId)))).toMatchObject({
    sale_recorded: 1,
    sale_late: 1,
    over_redeemed_units: 1,
  });
});

test('times are in seconds, and what the service stands on is told', async () => {
  const samples = await scrape(stage.service);
  const read = (name: string, labels = {}) => readingOf(samples, `loyalty_${name}`, labels);
  expect(read('latency_budget_seconds', { percentile: 'p99' })).toBe(0.25);
  const whole = { route: '/v1/pos/basket', phase: 'total' };
  const durations = samples.filter(
    ({ name, labels }) =>
      name === 'loyalty_request_duration_seconds_bucket' && labels.route === whole.route && labels.phase === 'total',
  );
  // The slowest call is in the first bucket that has all of them.
  const slowest = durations.find(({ value }) => value === read('request_duration_seconds_count', whole))!.labels.le!;
  const p99 = read('latency_last_minute_seconds', { ...whole, percentile: 'p99' })!;
  expect(p99).toBeLessThanOrEqual(slowest === '+Inf' ? Number.POSITIVE_INFINITY : 1.02 * Number(slowest));
  const folder = { folder: 'DATA_DIR' };
  expect(read('disk_free_bytes', folder)).toBeLessThanOrEqual(read('disk_size_bytes', folder)!);
  expect(read('redis_memory_used_bytes')).toBeLessThan(read('redis_memory_limit_bytes')!);
  expect([read('redis_file_written'), read('redis_file_rewritten')]).toEqual([1, 1]);
  expect(['blocked', 'removed'].map((cause) => read('log_lines_lost_total', { cause }))).toEqual([0, 0]);
});

test('a conflict is a call with its code, and no event', async () => {
  const sale = saleOf(randomUUID(), 'failed');
  expect(await changes(() => stage.caller.sale(sale))).toEqual({ sale_unknown_calculation: 1 });
  const other = { ...sale, failureReason: 'offline' };
  expect(await changes(() => stage.caller.sale(other))).toEqual({});
  const labels = { route: '/v1/pos/sale', status: '409', code: 'idempotency_conflict' };
  expect(readingOf(await scrape(stage.service), 'loyalty_requests_total', labels)).toBe(1);
});

test('what is done for a caller who has hung up is counted all the same', async () => {
  const basket = offer();
  const seen = await changes(async () => {
    await stage.caller.basket(basket, { timeoutMs: 1 }).catch(() => undefined);
    await call(basket);
  });
  expect(seen).toMatchObject({ hold_made: 1 });
});

test('Redis: round trips, commands that were refused, a reconnect; the breaker opens for a closed connection and for a hang', async () => {
  const before = await scrape(stage.service);
  expect(readingOf(before, 'loyalty_redis_round_trip_seconds_count')).toBeGreaterThan(10);
  expect(readingOf(before, 'loyalty_redis_breaker_openings_total')).toBe(0);
  await stage.redis.kill();
  await until('Redis to be missed', async () => readingOf(await scrape(stage.service), 'loyalty_redis_up') === 0);
  const durations = 'loyalty_request_duration_seconds_count';
  const whole = { route: '/v1/pos/basket', phase: 'total' };
  const answered = readingOf(await scrape(stage.service), durations, whole);
  expect((await stage.caller.basket(offer())).status).toBe(503);
  const during = await scrape(stage.service);
  // It was refused at once, which says nothing of how fast baskets are.
  expect(readingOf(during, durations, whole)).toBe(answered);
  expect(readingOf(during, durations, { ...whole, route: 'unavailable' })).toBeGreaterThan(0);
  expect(readingOf(during, 'loyalty_ready')).toBe(0);
  expect(readingOf(during, 'loyalty_redis_breaker_openings_total')).toBe(1);
  expect(readingOf(during, 'loyalty_redis_commands_failed_total', { cause: 'refused' })).toBeGreaterThan(0);
  await stage.redis.start();
  await stage.service.untilReady();
  const after = await scrape(stage.service);
  expect(readingOf(after, 'loyalty_ready')).toBe(1);
  expect(readingOf(after, 'loyalty_redis_reconnects_total')).toBeGreaterThan(0);
  const openings = async () => readingOf(await scrape(stage.service), 'loyalty_redis_breaker_openings_total')!;
  const opened = await openings();
  stage.redis.pause();
  await until('the hang to be noticed', async () => (await openings()) > opened);
  stage.redis.resume();
  await stage.service.untilReady();
});

test('reloads: refused until one succeeds', async () => {
  const file = join(stage.service.dataDirectory, 'environment.yaml');
  const reloads = async (result: string) => readingOf(await scrape(stage.service), 'loyalty_reloads_total', { result });
  writeFileSync(file, 'venues: [');
  await stage.service.kill('SIGHUP');
  await until('the refusal', async () => (await reloads('refused'))! > 0);
  expect(readingOf(await scrape(stage.service), 'loyalty_last_reload_successful')).toBe(0);
  const refusedAt = Date.now() / 1000;
  writeFileSync(file, JSON.stringify(configuration));
  await stage.service.kill('SIGHUP');
  await until('the reload', async () => (await reloads('succeeded'))! > 0);
  const samples = await scrape(stage.service);
  expect(readingOf(samples, 'loyalty_last_reload_successful')).toBe(1);
  expect(readingOf(samples, 'loyalty_last_reload_success_timestamp_seconds')).toBeGreaterThanOrEqual(refusedAt);
});
