/** One JSON line per request, with what support needs and nothing that must stay secret (interface, section 8, log retention row). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { BASKET_PATH, type Caller, type CallOptions, patiently, SALE_PATH } from '../support/caller.ts';
import { configurationOf, memberOf, TWENTY } from '../support/configuration.ts';
import { OtlpReceiver } from '../support/otlp-receiver.ts';
import { type LogLine, useService } from '../support/service.ts';
import { newSecret } from '../support/signer.ts';
import { sleep, until } from '../support/wait.ts';

const LOYALTY_ID = 'loyalty-id-that-nobody-may-read';
const PRODUCT = 'product-name-that-nobody-may-read';
const SECRETS = [newSecret(), Buffer.from(newSecret()).toString('base64')];
const TOKEN = newSecret();

const collector = await OtlpReceiver.open();
afterAll(() => collector.close());

const stage = useService({
  configuration: configurationOf({ programme: { benefits: [TWENTY] }, members: [memberOf(LOYALTY_ID, ['twenty'])] }),
  secrets: SECRETS,
  env: { LOG_LEVEL: 'trace', LOYALTY_BEARER_TOKENS: TOKEN, OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` },
});

/** It repeats nothing, so that each of its calls has one line and one trace. */
let hasty: Caller;
beforeAll(() => {
  hasty = stage.service.newCaller({ isPatient: false });
});

/** What a test sends and what its line must say. */
interface Case {
  readonly path?: string;
  readonly body: () => unknown;
  readonly options?: () => CallOptions;
  readonly says: Record<string, unknown>;
}

const known = () => basketOf([{ name: PRODUCT }], { loyaltyId: LOYALTY_ID });
const replayed = known();
const venue = 'oslo-central';

const cases: [string, Case][] = [
  ['applied', { body: known, says: { status: 'applied', venue } }],
  [
    'unchanged',
    {
      body: () => basketOf([{ noDiscount: true }], { loyaltyId: LOYALTY_ID }),
      says: { status: 'unchanged', reason: 'all_lines_excluded', venue },
    },
  ],
  [
    'member_not_found',
    { body: () => basketOf([{}], { loyaltyId: 'nobody-at-all' }), says: { status: 'member_not_found', venue } },
  ],
  ['a replay', { body: () => replayed, says: { replayed: true } }],
  ['a conflict', { body: () => ({ ...replayed, currency: 'EUR' }), says: { code: 'idempotency_conflict' } }],
  ['a wrong secret', { body: known, options: () => ({ secret: newSecret() }), says: { code: 'invalid_signature' } }],
  ['a stale time', { body: known, options: () => ({ t: 1 }), says: { code: 'stale_timestamp' } }],
  [
    'a bearer token',
    {
      body: known,
      options: () => ({ headers: { 'POS-Signature': null, Authorization: `Bearer ${TOKEN}` } }),
      says: { status: 'applied' },
    },
  ],
  [
    'a wrong token',
    {
      body: known,
      options: () => ({ headers: { 'POS-Signature': null, Authorization: `Bearer ${LOYALTY_ID}` } }),
      says: { code: 'invalid_signature' },
    },
  ],
  ['a sale', { path: SALE_PATH, body: () => saleOf(randomUUID()), says: { result: 'unknown_calculation' } }],
  ['an unknown route', { path: `/v1/${LOYALTY_ID}`, body: () => ({}), says: { code: 'invalid_request' } }],
  [
    'a key that is a loyalty ID',
    {
      body: known,
      options: () => ({ headers: { 'Idempotency-Key': LOYALTY_ID } }),
      says: { code: 'invalid_request' },
    },
  ],
];

function linesOf(requestId: string): LogLine[] {
  return stage.service.log.filter((line) => line.requestId === requestId && 'phases' in line);
}

/** Sends a call; another one where a machine that stood still had it refused at its deadline. */
async function sendInTime(path: string, body: () => unknown, options: CallOptions = {}) {
  let requestId = '';
  let sent: unknown;
  const answer = await patiently(() => {
    [requestId, sent] = [randomUUID(), body()];
    return hasty.send(path, sent, { ...options, headers: { ...options.headers, 'X-Request-Id': requestId } });
  });
  return { requestId, sent, answer };
}

