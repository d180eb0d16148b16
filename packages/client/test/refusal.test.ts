/** What a refusal says of itself reaches the outcome, the hooks and support, over a restart too. */
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { memoryStore, type RefusalFacts } from 'loyalty-basket-client';
import { expect, test } from 'vitest';
import { until } from '../../../test/support/wait.ts';
import { ServiceDouble } from '../../conformance/src/double/service-double.ts';
import { endingOf, openClient, richBasket, SECRET } from './fixture.ts';
import { clientOf, endServersAfterEach, listen, stage } from './servers.ts';

endServersAfterEach();

const requestId = '5f0c2a39-8bb4-4d42-9c6e-0c3e1f9a7d55';
const error = {
  code: 'arithmetic_mismatch',
  message: 'The amounts of the request do not add up.',
  details: { field: '/totals/total', expected: 7800, received: 7801 },
  requestId,
};
const facts = { httpStatus: 422, code: error.code, message: error.message, field: '/totals/total', requestId };

/** Refuses everything; the last refusal goes on. */
function refusing(...refusals: { status: number; body: unknown; headers?: Record<string, string> }[]): Server {
  let at = 0;
  return createServer((request, response) => {
    request.resume();
    const { status, body, headers } = refusals[Math.min(at, refusals.length - 1)]!;
    at += 1;
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

test('of a basket call, in the outcome and in the record for the log', async () => {
  const port = await listen(refusing({ status: 422, body: { error } }));
  const client = await clientOf(`http://127.0.0.1:${port}`);
  const outcome = await client.calculateBasket(richBasket('member'));
  expect(outcome).toMatchObject({ failureReason: 'http_error', detail: '422 arithmetic_mismatch', ...facts });
  expect(stage.calls).toMatchObject([{ detail: '422 arithmetic_mismatch', ...facts }]);
});

test.each<[string, unknown, Record<string, string>]>([
  ["a proxy's page", '<html>', {}],
  ['an error of other types', { error: { code: 5, message: {}, details: [], requestId: 'x' } }, {}],
  ['nothing', '', { 'X-Request-Id': requestId }],
])('of %s holds what can be read, and a request ID', async (_what, body, headers) => {
  const port = await listen(refusing({ status: 502, body, headers }));
  const client = await clientOf(`http://127.0.0.1:${port}`);
  const outcome = (await client.calculateBasket(richBasket('member'))) as RefusalFacts;
  const own = stage.calls[0]!.requestIds[0];
  expect(outcome).toMatchObject({ httpStatus: 502, requestId: headers['X-Request-Id'] ?? own });
  for (const name of ['code', 'message', 'field']) expect(outcome).not.toHaveProperty(name);
});

test('a rejected answer names the field', async () => {
  const port = await listen(refusing({ status: 200, body: {}, headers: { 'Content-Type': 'application/json' } }));
  const client = await clientOf(`http://127.0.0.1:${port}`);
  const outcome = await client.calculateBasket(richBasket('member'));
  const { requestIds } = stage.calls[0]!;
  expect(outcome).toMatchObject({
    failureReason: 'invalid_response',
    field: '/calculationId',
    requestId: requestIds[0],
  });
});

test.each([
  ['throws', new Error('no shelf'), "the till's price list threw: no shelf"],
  ['throws nothing', null, "the till's price list threw: undefined"],
])('a price list that %s is an error of the till in a call that was made', async (_what, error, detail) => {
  const double = await ServiceDouble.start({ secret: SECRET });
  const priceList = () => {
    throw error;
  };
  const client = await clientOf(double.baseUrl, { priceList });
  const outcome = await client.calculateBasket(richBasket('misbehave-added-line'));
  const [requestId] = stage.calls[0]!.requestIds;
  expect(outcome).toMatchObject({ status: 'failed', failureReason: 'pos_error', detail, requestId });
  await double.close();
});

test('of a sale event: at each retry, at its end, and for support after a restart', async () => {
  const busy = { status: 503, body: { error: { code: 'unavailable', message: 'busy', requestId } }, headers: {} };
  const baseUrl = `http://127.0.0.1:${await listen(refusing(busy, { status: 400, body: { error } }))}`;
  const outbox = memoryStore();
  const retries: unknown[] = [];
  const client = await openClient(baseUrl, stage, {
    outbox,
    onSaleRetry: (...given) => {
      retries.push(given);
    },
  });
  const calculationId = randomUUID();
  await client.reportSale({ calculationId, status: 'cancelled' });
  const stopped = { ...facts, httpStatus: 400 };
  expect(await endingOf(stage, calculationId)).toMatchObject({ outcome: 'stopped', ...stopped });
  const unavailable = { httpStatus: 503, code: 'unavailable', message: 'busy', requestId };
  expect(retries).toEqual([[calculationId, '503 unavailable', expect.any(Number), unavailable]]);
  await client.close();
  const later = await clientOf(baseUrl, { outbox });
  await until('the stopped event', () => later.stoppedSales.length === 1);
  expect(later.stoppedSales).toMatchObject([{ detail: '400 arithmetic_mismatch', ...stopped }]);
});
