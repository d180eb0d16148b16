/** The basket call on real sockets: headers, connections, the one retry, and every way to fail before an answer. */
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { Pool } from 'undici';
import { describe, expect, test } from 'vitest';
import { freePorts } from '../../../test/support/free-ports.ts';
import { digestOf } from '../../../test/support/signer.ts';
import { until } from '../../../test/support/wait.ts';
import { sendOnce } from '../src/attempt.ts';
import { ATTEMPT_MS, CAP_MS, PATIENT_LIMITS, richBasket, SECRET, SLACK_MS, timed } from './fixture.ts';
import { clientOf, endServersAfterEach, honestServer, listen, makeIdentity, type Seen, stage } from './servers.ts';

/** For calls that are not given up. */
const PATIENCE_MS = 60_000;
endServersAfterEach();

describe('a request', () => {
  test('carries every header, and signs the bytes that go out', async () => {
    const seen: Seen[] = [];
    const client = await clientOf(`http://127.0.0.1:${await listen(honestServer(seen))}/loyalty/`);
    const basket = richBasket('member', { context: { ...richBasket('m').context, venueId: 'Blåbær 🫐' } });
    await client.calculateBasket(basket);
    const { request, body } = seen[0]!;
    expect(request.url).toBe('/loyalty/v1/pos/basket');
    expect(request.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      accept: 'application/json',
      'idempotency-key': basket.calculationId,
      'x-request-id': stage.calls[0]!.requestIds[0],
      'content-length': String(body.length),
    });
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request.headers['pos-signature']))!;
    expect(Math.abs(Number(t) - Date.now() / 1000)).toBeLessThan(5);
    expect(v1).toBe(digestOf(SECRET.toString('hex'), t!, body));
    expect(JSON.parse(body.toString())).toEqual(basket);
  });

  test('holds the fields of the interface only', async () => {
    const seen: Seen[] = [];
    const client = await clientOf(`http://127.0.0.1:${await listen(honestServer(seen))}`);
    const basket = richBasket('member');
    const own = { card: '4111111111111111', lineDiscountAmount: 5 };
    const lines = basket.lines.map((line) => ({ ...line, ...own }));
    const till = {
      ...basket,
      ...own,
      context: { ...basket.context, ...own },
      totals: { ...basket.totals, ...own },
      lines,
    };
    expect(await client.calculateBasket(till)).toMatchObject({ status: 'applied' });
    expect(seen[0]!.body.toString()).toBe(JSON.stringify(basket));
  });

  test('uses a connection of those before', async () => {
    const seen: Seen[] = [];
    const client = await clientOf(`http://127.0.0.1:${await listen(honestServer(seen))}`);
    for (let count = 0; count < 20; count += 1) await client.calculateBasket(richBasket('member'));
    // A call that follows in the same turn as an answer finds that connection still busy, so there may be two.
    expect(new Set(seen.map(({ socket }) => socket)).size).toBeLessThanOrEqual(2);
  });
});

describe('when the connection fails before the request was sent', () => {
  test('the call is made once more, with the same key and bytes', async () => {
    const [port] = await freePorts(1);
    const seen: Seen[] = [];
    const client = await clientOf(`http://127.0.0.1:${port}`, { limits: { ...PATIENT_LIMITS, retryPauseMs: 300 } });
    const call = client.calculateBasket(richBasket('member'));
    setTimeout(() => void listen(honestServer(seen), port), 150);
    expect(await call).toMatchObject({ status: 'applied' });
    expect(seen).toHaveLength(1);
    expect(new Set(stage.calls[0]!.requestIds).size).toBe(2);
  });

  test('it fails after the one retry', async () => {
    const client = await clientOf(`http://127.0.0.1:${(await freePorts(1))[0]}`);
    const basket = richBasket('member');
    const { result, waitedMs } = await timed(client.calculateBasket(basket));
    const { requestIds } = stage.calls[0]!;
    expect(result).toMatchObject({ status: 'failed', failureReason: 'connection_error', requestId: requestIds[1] });
    expect(result).not.toHaveProperty('httpStatus');
    expect(result.basket).toBe(basket);
    expect(requestIds).toHaveLength(2);
    expect(waitedMs).toBeLessThan(CAP_MS);
  });

  test('a name that does not resolve is such a failure', async () => {
    const client = await clientOf('http://loyalty.invalid');
    const { result, waitedMs } = await timed(client.calculateBasket(richBasket('member')));
    expect(result.status).toBe('failed');
    expect(waitedMs).toBeLessThan(CAP_MS);
  });
});

