/** The ways of a call: a company's proxy, an agent of the caller's, headers beside the interface's, another secret. */

import { randomBytes, randomUUID } from 'node:crypto';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect } from 'node:net';
import { type ClientOptions, type ExtraHeaders, LoyaltyClient } from 'loyalty-basket-client';
import { Agent, type Dispatcher } from 'undici';
import { afterEach, describe, expect, test } from 'vitest';
import { freePorts } from '../../../test/support/free-ports.ts';
import { digestOf } from '../../../test/support/signer.ts';
import { until } from '../../../test/support/wait.ts';
import { proxyFor } from '../src/transport.ts';
import { endingOf, richBasket, SECRET } from './fixture.ts';
import {
  clientOf,
  endServersAfterEach,
  honestly,
  honestServer,
  listen,
  makeIdentity,
  type Seen,
  stage,
} from './servers.ts';

endServersAfterEach();

describe('HTTPS_PROXY', () => {
  const identity = makeIdentity();
  const before = { ...process.env };
  afterEach(() => {
    for (const name of ['HTTPS_PROXY', 'https_proxy', 'NO_PROXY']) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  });

  /** A proxy that tunnels, and notes where to. */
  function proxy(tunnels: string[]): Server {
    return createHttpServer().on('connect', (request, socket) => {
      tunnels.push(request.url!);
      const [host, port] = request.url!.split(':');
      const onward = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 Connected\r\n\r\n');
        onward.pipe(socket).pipe(onward);
      });
      for (const side of [socket, onward]) side.on('error', () => [socket, onward].map((each) => each.destroy()));
    });
  }

  async function callThrough(more: Record<string, string>) {
    const seen: Seen[] = [];
    const port = await listen(createHttpsServer(identity, honestly(seen)));
    Object.assign(process.env, more);
    const client = await clientOf(`https://127.0.0.1:${port}`, { ca: identity.cert.toString() });
    const outcome = await client.calculateBasket(richBasket('member'));
    return { client, outcome, seen, address: `127.0.0.1:${port}` };
  }

  test('carries basket calls and sale events', async () => {
    const tunnels: string[] = [];
    const proxyUrl = `http://127.0.0.1:${await listen(proxy(tunnels))}`;
    const { client, outcome, seen, address } = await callThrough({ HTTPS_PROXY: proxyUrl });
    expect(outcome).toMatchObject({ status: 'applied' });
    await client.reportSale({ calculationId: outcome.calculationId, status: 'applied', transactionId: 'r-1' });
    expect(await endingOf(stage, outcome.calculationId)).toMatchObject({ result: 'recorded' });
    expect(tunnels).toEqual([address, address]);
    expect(seen).toHaveLength(2);
  });

  test('does not, where NO_PROXY names the address', async () => {
    const tunnels: string[] = [];
    const HTTPS_PROXY = `http://127.0.0.1:${await listen(proxy(tunnels))}`;
    const { outcome } = await callThrough({ HTTPS_PROXY, NO_PROXY: '127.0.0.1' });
    expect(outcome).toMatchObject({ status: 'applied' });
    expect(tunnels).toEqual([]);
  });

  test.each([
    ['is away', async () => (await freePorts(1))[0]],
    [
      'refuses the tunnel',
      () => listen(createHttpServer().on('connect', (_, socket) => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))),
    ],
  ])('that %s fails the call before it was sent, so there is one retry', async (_what, open) => {
    const { outcome, seen } = await callThrough({ HTTPS_PROXY: `http://127.0.0.1:${await open()}` });
    expect(outcome).toMatchObject({ status: 'failed', failureReason: 'connection_error' });
    expect(stage.calls[0]!.requestIds).toHaveLength(2);
    expect(seen).toEqual([]);
  });

  test('is for https, and the lower-case name comes first', () => {
    const env = { HTTPS_PROXY: 'http://upper:1', https_proxy: 'http://lower:1', HTTP_PROXY: 'http://plain:1' };
    expect(proxyFor('https://service', env)).toBe('http://lower:1');
    expect(proxyFor('http://service', env)).toBe('http://plain:1');
    expect(proxyFor('https://service', { HTTPS_PROXY: '' })).toBeUndefined();
  });
});

