/** The end of calculations that were never sold, by what the header of its script promises. */
import { expect, test } from 'vitest';
import { useFixture } from './fixture.ts';
import { useScripts } from './script-stage.ts';

const fixture = useFixture();
const scripts = useScripts(fixture);
const { run, isIn, isAbout } = scripts;
const [CALC, HOLD, HELD, DUE, EVENTS] = ['calc', 'hold', 'held', 'due', 'events'] as const;
const record = () => fixture.redis.client.hgetall(CALC);

/** A committed calculation, open unless `more` says otherwise, with the hold of its uses. */
async function put({ hold = true, ...more }: Record<string, string | number | boolean>): Promise<void> {
  const { client } = fixture.redis;
  const fields = { state: 'open', at: 7, holds: 'a=2/3', status: 'applied', venue: 'oslo', ...more };
  await client.hset(CALC, fields as Record<string, string | number>);
  if (hold) await client.hset(HOLD, 'id', `${String(more['deadline'])} ${fields.holds}`);
}

const expire = (event = '', answered: number | '' = 7) =>
  run('expire-calculation', [CALC, HOLD, HELD, DUE, EVENTS], ['id', 5000, event, 60_000, answered]);

test('ends a calculation whose time is over, and gives its event to one caller until it is appended', async () => {
  const { client } = fixture.redis;
  await put({ deadline: scripts.nowMs - 1, g0: 'x' });
  expect(await expire('', '')).toEqual(['due']);
  expect(await record()).toMatchObject({ state: 'open' });
  expect(await expire()).toEqual(['expired', 'a=2/3', '', '', '', 0]);
  const { state, expiryEvent } = await record();
  expect([state, isIn(expiryEvent, 0)]).toEqual(['expired', true]);
  expect(await client.exists(HOLD)).toBe(0);
  const [outcome, leftMs] = await expire();
  expect([outcome, isAbout(leftMs, 5000)]).toEqual(['not_due', true]);
  await client.hdel(CALC, 'expiryEvent');
  expect(await expire()).toEqual(['ended', '', '', '']);
});

test('appends its event in the same step, where it is given one that was made from the answer as it stands', async () => {
  await put({ deadline: scripts.nowMs - 1 });
  expect(await expire('{"a":1}', 6)).toEqual(['due']);
  expect(await expire('{"a":1}')).toEqual(['expired', 'a=2/3', '', '', '', 1]);
  expect(await record()).not.toHaveProperty('expiryEvent');
  expect(await expire('{"a":1}')).toEqual(['ended', '', '', '']);
  expect(await fixture.redis.client.xlen(EVENTS)).toBe(1);
});

test.each([
  ['long ago', -5000],
  ['by a clock that was ahead', 60_000],
])('gives the event to another caller where it was given %s', async (_case, byMs) => {
  await put({ state: 'expired', deadline: 1, expiryEvent: scripts.nowMs + byMs });
  expect((await expire())[0]).toBe('expired');
  expect(isIn((await record()).expiryEvent, 0)).toBe(true);
});

test('releases uses of limits over all members', async () => {
  await put({ deadline: scripts.nowMs - 1, common: 'c/a=1/1' });
  expect(await expire()).toEqual(['expired', 'a=2/3', 'c/a=1/1', 'release', '', 0]);
  expect(await record()).toMatchObject({ commonDue: 'release' });
  await fixture.redis.client.hdel(CALC, 'expiryEvent');
  expect(await expire()).toEqual(['ended', 'c/a=1/1', 'release', '']);
});

test('says how long an open one still has, and leaves it alone', async () => {
  await put({ deadline: scripts.nowMs + 50_000 });
  const [outcome, leftMs] = await expire();
  expect([outcome, isAbout(leftMs, 50_000)]).toEqual(['not_due', true]);
  expect(await record()).toMatchObject({ state: 'open' });
  expect(await fixture.redis.client.exists(HOLD)).toBe(1);
});

test('of a sold one has nothing to do, and of one without uses none to tell', async () => {
  await put({ state: 'sold', deadline: 1 });
  expect(await expire()).toEqual(['ended', '', '', '']);
  await fixture.redis.client.flushall();
  expect(await expire()).toEqual(['ended', '', '', '']);
  await put({ deadline: 1, hold: false });
  await fixture.redis.client.hdel(CALC, 'holds');
  expect(await expire()).toEqual(['expired', '', '', '', '', 0]);
});
