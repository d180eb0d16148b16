/** What the double records of every attempt, for tests that run at once, and the forms of its verdict. */
import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { richBasket } from '../../client/test/fixture.ts';
import { RUN_HEADER } from '../src/double/call.ts';
import { CONTROL } from '../src/double/provocation.ts';
import { useRuns } from './run-stage.ts';

const stage = useRuns();

describe('what was seen', () => {
  test('has time, request ID, hash of the body and connection of every attempt', async () => {
    const basket = richBasket('misbehave-error-unavailable');
    await stage.postBasket(basket, { 'X-Request-Id': 'b0a4b3a6-6b3c-4d4e-9c0f-0d9a4f5c1d11' });
    await stage.postBasket(basket);
    const [first, second] = await stage.seenAt(stage.baseUrl);
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
    await stage.postBasket(richBasket('member'), { 'POS-Signature': 't=1,v1=0' });
    expect(await stage.seenAt(stage.baseUrl)).toMatchObject([{ refused: 'invalid_signature', status: 401 }]);
    expect(await stage.rowOf('honest')).toMatchObject({ verdict: 'wrong', faults: [{ fault: 'refused' }] });
  });

  test('is forgotten on demand, and the verdict with it', async () => {
    const basket = richBasket('member');
    await stage.postBasket(basket);
    await stage.postBasket(basket);
    expect(await stage.rowOf('honest')).toMatchObject({ verdict: 'wrong' });
    const forgotten = await fetch(stage.baseUrl + CONTROL.seen, { method: 'DELETE' });
    expect([forgotten.status, await forgotten.json()]).toEqual([200, { forgotten: 2 }]);
    expect(await stage.seenAt(stage.baseUrl)).toEqual([]);
    expect(stage.client.double.seen.filter((one) => one.run === stage.run)).toEqual([]);
    expect(await stage.rowOf('honest')).toBeUndefined();
    // A service forgets nothing.
    expect((await stage.postBasket(basket)).headers.get('Idempotent-Replayed')).toBe('true');
  });

  test('has the connections of a row that ends them, and other methods are refused', async () => {
    const put = await fetch(stage.baseUrl + CONTROL.verdict, { method: 'PUT' });
    expect([put.status, put.headers.get('Allow')]).toEqual([405, 'GET']);
    await stage.client.double.arm('tls-cut-handshake', stage.run);
    await stage.handshake();
    expect(await stage.seenAt(stage.baseUrl)).toMatchObject([
      { code: 'tls-cut-handshake', connection: expect.any(Number) },
    ]);
  });
});

describe('tests that run at once', () => {
  test('are apart by a path of their own or by a header', async () => {
    const other = `run-${randomUUID()}`;
    const basket = richBasket('member');
    await stage.postBasket(basket);
    await stage.postBasket(basket, { [RUN_HEADER]: other }, stage.client.double.baseUrl);
    for (const seen of [
      await stage.seenAt(stage.baseUrl),
      await stage.seenAt(stage.client.double.baseUrl, { [RUN_HEADER]: stage.run }),
    ]) {
      expect(seen).toMatchObject([{ run: stage.run, path: '/v1/pos/basket' }]);
    }
    expect(await stage.seenAt(`${stage.client.double.baseUrl}/${other}`)).toMatchObject([{ run: other }]);
    expect(
      (await stage.seenAt(stage.client.double.baseUrl)).filter((one) => one.idempotencyKey === basket.calculationId),
    ).toEqual([]);
  });

  test('arm for themselves alone', async () => {
    await fetch(stage.baseUrl + CONTROL.next, { method: 'POST', body: 'error-internal_error' });
    expect((await stage.postBasket(richBasket('member'), {}, stage.client.double.baseUrl)).status).toBe(200);
    expect((await stage.postBasket(richBasket('member'))).status).toBe(500);
  });

  test('a path that names nothing is still unknown', async () => {
    for (const path of ['/v2/pos/basket', '/a/b/v1/pos/basket', '/a/v1/pos', '/a%20b/v1/pos/basket']) {
      expect((await fetch(stage.client.double.baseUrl + path, { method: 'POST' })).status).toBe(404);
    }
  });
});

test('the verdict is JSON, and text for whoever asks for it', async () => {
  const types = async (query: string, headers: Record<string, string>) =>
    (await fetch(stage.baseUrl + CONTROL.verdict + query, { headers })).headers.get('Content-Type');
  expect(await types('', {})).toMatch(/^application\/json/);
  expect(await types('', { Accept: 'text/plain' })).toMatch(/^text\/plain/);
  expect(await types('?format=text', {})).toMatch(/^text\/plain/);
  expect(await types('?format=json', { Accept: 'text/plain' })).toMatch(/^application\/json/);
  await stage.report(await stage.call('late'), { status: 'failed', failureReason: 'timeout' });
  const text = await (await fetch(`${stage.baseUrl}${CONTROL.verdict}?format=text`)).text();
  expect(text).toMatch(/^Verdict: incomplete\. 2 rows right, 0 wrong, \d+ not played\.\n/);
  expect(text).toMatch(/^right +late: 1 attempt seen\..*\(interface, section 4\.8\)$/m);
  expect(text).toMatch(/^not played +hang: No call met this row\.$/m);
});
