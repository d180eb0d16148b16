/** What every answer of the public listener carries, and which paths and methods it knows. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorAnchor } from '@loyalty/contract/error-anchor';
import { refuse } from '@loyalty/contract/errors';
import { describe, expect, test } from 'vitest';
import { NO_FACTS } from '../../src/calls/call-facts.ts';
import { tooLate } from '../../src/calls/result.ts';
import { PublicPages } from '../../src/gateway/public-pages.ts';
import { PublicServer } from '../../src/gateway/server.ts';
import { basketOf } from '../support/baskets.ts';
import { BASKET_PATH, Caller } from '../support/caller.ts';
import { temporaryDirectory } from '../support/cleanup.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { until } from '../support/wait.ts';
import { basketsDo, basketsEndWith, connectTo, signed, useHouse } from './support/house.ts';

const PAGE = {
  contentType: 'text/html; charset=utf-8',
  headers: { 'Cache-Control': 'no-cache', ETag: '"1"' },
  body: 'æ page',
};
const house = useHouse({
  docsUrl: 'https://docs.example/errors',
  publicPages: new PublicPages((path) => (path === '/docs' ? PAGE : undefined)),
});
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

  test('names a request of its own where the caller has no right one', async () => {
    for (const sent of ['no-uuid', null]) {
      const answer = await house.caller.basket(basketOf(), { headers: { 'X-Request-Id': sent } });
      expect(answer.header('X-Request-Id')).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect((await lastEnd()).requestId).toBe(answer.header('X-Request-Id'));
    }
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

  test('goes on with the trace of its caller', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
    const answer = await house.caller.basket(basketOf(), { headers: { traceparent } });
    expect(answer.header('traceresponse')).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-0[01]$`));
  });

  test('of an error leads to its description', async () => {
    const answer = await house.caller.basket({ ...basketOf(), currency: 'SEK' });
    const docUrl = `https://docs.example/errors#${errorAnchor(refuse('unknown_currency'))}`;
    expect(answer.json()).toMatchObject({ error: { code: 'unknown_currency', docUrl } });
    house.parts.docsUrl = undefined;
    const plain = await house.caller.basket({ ...basketOf(), currency: 'SEK' });
    expect(plain.json<{ error: object }>().error).not.toHaveProperty('docUrl');
  });

  test('that is replayed says so', async () => {
    const basket = basketOf();
    const fresh = await house.caller.basket(basket);
    const replayed = await house.caller.basket(basket);
    expect([fresh, replayed].map((answer) => answer.headersNamed('Idempotent-Replayed'))).toEqual([[], ['true']]);
  });
});

const REQUEST_ID = '0F8FAD5B-D9CB-469F-A165-70867728950E';

describe('a path', () => {
  test('that nobody knows stays out of the record', async () => {
    const answer = await house.caller.send('/v1/pos/basket/loyalty-id', '');
    expect([answer.status, answer.header('Allow'), answer.header('Connection')]).toEqual([404, undefined, 'close']);
    expect(answer.json()).toMatchObject({ error: { message: 'There is no such path.' } });
    expect(Math.abs(Date.parse(answer.header('Date')!) - Date.now())).toBeLessThan(60_000);
    expect((await lastEnd()).record).toEqual({ route: 'unknown', code: 'invalid_request' });
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

describe('a public page', () => {
  const get = async (path: string, headers = '', body = '') => {
    const connection = await connectTo(house, `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n${body}`);
    const answer = await connection.readAnswer();
    connection.close();
    return answer!;
  };

  test('is given with its headers, and the connection ends', async () => {
    const answer = await get('/docs');
    expect([answer.status, answer.text, answer.header('Content-Type')]).toEqual([200, PAGE.body, PAGE.contentType]);
    const named = ['Cache-Control', 'ETag', 'Connection'].map((name) => answer.header(name));
    expect(named).toEqual(['no-cache', '"1"', 'close']);
    expect(await lastEnd()).toMatchObject({ status: 200, record: { route: '/docs' } });
  });

  test('takes no body', async () => {
    for (const headers of ['Content-Length: 2', 'Transfer-Encoding: chunked', 'Content-Length: x']) {
      const answer = await get('/docs', `${headers}\r\n`, '{}');
      expect([answer.status, answer.header('Connection')]).toEqual([400, 'close']);
    }
    expect((await get('/docs', 'Content-Length: 2\r\n', '{}')).json()).toMatchObject({
      error: { message: 'This path takes no body.' },
    });
    expect((await get('/docs', 'Content-Length: 0\r\n')).status).toBe(200);
  });

  test('that is refused gives its place back', async () => {
    // Eight may be under way, and twenty a second.
    for (let round = 0; round < 9; round += 1) await get('/docs', 'Content-Length: 2\r\n', '{}');
    await until('a page', async () => (await get('/docs')).status === 200);
  });
});

describe('an answer that its caller does not take', () => {
  const large = () => Buffer.alloc(8 * 1024 * 1024, 0x20);
  const largeAnswers = () => {
    basketsDo(house, async () => ({ kind: 'answer', body: large(), isReplayed: false, facts: NO_FACTS }));
  };

  test('is sent as it is read, whole and in order', async () => {
    largeAnswers();
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

test('over TLS every answer says that the host is reached by TLS alone', async () => {
  const directory = temporaryDirectory();
  const [certFile, keyFile] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', '-days', '1', ...key, ...subject, '-out', certFile], { stdio: 'ignore' });
  const gateway = new PublicServer({ ...house.parts, tls: { certFile, keyFile } });
  const port = await gateway.listen('127.0.0.1', 0);
  const ca = readFileSync(certFile, 'utf8');
  const caller = new Caller(`https://127.0.0.1:${port}`, { secret: house.secret, ca, isPatient: false });
  const answers = [await caller.basket(basketOf()), await caller.send('/nowhere', '')];
  expect(answers.map((answer) => [answer.status, answer.header('Strict-Transport-Security')])).toEqual([
    [200, 'max-age=31536000; includeSubDomains'],
    [404, 'max-age=31536000; includeSubDomains'],
  ]);
  caller.close();
  await gateway.drain(0);
});
