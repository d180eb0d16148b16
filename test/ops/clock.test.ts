/** A test member's clock, moved in a staging of three processes, two of them under one primary: what would take half an hour, a day or a Friday. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import type { Caller } from '../support/caller.ts';
import { type Benefit, configurationOf, memberOf, SINGLE_USE, TWENTY } from '../support/configuration.ts';
import { Service, useService } from '../support/service.ts';
import { until } from '../support/wait.ts';
import type { AppliedBody, BasketBody } from '../support/wire.ts';
import { type AnyBody, ask, memberPath, OPS_TOKEN } from './admin-client.ts';
import { deskOf } from './desk.ts';

const HALF_AN_HOUR = 1_800;
const A_DAY = 86_400;
const HAPPY: Benefit = {
  ...TWENTY,
  benefitId: 'happy-hour',
  percent: 50,
  when: { weekdays: ['fri'], hours: '14:00-16:00' },
  limit: { quantity: 1, period: 'day', counts: 'baskets' },
};
const TESTERS = ['hold', 'late', 'key', 'happy', 'two', 'reset', 'audit'];
const configuration = configurationOf({
  // A till's time counts within minutes; that of a moved clock is as right as the till's.
  requestedAt: { pastHours: 1, aheadMinutes: 10 },
  programme: { benefits: [TWENTY, SINGLE_USE, HAPPY] },
  // The others are asked on Fridays at 15:00 too.
  moreMembers: [...TESTERS, 'other'].map((name) =>
    memberOf(name, name === 'happy' ? ['single-use', 'happy-hour'] : ['single-use']),
  ),
  testMembers: [...TESTERS, 'nobody'],
});
const stage = useService({ configuration, env: { OPS_TOKEN, PROCESSES: '2' } });

let second: Service;
let neighbour: Caller;
beforeAll(async () => {
  second = await Service.start({ configuration, redisUrl: stage.redis.url, secrets: stage.service.secrets });
  neighbour = second.newCaller();
});
afterAll(() => second.stop());

const { call, get, refusalOf, tell } = deskOf(stage);
const move = (loyaltyId: string, words: object, options: object = {}) =>
  call('POST /admin/clock', { programmeId: 'coffee-club', loyaltyId, ...words }, options);
const reset = (loyaltyId: string) => call(`DELETE /admin/clock?programmeId=coffee-club&loyaltyId=${loyaltyId}`);

/** A basket of this moment. */
const now = (loyaltyId: string, more: Partial<BasketBody> = {}) =>
  basketOf([{}], { loyaltyId, requestedAt: new Date().toISOString(), ...more });

async function ringUp(basket: BasketBody, caller: Caller = stage.caller): Promise<string> {
  const { status, totals } = (await caller.basket(basket)).json<AppliedBody>();
  return status === 'applied' ? `${totals.loyaltyDiscountTotal} off` : status;
}

test('a hold of half an hour ends in a moment, and its unit is free; nobody else sees anything of it', async () => {
  const [held, bystander] = [now('hold'), now('other')];
  expect([await ringUp(held), await ringUp(bystander)]).toEqual(['2000 off', '2000 off']);
  expect(await ringUp(now('hold'))).toBe('unchanged');
  const { status, body } = await move('hold', { aheadSeconds: HALF_AN_HOUR });
  expect([status, body]).toMatchObject([200, { aheadSeconds: HALF_AN_HOUR, aged: { holds: 1, answers: 0 } }]);

  expect(await ringUp(now('hold'), neighbour)).toBe('2000 off');
  expect(await ringUp(now('other'), neighbour)).toBe('unchanged');
  // The sweep tells it as it tells every expiry.
  const told = await until('its expiry', async () => {
    const calculation = await get(`/admin/calculations/${held.calculationId}`);
    return calculation.state === 'expired' && calculation;
  });
  expect((told.story as string[]).join(' ')).toContain('A test has made it 30 minutes older');
});

/** A Friday at 15:00 in Oslo that is still to come, in winter or summer time. */
function nextFriday(): string {
  const day = new Date(Date.now() + A_DAY * 1000);
  while (day.getUTCDay() !== 5) day.setUTCDate(day.getUTCDate() + 1);
  const date = day.toISOString().slice(0, 10);
  const hour = new Date(`${date}T13:00:00Z`).toLocaleTimeString('sv', { timeZone: 'Europe/Oslo', hour: '2-digit' });
  return `${date}T${hour === '15' ? '13' : '14'}:00:00Z`;
}

test('a Friday at 15:00, whenever the test runs', async () => {
  const friday = nextFriday();
  const { body } = await move('happy', { to: friday });
  expect(Date.parse(String(body.now)) - Date.parse(friday)).toBeLessThan(60_000);
  const basket = now('happy');
  expect(await ringUp(basket, neighbour)).toBe('5000 off');
  // The till that is wrong by more than the window is as wrong as ever.
  const wrong = new Date(Date.now() - 2 * 3_600_000).toISOString();
  expect(await ringUp(now('happy', { requestedAt: wrong }))).toBe('unchanged');

  const successor = now('happy', { supersedesCalculationId: basket.calculationId });
  type Explained = { explanation: { at: string; clock: object } };
  const { at, clock } = (await call<Explained>('POST /admin/explain', successor)).body.explanation;
  expect(at.slice(0, 10)).toBe(friday.slice(0, 10));
  expect(clock).toMatchObject({ isOff: false, movedSeconds: body.aheadSeconds });
  expect((await get(memberPath('happy'))).limits).toContainEqual(
    expect.objectContaining({ benefitId: 'happy-hour', period: friday.slice(0, 10), held: 1 }),
  );

  await reset('happy');
  expect((await get(`/admin/look-up?id=${basket.calculationId}`)).calculations).toMatchObject([
    { past: { isSame: true, explanation: { clock: { isOff: false } } } },
  ]);
  // The same Friday again: what it used of its day is used.
  await tell(basket.calculationId);
  await move('happy', { to: friday });
  expect(await ringUp(now('happy'))).toBe('2000 off');
});

