/** A basket's own time against Redis' clock: what goes by the calendar is not given by a clock that nobody can believe. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ask } from '../ops/admin-client.ts';
import type { Answer } from '../support/answer.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import { patiently } from '../support/caller.ts';
import { type Benefit, configurationOf, memberOf, TWENTY } from '../support/configuration.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import type { LogLine } from '../support/service.ts';
import { useSharedService } from '../support/shared-service.ts';
import { until } from '../support/wait.ts';
import type { BasketBody } from '../support/wire.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const WINDOW = { pastHours: 2, aheadMinutes: 10 };

/** Wall-clock time in the venue's zone, so long from now. */
function wallClock(distanceMs: number): string {
  return new Date(Date.now() + distanceMs).toLocaleTimeString('sv', { timeZone: 'Europe/Oslo', timeStyle: 'short' });
}

/** Five hours ago it was happy hour, and a till that is five hours behind thinks it still is. */
const BEHIND_MS = -5 * HOUR_MS;
const HAPPY: Benefit = {
  benefitId: 'happy-hour',
  kind: 'line_percent',
  percent: 50,
  audience: 'granted',
  when: { hours: `${wallClock(BEHIND_MS - 30 * MINUTE_MS)}-${wallClock(BEHIND_MS + 30 * MINUTE_MS)}` },
};
const DAILY: Benefit = {
  ...TWENTY,
  benefitId: 'daily',
  percent: 30,
  limit: { quantity: 1, period: 'day', counts: 'baskets' },
};
const configuration = configurationOf({
  requestedAt: WINDOW,
  programme: { benefits: [TWENTY, HAPPY, DAILY] },
  members: [
    memberOf('member-plain'),
    memberOf('daily-and-twenty', ['daily', 'twenty']),
    memberOf('happy', ['happy-hour']),
    ...Array.from({ length: 30 }, (_, index) => memberOf(`guest-${index}`, ['daily'])),
  ],
});
const stage = useSharedService(configuration);

/** A basket whose till is so far from the right time. */
function basketAt(distanceMs: number, loyaltyId: string, lines: readonly object[] = [{}]): BasketBody {
  return basketOf(lines, { loyaltyId, requestedAt: new Date(Date.now() + distanceMs).toISOString() });
}

let guests = 0;

/** Somebody who has not had the benefit of the day; a test that is tried again has another one. */
function newGuest(): string {
  guests += 1;
  return `guest-${guests}`;
}

async function send(basket: BasketBody, requestId = randomUUID()): Promise<Answer> {
  return patiently(() => stage.caller.basket(basket, { headers: { 'X-Request-Id': requestId } }));
}

async function statusOf(basket: BasketBody): Promise<unknown> {
  return (await send(basket)).json().status;
}

test('what is given once a day is not given thirty times by dates from 2020 to 2051', async () => {
  const [statuses, loyaltyId]: [unknown[], string] = [[], newGuest()];
  for (let index = 0; index < 30; index += 1) {
    const year = 2020 + index + (index >= 6 ? 2 : 0);
    const basket = basketOf([{}], { loyaltyId, requestedAt: `${year}-06-15T12:00:00+02:00` });
    statuses.push(await statusOf(basket));
    await stage.caller.sale(saleOf(basket.calculationId, statuses.at(-1) as string));
  }
  expect(statuses).toEqual(Array.from({ length: 30 }, () => 'unchanged'));
  expect([await statusOf(basketAt(0, loyaltyId)), await statusOf(basketAt(0, loyaltyId))]).toEqual([
    'applied',
    'unchanged',
  ]);
});

test('a till that is five hours behind gives no happy hour, and says no reason that the contract does not know', async () => {
  const answer = (await send(basketAt(BEHIND_MS, 'happy'))).json();
  expect(answer).toMatchObject({ status: 'unchanged', reason: 'no_applicable_benefits' });
});

test.each([
  ['by the front end', [{}]],
  ['by a thread', Array.from({ length: 60 }, (_, index) => ({ name: `${index} ${'x'.repeat(300)}` }))],
])('what knows no time is given by any clock, priced %s', async (_, lines) => {
  for (const distanceMs of [-30 * 365 * 24 * HOUR_MS, BEHIND_MS, 11 * MINUTE_MS, 30 * 365 * 24 * HOUR_MS]) {
    const requestId = randomUUID();
    const answer = (await send(basketAt(distanceMs, 'daily-and-twenty', lines), requestId)).json();
    expect(answer).toMatchObject({ status: 'applied', lines: lines.map(() => ({ lineDiscountPercent: 20 })) });
    expect(await lineOf(requestId)).toMatchObject({ clockOff: true });
  }
});