describe("a dispatcher of the caller's", () => {
  test('carries every call, and stays open', async () => {
    const seen: Seen[] = [];
    const origin = `http://127.0.0.1:${await listen(honestServer(seen))}`;
    const agent = new Agent();
    const dispatched: string[] = [];
    const dispatcher = agent.compose((dispatch) => (options, handler) => {
      dispatched.push(`${options.origin}${options.path}`);
      return dispatch(options, handler);
    });
    const client = await clientOf(origin, { dispatcher });
    const outcome = await client.calculateBasket(richBasket('member'));
    await client.reportSale({ calculationId: outcome.calculationId, status: 'applied', transactionId: 'r-1' });
    await endingOf(stage, outcome.calculationId);
    await client.close();
    expect(dispatched).toEqual([`${origin}/v1/pos/basket`, `${origin}/v1/pos/sale`]);
    expect(agent.closed).toBe(false);
    await agent.close();
  });

  test('is refused when it is none, or beside options that it has itself', async () => {
    const wrong = clientOf('http://127.0.0.1:1', { dispatcher: {} as Dispatcher });
    await expect(wrong).rejects.toThrow('dispatcher: an agent or other dispatcher of undici is expected');
    const agent = new Agent();
    await expect(clientOf('http://127.0.0.1:1', { dispatcher: agent, connections: 5 })).rejects.toThrow(
      'dispatcher: ca',
    );
    await agent.close();
  });
});

describe('an option that cannot be used is refused at once', () => {
  const timeMs = 'milliseconds above 0, at most';
  test.each<[string, Record<string, unknown>]>([
    ['baseUrl: it is not an http(s) address', { baseUrl: undefined }],
    ['baseUrl: it is not an http(s) address', { baseUrl: 'loyalty.example' }],
    ['baseUrl: it has a user name or a password', { baseUrl: 'https://till:word@loyalty.example' }],
    ['baseUrl: it has a query or a fragment', { baseUrl: 'https://loyalty.example/?venue=1' }],
    ['baseUrl: it has a query or a fragment', { baseUrl: 'https://loyalty.example/#a' }],
    ['baseUrl: it has the path of an endpoint', { baseUrl: 'https://loyalty.example/pos/v1/pos/basket' }],
    ['secret: at least 32 bytes', { secret: 5 }],
    ['secret: at least 32 bytes', { secret: Array.from({ length: 32 }, () => 1) }],
    ['outbox: the path of a file or an OutboxStore is expected', { outbox: '' }],
    ['outbox: the path of a file or an OutboxStore is expected', { outbox: {} }],
    ['ca: a certificate in PEM form is expected', { ca: 'ca.pem' }],
    ['connections: found 0, allowed: a whole number from 1 to 10000', { connections: 0 }],
    ['connections: found 1.5, ', { connections: 1.5 }],
    ['connections: found NaN, ', { connections: Number.NaN }],
    ['connections: found 8, ', { connections: '8' }],
    [
      `limits.attemptTimeoutMs: found Infinity, allowed: ${timeMs} 2147483647`,
      { limits: { attemptTimeoutMs: Infinity } },
    ],
    [`limits.hardCapMs: found NaN, allowed: ${timeMs}`, { limits: { hardCapMs: Number.NaN } }],
    ['limits.retryPauseMs: found -1, ', { limits: { retryPauseMs: -1 } }],
    ['limits.saleTimeoutMs: found 5000, ', { limits: { saleTimeoutMs: '5000' } }],
    ['limits: found timeoutMs, allowed: attemptTimeoutMs, hardCapMs', { limits: { timeoutMs: 300 } }],
    ['limits: hardCapMs leaves no room', { limits: { attemptTimeoutMs: 500, hardCapMs: 550 } }],
    [`saleBackoff.horizonMs: found 0, allowed: ${timeMs} Infinity`, { saleBackoff: { horizonMs: 0 } }],
    ['saleBackoff: firstDelayMs is longer', { saleBackoff: { firstDelayMs: 500, longestDelayMs: 400 } }],
    ['priceList: a function is expected', { priceList: new Map() }],
    ['onFault: a function is expected', { onFault: 'log' }],
  ])('%s', async (message, option) => {
    const error = await clientOf('http://127.0.0.1:1', option).catch((thrown: Error) => thrown);
    expect(String(error)).toContain(`Error: ${message}`);
    expect(String(error)).not.toContain('word@');
  });

  test('and so is a client without options', async () => {
    await expect(LoyaltyClient.open(undefined as unknown as ClientOptions)).rejects.toThrow('baseUrl: it is not');
  });
});