test('it is one clock for all processes, and outlives their start', async () => {
  await move('two', { aheadSeconds: 60, forMinutes: 5 });
  const third = await Service.start({ configuration, redisUrl: stage.redis.url, env: { OPS_TOKEN } });
  try {
    const { body } = await ask<{ clocks: Record<string, unknown>[] }>(third.opsUrl, 'GET /admin/clock');
    expect(body.clocks.map(({ loyaltyId }) => loyaltyId)).toEqual(TESTERS);
    const clock = body.clocks.find(({ loyaltyId }) => loyaltyId === 'two');
    expect(clock).toMatchObject({ programmeId: 'coffee-club', aheadSeconds: 60, until: expect.any(String) });
    const minutes = (Date.parse(String(clock?.until)) - Date.parse(String(clock?.now)) + 60_000) / 60_000;
    expect(minutes).toBeLessThanOrEqual(5);
    expect(minutes).toBeGreaterThan(3);
  } finally {
    await third.stop();
  }
});

test('it can be set right at once, and back; nothing gets younger', async () => {
  const basket = now('reset');
  await ringUp(basket);
  await move('reset', { aheadSeconds: HALF_AN_HOUR });
  expect((await reset('reset')).body).toMatchObject({ aheadSeconds: 0 });
  expect((await reset('reset')).body).not.toHaveProperty('until');
  expect(await ringUp(now('reset'))).toBe('2000 off');
  const { body } = await move('reset', { to: new Date(Date.now() - A_DAY * 1000).toISOString() });
  expect(body.aged).toMatchObject({ bySeconds: 0, calculations: 0 });
  expect(Number(body.aheadSeconds)).toBeLessThan(-A_DAY + 60);
});

test('who moved it stands in the audit log, and that it was moved in the line of each call', async () => {
  const requestId = randomUUID();
  await move('audit', { aheadSeconds: 60 }, { requestId });
  const line = await until('its line', () => stage.service.log.find((entry) => entry.requestId === requestId));
  expect(line).toMatchObject({ msg: 'administration', action: 'move clock', movedSeconds: 60, httpStatus: 200 });
  expect(JSON.stringify(line)).not.toContain('"audit"');
  const basket = now('audit');
  await ringUp(basket);
  const call = await until('the line of the call', () =>
    stage.service.log.find(({ calculationId }) => calculationId === basket.calculationId),
  );
  expect(call.clockMovedSeconds).toBe(60);
});

test.each<[what: string, body: unknown, status: number, words: string]>([
  ['a guest', { loyaltyId: 'other', aheadSeconds: 1 }, 403, '"other" is no test member'],
  ['nobody', { loyaltyId: 'nobody', aheadSeconds: 1 }, 404, 'has no member "nobody"'],
  ['no programme', { programmeId: 'tea-club', loyaltyId: 'hold', aheadSeconds: 1 }, 404, 'Programme "tea-club"'],
  ['nowhere', { loyaltyId: 'hold' }, 400, 'neither of to and aheadSeconds'],
  ['two ways', { loyaltyId: 'hold', aheadSeconds: 1, to: '2026-11-27T15:00:00Z' }, 400, 'both of to and aheadSeconds'],
  ['a time without a zone', { loyaltyId: 'hold', to: '2026-11-27T15:00:00' }, 400, 'an RFC 3339 date-time'],
  ['years', { loyaltyId: 'hold', to: '2099-01-01T00:00:00Z' }, 400, 'more than 366 days off'],
  ['back by seconds', { loyaltyId: 'hold', aheadSeconds: -1 }, 400, 'aheadSeconds: found -1'],
  ['for ever', { loyaltyId: 'hold', aheadSeconds: 1, forMinutes: 1e6 }, 400, 'forMinutes: found 1000000'],
  ['a misspelt name', { loyaltyId: 'hold', aheadSecond: 1 }, 400, 'unknown field "aheadSecond"'],
  ['no member', { loyaltyId: null, aheadSeconds: 1 }, 400, 'loyaltyId: found null'],
])('%s is refused', async (_, body, status, words) => {
  const sent = { programmeId: 'coffee-club', ...(body as object) };
  expect(await refusalOf('POST /admin/clock', sent)).toEqual([status, expect.stringContaining(words)]);
});

test('production has no such thing', async () => {
  const { testMembers: _, ...rest } = configuration;
  const production = await Service.start({
    configuration: { ...rest, environment: 'production' },
    redisUrl: stage.redis.url,
    env: { OPS_TOKEN },
  });
  try {
    const body = { programmeId: 'coffee-club', loyaltyId: 'hold', aheadSeconds: 1 };
    const calls: [call: string, body?: object][] = [
      ['POST /admin/clock', body],
      ['GET /admin/clock'],
      ['DELETE /admin/clock?programmeId=coffee-club&loyaltyId=hold'],
    ];
    for (const [call, sent] of calls) {
      const reply = await ask<AnyBody>(production.opsUrl, call, sent ? { body: sent } : {});
      expect([reply.status, reply.body.error.message]).toEqual([403, expect.stringContaining('This is production')]);
    }
  } finally {
    await production.stop();
  }
});
