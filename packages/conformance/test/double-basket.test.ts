/** Every misbehaviour of the table before the client: the order must stand as the table says, within the till's time. */
import { Agent, request } from 'node:http';
import { type LoyaltyClient, type LoyaltyOutcome, saleEventOf } from 'loyalty-basket-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ATTEMPT_MS,
  CAP_MS,
  endsByTime,
  openClient,
  richBasket,
  SLACK_MS,
  timed,
  useDouble,
} from '../../client/test/fixture.ts';
import { CONTROL } from '../src/double/provocation.ts';
import { describeTable } from '../src/double/service-double.ts';
import { LOYALTY_ID_PREFIX, MISBEHAVE_HEADER, MISBEHAVIOURS } from '../src/double/table.ts';
import { headersFor, post, untilBack } from './run-stage.ts';

const stage = useDouble();
/** With the limits of a till, for what ends by them. */
let hurried: LoyaltyClient;
beforeAll(async () => {
  hurried = await openClient(stage.double.baseUrl, stage, { limits: {} });
});
afterAll(() => hurried?.close());

const rows = Object.entries(MISBEHAVIOURS);
const basketRows = rows.filter(([, row]) => row.endpoint === 'basket' && row.act.kind !== 'connection');
const connectionRows = rows.filter(([, row]) => row.act.kind === 'connection');

test.each(basketRows)('%s', async (code, row) => {
  const basket = richBasket(`${LOYALTY_ID_PREFIX}${code}`);
  const before = structuredClone(basket);
  const client = endsByTime(row) ? hurried : stage.client;
  const { result: outcome, waitedMs } = await timed(client.calculateBasket(basket));
  expect(row.right).toContainEqual(standingOf(outcome));
  expect(waitedMs).toBeLessThan(endsByTime(row) ? ATTEMPT_MS + SLACK_MS : CAP_MS);
  expect(basket).toEqual(before);
  if (outcome.status === 'applied') expect(outcome.basket).not.toBe(basket);
  else expect(outcome.basket).toBe(basket);
  // A sent request is never repeated.
  expect(stage.double.seen.filter(({ idempotencyKey }) => idempotencyKey === basket.calculationId)).toHaveLength(1);
  // And the sale is reported all the same.
  const receipt = await stage.client.reportSale(saleEventOf(outcome, `receipt-${code}`.slice(0, 64)));
  expect(receipt).toEqual({ outcome: 'queued', isDurable: true });
});

test.each(connectionRows)('%s', async (code, { right }) => {
  await stage.client.calculateBasket(richBasket('member'));
  await stage.double.arm(code);
  const basket = richBasket('member');
  const { result: outcome, waitedMs } = await timed(stage.client.calculateBasket(basket));
  expect(waitedMs).toBeLessThan(CAP_MS);
  expect(right).toContainEqual(standingOf(outcome));
  await untilBack(stage.double.baseUrl);
});

test('a header selects', async () => {
  const basket = richBasket('member');
  const refused = await post(stage.double.baseUrl, basket, { [MISBEHAVE_HEADER]: 'error-rate_limited' });
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '1']);
  expect((await post(stage.double.baseUrl, basket)).status).toBe(200);
  expect((await post(stage.double.baseUrl, basket, { 'POS-Signature': 't=1,v1=0' })).status).toBe(401);
});

test('the control path selects for the next request', async () => {
  const basket = richBasket('member');
  const armed = await fetch(stage.double.baseUrl + CONTROL.next, { method: 'POST', body: 'wrong-totals' });
  expect(armed.status).toBe(200);
  expect(await stage.client.calculateBasket(basket)).toMatchObject({ failureReason: 'invalid_response' });
  expect(await stage.client.calculateBasket(richBasket('member'))).toMatchObject({ status: 'applied' });
  const unknown = await fetch(stage.double.baseUrl + CONTROL.next, { method: 'POST', body: 'no-such-code' });
  expect(unknown.status).toBe(400);
});

test('every misbehaviour says how it is provoked, and what the basket must have for it', () => {
  expect(rows.length).toBeGreaterThanOrEqual(25);
  for (const { code, provoke, what, callerMust } of describeTable()) {
    expect(provoke).toMatch(new RegExp(`(?:misbehave-|-d )${code}\\b`));
    expect(`${LOYALTY_ID_PREFIX}${code}`.length).toBeLessThanOrEqual(64);
    expect([what, callerMust]).not.toContain('');
  }
  const provocations = new Map(describeTable().map(({ code, provoke }) => [code, provoke]));
  expect(provocations.get('changed-protected-line')).toContain('it needs a line with noDiscount and a price');
  expect(provocations.get('late')).not.toContain('needs');
});

test('the connection is free for a next request with the last byte of a slow answer', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ports = new Set<number | undefined>();
  const send = (loyaltyId: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const basket = richBasket(loyaltyId);
      const body = JSON.stringify(basket);
      const options = { agent, method: 'POST', headers: headersFor(body, basket.calculationId) };
      const sent = request(`${stage.double.baseUrl}/v1/pos/basket`, options, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode));
      });
      sent.once('error', reject).once('socket', (socket) => socket.once('connect', () => ports.add(socket.localPort)));
      sent.end(body);
    });
  for (let round = 0; round < 5; round += 1) {
    expect(await send(`${LOYALTY_ID_PREFIX}slow-bytes-in-time`)).toBe(200);
    expect(await send('member')).toBe(200);
  }
  expect(ports.size).toBe(1);
  agent.destroy();
}, 30_000);

/** How the order stands, as the table says it. */
function standingOf(outcome: LoyaltyOutcome) {
  const { status } = outcome;
  return status === 'failed' ? { status, failureReason: outcome.failureReason } : { status };
}
