/** What the double records of every attempt, for tests that run at once, and the corners of its verdict. */
import { createHash, randomUUID } from 'node:crypto';
import { request } from 'node:https';
import { saleEventOf } from 'loyalty-basket-client';
import { beforeEach, describe, expect, test } from 'vitest';
import { signatureOf } from '../../../test/support/signer.ts';
import { until } from '../../../test/support/wait.ts';
import { openClient, richBasket, SECRET, useDouble } from '../../client/test/fixture.ts';
import { CONTROL } from '../src/double/provocation.ts';
import type { SeenRequest } from '../src/double/run.ts';
import { RUN_HEADER } from '../src/double/run-name.ts';
import type { RowVerdict, Verdict } from '../src/double/verdict.ts';

const stage = useDouble();
/** Each test has a run of its own, as a caller's tests that run at once have. */
let run: string;
let baseUrl: string;
beforeEach(() => {
  run = `run-${randomUUID()}`;
  baseUrl = `${stage.double.baseUrl}/${run}`;
});

function headersFor(body: string, key: string, more: Record<string, string> = {}): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'POS-Signature': signatureOf(SECRET.toString('hex'), Buffer.from(body)),
    'Idempotency-Key': key,
    'X-Request-Id': randomUUID(),
    ...more,
  };
}

async function post(path: string, value: object, more: Record<string, string> = {}, base = baseUrl): Promise<Response> {
  const body = JSON.stringify(value);
  const { calculationId } = value as { calculationId: string };
  return fetch(base + path, { method: 'POST', headers: headersFor(body, calculationId, more), body });
}

const postBasket = (basket: object, more: Record<string, string> = {}, base = baseUrl) =>
  post('/v1/pos/basket', basket, more, base);
const postSale = async (event: object): Promise<unknown> => (await post('/v1/pos/sale', event)).json();
const saleOf = (calculationId: string, transactionId: string) => ({ calculationId, transactionId, status: 'applied' });

async function seenAt(base: string, headers: Record<string, string> = {}): Promise<SeenRequest[]> {
  return (await fetch(base + CONTROL.seen, { headers })).json() as Promise<SeenRequest[]>;
}

async function rowOf(code: string): Promise<RowVerdict> {
  const verdict = (await (await fetch(baseUrl + CONTROL.verdict)).json()) as Verdict;
  return verdict.rows.find((row) => row.code === code)!;
}

describe('what was seen', () => {
  test('has time, request ID, hash of the body and connection of every attempt', async () => {
    const basket = richBasket('misbehave-error-unavailable');
    await postBasket(basket, { 'X-Request-Id': 'b0a4b3a6-6b3c-4d4e-9c0f-0d9a4f5c1d11' });
    await postBasket(basket);
    const [first, second] = await seenAt(baseUrl);
    expect(first).toMatchObject({
      path: '/v1/pos/basket',
      idempotencyKey: basket.calculationId,
      requestId: 'b0a4b3a6-6b3c-4d4e-9c0f-0d9a4f5c1d11',
      code: 'error-unavailable',
      status: 503,
      bodySha256: createHash('sha256').update(JSON.stringify(basket)).digest('hex'),
    });
    expect(Date.parse(first!.at)).toBeLessThanOrEqual(Date.now());
    expect(first!.connection).toBeGreaterThan(0);
    expect(second!.atMs).toBeGreaterThan(first!.atMs);
  });

  test('a refused request is among it, with the reason', async () => {
    await postBasket(richBasket('member'), { 'POS-Signature': 't=1,v1=0' });
    expect(await seenAt(baseUrl)).toMatchObject([{ refused: 'invalid_signature', status: 401 }]);
    expect(await rowOf('honest')).toMatchObject({ verdict: 'wrong', faults: [{ fault: 'refused' }] });
  });

  test('is forgotten on demand, and the verdict with it', async () => {
    const basket = richBasket('member');
    await postBasket(basket);
    await postBasket(basket);
    expect(await rowOf('honest')).toMatchObject({ verdict: 'wrong' });
    const forgotten = await fetch(baseUrl + CONTROL.seen, { method: 'DELETE' });
    expect([forgotten.status, await forgotten.json()]).toEqual([200, { forgotten: 2 }]);
    expect(await seenAt(baseUrl)).toEqual([]);
    expect(stage.double.seen.filter((one) => one.run === run)).toEqual([]);
    expect(await rowOf('honest')).toBeUndefined();
    // A service forgets nothing.
    expect((await postBasket(basket)).headers.get('Idempotent-Replayed')).toBe('true');
  });

  test('has the connections of a row that ends them, and other methods are refused', async () => {
    const put = await fetch(baseUrl + CONTROL.verdict, { method: 'PUT' });
    expect([put.status, put.headers.get('Allow')]).toEqual([405, 'GET']);
    await stage.double.arm('tls-cut-handshake', run);
    await fetch(`${stage.double.secureBaseUrl}/v1/pos/basket`, { method: 'POST', body: '{}' }).catch(() => {});
    expect(await seenAt(baseUrl)).toMatchObject([{ code: 'tls-cut-handshake', connection: expect.any(Number) }]);
    expect(await rowOf('tls-cut-handshake')).toMatchObject({ verdict: 'wrong', faults: [{ fault: 'no-retry' }] });
  });
});

