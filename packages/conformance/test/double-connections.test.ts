/** The double's verdict where connections are refused, and on certificates that nobody has signed. */
import { request } from 'node:https';
import { saleEventOf } from 'loyalty-basket-client';
import { expect, test } from 'vitest';
import { until } from '../../../test/support/wait.ts';
import { openClient, richBasket } from '../../client/test/fixture.ts';
import { headersFor, untilBack, useRuns } from './run-stage.ts';

const stage = useRuns();
const FAILED = { status: 'failed', failureReason: 'connection_error' };

test('a retry that was shown there is not asked for where refused connections hide it', async () => {
  await stage.client.double.arm('refuse-once', stage.run);
  await untilBack(stage.baseUrl);
  expect(await stage.rowOf('refuse-once')).toMatchObject({ verdict: 'wrong', faults: [{ fault: 'no-retry' }] });
  await stage.client.double.arm('tls-cut-handshake', stage.run);
  await stage.handshake();
  await stage.handshake();
  await stage.report(crypto.randomUUID(), FAILED);
  expect(await stage.rowOf('refuse-once')).toMatchObject({ verdict: 'right' });
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
  await stage.report(basket.calculationId, FAILED);
  const { faults } = await stage.rowOf('tls-untrusted');
  expect(faults).toMatchObject([{ fault: 'certificate-accepted', rule: 'interface, section 5' }]);
});

test('the client refuses that certificate, by path of its own run too', async () => {
  await stage.client.double.arm('tls-untrusted', stage.run);
  const secure = await openClient(stage.client.double.secureBaseUrl, stage.client);
  const plain = await openClient(stage.baseUrl, stage.client);
  const outcome = await secure.calculateBasket(richBasket('misbehave-tls-untrusted'));
  expect(outcome).toMatchObject(FAILED);
  await plain.reportSale(saleEventOf(outcome, 'r-1'));
  await until('the event', () => plain.pendingSales === 0);
  await Promise.all([secure.close(), plain.close()]);
  expect(await stage.rowOf('tls-untrusted')).toMatchObject({ verdict: 'right', attempts: { seen: 1, calls: 1 } });
});
