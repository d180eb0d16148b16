/** What every answer of the public listener carries, and which paths and methods it knows. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorAnchor } from '@loyalty/contract/error-anchor';
import { refuse } from '@loyalty/contract/errors';
import { describe, expect, test } from 'vitest';
import { NO_FACTS } from '../../src/calls/call-facts.ts';
import { tooLate } from '../../src/calls/result.ts';
import { basketOf } from '../support/baskets.ts';
import { BASKET_PATH } from '../support/caller.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { until } from '../support/wait.ts';
import { basketsDo, basketsEndWith, connectTo, signed, useHouse } from './support/house.ts';

const REQUEST_ID = '0F8FAD5B-D9CB-469F-A165-70867728950E';
const house = useHouse({ docsUrl: 'https://docs.example/errors' });
const lastEnd = () => until('the end of the call', () => house.ended.at(-1));

describe('an answer', () => {
  test('names its request, the version of the interface, and how long it took', async () => {
    const answer = await house.caller.basket(basketOf(), { headers: { 'X-Request-Id': REQUEST_ID } });
    expect(answer.header('X-Request-Id')).toBe(REQUEST_ID);
    expect(answer.header('Content-Type')).toBe('application/json; charset=utf-8');
    expect(answer.header('Loyalty-Interface')).toBe('0.1.0-draft');
    expect(answer.header('Server-Timing')).toMatch(/^app;dur=[\d.]+$/);
    const absent = ['Strict-Transport-Security', 'traceresponse', 'Idempotent-Replayed', 'Allow', 'Retry-After'];
    expect(absent.map((name) => answer.header(name))).toEqual(absent.map(() => undefined));
    const { requestId, durationMs } = await lastEnd();
    expect([requestId, answer.header('Server-Timing')]).toEqual([REQUEST_ID, `app;dur=${durationMs}`]);
  });

  test('has the phases for whoever asks, and the place that it comes from', async () => {
    const detailed = { headers: { 'Server-Timing': 'detail' } };
    const timing = (await house.caller.basket(basketOf(), detailed)).header('Server-Timing');
    expect(timing).toMatch(/^app;dur=[\d.]+, environment;desc="staging", body;dur=[\d.]+, signature;dur=/);
    expect(timing).not.toContain('deadline');
    basketsDo(house, async (_, { stopwatch }) => {
      stopwatch.enter('commit');
      return tooLate();
    });
    expect((await house.caller.basket(basketOf(), detailed)).header('Server-Timing')).toMatch(
      /, deadline;desc="commit"$/,
    );
    const plain = await house.caller.basket(basketOf());
    expect(plain.header('Server-Timing')).toMatch(/^app;dur=[\d.]+$/);
  });

  test('of an error leads to its description', async () => {
    const answer = await house.caller.basket({ ...basketOf(), currency: 'SEK' });
    const docUrl = `https://docs.example/errors#${errorAnchor(refuse('unknown_currency'))}`;
    expect(answer.json()).toMatchObject({ error: { code: 'unknown_currency', docUrl } });
    house.parts.docsUrl = undefined;
    const plain = await house.caller.basket({ ...basketOf(), currency: 'SEK' });
    expect(plain.json<{ error: object }>().error).not.toHaveProperty('docUrl');
  });
});

describe('a path', () => {
  test('that nobody knows stays out of the record', async () => {
    const answer = await house.caller.send('/v1/pos/basket/loyalty-id', '');
    expect([answer.status, answer.header('Allow'), answer.header('Connection')]).toEqual([404, undefined, 'close']);
    expect(answer.json()).toMatchObject({ error: { message: 'There is no such path.' } });
    expect(Math.abs(Date.parse(answer.header('Date')!) - Date.now())).toBeLessThan(60_000);
    expect((await lastEnd()).record).toEqual({ route: 'unknown', stage: 'stranger', code: 'invalid_request' });
  });

  test('that is asked for its head alone has the length and no body', async () => {
    const whole = await house.caller.send('/nowhere', '', { method: 'GET' });
    const connection = await connectTo(house, 'HEAD /nowhere HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await connection.closes()).toBe(true);
    const [head, body] = connection.unread.toString('latin1').split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
    // The answer to GET is padded, so that it is sent at once; what ends the last header counts.
    expect(Number(/Content-Length: (\d+)/.exec(head!)?.[1])).toBe(whole.text.trimEnd().length + 2);
    expect(body).toBe('');
  });
});

describe('an answer that its caller does not take', () => {
  const large = () => Buffer.alloc(8 * 1024 * 1024, 0x20);
  test('is sent as it is read, whole and in order', async () => {
    // Each is released when it is sent.
    basketsDo(house, async () => ({ kind: 'answer', body: large(), isReplayed: false, facts: NO_FACTS }));
    const connection = await connectTo(house, signed(house, BASKET_PATH, basketOf()));
    const answer = await connection.readAnswer(30_000);
    expect([answer?.status, answer?.bytes.equals(large())]).toEqual([200, true]);
    connection.write(signed(house, BASKET_PATH, basketOf()));
    expect((await connection.readAnswer(30_000))?.bytes.equals(large())).toBe(true);
    connection.close();
  });

  test('ends the connection of a caller who asks again and again and reads nothing', async () => {
    basketsEndWith(house, { kind: 'answer', body: Buffer.alloc(15_000, 0x20), isReplayed: false, facts: NO_FACTS });
    const connection = await RawConnection.open(house.baseUrl);
    connection.pause();
    const basket = signed(house, BASKET_PATH, basketOf());
    const startMs = performance.now();
    while (!house.ended.at(-1)?.isAborted) {
      const count = house.ended.length;
      connection.write(basket);
      while (house.ended.length === count) await nextTurn();
    }
    expect(house.ended.filter(({ isAborted }) => isAborted).length).toBe(1);
    const { status, durationMs } = house.ended.at(-1)!;
    expect([status, durationMs <= performance.now() - startMs]).toEqual([200, true]);
    connection.close();
  });
});
