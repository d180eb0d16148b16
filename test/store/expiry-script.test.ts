/** The end of calculations that were never sold, by what its script promises. */
import { expect, test } from 'vitest';
import { expireScript } from '../../src/store/scripts/calculations.ts';
import { useFixture } from './fixture.ts';
import { CALC, EVENTS, HOLD, useCalculation } from './sale-stage.ts';
import { useScripts } from './script-stage.ts';

const fixture = useFixture();
const scripts = useScripts(fixture);
const { call, isIn, isAbout } = scripts;
const { put, record } = useCalculation(fixture);

const expire = (event = '', answeredRead: number | undefined = 7) =>
  call(expireScript, { calculationId: 'id', appendedMs: 5000, event, retentionMs: 60_000, answeredRead });
/** Only looks. */
const look = () =>
  call(expireScript, { calculationId: 'id', appendedMs: 5000, event: '', retentionMs: 1, answeredRead: undefined });
const expired = (more: object = {}) => ({
  ...{ outcome: 'expired', hadHold: true, isTold: false, isDue: false },
  ...more,
});
const ended = (isDue = false) => ({ outcome: 'ended', isDue });
const leftMs = (reply: Awaited<ReturnType<typeof expire>>) => (reply.outcome === 'not_due' ? reply.leftMs : Number.NaN);

test('ends a calculation whose time is over, and gives its event to one caller until it is appended', async () => {
  const { client } = fixture.redis;
  await put({ deadline: scripts.nowMs - 1, g0: 'x' });
  expect(await look()).toEqual({ outcome: 'due' });
  expect(await record()).toMatchObject({ state: 'open' });
  expect(await expire()).toEqual(expired());
  const { state, expiryEvent } = await record();
  expect([state, isIn(expiryEvent, 0)]).toEqual(['expired', true]);
  expect(await client.exists(HOLD)).toBe(0);
  expect(isAbout(leftMs(await expire()), 5000)).toBe(true);
  await client.hdel(CALC, 'expiryEvent');
  expect(await expire()).toEqual(ended());
});

test('appends its event in the same step, where it is given one that was made from the answer as it stands', async () => {
  await put({ deadline: scripts.nowMs - 1 });
  expect(await expire('{"a":1}', 6)).toEqual({ outcome: 'due' });
  expect(await expire('{"a":1}')).toEqual(expired({ isTold: true }));
  expect(await record()).not.toHaveProperty('expiryEvent');
  expect(await expire('{"a":1}')).toEqual(ended());
  expect(await fixture.redis.client.xlen(EVENTS)).toBe(1);
});

test.each([
  ['long ago', -5000],
  ['by a clock that was ahead', 60_000],
])('gives the event to another caller where it was given %s', async (_case, byMs) => {
  await put({ state: 'expired', deadline: 1, expiryEvent: scripts.nowMs + byMs });
  expect((await expire()).outcome).toBe('expired');
  expect(isIn((await record()).expiryEvent, 0)).toBe(true);
});

test('releases uses of limits over all members', async () => {
  await put({ deadline: scripts.nowMs - 1, common: 'c/a=1/1' });
  expect(await expire()).toEqual(expired({ isDue: true }));
  expect(await record()).toMatchObject({ commonDue: 'release' });
  await fixture.redis.client.hdel(CALC, 'expiryEvent');
  expect(await expire()).toEqual(ended(true));
});

test('says how long an open one still has, and leaves it alone', async () => {
  await put({ deadline: scripts.nowMs + 50_000 });
  expect(isAbout(leftMs(await expire()), 50_000)).toBe(true);
  expect(await record()).toMatchObject({ state: 'open' });
  expect(await fixture.redis.client.exists(HOLD)).toBe(1);
});

test('of a sold one has nothing to do, one that is not there is gone, and of one without uses there are none to tell', async () => {
  await put({ state: 'sold', deadline: 1 });
  expect(await expire()).toEqual(ended());
  await fixture.redis.client.flushall();
  expect(await expire()).toEqual({ outcome: 'gone' });
  await put({ deadline: 1, hold: false });
  await fixture.redis.client.hdel(CALC, 'holds');
  expect(await expire()).toEqual(expired({ hadHold: false }));
});
