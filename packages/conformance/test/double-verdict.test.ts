/**
 * The double's verdict on what a caller does, one habit at a time: the row that it meets, the verdict on the row, and the faults
 * that it has. That a right caller has every row right is shown with the client (packages/client/test/rules).
 */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { richBasket } from '../../client/test/fixture.ts';
import type { FaultName } from '../src/double/faults.ts';
import type { RowVerdict } from '../src/double/verdict.ts';
import { useRuns } from './run-stage.ts';

const stage = useRuns();
const { call, report, cancel, handshake } = stage;

type Expected = readonly [verdict: RowVerdict['verdict'], ...faults: FaultName[]];
type Habit = readonly [
  what: string,
  code: string,
  expected: Expected,
  play: (code: string) => Promise<unknown>,
  why?: string,
];

const FAILED = { status: 'failed', failureReason: 'invalid_response' };
/** Longer than the limit of an attempt and the slack of the verdict. */
const TOO_PATIENT_MS = 1_100;

/** So many attempts of a basket call, each given up after some time, and the event of a failed one. */
async function callAgain(code: string, attempts: number, failureReason: string, patienceMs = 60_000): Promise<void> {
  const basket = richBasket(`misbehave-${code}`);
  for (let made = 0; made < attempts; made += 1) {
    await stage.postBasket(basket, {}, stage.baseUrl, AbortSignal.timeout(patienceMs)).catch(() => undefined);
  }
  await report(basket.calculationId, { status: 'failed', failureReason });
}

/** So many attempts of an event, without a pause between them. */
async function reportAgain(code: string, attempts: number): Promise<void> {
  const calculationId = await call(code);
  for (let made = 0; made < attempts; made += 1) await report(calculationId);
}

/** A call that a second one supersedes, each of which is ended. */
async function supersede(code: string, ...ends: ((calculationId: string) => Promise<unknown>)[]): Promise<void> {
  const first = await call(code);
  const ids = [await call('honest', { supersedesCalculationId: first }), first];
  for (const [at, end] of ends.entries()) expect(await end(ids[at]!)).toEqual({ result: 'recorded' });
}

/** A call before anything was sent, by so many attempts, and how it is reported. */
async function lose(code: string, attempts: number, ...outcomes: object[]): Promise<void> {
  await stage.client.double.arm(code, stage.run);
  for (let made = 0; made < attempts; made += 1) await handshake();
  for (const outcome of outcomes) await report(randomUUID(), outcome);
}
const LOST = { status: 'failed', failureReason: 'connection_error' };
const CANCELLED = { status: 'cancelled', transactionId: undefined };

const BASKET_HABITS: readonly Habit[] = [
  [
    'again after a loss',
    'close-after-request',
    ['wrong', 'sent-again-after-loss'],
    (code) => callAgain(code, 4, 'connection_error'),
  ],
  ['again after a cut', 'cut', ['wrong', 'sent-again-after-loss'], (code) => callAgain(code, 2, 'connection_error')],
  [
    'again after a refusal',
    'error-unavailable',
    ['wrong', 'sent-again-after-answer'],
    (code) => callAgain(code, 2, 'http_error'),
  ],
  [
    'again after a page',
    'bad-gateway',
    ['wrong', 'sent-again-after-answer'],
    (code) => callAgain(code, 2, 'http_error'),
  ],
  [
    'again, after too long',
    'hang',
    ['wrong', 'sent-again-after-timeout', 'timeout-too-long'],
    (code) => callAgain(code, 2, 'timeout', TOO_PATIENT_MS),
  ],
  [
    'a late answer is used',
    'late',
    ['wrong', 'wrong-outcome', 'timeout-too-long'],
    async (code) => report(await call(code)),
    'the limit of an attempt is 500 ms. (interface, section 4.8)',
  ],
  [
    'a wrong answer is used',
    'wrong-totals',
    ['wrong', 'wrong-outcome'],
    async (code) => report(await call(code)),
    'The sale event reports applied; right is failed, invalid_response. (interface, section 3)',
  ],
  [
    'again, and cancelled',
    'error-unavailable',
    ['wrong', 'sent-again-after-answer'],
    async (code) => {
      const basket = richBasket(`misbehave-${code}`);
      await stage.postBasket(basket);
      await stage.postBasket(basket);
      await cancel(basket.calculationId);
    },
  ],
  ['cancelled', 'wrong-totals', ['not played'], async (code) => cancel(await call(code)), 'superseded or cancelled'],
  ['cancelled without a row', 'honest', ['right'], async (code) => cancel(await call(code))],
  ['superseded', 'wrong-totals', ['not played'], (code) => supersede(code, report), 'superseded or cancelled'],
  [
    'cancelled, and another sold',
    'wrong-totals',
    ['right'],
    async (code) => {
      await cancel(await call(code));
      await report(await call(code), FAILED);
    },
    '2 attempts seen of 2 calls.',
  ],
  [
    'a basket that lacks what is spoiled',
    'changed-protected-line',
    ['not played'],
    (code) => call(code, { lines: richBasket('').lines.map((line) => ({ ...line, noDiscount: false })) }),
    'lacked',
  ],
];

