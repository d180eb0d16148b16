/**
 * The last answer on a connection is the last: after a refused framing, and wherever else the service closes a connection,
 * nothing that follows is answered or done, whether it stands in the same TCP segment, in the next one, or comes when the
 * refusal was read. Behind a proxy that shares connections one answer too many would reach somebody else's till.
 */
import { describe, expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { BASKET_PATH, bytesOf } from '../support/caller.ts';
import { RawConnection, requestBytes } from '../support/raw-connection.ts';
import { useSharedService } from '../support/shared-service.ts';
import { signatureOf } from '../support/signer.ts';
import type { BasketBody } from '../support/wire.ts';

const stage = useSharedService();
const LIMIT = 262_144;

interface Parts {
  readonly body: Buffer;
  readonly signed: string[];
}

type Make = (parts: Parts) => Buffer;

const post = (path: string, headers: readonly string[], body: Uint8Array | string) =>
  requestBytes(`POST ${path} HTTP/1.1`, ['Host: x', ...headers], body);
const chunked = (body: Uint8Array) =>
  Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);
const extended = (body: Uint8Array) =>
  Buffer.concat([Buffer.from(`${body.length.toString(16)};a=b\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);
const large = Buffer.alloc(LIMIT + 1, 0x20);
const CHUNKED = 'Transfer-Encoding: chunked';

/** Requests that end their connection, and the status that says so. */
const endings: [string, number, Make][] = [
  [
    'two Content-Lengths',
    400,
    ({ body, signed }) =>
      post(BASKET_PATH, [...signed, `Content-Length: ${body.length}`, `Content-Length: ${body.length - 1}`], body),
  ],
  ['two Content-Lengths without a body', 400, () => post(BASKET_PATH, ['Content-Length: 0', 'Content-Length: 0'], '')],
  ['an empty Content-Length', 400, ({ signed }) => post(BASKET_PATH, [...signed, 'Content-Length:'], '')],
  [
    'Transfer-Encoding: xchunked',
    400,
    ({ body, signed }) => post(BASKET_PATH, [...signed, 'Transfer-Encoding: xchunked'], chunked(body)),
  ],
  [
    'Transfer-Encoding: xchunked before what is no chunk',
    400,
    ({ body, signed }) => post(BASKET_PATH, [...signed, 'Transfer-Encoding: xchunked'], body),
  ],
  [
    'two Transfer-Encodings',
    400,
    ({ body, signed }) => post(BASKET_PATH, [...signed, CHUNKED, CHUNKED], chunked(body)),
  ],
  ['an unsigned chunked body', 401, ({ body }) => post(BASKET_PATH, [CHUNKED], chunked(body))],
  ['no path', 404, ({ body }) => post('/nowhere', [`Content-Length: ${body.length}`], body)],
  ['no path and no body', 404, () => requestBytes('GET /nowhere HTTP/1.1', ['Host: x'], '')],
  [
    'another method',
    405,
    ({ body }) => requestBytes(`PUT ${BASKET_PATH} HTTP/1.1`, ['Host: x', `Content-Length: ${body.length}`], body),
  ],
  ['a chunked body on no path', 404, ({ body }) => post('/nowhere', [CHUNKED], chunked(body))],
  ['a refused framing on no path', 400, ({ body }) => post('/nowhere', ['Transfer-Encoding: xchunked'], chunked(body))],
  [
    'a chunked body with another method',
    405,
    ({ body }) => requestBytes(`PUT ${BASKET_PATH} HTTP/1.1`, ['Host: x', CHUNKED], chunked(body)),
  ],
  ['a chunk with an extension', 400, ({ body, signed }) => post(BASKET_PATH, [...signed, CHUNKED], extended(body))],
  [
    'a body announced too large',
    413,
    ({ signed }) => post(BASKET_PATH, [...signed, `Content-Length: ${large.length}`], large),
  ],
  ['a chunked body that is too large', 413, ({ signed }) => post(BASKET_PATH, [...signed, CHUNKED], chunked(large))],
  [
    'an unsigned call that asks for its connection to be closed',
    401,
    ({ body }) => post(BASKET_PATH, ['Connection: close', CHUNKED], chunked(body)),
  ],
];

function partsOf(basket: BasketBody): Parts {
  const body = bytesOf(basket);
  const signed = [
    'Content-Type: application/json',
    `Idempotency-Key: ${basket.calculationId}`,
    `POS-Signature: ${signatureOf(stage.caller.secret, body)}`,
  ];
  return { body, signed };
}

function validRequest(basket: BasketBody): Buffer {
  const { body, signed } = partsOf(basket);
  return post(BASKET_PATH, [...signed, `Content-Length: ${body.length}`], body);
}

/** The statuses of everything that comes back until the connection is closed; it must be closed. */
async function statusesUntilClosed(connection: RawConnection): Promise<number[]> {
  const answers = [];
  for (let answer = await connection.readAnswer(); answer; answer = await connection.readAnswer()) answers.push(answer);
  expect(await connection.closes()).toBe(true);
  expect(connection.unread.toString('latin1')).toBe('');
  for (const answer of answers) expect(answer.header('Connection')?.toLowerCase()).toBe('close');
  return answers.map(({ status }) => status);
}

/** Not even looked at: Redis knows nothing of the calculation, and its key is free. */
async function expectUndone(baskets: readonly BasketBody[]): Promise<void> {
  for (const basket of baskets) expect(await stage.redis.client.keys(`*${basket.calculationId}*`)).toEqual([]);
}

describe.each(endings)('%s (%d)', (_, status, make) => {
  test.each([1, 3])('in one segment with %d good baskets: one answer, and they are not done', async (count) => {
    const followers = Array.from({ length: count }, () => basketOf());
    const connection = await RawConnection.open(stage.service.baseUrl);
    connection.write(Buffer.concat([make(partsOf(basketOf())), ...followers.map(validRequest)]));
    expect(await statusesUntilClosed(connection)).toEqual([status]);
    await expectUndone(followers);
  });

  test('in one segment with bytes that are no request: one answer', async () => {
    const connection = await RawConnection.open(stage.service.baseUrl);
    connection.write(Buffer.concat([make(partsOf(basketOf())), Buffer.from('GARBAGE\r\n\r\nmore of it\r\n\r\n')]));
    expect(await statusesUntilClosed(connection)).toEqual([status]);
  });

  test('with a good basket in the next segment, and after the answer: one answer, and it is not done', async () => {
    const followers = [basketOf(), basketOf()] as const;
    const connection = await RawConnection.open(stage.service.baseUrl);
    connection.write(make(partsOf(basketOf())));
    connection.write(validRequest(followers[0]));
    const statuses = statusesUntilClosed(connection);
    await connection.closes();
    connection.write(validRequest(followers[1]));
    expect(await statuses).toEqual([status]);
    await expectUndone(followers);
  });
});

test('a chunked basket is answered; with another behind it in the segment neither is, and that one is not done', async () => {
  const [first, second, third] = [basketOf(), basketOf(), basketOf()] as const;
  const chunkedRequest = (basket: BasketBody) => {
    const { body, signed } = partsOf(basket);
    return post(BASKET_PATH, [...signed, CHUNKED], chunked(body));
  };
  const alone = await RawConnection.open(stage.service.baseUrl);
  alone.write(chunkedRequest(first));
  expect(await statusesUntilClosed(alone)).toEqual([200]);
  const followed = await RawConnection.open(stage.service.baseUrl);
  followed.write(Buffer.concat([chunkedRequest(second), validRequest(third)]));
  expect((await statusesUntilClosed(followed)).length).toBeLessThanOrEqual(1);
  await expectUndone([third]);
  // It was whole when the connection was closed: sent again it is answered, as any call whose answer was lost.
  expect((await stage.caller.basket(second)).status).toBe(200);
});

test('a call that asks for its connection to be closed is the last that is looked at', async () => {
  for (const [headers, status] of [
    [['Connection: close'], 401],
    [['Connection: Keep-Alive, Close'], 401],
  ] as const) {
    const follower = basketOf();
    const request = post(BASKET_PATH, [...headers, 'Content-Length: 2'], '{}');
    const alone = await RawConnection.open(stage.service.baseUrl);
    alone.write(request);
    expect(await statusesUntilClosed(alone)).toEqual([status]);
    const followed = await RawConnection.open(stage.service.baseUrl);
    followed.write(Buffer.concat([request, validRequest(follower)]));
    expect((await statusesUntilClosed(followed)).length).toBeLessThanOrEqual(1);
    await expectUndone([follower]);
  }
});

test.each([
  ['HTTP/1.0', 505, `POST ${BASKET_PATH} HTTP/1.0\r\nHost: x\r\nContent-Length: 0\r\n\r\n`],
  ['a header block over 4,096 bytes', 431, `POST ${BASKET_PATH} HTTP/1.1\r\nX: ${'a'.repeat(5000)}\r\n\r\n`],
  ['no Host', 400, `POST ${BASKET_PATH} HTTP/1.1\r\nContent-Length: 0\r\n\r\n`],
])('after %s, which the parser refuses by itself, nothing is looked at', async (_, status, request) => {
  const follower = basketOf();
  const connection = await RawConnection.open(stage.service.baseUrl);
  connection.write(Buffer.concat([Buffer.from(request), validRequest(follower)]));
  const first = await connection.readAnswer();
  expect(first?.status).toBe(status);
  expect(await connection.closes()).toBe(true);
  expect(connection.unread.toString('latin1')).not.toContain('HTTP/1.1 ');
  await expectUndone([follower]);
});

test('a refused framing with Expect: 100-continue has one final answer', async () => {
  const follower = basketOf();
  const connection = await RawConnection.open(stage.service.baseUrl);
  const headers = ['Expect: 100-continue', 'Content-Length: 2', 'Content-Length: 3'];
  connection.write(Buffer.concat([post(BASKET_PATH, headers, '{}'), validRequest(follower)]));
  const statuses = [];
  for (let answer = await connection.readAnswer(); answer; answer = await connection.readAnswer())
    statuses.push(answer.status);
  expect(statuses).toEqual([100, 400]);
  expect(await connection.closes()).toBe(true);
  await expectUndone([follower]);
});

test('an unsigned call ends its connection: what follows is not done, and its own answer may be lost', async () => {
  const follower = basketOf();
  const connection = await RawConnection.open(stage.service.baseUrl);
  const unsigned = post(BASKET_PATH, ['Content-Length: 9'], '{"a": 1}\n');
  connection.write(Buffer.concat([unsigned, validRequest(follower)]));
  expect([[], [401]]).toContainEqual(await statusesUntilClosed(connection));
  await expectUndone([follower]);
});

describe('HEAD', () => {
  test('of a stranger has an answer without a body, and ends its connection', async () => {
    const connection = await RawConnection.open(stage.service.baseUrl);
    connection.write(`HEAD ${BASKET_PATH} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(await connection.closes()).toBe(true);
    const answer = connection.unread.toString('latin1');
    expect(answer).toMatch(/^HTTP\/1\.1 405 [^{]*Content-Length: [1-9]\d*\r\n\r\n$/);
  });

  test('with a refused framing has one answer, and none when more stands in its segment', async () => {
    const request = `HEAD ${BASKET_PATH} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`;
    const alone = await RawConnection.open(stage.service.baseUrl);
    alone.write(request);
    expect(await alone.closes()).toBe(true);
    expect(alone.unread.toString('latin1')).toMatch(/^HTTP\/1\.1 400 [^{]*\r\n\r\n$/);
    const follower = basketOf();
    const followed = await RawConnection.open(stage.service.baseUrl);
    followed.write(Buffer.concat([Buffer.from(request), validRequest(follower)]));
    expect(await followed.closes()).toBe(true);
    expect(['', '400']).toContain(followed.unread.toString('latin1').split('HTTP/1.1 ').join('').slice(0, 3));
    await expectUndone([follower]);
  });
});
