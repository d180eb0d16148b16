/** The double's verdict on connections that fail before a request is sent, and on rows that show nothing. */
import { randomUUID } from 'node:crypto';
import { request } from 'node:https';
import { saleEventOf } from 'loyalty-basket-client';
import { describe, expect, test } from 'vitest';
import { until } from '../../../test/support/wait.ts';
import { openClient, richBasket } from '../../client/test/fixture.ts';
import { CONTROL } from '../src/double/provocation.ts';
import { headersFor, saleOf, useRuns } from './run-stage.ts';

const stage = useRuns();

describe('a row that shows nothing is not right', () => {
  test('because the basket lacked what it spoils', async () => {
    const basket = richBasket('misbehave-changed-protected-line');
    const lines = basket.lines.map((line) => ({ ...line, noDiscount: false }));
    expect((await stage.postBasket({ ...basket, lines })).status).toBe(400);
    expect(await stage.rowOf('changed-protected-line')).toMatchObject({
      verdict: 'not played',
      why: expect.stringContaining('lacked'),
    });
  });

  test('because the call came by plain HTTP to a row of TLS', async () => {
    await stage.client.double.arm('tls-cut-handshake', stage.run);
    await expect(stage.postBasket(richBasket('member'))).rejects.toThrow();
    expect(await stage.rowOf('tls-cut-handshake')).toMatchObject({
      verdict: 'not played',
      why: expect.stringContaining('https'),
    });
    expect((await stage.postBasket(richBasket('member'))).status).toBe(200);
  });
});

describe('attempts before anything was sent', () => {
  const handshake = () => fetch(stage.client.double.secureBaseUrl, { method: 'POST' }).catch(() => undefined);
  const reportLost = () =>
    stage.postSale({ ...saleOf(randomUUID(), 'r-1'), status: 'failed', failureReason: 'connection_error' });

  test.each([
    [1, 'wrong', ['no-retry']],
    [2, 'right', []],
    [3, 'wrong', ['too-many-attempts']],
  ])('%i of them: %s', async (attempts, verdict, faults) => {
    await stage.client.double.arm('tls-cut-handshake', stage.run);
    for (let made = 0; made < attempts; made += 1) await handshake();
    await reportLost();
    const row = await stage.rowOf('tls-cut-handshake');
    expect([row.verdict, row.faults.map(({ fault }) => fault)]).toEqual([verdict, faults]);
    expect(row.attempts).toMatchObject({ seen: attempts, calls: 1 });
  });

  test('two of them show nothing while the second may be the event', async () => {
    await stage.client.double.arm('tls-cut-handshake', stage.run);
    await handshake();
    await handshake();
    expect(await stage.rowOf('tls-cut-handshake')).toMatchObject({
      verdict: 'not played',
      why: expect.stringContaining('report the sale by http'),
    });
  });

  test('a retry that was shown there is not asked for where refused connections hide it', async () => {
    await stage.client.double.arm('refuse-once', stage.run);
    await until('the double to be back', () =>
      fetch(stage.baseUrl + CONTROL.table).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    expect(await stage.rowOf('refuse-once')).toMatchObject({ verdict: 'wrong', faults: [{ fault: 'no-retry' }] });
    await stage.client.double.arm('tls-cut-handshake', stage.run);
    await handshake();
    await handshake();
    await reportLost();
    expect(await stage.rowOf('refuse-once')).toMatchObject({ verdict: 'right' });
  });
});

test('a caller that accepts a certificate which nobody has signed is found', async () => {
  await stage.client.double.arm('tls-untrusted', stage.run);
  const basket = richBasket('misbehave-tls-untrusted');
  const body = JSON.stringify(basket);
  const url = `${stage.client.double.secureBaseUrl}/${stage.run}/v1/pos/basket`;
  const options = { method: 'POST', headers: headersFor(body, basket.calculationId), rejectUnauthorized: false };
  await new Promise((resolve, reject) => {
    const sent = request(url, { ...options, agent: false }, (answer) => answer.resume().once('end', resolve));
    sent.once('error', reject).end(body);
  });
  const failed = { status: 'failed', failureReason: 'connection_error' };
  await stage.postSale({ ...saleOf(basket.calculationId, 'r-1'), ...failed });
  const row = await stage.rowOf('tls-untrusted');
  expect(row.faults.map(({ fault, rule }) => [fault, rule])).toEqual([
    ['certificate-accepted', 'interface, section 5'],
  ]);
});

test('the client refuses that certificate, by path of its own run too', async () => {
  await stage.client.double.arm('tls-untrusted', stage.run);
  const secure = await openClient(stage.client.double.secureBaseUrl, stage.client);
  const plain = await openClient(stage.baseUrl, stage.client);
  const outcome = await secure.calculateBasket(richBasket('misbehave-tls-untrusted'));
  expect(outcome).toMatchObject({ status: 'failed', failureReason: 'connection_error' });
  await plain.reportSale(saleEventOf(outcome, 'r-1'));
  await until('the event', () => plain.pendingSales === 0);
  await Promise.all([secure.close(), plain.close()]);
  expect(await stage.rowOf('tls-untrusted')).toMatchObject({ verdict: 'right', attempts: { seen: 1, calls: 1 } });
});