describe('tests that run at once', () => {
  test('are apart by a path of their own or by a header', async () => {
    const other = `run-${randomUUID()}`;
    const basket = richBasket('member');
    await postBasket(basket);
    await postBasket(basket, { [RUN_HEADER]: other }, stage.double.baseUrl);
    for (const seen of [await seenAt(baseUrl), await seenAt(stage.double.baseUrl, { [RUN_HEADER]: run })]) {
      expect(seen).toMatchObject([{ run, path: '/v1/pos/basket' }]);
    }
    expect(await seenAt(`${stage.double.baseUrl}/${other}`)).toMatchObject([{ run: other }]);
    expect((await seenAt(stage.double.baseUrl)).filter((one) => one.idempotencyKey === basket.calculationId)).toEqual(
      [],
    );
  });

  test('arm for themselves alone', async () => {
    await fetch(baseUrl + CONTROL.next, { method: 'POST', body: 'error-internal_error' });
    expect((await postBasket(richBasket('member'), {}, stage.double.baseUrl)).status).toBe(200);
    expect((await postBasket(richBasket('member'))).status).toBe(500);
  });

  test('a path that names nothing is still unknown', async () => {
    for (const path of ['/v2/pos/basket', '/a/b/v1/pos/basket', '/a/v1/pos', '/a%20b/v1/pos/basket']) {
      expect((await fetch(stage.double.baseUrl + path, { method: 'POST' })).status).toBe(404);
    }
  });
});

test('the verdict is JSON, and text for whoever asks for it', async () => {
  const types = async (query: string, headers: Record<string, string>) =>
    (await fetch(baseUrl + CONTROL.verdict + query, { headers })).headers.get('Content-Type');
  expect(await types('', {})).toMatch(/^application\/json/);
  expect(await types('', { Accept: 'text/plain' })).toMatch(/^text\/plain/);
  expect(await types('?format=text', {})).toMatch(/^text\/plain/);
  expect(await types('?format=json', { Accept: 'text/plain' })).toMatch(/^application\/json/);
  await postBasket(richBasket('misbehave-late'));
  const text = await (await fetch(`${baseUrl}${CONTROL.verdict}?format=text`)).text();
  expect(text).toMatch(/^Verdict: incomplete\. 1 rows right, 0 wrong, \d+ not played\.\n/);
  expect(text).toMatch(/^right +late: 1 attempt seen\..*\(interface, section 4\.8\)$/m);
  expect(text).toMatch(/^not played +hang: No call met this row\.$/m);
});

describe('the verdict on an event', () => {
  test('of a superseded calculation: answered as the service does, and wrong', async () => {
    const first = richBasket('member');
    const second = richBasket('member', { supersedesCalculationId: first.calculationId });
    await postBasket(first);
    await postBasket(second);
    expect(await postSale(saleOf(first.calculationId, 'r-1'))).toEqual({ result: 'recorded' });
    expect(await rowOf('honest')).toMatchObject({ verdict: 'wrong', faults: [{ fault: 'event-of-superseded' }] });
  });

  test('of a superseded calculation that is cancelled: right, because its successor may never have arrived', async () => {
    const first = richBasket('member');
    await postBasket(first);
    await postBasket(richBasket('member', { supersedesCalculationId: first.calculationId }));
    expect(await postSale({ calculationId: first.calculationId, status: 'cancelled' })).toEqual({ result: 'recorded' });
    expect(await rowOf('honest')).toMatchObject({ verdict: 'right' });
  });

  test('with a receipt of two calculations: recorded for both, and right', async () => {
    for (const basket of [richBasket('member'), richBasket('member')]) {
      await postBasket(basket);
      expect(await postSale(saleOf(basket.calculationId, 'one-receipt'))).toEqual({ result: 'recorded' });
    }
    expect(await rowOf('honest')).toMatchObject({ verdict: 'right' });
  });

  test('that contradicts the first, changes its body, or comes after a final answer', async () => {
    const ids = await Promise.all(
      [0, 1, 2].map(async () => {
        const basket = richBasket('member');
        await postBasket(basket);
        return basket.calculationId;
      }),
    );
    await postSale(saleOf(ids[0]!, 'r-1'));
    expect(await postSale(saleOf(ids[0]!, 'r-2'))).toMatchObject({ error: { code: 'idempotency_conflict' } });
    await postSale(saleOf(ids[1]!, 'r-3'));
    expect(await postSale({ ...saleOf(ids[1]!, 'r-3'), extra: 1 })).toEqual({ result: 'duplicate' });
    await postSale(saleOf(ids[2]!, 'r-4'));
    await postSale(saleOf(ids[2]!, 'r-4'));
    const faults = (await rowOf('honest')).faults.map(
      ({ fault, idempotencyKey }) => `${ids.indexOf(idempotencyKey!)} ${fault}`,
    );
    expect(faults.sort()).toEqual([
      ...['0 event-after-final-answer', '0 event-contradicts', '1 body-changed', '1 event-after-final-answer'],
      '2 event-after-final-answer',
    ]);
  });

  test('that reports another outcome than the answer asks for', async () => {
    const basket = richBasket('misbehave-wrong-totals');
    await postBasket(basket);
    await postSale(saleOf(basket.calculationId, 'r-1'));
    const row = await rowOf('wrong-totals');
    expect(row.why).toBe('The sale event reports applied; right is failed, invalid_response. (interface, section 3)');
  });

  test('that stays away after a 5xx', async () => {
    const basket = richBasket('misbehave-sale-internal-error');
    await postBasket(basket);
    await postSale(saleOf(basket.calculationId, 'r-1'));
    expect((await rowOf('sale-internal-error')).why).toContain('1 attempt of 3 came so far');
  });
});