describe("headers of the caller's own", () => {
  const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

  test('go out with every attempt, of sale events too', async () => {
    const seen: Seen[] = [];
    const client = await clientOf(`http://127.0.0.1:${await listen(honestServer(seen))}`, {
      headers: ({ calculationId, requestId, path }) => ({
        traceparent: TRACE,
        'x-attempt': `${path} ${calculationId} ${requestId}`,
      }),
    });
    const { calculationId } = await client.calculateBasket(richBasket('member'));
    await client.reportSale({ calculationId, status: 'applied', transactionId: 'r-1' });
    await endingOf(stage, calculationId);
    expect(seen).toHaveLength(2);
    for (const { request } of seen) {
      expect(request.headers).toMatchObject({ traceparent: TRACE, 'idempotency-key': calculationId });
      expect(request.headers['x-attempt']).toBe(`${request.url} ${calculationId} ${request.headers['x-request-id']}`);
    }
  });

  test.each<[string, unknown]>([
    ['one of the interface', { 'Idempotency-Key': 'a' }],
    ['two headers in one', { 'x-gateway': 'a\r\nx-other: b' }],
    ['no name', { 'x gateway': 'a' }],
    ['no string', { 'x-gateway': 5 }],
  ])('are refused at once when they hold %s', async (_what, headers) => {
    await expect(clientOf('http://127.0.0.1:1', { headers: headers as ExtraHeaders })).rejects.toThrow(/^headers: /);
  });

  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no trace');
      },
    ],
    ['returns a promise', () => Promise.resolve({})],
    ['returns what cannot be sent', () => ({ 'x-gateway': 'ø' })],
  ])('cost nobody a discount when their function %s', async (_what, headers) => {
    const client = await clientOf(`http://127.0.0.1:${await listen(honestServer([]))}`, {
      headers: headers as ExtraHeaders,
    });
    expect(await client.calculateBasket(richBasket('member'))).toMatchObject({ status: 'applied' });
    expect(stage.faults).toEqual([expect.stringContaining('goes without its own headers')]);
  });
});

describe('another secret', () => {
  /** The secret that signed a request. */
  const signerOf = ({ request, body }: Seen, secrets: readonly Buffer[]) => {
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request.headers['pos-signature']))!;
    return secrets.findIndex((secret) => v1 === digestOf(secret.toString('hex'), t!, body));
  };

  test('signs from then on, an event that waits too, and nothing is closed', async () => {
    const secrets = [SECRET, randomBytes(32)];
    const seen: Seen[] = [];
    const honest = honestly(seen);
    let isAway = true;
    const server = createHttpServer((request, response) => {
      if (!isAway || request.url === '/v1/pos/basket') return honest(request, response);
      response.writeHead(503, { 'Retry-After': '1' }).end();
    });
    let retries = 0;
    const client = await clientOf(`http://127.0.0.1:${await listen(server)}`, {
      onSaleRetry: () => {
        retries += 1;
      },
    });
    await client.calculateBasket(richBasket('member'));
    const calculationId = randomUUID();
    await client.reportSale({ calculationId, status: 'cancelled' });
    await until('the event to be refused', () => retries > 0);
    expect(() => client.rotateSecret('short')).toThrow(TypeError);
    await client.calculateBasket(richBasket('member'));
    client.rotateSecret(secrets[1]!.toString('hex'));
    isAway = false;
    await client.calculateBasket(richBasket('member'));
    await endingOf(stage, calculationId);
    expect(seen.map((each) => signerOf(each, secrets))).toEqual([0, 0, 1, 1]);
  });
});
