/** The administration's OpenAPI document against what really answers: every route, success and failure. */
import { randomUUID } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, expect, test } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { configurationOf } from '../support/configuration.ts';
import { useService } from '../support/service.ts';
import { ask, memberPath, OPS_TOKEN } from './admin-client.ts';

type Node = Record<string, unknown>;

const configuration = configurationOf({ testMembers: ['member-single'] });
const stage = useService({ configuration, env: { OPS_TOKEN } });
const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { uuid: true, date: true, 'date-time': true } });
const asked = new Set<string>();

let paths: Record<string, Record<string, { operationId: string; responses: Record<string, Node> }>>;
beforeAll(async () => {
  const document = (await ask(stage.service.opsUrl, 'GET /openapi-admin.json', { token: null })).body;
  ajv.addSchema(document, 'document');
  paths = document.paths as typeof paths;
});

const requestIdOf = ({ headers }: { readonly headers: Headers }) => headers.get('X-Request-Id');

/** Sends a call and holds its answer against what the document says of that path, method and status. */
async function expectDocumented(call: string, status: number, body?: unknown): Promise<Node> {
  const [method = '', url = ''] = call.split(' ');
  const segments = url.split('?')[0]!.split('/');
  const path = Object.keys(paths).find((known) => {
    const names = known.split('/');
    return names.length === segments.length && names.every((name, i) => name.startsWith('{') || name === segments[i]);
  });
  const operation = paths[path ?? '']?.[method.toLowerCase()];
  if (!path || !operation) throw new Error(`${call} is not documented`);
  asked.add(operation.operationId);
  const reply = await ask(stage.service.opsUrl, call, body === undefined ? {} : { body });
  expect([call, reply.status]).toEqual([call, status]);
  expect(Object.keys(operation.responses)).toContain(String(status));
  const pointer = [path, method.toLowerCase(), 'responses', String(status), 'content', 'application/json', 'schema'];
  const encoded = pointer.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')));
  const validate = ajv.compile({ $ref: `document#/paths/${encoded.join('/')}` });
  expect([call, validate(reply.body) ? [] : validate.errors]).toEqual([call, []]);
  // An error names the request as its header does.
  expect(reply.body.error?.requestId ?? requestIdOf(reply)).toBe(requestIdOf(reply));
  return reply.body;
}

