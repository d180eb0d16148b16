/**
 * Request headers (interface, section 4) that only a hostile or strange caller sends. What is required and what is accepted is in
 * the kit.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { BASKET_PATH, bytesOf, type HeaderValue } from '../support/caller.ts';
import { RawConnection, requestBytes, signedHeaders } from '../support/raw-connection.ts';
import { useSharedService } from '../support/shared-service.ts';

const stage = useSharedService();

/** The right answer to a fault in a header: 400, and `details.field` is the header's name. */
async function expectRefusal(header: string, value: (key: string) => HeaderValue): Promise<void> {
  const basket = basketOf();
  const basketAnswer = await stage.caller.basket(basket, { headers: { [header]: value(basket.calculationId) } });
  const sale = saleOf(basket.calculationId);
  const saleAnswer = await stage.caller.sale(sale, { headers: { [header]: value(sale.calculationId) } });
  for (const answer of [basketAnswer, saleAnswer]) {
    expect([answer.status, answer.code]).toEqual([400, 'invalid_request']);
    expect(String(answer.details.field).toLowerCase()).toBe(header.toLowerCase());
  }
}

describe('Idempotency-Key', () => {
  const refused: [string, (key: string) => HeaderValue][] = [
    ['quoted', (key) => `"${key}"`],
    ['in braces', (key) => `{${key}}`],
    ['without hyphens', (key) => key.replaceAll('-', '')],
    ['1 KB long', () => 'a'.repeat(1_024)],
    ['sent twice', (key) => [key, key]],
    ['sent twice, different', (key) => [key, randomUUID()]],
    ['two in one line', (key) => `${key}, ${key}`],
  ];
  test.each(refused)('%s is 400', async (_, value) => {
    await expectRefusal('Idempotency-Key', value);
  });
});

describe('Content-Type', () => {
  const refused: [string, HeaderValue][] = [
    ['empty', ''],
    ['sent twice', ['application/json', 'application/json']],
    ['two in one line', 'application/json, text/plain'],
  ];
  test.each(refused)('%s is 400', async (_, value) => {
    await expectRefusal('Content-Type', () => value);
  });
});

describe('X-Request-Id', () => {
  // That a UUID is echoed and anything else is not, is what every answer is judged by in judge.ts.
  test.each([
    ['empty', ''],
    ['a UUID and more', `${randomUUID()}x`],
    ['3 KB', 'a'.repeat(3_000)],
    ['markup', '<script>alert(1)</script>'],
    ['bytes beyond ASCII', Buffer.from('\u{1f36a}').toString('latin1')],
  ])('%s', async (_, value) => {
    const headers = { 'X-Request-Id': value };
    expect((await stage.caller.basket(basketOf(), { headers })).status).toBe(200);
    expect((await stage.caller.sale(saleOf(randomUUID()), { headers })).status).toBe(200);
    expect((await stage.caller.send('/nowhere', {}, { headers })).status).toBe(404);
    expect((await stage.caller.send(BASKET_PATH, '{', { headers })).status).toBe(400);
    expect((await stage.caller.basket(basketOf(), { headers: { ...headers, 'POS-Signature': null } })).status).toBe(
      401,
    );
  });

  test('two of them: neither is trusted, and the call goes on', async () => {
    const answer = await stage.caller.basket(basketOf(), { headers: { 'X-Request-Id': [randomUUID(), randomUUID()] } });
    expect([200, 400]).toContain(answer.status);
  });
});

describe('other headers', () => {
  test.each(['gzip', 'deflate', 'br', 'gzip, gzip'])(
    'Content-Encoding %s is 400 and never inflated',
    async (coding) => {
      await expectRefusal('Content-Encoding', () => coding);
    },
  );

  test('Content-Encoding: identity says nothing', async () => {
    const answer = await stage.caller.basket(basketOf(), { headers: { 'Content-Encoding': 'identity' } });
    expect([200, 400]).toContain(answer.status);
  });

  test('Accept and Accept-Encoding change nothing of the answer, and plain HTTP promises no TLS', async () => {
    for (const accept of ['text/html', '']) {
      const headers = { Accept: accept, 'Accept-Encoding': 'gzip, br' };
      const answer = await stage.caller.basket(basketOf(), { headers });
      expect([answer.status, answer.header('Content-Encoding')]).toEqual([200, undefined]);
      expect(answer.header('Strict-Transport-Security')).toBeUndefined();
    }
  });
});

test('Expect: 100-continue leads to an answer', async () => {
  const basket = basketOf();
  const body = bytesOf(basket);
  const connection = await RawConnection.open(stage.service.baseUrl);
  connection.write(
    requestBytes(`POST ${BASKET_PATH} HTTP/1.1`, [
      ...signedHeaders(stage.caller.secret, basket, body),
      'Expect: 100-continue',
      `Content-Length: ${body.length}`,
    ]),
  );
  // A caller waits a moment for the 100 and then sends the body anyway (RFC 9110, section 10.1.1).
  const first = await connection.readAnswer(500);
  connection.write(body);
  const answer = first?.status === 200 ? first : await connection.readAnswer();
  expect([undefined, 100]).toContain(first?.status);
  expect(answer?.status).toBe(200);
  connection.close();
});