const EVENT_HABITS: readonly Habit[] = [
  ['again at once', 'sale-rate-limited', ['wrong', 'event-before-retry-after'], (code) => reportAgain(code, 3)],
  ['again at once', 'sale-unavailable', ['wrong', 'event-before-retry-after'], (code) => reportAgain(code, 3)],
  ['again after a final refusal', 'sale-conflict', ['wrong', 'event-after-refusal'], (code) => reportAgain(code, 2)],
  ['not again', 'sale-bad-gateway', ['wrong', 'event-not-sent-again'], (code) => reportAgain(code, 1)],
  [
    'not again',
    'sale-internal-error',
    ['wrong', 'event-not-sent-again'],
    (code) => reportAgain(code, 1),
    '1 attempt of 3 came so far',
  ],
  ['none', 'sale-internal-error', ['not played'], call],
  [
    'of a superseded calculation',
    'honest',
    ['wrong', 'event-of-superseded'],
    (code) => supersede(code, report, report),
  ],
  // Its successor may never have arrived.
  ['cancels a superseded calculation', 'honest', ['right'], (code) => supersede(code, cancel, cancel)],
  [
    'one receipt of two calculations',
    'honest',
    ['right'],
    async (code) => {
      for (let made = 0; made < 2; made += 1) expect(await report(await call(code))).toEqual({ result: 'recorded' });
    },
  ],
  [
    'another outcome',
    'honest',
    ['wrong', 'event-after-final-answer', 'event-contradicts'],
    async (code) => {
      const calculationId = await call(code);
      await report(calculationId);
      const other = await report(calculationId, { transactionId: 'r-2' });
      expect(other).toMatchObject({ error: { code: 'idempotency_conflict' } });
    },
  ],
  [
    'another body',
    'honest',
    ['wrong', 'event-after-final-answer', 'body-changed'],
    async (code) => {
      const calculationId = await call(code);
      await report(calculationId);
      expect(await report(calculationId, { extra: 1 })).toEqual({ result: 'duplicate' });
    },
  ],
  [
    'a request ID that is used twice',
    'honest',
    ['wrong', 'request-id-reused'],
    async () => {
      const headers = { 'X-Request-Id': randomUUID() };
      for (const basket of [richBasket('member'), richBasket('member')]) {
        await stage.postBasket(basket, headers);
        await report(basket.calculationId);
      }
    },
  ],
];

const CONNECTION_HABITS: readonly Habit[] = [
  [
    'again after one that arrived',
    'reset-connection',
    ['wrong', 'too-many-attempts'],
    (code) => callAgain(code, 2, 'connection_error'),
  ],
  ['lost, not reported', 'reset-connection', ['not played'], (code) => lose(code, 1), 'never arrived'],
  ['lost, and reported', 'reset-connection', ['right'], (code) => lose(code, 1, LOST)],
  ['no retry', 'tls-cut-handshake', ['wrong', 'no-retry'], (code) => lose(code, 1, LOST), 'no second attempt came'],
  ['one retry', 'tls-cut-handshake', ['right'], (code) => lose(code, 2, LOST), '2 attempts seen.'],
  [
    'two retries',
    'tls-cut-handshake',
    ['wrong', 'too-many-attempts'],
    (code) => lose(code, 3, LOST),
    '3 attempts were made',
  ],
  ['one retry, not reported', 'tls-cut-handshake', ['not played'], (code) => lose(code, 2), 'event'],
  ['one retry, cancelled', 'tls-cut-handshake', ['not played'], (code) => lose(code, 2, CANCELLED), 'event'],
  ['one retry, cancelled and reported', 'tls-cut-handshake', ['right'], (code) => lose(code, 2, CANCELLED, LOST)],
  ['not reported', 'tls-untrusted', ['not played'], (code) => lose(code, 1), 'event'],
  ['cancelled', 'tls-untrusted', ['not played'], (code) => lose(code, 1, CANCELLED), 'event'],
  ['reported', 'tls-untrusted', ['right'], (code) => lose(code, 1, CANCELLED, LOST)],
  [
    'by plain HTTP',
    'tls-cut-handshake',
    ['not played'],
    async (code) => {
      await stage.client.double.arm(code, stage.run);
      await expect(stage.postBasket(richBasket('member'))).rejects.toThrow();
      expect((await stage.postBasket(richBasket('member'))).status).toBe(200);
    },
    'https',
  ],
];

for (const [what, code, expected, play, why = ''] of [...BASKET_HABITS, ...EVENT_HABITS, ...CONNECTION_HABITS]) {
  test(`${what}: ${code} is ${expected.join(', ')}`, async () => {
    await play(code);
    const row = await stage.rowOf(code);
    expect([row.verdict, ...row.faults.map(({ fault }) => fault)]).toEqual(expected);
    expect(row.why).toContain(why);
  });
}

test.each<[string, object]>([
  ['wrong-totals', FAILED],
  ['late', { ...FAILED, failureReason: 'timeout' }],
  ['honest', {}],
])('a call without an event, %s: wrong until its event has come', async (code, outcome) => {
  const idempotencyKey = await call(code);
  const missing = { verdict: 'wrong', faults: [{ fault: 'event-missing', idempotencyKey }] };
  expect(await stage.rowOf(code)).toMatchObject(missing);
  await report(idempotencyKey, outcome);
  expect(await stage.rowOf(code)).toMatchObject({ verdict: 'right', faults: [] });
});

test('an event that is repeated without any delay', async () => {
  // A machine that stands still makes a delay between the two.
  let found: readonly FaultName[] = [];
  for (let tries = 0; tries < 50 && found.length === 0; tries += 1) {
    await reportAgain('sale-bad-gateway', 2);
    found = (await stage.rowOf('sale-bad-gateway')).faults.map(({ fault }) => fault);
  }
  expect(found).toEqual(['event-without-backoff']);
});
