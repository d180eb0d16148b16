/**
 * What only a configured service and a socket show of signatures (interface, section 5): every active secret, the bearer tokens,
 * and header lines that no library writes. The grammar is in the vectors and in packages/contract/test/signature.test.ts, forged ones are in the kit.
 */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { BASKET_PATH, bytesOf } from '../support/caller.ts';
import { RawConnection, requestBytes } from '../support/raw-connection.ts';
import { useService } from '../support/service.ts';
import { useSharedService } from '../support/shared-service.ts';
import { digestOf, newSecret, signatureOf, unixSeconds } from '../support/signer.ts';

const CURRENT = newSecret();
const FORMER = randomBytes(48).toString('base64');
const UPPER = newSecret().toUpperCase();
const TOKENS = [newSecret(), newSecret()];

const stage = useService({
  secrets: [CURRENT, FORMER, UPPER],
  env: { LOYALTY_BEARER_TOKENS: TOKENS.join(',') },
});
const withoutTokens = useSharedService();

test.each([
  ['the first secret, in hex', CURRENT],
  ['the second, in base64', FORMER],
  ['the third, in upper-case hex', UPPER],
])('every active secret verifies: %s', async (_, secret) => {
  expect((await stage.caller.basket(basketOf(), { secret })).status).toBe(200);
  expect((await stage.caller.sale(saleOf(basketOf().calculationId), { secret })).status).toBe(200);
});

test.each([
  ['another secret', newSecret()],
  ['the text of the secret instead of its bytes', Buffer.from(CURRENT).toString('base64')],
  ['the bearer token', TOKENS[0] ?? ''],
])('nothing else verifies: %s', async (_, secret) => {
  const answer = await stage.caller.basket(basketOf(), { secret });
  expect([answer.status, answer.code]).toEqual([401, 'invalid_signature']);
});

test.each([
  ['the first token', `Bearer ${TOKENS[0]}`, 200],
  ['the second token', `Bearer ${TOKENS[1]}`, 200],
  ['another token', `Bearer ${newSecret()}`, 401],
  ['an active secret', `Bearer ${CURRENT}`, 401],
])('the bearer fallback, where it is configured: %s', async (_, authorization, status) => {
  const headers = { 'POS-Signature': null, Authorization: authorization };
  const answer = await stage.caller.basket(basketOf(), { headers });
  expect(answer.status).toBe(status);
  if (status === 401) expect(answer.code).toBe('invalid_signature');
});

test('a signature that does not verify is not saved by a bearer token', async () => {
  const headers = { Authorization: `Bearer ${TOKENS[0]}` };
  const answer = await stage.caller.basket(basketOf(), { headers, secret: newSecret() });
  expect([answer.status, answer.code]).toEqual([401, 'invalid_signature']);
});

test('a bearer token means nothing where none is configured', async () => {
  const headers = { 'POS-Signature': null, Authorization: `Bearer ${newSecret()}` };
  const answer = await withoutTokens.caller.basket(basketOf(), { headers });
  expect([answer.status, answer.code]).toEqual([401, 'invalid_signature']);
});

test('two header lines are refused, though each of them is right', async () => {
  const bytes = bytesOf(basketOf());
  const signature = signatureOf(CURRENT, bytes);
  const authorization = `Bearer ${TOKENS[0]}`;
  for (const headers of [
    { 'POS-Signature': [signature, signature] },
    { 'POS-Signature': null, Authorization: [authorization, authorization] },
  ]) {
    const answer = await stage.caller.send(BASKET_PATH, bytes, { headers });
    expect([answer.status, answer.code]).toEqual([401, 'invalid_signature']);
  }
});

test('full-width digits and other bytes beyond ASCII are refused, not read as digits', async () => {
  const body = bytesOf(basketOf());
  for (const t of ['１７９５０００００', `${unixSeconds()}\u00a0`]) {
    const value = `t=${Buffer.from(t).toString('latin1')},v1=${digestOf(CURRENT, t, body)}`;
    const connection = await RawConnection.open(stage.service.baseUrl);
    const headers = ['Host: x', `Content-Length: ${body.length}`, `POS-Signature: ${value}`];
    connection.write(requestBytes(`POST ${BASKET_PATH} HTTP/1.1`, headers, body));
    const answer = await connection.readAnswer();
    expect([answer?.status, answer?.code]).toEqual([401, 'invalid_signature']);
    connection.close();
  }
});
