/** Every misbehaviour of the table before the client: the order must stand as the table says, within the till's time. */
import { Agent, request } from 'node:http';
import { type LoyaltyClient, type LoyaltyOutcome, saleEventOf } from 'loyalty-basket-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signatureOf } from '../../../test/support/signer.ts';
import { until } from '../../../test/support/wait.ts';
import {
  ATTEMPT_MS,
  CAP_MS,
  endsByTime,
  openClient,
  richBasket,
  SECRET,
  SLACK_MS,
  timed,
  useDouble,
} from '../../client/test/fixture.ts';
import { CONTROL } from '../src/double/provocation.ts';
import { describeTable } from '../src/double/service-double.ts';
import { LOYALTY_ID_PREFIX, MISBEHAVE_HEADER, MISBEHAVIOURS } from '../src/double/table.ts';

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

test('the table plants at least 25 violations, each with words for people', () => {
  expect(rows.length).toBeGreaterThanOrEqual(25);
  for (const [code, { what, callerMust }] of rows) {
    expect(code).toMatch(/^[a-z0-9_-]+$/);
    expect(`${LOYALTY_ID_PREFIX}${code}`.length).toBeLessThanOrEqual(64);
    expect(what).not.toBe('');
    expect(callerMust).not.toBe('');
  }
});

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
  await until('the double to take connections again', () =>
    fetch(stage.double.baseUrl + CONTROL.table).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
});

/** A caller that can set a header of its own, signed as the interface wants it. */
function postWith(basket: ReturnType<typeof richBasket>, extra: Record<string, string>): Promise<Response> {
  const body = Buffer.from(JSON.stringify(basket));
  const headers = {
    'Content-Type': 'application/json',
    'POS-Signature': signatureOf(SECRET.toString('hex'), body),
    'Idempotency-Key': basket.calculationId,
    ...extra,
  };
  return fetch(`${stage.double.baseUrl}/v1/pos/basket`, { method: 'POST', headers, body });
}

test('a header selects', async () => {
  const basket = richBasket('member');
  const refused = await postWith(basket, { [MISBEHAVE_HEADER]: 'error-rate_limited' });
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '1']);
  expect((await postWith(basket, {})).status).toBe(200);
  expect((await postWith(basket, { 'POS-Signature': 't=1,v1=0' })).status).toBe(401);
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

test('a misbehaviour that the basket gives nothing to spoil says so', async () => {
  const basket = richBasket(`${LOYALTY_ID_PREFIX}changed-protected-line`);
  const lines = basket.lines.map((line) => ({ ...line, noDiscount: false }));
  expect(await stage.client.calculateBasket({ ...basket, lines })).toMatchObject({
    failureReason: 'http_error',
    detail: '400 invalid_request',
  });
});

test('every misbehaviour says how it is provoked, and what the basket must have for it', () => {
  for (const { code, provoke } of describeTable()) expect(provoke).toMatch(new RegExp(`(?:misbehave-|-d )${code}\\b`));
  const provocations = new Map(describeTable().map(({ code, provoke }) => [code, provoke]));
  expect(provocations.get('changed-protected-line')).toContain('it needs a line with noDiscount and a price');
  expect(provocations.get('late')).not.toContain('needs');
});

test('the connection is free for a next request with the last byte of a slow answer', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ports = new Set<number | undefined>();
  const post = (loyaltyId: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const basket = richBasket(loyaltyId);
      const body = Buffer.from(JSON.stringify(basket));
      const headers = {
        'POS-Signature': signatureOf(SECRET.toString('hex'), body),
        'Idempotency-Key': basket.calculationId,
      };
      const all = { ...headers, 'Content-Type': 'application/json' };
      const sent = request(
        `${stage.double.baseUrl}/v1/pos/basket`,
        { agent, method: 'POST', headers: all },
        (answer) => {
          answer.resume().once('end', () => resolve(answer.statusCode));
        },
      );
      sent.once('error', reject).once('socket', (socket) => socket.once('connect', () => ports.add(socket.localPort)));
      sent.end(body);
    });
  for (let round = 0; round < 5; round += 1) {
    expect(await post(`${LOYALTY_ID_PREFIX}slow-bytes-in-time`)).toBe(200);
    expect(await post('member')).toBe(200);
  }
  expect(ports.size).toBe(1);
  agent.destroy();
}, 30_000);

/** How the order stands, as the table says it. */
function standingOf(outcome: LoyaltyOutcome) {
  const { status } = outcome;
  return status === 'failed' ? { status, failureReason: outcome.failureReason } : { status };
}