describe('TLS', () => {
  const identity = makeIdentity();

  // A certificate that nobody vouches for, and a port without TLS, are played with the double (packages/conformance/test) and
  // through the packed package (rules/).
  test('a handshake that never ends is a timeout', async () => {
    const port = await listen(createServer(() => {}));
    const client = await clientOf(`https://127.0.0.1:${port}`, { limits: {} });
    const { result, waitedMs } = await timed(client.calculateBasket(richBasket('member')));
    expect(result).toMatchObject({ status: 'failed', failureReason: 'timeout' });
    expect(waitedMs).toBeLessThan(ATTEMPT_MS + SLACK_MS);
  });

  test('a handshake that is cut off is tried once more', async () => {
    let connections = 0;
    const secure = createTlsServer(identity, (socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'));
    });
    const port = await listen(
      createServer((socket) => {
        connections += 1;
        if (connections === 1) socket.resetAndDestroy();
        else secure.emit('connection', socket);
      }),
    );
    const client = await clientOf(`https://127.0.0.1:${port}`, { ca: identity.cert.toString() });
    expect(await client.calculateBasket(richBasket('member'))).toMatchObject({ failureReason: 'http_error' });
    expect(connections).toBe(2);
  });
});

test('a call that was given up in the queue is never sent', async () => {
  const seen: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const server = createHttpServer(async ({ url }, response) => {
    seen.push(url as string);
    if (url === '/first') await released;
    response.end('{}');
  });
  const origin = `http://127.0.0.1:${await listen(server)}`;
  const pool = new Pool(origin, { connections: 1 });
  const send = (path: string, timeoutMs: number) =>
    sendOnce(pool, { origin, path, headers: {}, body: Buffer.from('{}') }, timeoutMs);
  const first = send('/first', PATIENCE_MS);
  await until('the first one to be sent', () => seen.length > 0);
  const queued = await Promise.all(['/second', '/third'].map((path) => send(path, ATTEMPT_MS)));
  expect(queued).toMatchObject(queued.map(() => ({ kind: 'failed', failure: 'timeout' })));
  release();
  expect(await first).toMatchObject({ kind: 'answered' });
  // Whoever stood before it in the queue would have been sent before it.
  expect(await send('/last', PATIENCE_MS)).toMatchObject({ kind: 'answered' });
  expect(seen).toEqual(['/first', '/last']);
  await pool.close();
});

test.each([
  ['503 Busy', 'a body that is cut off'],
  ['204 No Content', 'a length all the same'],
])('%s with %s is an http_error', async (status) => {
  const server = createServer((socket) => {
    socket.once('data', () => socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 5\r\n\r\n{`));
  });
  const client = await clientOf(`http://127.0.0.1:${await listen(server)}`);
  expect(await client.calculateBasket(richBasket('member'))).toMatchObject({ failureReason: 'http_error' });
});

test('a basket that cannot be written is a pos_error, and nothing is thrown', async () => {
  const client = await clientOf(`http://127.0.0.1:${(await freePorts(1))[0]}`);
  const circular: unknown[] = [];
  circular.push(circular);
  expect(await client.calculateBasket({ ...richBasket('member'), loyaltyId: circular as never })).toMatchObject({
    status: 'failed',
    failureReason: 'pos_error',
  });
  const badKey = { ...richBasket('member'), calculationId: 'a\r\nb' };
  expect(await client.calculateBasket(badKey)).toMatchObject({ status: 'failed', failureReason: 'pos_error' });
});

test('a callback that throws changes no outcome', async () => {
  const client = await clientOf(`http://127.0.0.1:${await listen(honestServer([]))}`, {
    onCall: () => {
      throw new Error('the log is full');
    },
  });
  expect(await client.calculateBasket(richBasket('member'))).toMatchObject({ status: 'applied' });
  expect(stage.faults).toEqual(['a callback threw: the log is full']);
});
