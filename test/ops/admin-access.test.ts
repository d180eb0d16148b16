/** Who may come in to the administration, and how it answers what it does not know. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { cleanUp } from '../support/cleanup.ts';
import { configurationOf } from '../support/configuration.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service, useService } from '../support/service.ts';
import { until } from '../support/wait.ts';
import { ask, memberPath, OPS_TOKEN } from './admin-client.ts';
import { deskOf } from './desk.ts';

const NAMED = 'token-of-a-named-person';

describe('with tokens', () => {
  const stage = useService({ env: { OPS_TOKEN: `${OPS_TOKEN},maria:${NAMED}` } });
  const { call: send, get, refusalOf } = deskOf(stage);

  test.each([
    ['no token', null],
    ['another token', 'x'.repeat(40)],
    ['the beginning of a token', OPS_TOKEN.slice(0, -1)],
    ['a token with its name', `maria:${NAMED}`],
  ])('%s is 401, on a path that exists and on one that does not', async (_, token) => {
    for (const call of ['GET /admin/configuration', 'GET /admin/nowhere', 'GET /admin', 'POST /admin/explain']) {
      const { status, body, headers } = await send(call, undefined, { token });
      expect([status, Object.keys(body)]).toEqual([401, ['error']]);
      expect(headers.get('WWW-Authenticate')).toBe('Bearer realm="administration"');
    }
  });

  test('every token opens, and the log names whose it was, without token or loyalty ID', async () => {
    const requestId = randomUUID();
    const loyaltyId = 'loyalty-id-nobody-should-read';
    const reply = await send(`PUT ${memberPath(loyaltyId)}`, { status: 'active' }, { token: NAMED, requestId });
    expect([reply.status, reply.headers.get('X-Request-Id')]).toEqual([200, requestId]);
    await get('/admin/configuration');
    const line = await until('its line', () => stage.service.log.find((entry) => entry.requestId === requestId));
    expect(line).toMatchObject({ msg: 'administration', who: 'maria', action: 'write member', status: 'active' });
    expect(line.member).toMatch(/^[\w-]{22}$/);
    const output = stage.service.output.join('\n');
    for (const secret of [loyaltyId, NAMED, OPS_TOKEN]) expect(output).not.toContain(secret);
  });

  test.each([
    ['GET /admin/nowhere', 404, 'There is no such path'],
    ['DELETE /admin/configuration', 405, 'DELETE is not allowed here, GET is.'],
    ['GET /admin/programmes/coffee-club/members/%FF', 400, 'percent-encoded'],
    ['GET /admin/calculations/nothing', 400, 'calculationId: found "nothing"'],
    [`GET /admin/calculations/${randomUUID()}`, 404, 'kept: baskets are kept for 7 days, sold ones for 30.'],
    [`PUT /admin/programmes/tea-club/members/x`, 404, 'There is no programme "tea-club", there is: coffee-club.'],
  ])('%s is %i and says why', async (call, status, words) => {
    const refused = await refusalOf(call, call.startsWith('PUT') ? '{}' : undefined);
    expect(refused).toEqual([status, expect.stringContaining(words)]);
  });

  test('a body that is too large is 413, and the next call is answered', async () => {
    const call = 'PUT /admin/programmes/coffee-club/members/x';
    expect(await refusalOf(call, 'x'.repeat(300_000))).toEqual([413, 'The body is larger than 262144 bytes.']);
    await get('/admin/configuration');
  });

  test('a caller that hangs up in its body is no error of the service', async () => {
    const { hostname, port } = new URL(stage.service.opsUrl);
    const requestId = randomUUID();
    const head = ['POST /admin/explain HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${OPS_TOKEN}`];
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(`${[...head, `X-Request-Id: ${requestId}`, 'Content-Length: 10'].join('\r\n')}\r\n\r\nhalf`);
    await get('/admin/configuration');
    socket.destroy();
    const errors = () => stage.service.log.filter(({ msg }) => msg === 'administration failed');
    for (let call = 0; call < 3; call += 1) await send('GET /admin/configuration', undefined, { requestId });
    await until('the calls after it', () => stage.service.log.some((entry) => entry.requestId === requestId));
    expect(errors()).toEqual([]);
  });

  test('nothing of it is on the public port', async () => {
    const answer = await fetch(`${stage.service.baseUrl}/admin/configuration`, {
      headers: { Authorization: `Bearer ${OPS_TOKEN}` },
    });
    expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: 'invalid_request' } }]);
  });
});

describe('without OPS_TOKEN', () => {
  const stopped: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const stop of stopped.splice(0).reverse()) await stop();
    cleanUp();
  });

  async function start(environment: 'staging' | 'production'): Promise<Service> {
    const redis = await RedisServer.launch();
    stopped.push(() => redis.stop());
    const service = await Service.start({ configuration: configurationOf({ environment }), redisUrl: redis.url });
    stopped.push(() => service.stop());
    return service;
  }

  test('staging makes a token that only its owner can read, says where, and keeps it', async () => {
    const service = await start('staging');
    const file = join(service.dataDirectory, 'ops-token');
    const token = readFileSync(file, 'utf8').trim();
    expect([statSync(file).mode & 0o777, token]).toEqual([0o600, expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(service.output.some((line) => line.includes('ops token') && line.includes(file))).toBe(true);
    expect((await ask(service.opsUrl, 'GET /admin/configuration', { token })).status).toBe(200);
    expect(service.output.join('\n')).not.toContain(token);
  });

  test('production is closed and says why', async () => {
    const service = await start('production');
    const { status, body } = await ask(service.opsUrl, 'GET /admin/configuration');
    expect([status, body.error.message]).toEqual([403, expect.stringContaining('no OPS_TOKEN is set')]);
  });
});
