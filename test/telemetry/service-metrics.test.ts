/** What a real service counts: each event in the life of a hold moves its own counter, from zero, by one. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OPS_TOKEN } from '../ops/admin-client.ts';
import { deskOf } from '../ops/desk.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import { configurationOf, singleUseMembers } from '../support/configuration.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/wait.ts';
import type { BasketBody } from '../support/wire.ts';

/** A member whose clock is moved until a hold is over: others stay as long as the tests may take. */
const TESTER = 'guest-0';
const configuration = configurationOf({ moreMembers: singleUseMembers('guest', 100), testMembers: [TESTER] });
const stage = useService({ configuration, env: { OPS_TOKEN } });
const { call: administer } = deskOf(stage);

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

/**
 * Plays a scene in which no call runs out of its time: on a busy machine one may be refused at its deadline, counted all the same, and
 * counted again as it is repeated. Each time with baskets of its own.
 */
async function inTime<Seen>(play: () => Promise<Seen>): Promise<Seen> {
  const [seen] = await until('a scene in which no call runs out of its time', async () => {
    const { refusals } = stage.caller.seen;
    const played = await play();
    return stage.caller.seen.refusals === refusals && ([played] as const);
  });
  return seen;
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
  const seen = await inTime(async () => {
    const basket = offer();
    const sale = saleOf(basket.calculationId);
    const steps = [basket, basket].map((sent) => () => call(sent) as Promise<unknown>);
    for (const sent of [sale, sale]) steps.push(() => stage.caller.sale(sent));
    const moved: Record<string, number>[] = [];
    for (const step of steps) moved.push(await changes(step));
    return moved;
  });
  expect(seen).toEqual([
    { answer_applied: 1, hold_made: 1 },
    { replayed: 1 },
    { sale_recorded: 1, hold_consumed: 1 },
    { sale_duplicate: 1 },
  ]);
});

test('a hold is released by a cancelled sale, and by a successor of the same or of another member', async () => {
  const seen = await inTime(async () => {
    const cancelled = await call(offer());
    const cancel = saleOf(cancelled.calculationId, 'cancelled');
    const first = await call(offer());
    const { loyaltyId, calculationId } = first;
    const successor = basketOf([{}], { loyaltyId, supersedesCalculationId: calculationId });
    const stranger = offer({ supersedesCalculationId: successor.calculationId });
    return {
      cancelled: await changes(() => stage.caller.sale(cancel)),
      same: await changes(() => call(successor)),
      other: await changes(() => call(stranger)),
    };
  });
  const swapped = { answer_applied: 1, hold_made: 1, hold_released: 1 };
  expect(seen).toEqual({ cancelled: { sale_recorded: 1, hold_released: 1 }, same: swapped, other: swapped });
});

test('a basket without a limited benefit holds nothing', async () => {
  const seen = await inTime(async () => {
    const basket = basketOf();
    return [await changes(() => call(basket)), await changes(() => stage.caller.sale(saleOf(basket.calculationId)))];
  });
  expect(seen).toEqual([{ answer_applied: 1 }, { sale_recorded: 1 }]);
});

test('a sale after its hold is late, and past the limit when another one was faster', async () => {
  const late = await call(basketOf([{}], { loyaltyId: TESTER }));
  const expired = async () => (await events())['hold_expired']!;
  const before = await expired();
  const tester = { programmeId: 'coffee-club', loyaltyId: TESTER };
  expect((await administer('POST /admin/clock', { ...tester, aheadSeconds: 3_600 })).status).toBe(200);
  await until('the hold to expire', async () => (await expired()) === before + 1);
  const winner = await call(basketOf([{}], { loyaltyId: TESTER }));
  await stage.caller.sale(saleOf(winner.calculationId));
  // Refused at its deadline and repeated, it would be a duplicate too.
  const seen = await changes(() => stage.caller.sale(saleOf(late.calculationId)));
  expect(seen).toMatchObject({ sale_recorded: 1, sale_late: 1, over_redeemed_units: 1 });
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
  const labels = { route: '/v1/pos/sale', status: '409', code: 'idempotency_conflict' };
  const conflicts = async () => readingOf(await scrape(stage.service), 'loyalty_requests_total', labels)!;
  const seen = await inTime(async () => {
    const sale = saleOf(randomUUID(), 'failed');
    const before = await conflicts();
    const first = await changes(() => stage.caller.sale(sale));
    const second = await changes(() => stage.caller.sale({ ...sale, failureReason: 'offline' }));
    return { first, second, conflicts: (await conflicts()) - before };
  });
  expect(seen).toEqual({ first: { sale_unknown_calculation: 1 }, second: {}, conflicts: 1 });
});

test('what is done for a caller who has hung up is counted all the same', async () => {
  let timeoutMs = 0;
  // A caller that hangs up too soon has sent nothing, and then its next call is no replay.
  const seen = await until('a call whose caller has gone', async () => {
    timeoutMs += 1;
    const basket = offer();
    let hasAnswer = true;
    const moved = await changes(async () => {
      await stage.caller.basket(basket, { timeoutMs }).catch(() => {
        hasAnswer = false;
      });
      await call(basket);
    });
    if (hasAnswer) timeoutMs = 0;
    return !hasAnswer && moved['replayed'] === 1 && moved;
  });
  expect(seen).toMatchObject({ answer_applied: 1, hold_made: 1 });
});

test('Redis: round trips, commands that were refused, a reconnect; the breaker opens for a closed connection and for a hang', async () => {
  const before = await scrape(stage.service);
  expect(readingOf(before, 'loyalty_redis_round_trip_seconds_count')).toBeGreaterThan(10);
  const openingsBefore = readingOf(before, 'loyalty_redis_breaker_openings_total')!;
  await stage.redis.kill();
  await until('Redis to be missed', async () => readingOf(await scrape(stage.service), 'loyalty_redis_up') === 0);
  const durations = 'loyalty_request_duration_seconds_count';
  const whole = { route: '/v1/pos/basket', phase: 'total' };
  const answered = readingOf(await scrape(stage.service), durations, whole);
  expect((await stage.service.newCaller({ isPatient: false }).basket(offer())).status).toBe(503);
  const during = await scrape(stage.service);
  // It was refused at once, which says nothing of how fast baskets are.
  expect(readingOf(during, durations, whole)).toBe(answered);
  expect(readingOf(during, durations, { ...whole, route: 'unavailable' })).toBeGreaterThan(0);
  expect(readingOf(during, 'loyalty_ready')).toBe(0);
  expect(readingOf(during, 'loyalty_redis_breaker_openings_total')).toBe(openingsBefore + 1);
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