test('every route answers as it is documented, and every documented route was asked', async () => {
  const path = memberPath('documented');
  await expectDocumented(`GET ${path}`, 404);
  await expectDocumented(`PUT ${path}`, 400, { status: 'odd' });
  const member = { status: 'active', tier: 'gold', memberLabel: 'Friend', grants: ['single-use'] };
  await expectDocumented(`PUT ${path}`, 200, member);
  await expectDocumented(`PUT ${memberPath('member-plain')}`, 409, member);
  const grant = { benefitId: 'twenty', quantity: 1, from: '2026-01-01', to: '2099-12-31' };
  await expectDocumented(`PUT ${path}/grants/card-7`, 200, grant);
  await expectDocumented(`PUT ${path}/grants/card-7`, 400, { ...grant, to: '2025-01-01' });
  await expectDocumented(`PUT ${memberPath('nobody')}/grants/card-7`, 404, grant);
  await expectDocumented(`PUT ${memberPath('member-plain')}/grants/card-7`, 409, grant);
  const basket = basketOf([{}], { loyaltyId: 'documented' });
  await expectDocumented('POST /admin/explain', 200, basket);
  await expectDocumented('POST /admin/explain', 200, basketOf([{}], { loyaltyId: 'nobody' }));
  const draft = { text: JSON.stringify(configurationOf()) };
  await expectDocumented('POST /admin/explain', 200, { basket, draft });
  await expectDocumented('POST /admin/explain', 422, { basket, draft: { text: 'environment: stagin' } });
  await expectDocumented('POST /admin/explain', 400, '{');
  await expectDocumented('POST /admin/explain?at=now', 400, basket);
  await expectDocumented('POST /admin/explain', 422, { ...basket, currency: 'SEK' });
  await stage.caller.basket(basket);
  const { holds } = await expectDocumented(`GET ${path}`, 200);
  expect(holds).toHaveLength(1);
  await expectDocumented(`GET /admin/calculations/${basket.calculationId}`, 200);
  await stage.caller.sale(saleOf(basket.calculationId));
  await expectDocumented(`GET /admin/calculations/${basket.calculationId}`, 200);
  const resolve = `POST /admin/calculations/${basket.calculationId}/resolve`;
  await expectDocumented(resolve, 409, { outcome: 'first', reason: 'none came' });
  expect((await stage.caller.sale(saleOf(basket.calculationId, 'cancelled'))).status).toBe(409);
  await expectDocumented(resolve, 400, { outcome: 'third', reason: 'a guess' });
  await expectDocumented(resolve, 200, { outcome: 'first', reason: 'the receipt is there' });
  await expectDocumented(`POST /admin/calculations/${randomUUID()}/resolve`, 404, { outcome: 'first', reason: 'none' });
  const returned = { calculationId: basket.calculationId, lines: [{ lineId: 'line-1', quantity: 1 }] };
  await expectDocumented('POST /admin/returns/quote', 200, returned);
  await expectDocumented('POST /admin/returns/quote', 404, { ...returned, calculationId: randomUUID() });
  await expectDocumented('POST /admin/returns/quote', 400, {});
  await expectDocumented('POST /admin/returns', 200, { ...returned, returnId: 'r' });
  await expectDocumented(`GET /admin/calculations/${basket.calculationId}`, 200);
  await expectDocumented(`GET /admin/returns?calculationId=${basket.calculationId}`, 200);
  await expectDocumented('GET /admin/returns?transactionId=never', 404);
  await expectDocumented('GET /admin/returns', 400);
  await expectDocumented('POST /admin/returns', 422, { ...returned, returnId: 's' });
  await expectDocumented('POST /admin/returns', 409, {
    ...returned,
    returnId: 'r',
    lines: [{ lineId: 'line-1', quantity: 2 }],
  });
  await expectDocumented(`DELETE ${path}/grants/card-7`, 200);
  await expectDocumented(`DELETE ${memberPath('nobody')}/grants/card-7`, 404);
  await expectDocumented(`GET /admin/calculations/${randomUUID()}`, 404);
  await expectDocumented('GET /admin/calculations/none', 400);
  await expectDocumented(`GET /admin/look-up?id=${basket.calculationId}`, 200);
  const wrong = { ...basketOf(), currency: 'SEK' };
  await stage.caller.basket(wrong);
  await expectDocumented(`GET /admin/look-up?id=${wrong.calculationId}`, 200);
  await expectDocumented('GET /admin/look-up?id=nothing', 404);
  await expectDocumented('GET /admin/look-up', 400);
  const answer = await stage.caller.basket(basket);
  await expectDocumented(`GET /admin/requests/${answer.header('x-request-id')}`, 200);
  await expectDocumented(`GET /admin/requests/${randomUUID()}`, 404);
  await expectDocumented('GET /admin/requests/first', 400);
  await expectDocumented('GET /admin/sales?limit=5', 200);
  await expectDocumented('GET /admin/sales?limit=no', 400);
  await expectDocumented('GET /admin/costs', 200);
  await expectDocumented('GET /admin/costs?by=day,venue,tier', 200);
  await expectDocumented('GET /admin/costs?by=fundedBy&on=booking', 200);
  await expectDocumented('GET /admin/costs?by=odd', 400);
  await expectDocumented('GET /admin/vouchers', 200);
  await expectDocumented('GET /admin/vouchers?by=odd', 400);
  await expectDocumented('GET /admin/limits', 200);
  await expectDocumented('GET /admin/limits?period=none', 400);
  await expectDocumented(`GET ${path}?period=none`, 400);
  await expectDocumented('GET /admin/configuration', 200);
  const { configurations } = await expectDocumented('GET /admin/configurations', 200);
  const [{ version }] = configurations as [{ version: string }];
  await expectDocumented(`GET /admin/configurations/${version}`, 200);
  await expectDocumented('GET /admin/configurations/none', 404);
  await expectDocumented(`GET /admin/configurations/${version}/diff/${version}`, 200);
  await expectDocumented(`GET /admin/configurations/${version}/diff/none`, 404);
  await expectDocumented('POST /admin/configuration/reload', 200);
  const { version: inForce } = await expectDocumented('GET /admin/configuration/files', 200);
  await expectDocumented('POST /admin/configuration/check', 200, { text: 'environment: stagin' });
  await expectDocumented('POST /admin/configuration/check', 400, {});
  const rows = [{ programmeId: 'coffee-club', benefitId: 'bun', productIds: ['4712'], unitPrice: { NOK: 2500 } }];
  await expectDocumented('POST /admin/configuration/prices', 200, { ...draft, rows });
  await expectDocumented('POST /admin/configuration/prices', 400, { ...draft, rows: [{}] });
  await expectDocumented('POST /admin/configuration/backtest', 409, draft);
  await expectDocumented('PUT /admin/configuration/files', 400, draft);
  await expectDocumented('PUT /admin/configuration/files', 412, { ...draft, note: `From ${inForce}` });
  await expectDocumented('POST /admin/data/accept', 200);
  await expectDocumented('GET /admin/log-level', 200);
  await expectDocumented('PUT /admin/log-level', 200, { level: 'info' });
  await expectDocumented('PUT /admin/log-level', 400, { level: 'loud' });
  const move = { programmeId: 'coffee-club', loyaltyId: 'member-single', aheadSeconds: 1800 };
  const { aged } = await expectDocumented('POST /admin/clock', 200, move);
  expect(aged).toMatchObject({ bySeconds: 1800 });
  await expectDocumented('POST /admin/clock', 400, { ...move, to: '2026-11-27T15:00:00+01:00' });
  await expectDocumented('POST /admin/clock', 403, { ...move, loyaltyId: 'member-plain' });
  await expectDocumented('POST /admin/clock', 404, { ...move, programmeId: 'no-club' });
  await expectDocumented('GET /admin/clock', 200);
  await expectDocumented('DELETE /admin/clock?programmeId=coffee-club&loyaltyId=member-single', 200);
  await expectDocumented('DELETE /admin/clock?programmeId=no-club&loyaltyId=member-single', 404);
  const own = memberPath('documented-twin');
  await expectDocumented(`PUT ${own}`, 200, { status: 'active' });
  const back = { units: 1, reason: 'by mistake' };
  await expectDocumented(`POST ${own}/uses/twenty/give-back`, 404, back);
  await expectDocumented(`POST ${own}/uses/twenty/give-back`, 400, { units: 0 });
  await expectDocumented(`POST ${own}/merge`, 400, {});
  await expectDocumented(`POST ${own}/merge`, 404, { into: 'nobody' });
  await expectDocumented(`POST ${own}/merge`, 200, { into: 'documented' });
  await expectDocumented(`POST ${own}/merge`, 409, { into: 'member-plain' });
  await expectDocumented(`GET ${path}/copy`, 200);
  await expectDocumented(`GET ${memberPath('nobody')}/copy`, 404);
  await expectDocumented(`DELETE ${path}?certificate=yes`, 200);
  await expectDocumented(`DELETE ${memberPath('x', 'no-club')}`, 404);

  const documented = Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));
  expect([...asked].sort()).toEqual(documented.sort());
});

test('every route says that it needs a token, and what it answers without one', () => {
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['200', '401', '403', '503']));
  }
});

test('while Redis is away, the answer is the documented 503', async () => {
  stage.redis.pause();
  try {
    await expectDocumented(`GET ${memberPath('x')}`, 503);
  } finally {
    stage.redis.resume();
  }
});
