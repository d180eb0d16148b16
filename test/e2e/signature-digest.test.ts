/** The digest of POS-Signature: exact bytes, every active secret, and nothing but active secrets (interface, section 5). */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { BASKET_PATH, bytesOf, SALE_PATH } from '../support/caller.ts';
import { useService } from '../support/service.ts';
import { digestOf, newSecret, signatureOf, unixSeconds } from '../support/signer.ts';

const CURRENT = newSecret();
const FORMER = randomBytes(48).toString('base64');
const UPPER = newSecret().toUpperCase();
const TOKENS = [newSecret(), newSecret()];

const stage = useService({
  secrets: [CURRENT, FORMER, UPPER],
  env: { LOYALTY_BEARER_TOKENS: TOKENS.join(',') },
});

test.each([
  ['the first secret, in hex', CURRENT],
  ['the second, in base64', FORMER],
  ['the third, in upper-case hex', UPPER],
])('every active secret verifies: %s', async (_, secret) => {
  expect((await stage.caller.basket(basketOf(), { secret })).status).toBe(200);
});

test.each([
  ['another secret', newSecret()],
  ['the text of the secret instead of its bytes', Buffer.from(CURRENT).toString('base64')],
  [
    'a secret with one bit changed',
    `${CURRENT.slice(0, -1)}${(Number.parseInt(CURRENT.slice(-1), 16) ^ 1).toString(16)}`,
  ],
  ['the bearer token', TOKENS[0] ?? ''],
])('nothing else verifies: %s', async (_, secret) => {
  const answer = await stage.caller.basket(basketOf(), { secret });
  expect([answer.status, answer.code]).toEqual([401, 'invalid_signature']);
});

test('every single bit of the digest counts', async () => {
  const bytes = bytesOf(basketOf());
  const t = unixSeconds();
  const digest = Buffer.from(digestOf(CURRENT, t, bytes), 'hex');
  const flipped = Array.from({ length: 256 }, (_, bit) => {
    const copy = Buffer.from(digest);
    copy[bit >> 3]! ^= 1 << (bit & 7);
    return copy.toString('hex');
  });
  const answers = await Promise.all(
    flipped.map((v1) => stage.caller.send(BASKET_PATH, bytes, { headers: { 'POS-Signature': `t=${t},v1=${v1}` } })),
  );
  expect(new Set(answers.map((answer) => `${answer.status} ${answer.code}`))).toEqual(
    new Set(['401 invalid_signature']),
  );
});

test('every byte of the body counts', async () => {
  const bytes = bytesOf(basketOf());
  const signature = signatureOf(CURRENT, bytes);
  const altered = [
    Buffer.concat([bytes, Buffer.from('\n')]),
    Buffer.concat([bytes, Buffer.from([0])]),
    bytes.subarray(0, -1),
    Buffer.from(bytes.toString().replace('"quantity":1', '"quantity":2')),
    bytesOf(JSON.stringify(JSON.parse(bytes.toString()), null, 1)),
    Buffer.alloc(0),
  ];
  for (const position of [0, bytes.length >> 1, bytes.length - 1]) {
    const copy = Buffer.from(bytes);
    copy[position]! ^= 1;
    altered.push(copy);
  }
  for (const body of altered) {
    const answer = await stage.caller.send(BASKET_PATH, body, { headers: { 'POS-Signature': signature } });
    expect([answer.status, answer.code]).toEqual([401, 'invalid_signature']);
  }
});

test('the time is part of what is signed', async () => {
  const bytes = bytesOf(basketOf());
  const t = unixSeconds();
  const headers = { 'POS-Signature': `t=${t - 1},v1=${digestOf(CURRENT, t, bytes)}` };
  expect((await stage.caller.send(BASKET_PATH, bytes, { headers })).code).toBe('invalid_signature');
});

test.each([
  ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0x80, 0x22, 0x7d])],
  ['no JSON at all', Buffer.from('not json')],
  ['an empty body', Buffer.alloc(0)],
])('a rightly signed body is judged as a body: %s is 400, not 401', async (_, body) => {
  for (const path of [BASKET_PATH, SALE_PATH]) {
    const answer = await stage.caller.send(path, body);
    expect([answer.status, answer.code]).toEqual([400, 'invalid_request']);
  }
});

test('the signature is judged before the body', async () => {
  const answer = await stage.caller.send(BASKET_PATH, 'not json', { secret: newSecret() });
  expect([answer.status, answer.code]).toEqual([401, 'invalid_signature']);
});

test('a sale event is signed like a basket', async () => {
  const sale = saleOf(basketOf().calculationId);
  expect((await stage.caller.sale(sale, { secret: newSecret() })).code).toBe('invalid_signature');
  expect((await stage.caller.sale(sale, { headers: { 'POS-Signature': null } })).code).toBe('invalid_signature');
  expect((await stage.caller.sale(sale, { secret: FORMER })).status).toBe(200);
});

test.each([
  ['the first token', `Bearer ${TOKENS[0]}`, 200],
  ['the second token', `Bearer ${TOKENS[1]}`, 200],
  ['the scheme in small letters', `bearer ${TOKENS[0]}`, 200],
  ['another token', `Bearer ${newSecret()}`, 401],
  ['a token cut short', `Bearer ${TOKENS[0]?.slice(0, -1)}`, 401],
  ['a token and more', `Bearer ${TOKENS[0]}0`, 401],
  ['no scheme', TOKENS[0] ?? '', 401],
  ['another scheme', `Basic ${TOKENS[0]}`, 401],
  ['the scheme alone', 'Bearer', 401],
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
