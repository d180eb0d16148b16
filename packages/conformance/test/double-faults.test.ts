/**
 * The double's verdict on each wrong habit: the attempts of a caller, and the faults that the row has. That a right caller has every
 * row right is shown with the client (packages/client/test/rules).
 */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { richBasket } from '../../client/test/fixture.ts';
import type { FaultName } from '../src/double/faults.ts';
import { saleOf, useRuns } from './run-stage.ts';

const stage = useRuns();

/** Longer than the limit of an attempt and the slack of the verdict. */
const TOO_PATIENT_MS = 1_100;

/** So many attempts of a basket call, each given up after some time, and the event of a failed one. */
async function callAgain(code: string, attempts: number, failureReason: string, patienceMs = 60_000): Promise<void> {
  const basket = richBasket(`misbehave-${code}`);
  for (let made = 0; made < attempts; made += 1) {
    await stage.postBasket(basket, {}, stage.baseUrl, AbortSignal.timeout(patienceMs)).catch(() => undefined);
  }
  await stage.postSale({ ...saleOf(basket.calculationId, 'r-1'), status: 'failed', failureReason });
}

/** So many attempts of an event, without a pause between them. */
async function reportAgain(code: string, attempts: number): Promise<void> {
  const basket = richBasket(`misbehave-${code}`);
  await stage.postBasket(basket);
  for (let made = 0; made < attempts; made += 1) {
    // A proxy's page is no JSON.
    await stage.postSale(saleOf(basket.calculationId, 'r-1')).catch(() => undefined);
  }
}

test.each<[code: string, faults: readonly FaultName[], attempts: (code: string) => Promise<void>]>([
  ['close-after-request', ['sent-again-after-loss'], (code) => callAgain(code, 4, 'connection_error')],
  ['cut', ['sent-again-after-loss'], (code) => callAgain(code, 2, 'connection_error')],
  ['error-unavailable', ['sent-again-after-answer'], (code) => callAgain(code, 2, 'http_error')],
  ['bad-gateway', ['sent-again-after-answer'], (code) => callAgain(code, 2, 'http_error')],
  ['hang', ['sent-again-after-timeout', 'timeout-too-long'], (code) => callAgain(code, 2, 'timeout', TOO_PATIENT_MS)],
  ['sale-rate-limited', ['event-before-retry-after'], (code) => reportAgain(code, 3)],
  ['sale-unavailable', ['event-before-retry-after'], (code) => reportAgain(code, 3)],
  ['sale-conflict', ['event-after-refusal'], (code) => reportAgain(code, 2)],
  ['sale-bad-gateway', ['event-not-sent-again'], (code) => reportAgain(code, 1)],
])('%s: %j', async (code, faults, attempts) => {
  await attempts(code);
  const row = await stage.rowOf(code);
  expect([row.verdict, row.faults.map(({ fault }) => fault)]).toEqual(['wrong', faults]);
});

test('a late answer that is used shows that the caller waited too long', async () => {
  const basket = richBasket('misbehave-late');
  await stage.postBasket(basket);
  await stage.postSale(saleOf(basket.calculationId, 'r-1'));
  const row = await stage.rowOf('late');
  expect(row.faults.map(({ fault }) => fault)).toEqual(['wrong-outcome', 'timeout-too-long']);
  expect(row.why).toContain('the limit of an attempt is 500 ms. (interface, section 4.8)');
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

test('an X-Request-Id that is used twice', async () => {
  const headers = { 'X-Request-Id': randomUUID() };
  for (const basket of [richBasket('member'), richBasket('member')]) {
    await stage.postBasket(basket, headers);
    await stage.postSale(saleOf(basket.calculationId, 'r-1'));
  }
  expect((await stage.rowOf('honest')).faults.map(({ fault }) => fault)).toEqual(['request-id-reused']);
});