test.each([
  ['two hours less a minute behind', -2 * HOUR_MS + MINUTE_MS, 'applied'],
  ['two hours and a minute behind', -2 * HOUR_MS - MINUTE_MS, 'unchanged'],
  ['nine minutes ahead', 9 * MINUTE_MS, 'applied'],
  ['eleven minutes ahead', 11 * MINUTE_MS, 'unchanged'],
])('%s (%d ms): %s', async (_, distanceMs, status) => {
  expect(await statusOf(basketAt(distanceMs, newGuest()))).toBe(status);
});

/** The call's line of the log. */
function lineOf(requestId: string): Promise<LogLine> {
  return until('the line', () => stage.service.log.find((line) => line.requestId === requestId && 'phases' in line));
}

test('the log says how far the clock is, in seconds and with its sign', async () => {
  for (const [distanceMs, isOff] of [
    [-3 * HOUR_MS, true],
    [-90 * MINUTE_MS, undefined],
    [20 * MINUTE_MS, true],
  ] as const) {
    const requestId = randomUUID();
    await send(basketAt(distanceMs, 'member-plain'), requestId);
    const { clockOffsetSeconds, clockOff } = await lineOf(requestId);
    expect(clockOff).toBe(isOff);
    // A call takes a moment, and no call takes half a minute.
    expect(clockOffsetSeconds).toBeLessThanOrEqual(distanceMs / 1_000);
    expect(clockOffsetSeconds).toBeGreaterThan(distanceMs / 1_000 - 30);
  }
});

test('the metric counts by direction, and what was outside the window is an event', async () => {
  const read = async () => {
    const samples = await scrape(stage.service);
    const within = ([direction, le]: readonly [string, string]) =>
      readingOf(samples, 'loyalty_requested_at_offset_seconds_bucket', { direction, le }) ?? Number.NaN;
    const counts = [
      ['behind', '3600'],
      ['behind', '7200'],
      ['behind', '+Inf'],
      ['ahead', '300'],
      ['ahead', '900'],
    ] as const;
    return [...counts.map(within), readingOf(samples, 'loyalty_events_total', { event: 'clock_off' })];
  };
  const before = await read();
  for (const distanceMs of [0, -90 * MINUTE_MS, -24 * HOUR_MS, 8 * MINUTE_MS, 12 * MINUTE_MS]) {
    const basket = basketAt(distanceMs, 'member-plain');
    await send(basket);
    expect((await send(basket)).isReplayed).toBe(true);
  }
  const after = await read();
  expect(after.map((value, index) => Number(value) - Number(before[index]))).toEqual([1, 2, 3, 0, 2, 2]);
});

test('the explanation says how far the clock is, what that closes, and what another time would give', async () => {
  type Explained = { explanation: { clock?: object; benefits: { benefitId: string; reason?: string }[] } };
  const basket = basketAt(-24 * HOUR_MS, 'daily-and-twenty');
  const { body } = await ask<Explained>(stage.service.opsUrl, 'POST /admin/explain', { body: basket });
  expect(body.explanation.clock).toMatchObject({ isOff: true, ...WINDOW });
  expect((await ask(stage.service.opsUrl, 'GET /admin/configuration')).body['requestedAt']).toEqual(WINDOW);
  const reasons = body.explanation.benefits.map(({ benefitId, reason }) => [benefitId, reason]);
  expect(reasons).toEqual([
    ['daily', 'clock_off'],
    ['happy-hour', 'not_granted'],
    ['twenty', undefined],
  ]);
  const at = encodeURIComponent(basket.requestedAt);
  const then = await ask<Explained>(stage.service.opsUrl, `POST /admin/explain?at=${at}`, { body: basket });
  expect(then.body.explanation.clock).toBeUndefined();
  expect(then.body.explanation.benefits[0]?.reason).toBeUndefined();
});

test('without a window every time is believed', async () => {
  const { requestedAt: _window, ...open } = configuration;
  await stage.service.configure(open);
  const loyaltyId = newGuest();
  expect(await statusOf(basketAt(-24 * HOUR_MS, loyaltyId))).toBe('applied');
  const requestId = randomUUID();
  await send(basketAt(-48 * HOUR_MS, loyaltyId), requestId);
  const { clockOff, clockOffsetSeconds } = await lineOf(requestId);
  expect([clockOff, Math.round(Number(clockOffsetSeconds) / 3_600)]).toEqual([undefined, -48]);
});