describe('a row that shows nothing is not right', () => {
  test('because the basket lacked what it spoils', async () => {
    const basket = richBasket('misbehave-changed-protected-line');
    const lines = basket.lines.map((line) => ({ ...line, noDiscount: false }));
    expect((await postBasket({ ...basket, lines })).status).toBe(400);
    expect(await rowOf('changed-protected-line')).toMatchObject({
      verdict: 'not played',
      why: expect.stringContaining('lacked'),
    });
  });

  test('because the call came by plain HTTP to a row of TLS', async () => {
    await stage.double.arm('tls-cut-handshake', run);
    await expect(postBasket(richBasket('member'))).rejects.toThrow();
    expect(await rowOf('tls-cut-handshake')).toMatchObject({
      verdict: 'not played',
      why: expect.stringContaining('https'),
    });
    expect((await postBasket(richBasket('member'))).status).toBe(200);
  });
});

describe('attempts before anything was sent', () => {
  const handshake = () => fetch(stage.double.secureBaseUrl, { method: 'POST' }).catch(() => undefined);
  const reportLost = () =>
    postSale({ ...saleOf(randomUUID(), 'r-1'), status: 'failed', failureReason: 'connection_error' });

  test.each([
    [1, 'wrong', ['no-retry']],
    [2, 'right', []],
    [3, 'wrong', ['too-many-attempts']],
  ])('%i of them: %s', async (attempts, verdict, faults) => {
    await stage.double.arm('tls-cut-handshake', run);
    for (let made = 0; made < attempts; made += 1) await handshake();
    await reportLost();
    const row = await rowOf('tls-cut-handshake');
    expect([row.verdict, row.faults.map(({ fault }) => fault)]).toEqual([verdict, faults]);
    expect(row.attempts).toMatchObject({ seen: attempts, calls: 1 });
  });

  test('two of them show nothing while the second may be the event', async () => {
    await stage.double.arm('tls-cut-handshake', run);
    await handshake();
    await handshake();
    expect(await rowOf('tls-cut-handshake')).toMatchObject({
      verdict: 'not played',
      why: expect.stringContaining('report the sale by http'),
    });
  });

  test('a retry that was shown there is not asked for where refused connections hide it', async () => {
    await stage.double.arm('refuse-once', run);
    await until('the double to be back', () =>
      fetch(baseUrl + CONTROL.table).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    expect(await rowOf('refuse-once')).toMatchObject({ verdict: 'wrong', faults: [{ fault: 'no-retry' }] });
    await stage.double.arm('tls-cut-handshake', run);
    await handshake();
    await handshake();
    await reportLost();
    expect(await rowOf('refuse-once')).toMatchObject({ verdict: 'right' });
  });
});

test('a caller that accepts a certificate which nobody has signed is found', async () => {
  await stage.double.arm('tls-untrusted', run);
  const basket = richBasket('misbehave-tls-untrusted');
  const body = JSON.stringify(basket);
  const url = `${stage.double.secureBaseUrl}/${run}/v1/pos/basket`;
  const options = { method: 'POST', headers: headersFor(body, basket.calculationId), rejectUnauthorized: false };
  await new Promise((resolve, reject) => {
    const sent = request(url, { ...options, agent: false }, (answer) => answer.resume().once('end', resolve));
    sent.once('error', reject).end(body);
  });
  const row = await rowOf('tls-untrusted');
  expect(row.faults.map(({ fault, rule }) => [fault, rule])).toEqual([
    ['certificate-accepted', 'interface, section 5'],
  ]);
});

test('the client refuses that certificate, by path of its own run too', async () => {
  await stage.double.arm('tls-untrusted', run);
  const secure = await openClient(stage.double.secureBaseUrl, stage);
  const plain = await openClient(baseUrl, stage);
  const outcome = await secure.calculateBasket(richBasket('misbehave-tls-untrusted'));
  expect(outcome).toMatchObject({ status: 'failed', failureReason: 'connection_error' });
  await plain.reportSale(saleEventOf(outcome, 'r-1'));
  await until('the event', () => plain.pendingSales === 0);
  await Promise.all([secure.close(), plain.close()]);
  expect(await rowOf('tls-untrusted')).toMatchObject({ verdict: 'right', attempts: { seen: 1, calls: 1 } });
});
