/**
 * The last answer on a connection is the last: after a refused framing, and wherever else the service closes a connection,
 * nothing that follows is answered or done, whether it stands in the same TCP segment, in the next one, or comes when the
 * refusal was read. Behind a proxy that shares connections one answer too many would reach somebody else's till.
 */
import { describe, expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { BASKET_PATH, bytesOf } from '../support/caller.ts';
import { callBytes, chunkOf, RawConnection, requestBytes, signedHeaders } from '../support/raw-connection.ts';
import { useSharedService } from '../support/shared-service.ts';
import type { BasketBody } from '../support/wire.ts';

const stage = useSharedService();
const LIMIT = 262_144;

type Make = (body: Buffer, signed: readonly string[]) => Buffer;

const request = (line: string, headers: readonly string[], body: Uint8Array | string) =>
  requestBytes(`${line} HTTP/1.1`, ['Host: x', ...headers], body);
const post = (headers: readonly string[], body: Uint8Array | string) => request(`POST ${BASKET_PATH}`, headers, body);
const large = Buffer.alloc(LIMIT + 1, 0x20);
const CHUNKED = 'Transfer-Encoding: chunked';
const XCHUNKED = 'Transfer-Encoding: xchunked';
const lengthOf = (body: Buffer, less = 0) => `Content-Length: ${body.length - less}`;

/** Requests that end their connection, and the status that says so. */
const endings: [string, number, Make][] = [
  ['two Content-Lengths', 400, (body, signed) => post([...signed, lengthOf(body), lengthOf(body, 1)], body)],
  ['two Content-Lengths without a body', 400, () => post(['Content-Length: 0', 'Content-Length: 0'], '')],
  ['an empty Content-Length', 400, (_, signed) => post([...signed, 'Content-Length:'], '')],
  ['Transfer-Encoding: xchunked', 400, (body, signed) => post([...signed, XCHUNKED], chunkOf(body))],
  ['Transfer-Encoding: xchunked before what is no chunk', 400, (body, signed) => post([...signed, XCHUNKED], body)],
  ['two Transfer-Encodings', 400, (body, signed) => post([...signed, CHUNKED, CHUNKED], chunkOf(body))],
  ['an unsigned chunked body', 401, (body) => post([CHUNKED], chunkOf(body))],
  ['no path', 404, (body) => request('POST /nowhere', [lengthOf(body)], body)],
  ['no path and no body', 404, () => request('GET /nowhere', [], '')],
  ['another method', 405, (body) => request(`PUT ${BASKET_PATH}`, [lengthOf(body)], body)],
  ['a chunked body on no path', 404, (body) => request('POST /nowhere', [CHUNKED], chunkOf(body))],
  ['a refused framing on no path', 400, (body) => request('POST /nowhere', [XCHUNKED], chunkOf(body))],
  ['a chunked body with another method', 405, (body) => request(`PUT ${BASKET_PATH}`, [CHUNKED], chunkOf(body))],
  ['a chunk with an extension', 400, (body, signed) => post([...signed, CHUNKED], chunkOf(body, ';a=b'))],
  ['a body announced too large', 413, (_, signed) => post([...signed, lengthOf(large)], large)],
  ['a chunked body that is too large', 413, (_, signed) => post([...signed, CHUNKED], chunkOf(large))],
  [
    'an unsigned call that asks for its connection to be closed',
    401,
    (body) => post(['Connection: close', CHUNKED], chunkOf(body)),
  ],
];

function made(make: Make, basket = basketOf()): Buffer {
  const body = bytesOf(basket);
  return make(body, signedHeaders(stage.caller.secret, basket, body).slice(1));
}

const validRequest = (basket: BasketBody): Buffer => callBytes(stage.caller.secret, basket);

/** Sends bytes on a connection of their own. */
async function sent(...bytes: readonly (Uint8Array | string)[]): Promise<RawConnection> {
  const connection = await RawConnection.open(stage.service.baseUrl);
  connection.write(Buffer.concat(bytes.map((part) => Buffer.from(part as string))));
  return connection;
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
  test('in one segment with three good baskets: one answer, and they are not done', async () => {
    const followers = Array.from({ length: 3 }, () => basketOf());
    const connection = await sent(made(make), ...followers.map(validRequest));
    expect(await statusesUntilClosed(connection)).toEqual([status]);
    await expectUndone(followers);
  });

  test('in one segment with bytes that are no request: one answer', async () => {
    const connection = await sent(made(make), 'GARBAGE\r\n\r\nmore of it\r\n\r\n');
    expect(await statusesUntilClosed(connection)).toEqual([status]);
  });

  test('with a good basket in the next segment, and after the answer: one answer, and it is not done', async () => {
    const followers = [basketOf(), basketOf()] as const;
    const connection = await sent(made(make));
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
  const chunkedRequest = (basket: BasketBody) =>
    made((body, signed) => post([...signed, CHUNKED], chunkOf(body)), basket);
  expect(await statusesUntilClosed(await sent(chunkedRequest(first)))).toEqual([200]);
  const followed = await sent(chunkedRequest(second), validRequest(third));
  expect((await statusesUntilClosed(followed)).length).toBeLessThanOrEqual(1);
  await expectUndone([third]);
  // It was whole when the connection was closed: sent again it is answered, as any call whose answer was lost.
  expect((await stage.caller.basket(second)).status).toBe(200);
});

test.each(['Connection: close', 'Connection: Keep-Alive, Close', 'X-Other: x'])(
  'an unsigned call with %s is the last that is looked at, and its own answer may be lost',
  async (header) => {
    const follower = basketOf();
    const unsigned = post([header, 'Content-Length: 2'], '{}');
    expect(await statusesUntilClosed(await sent(unsigned))).toEqual([401]);
    expect([[], [401]]).toContainEqual(await statusesUntilClosed(await sent(unsigned, validRequest(follower))));
    await expectUndone([follower]);
  },
);

test.each([
  ['HTTP/1.0', 505, `POST ${BASKET_PATH} HTTP/1.0\r\nHost: x\r\nContent-Length: 0\r\n\r\n`],
  ['a header block over 4,096 bytes', 431, `POST ${BASKET_PATH} HTTP/1.1\r\nX: ${'a'.repeat(5000)}\r\n\r\n`],
  ['no Host', 400, `POST ${BASKET_PATH} HTTP/1.1\r\nContent-Length: 0\r\n\r\n`],
])('after %s, which the parser refuses by itself, nothing is looked at', async (_, status, refused) => {
  const follower = basketOf();
  const connection = await sent(refused, validRequest(follower));
  expect((await connection.readAnswer())?.status).toBe(status);
  expect(await connection.closes()).toBe(true);
  expect(connection.unread.toString('latin1')).not.toContain('HTTP/1.1 ');
  await expectUndone([follower]);
});

test('a refused framing with Expect: 100-continue has one final answer', async () => {
  const follower = basketOf();
  const headers = ['Expect: 100-continue', 'Content-Length: 2', 'Content-Length: 3'];
  const connection = await sent(post(headers, '{}'), validRequest(follower));
  expect((await connection.readAnswers()).map(({ status }) => status)).toEqual([100, 400]);
  expect(await connection.closes()).toBe(true);
  await expectUndone([follower]);
});

describe('HEAD', () => {
  test('of a stranger has an answer without a body, and ends its connection', async () => {
    const connection = await sent(`HEAD ${BASKET_PATH} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(await connection.closes()).toBe(true);
    const answer = connection.unread.toString('latin1');
    expect(answer).toMatch(/^HTTP\/1\.1 405 [^{]*Content-Length: [1-9]\d*\r\n\r\n$/);
  });

  test('with a refused framing has one answer, and none when more stands in its segment', async () => {
    const request = `HEAD ${BASKET_PATH} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`;
    const alone = await sent(request);
    expect(await alone.closes()).toBe(true);
    expect(alone.unread.toString('latin1')).toMatch(/^HTTP\/1\.1 400 [^{]*\r\n\r\n$/);
    const follower = basketOf();
    const followed = await sent(request, validRequest(follower));
    expect(await followed.closes()).toBe(true);
    expect(['', '400']).toContain(followed.unread.toString('latin1').split('HTTP/1.1 ').join('').slice(0, 3));
    await expectUndone([follower]);
  });
});