test.each(cases)('%s is one line', async (_, { path = BASKET_PATH, body, options, says }) => {
  if (says.replayed || says.code === 'idempotency_conflict') await stage.caller.basket(replayed);
  const { requestId, sent, answer } = await sendInTime(path, body, options?.());
  await until('the line', () => linesOf(requestId).length > 0);
  await sleep(20);
  const lines = linesOf(requestId);
  expect(lines.length).toBe(1);
  const line = lines[0] ?? {};
  const { result, ...rest } = says;
  expect(line).toMatchObject(rest);
  if (result !== undefined) expect(Object.values(line)).toContain(result);
  expect(Object.values(line)).toContain(answer.status);
  if (says.replayed !== true) expect(line.replayed ?? false).toBe(false);
  expect(Number.isNaN(Date.parse(String(line.time)))).toBe(false);
  for (const [phase, milliseconds] of Object.entries(line.phases as Record<string, unknown>)) {
    expect(milliseconds, phase).toBeTypeOf('number');
  }
  const key = (sent as { calculationId?: string }).calculationId;
  if (answer.status === 200) expect(line.calculationId).toBe(key);
});

const PARENT_ID = '00f067aa0ba902b7';
const newTrace = () => randomUUID().replaceAll('-', '');

test("a call is a step of its caller's trace: in the answer, in the log, and in spans from its signature to its answer", async () => {
  const { trace, sent, answer, again } = await until('a call and its repetition, both in time', async () => {
    const [trace, sent] = [newTrace(), known()];
    const headers = { traceparent: `00-${trace}-${PARENT_ID}-01` };
    const [answer, again] = [await hasty.basket(sent, { headers }), await hasty.basket(sent, { headers })];
    return answer.status !== 503 && again.status !== 503 && { trace, sent, answer, again };
  });
  expect([answer.status, again.isReplayed]).toEqual([200, true]);
  const spanId = new RegExp(`^00-${trace}-([0-9a-f]{16})-01$`).exec(answer.header('traceresponse') ?? '')?.[1];
  const requestId = String(answer.header('x-request-id'));
  const [line] = await until('the line', () => linesOf(requestId).length > 0 && linesOf(requestId));
  expect(line).toMatchObject({ traceId: trace, spanId });
  const spans = await until('the spans of both calls', () => {
    const found = collector.spans.filter(({ traceId }) => traceId === trace);
    return found.filter(({ kind }) => kind === 2).length === 2 && found;
  });
  const root = spans.find((span) => span.spanId === spanId)!;
  expect(root).toMatchObject({ name: 'POST /v1/pos/basket', kind: 2, parentSpanId: PARENT_ID, status: {} });
  expect(root.attributes).toMatchObject({
    'http.response.status_code': '200',
    'loyalty.calculation_id': sent.calculationId,
    'loyalty.request_id': requestId,
    'loyalty.venue': venue,
    'loyalty.status': 'applied',
  });
  const below = (parent: string) => spans.filter(({ parentSpanId }) => parentSpanId === parent);
  const steps = below(root.spanId);
  expect(steps.map(({ name }) => name)).toEqual(['signature', 'parse', 'member', 'price', 'commit', 'reply']);
  for (const [index, { start, end }] of steps.entries()) {
    expect(start).toBeGreaterThanOrEqual(steps[index - 1]?.end ?? root.start);
    expect(end).toBeGreaterThanOrEqual(start);
  }
  expect(collector.resource).toMatchObject({ 'service.name': 'loyalty-gateway' });
});

test('a call whose caller records nothing is logged with its trace and sends no span; a wrong header is ignored', async () => {
  const trace = newTrace();
  const quiet = await stage.caller.basket(known(), { headers: { traceparent: `00-${trace}-${PARENT_ID}-00` } });
  expect(quiet.header('traceresponse')).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`));
  const wrong = await stage.caller.basket(known(), {
    headers: { traceparent: `00-${'0'.repeat(32)}-${PARENT_ID}-01` },
  });
  expect([wrong.status, wrong.header('traceresponse')]).toEqual([200, undefined]);
  const last = newTrace();
  await stage.caller.send(BASKET_PATH, '{', { headers: { traceparent: `00-${last}-${PARENT_ID}-01` } });
  await until('the later spans', () => collector.spans.some(({ traceId }) => traceId === last));
  expect(collector.spans.some(({ traceId }) => traceId === trace || /^0+$/.test(traceId))).toBe(false);
  expect(collector.faults).toEqual([]);
  const text = JSON.stringify(collector.bodies);
  for (const secret of [LOYALTY_ID, PRODUCT, ...SECRETS, TOKEN]) expect(text).not.toContain(secret);
});

test('health checks are not requests', async () => {
  const before = stage.service.log.length;
  for (let round = 0; round < 5; round += 1) await stage.service.readiness();
  await sleep(50);
  expect(stage.service.log.slice(before).filter((line) => 'phases' in line)).toEqual([]);
});
