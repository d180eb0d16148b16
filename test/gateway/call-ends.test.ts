/** The end of a call at the public listener: its deadline, its result, and what is told of both. */
import { randomUUID } from 'node:crypto';
import { refuse } from '@loyalty/contract/errors';
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../src/calls/call.ts';
import { NO_FACTS } from '../../src/calls/call-facts.ts';
import { readIndexEntry } from '../../src/store/index-entry.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import { SALE_PATH } from '../support/caller.ts';
import { until } from '../support/wait.ts';
import { basketsDo, useHouse } from './support/house.ts';

const house = useHouse();
const lastEnd = () => until('the end of the call', () => house.ended.at(-1));
const never = new Promise<never>(() => undefined);

describe('at its deadline', () => {
  test.each([
    ['in the event loop', 'parse', 16_384],
    ['in a thread', 'worker', 0],
  ])('a call %s ends with 503, and says in which phase', async (_, phase, inlineBytes) => {
    let isThere = false;
    const stay = () => {
      isThere = true;
      return never;
    };
    house.parts.deadlineMs = () => 60;
    Object.assign(house.context, { inlineBytes, threads: { price: stay } });
    if (phase === 'parse') basketsDo(house, stay);
    // On a busy machine its time may run out before.
    while (!isThere) {
      const answer = await house.caller.basket(basketOf(), { headers: { 'Server-Timing': 'detail' } });
      expect([answer.status, answer.json()]).toMatchObject([
        503,
        { error: { message: 'The call could not be finished in time.' } },
      ]);
      if (isThere) expect(answer.header('Server-Timing')).toContain(`deadline;desc="${phase}"`);
    }
    expect((await lastEnd()).record).toMatchObject({ reason: 'deadline', phase, code: 'unavailable' });
  });

  /** A call that was answered at its deadline; what is returned ends its work. */
  async function callThatIsLate(): Promise<(outcome: Outcome) => void> {
    house.parts.deadlineMs = () => 60;
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    basketsDo(house, () => promise);
    expect((await house.caller.basket(basketOf())).status).toBe(503);
    return resolve;
  }

  test('a call that is over is not touched again, whatever comes of its work', async () => {
    const finish = await callThatIsLate();
    const body = Buffer.from('{}');
    finish({ kind: 'answer', body, isReplayed: false, facts: NO_FACTS });
    await until('the late outcome', () => house.outcomes.length === 1);
    expect(house.ended.map(({ status, record }) => [status, record.venueId])).toEqual([[503, undefined]]);
    expect(house.faults).toEqual([]);
  });

  test('a call does no more when Redis speaks again', async () => {
    const calculationId = randomUUID();
    house.parts.deadlineMs = () => 60;
    house.redis.pause();
    const late = house.caller.sale(saleOf(calculationId));
    expect((await late.finally(() => house.redis.resume())).status).toBe(503);
    house.parts.deadlineMs = () => 60_000;
    await until('an answer', async () => (await house.caller.sale(saleOf(randomUUID()))).status === 200);
    expect(await readIndexEntry(house.store, calculationId)).toBeUndefined();
  });

  test('the log is told of a fault that comes later', async () => {
    const finish = await callThatIsLate();
    finish({ kind: 'refusal', refusal: refuse('internal_error'), facts: NO_FACTS, fault: 'what broke' });
    await until('the fault', () => house.faults.length > 0);
    expect(house.faults).toEqual(['what broke']);
  });

  test('no timer is left of a call that was answered', async () => {
    const countTimers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    await house.caller.basket(basketOf());
    const before = countTimers();
    for (let call = 0; call < 5; call += 1) await house.caller.basket(basketOf());
    expect(countTimers()).toBeLessThanOrEqual(before);
  });
});

describe('the result of a call', () => {
  test('that cannot be counted is answered all the same', async () => {
    house.parts.onOutcome = () => {
      throw new Error('no counter');
    };
    expect((await house.caller.basket(basketOf())).status).toBe(200);
    expect(house.faults).toEqual([expect.stringContaining('no counter')]);
  });
});

test('a sale event is one by its path, whatever else is in it', async () => {
  const basket = basketOf();
  const answer = await house.caller.send(SALE_PATH, { ...basket, ...saleOf(basket.calculationId) });
  expect(answer.json()).toEqual({ result: 'unknown_calculation' });
});

test('a sale event is told by its way, and so is one of an ID that nobody has seen', async () => {
  const basket = basketOf();
  await house.caller.basket(basket);
  expect((await house.caller.sale(saleOf(basket.calculationId))).json()).toEqual({ result: 'recorded' });
  expect((await house.caller.sale(saleOf(randomUUID()))).json()).toEqual({ result: 'unknown_calculation' });
  const { record, phases } = await until('its end', () => house.ended[1]);
  expect(record).toMatchObject({ route: SALE_PATH, result: 'recorded', status: 'applied' });
  expect(phases).toEqual(['body', 'signature', 'parse', 'lookup', 'commit', 'reply']);
});
