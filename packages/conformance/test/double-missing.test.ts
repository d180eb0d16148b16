/** The double's verdict on calls whose sale was never reported, or was cancelled: nobody is certified by keeping silent. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { richBasket } from '../../client/test/fixture.ts';
import { saleOf, useRuns } from './run-stage.ts';

const stage = useRuns();

const FAILED = { status: 'failed', failureReason: 'invalid_response' } as const;

async function call(code: string, more: object = {}): Promise<string> {
  const basket = { ...richBasket(`misbehave-${code}`), ...more };
  await stage.postBasket(basket);
  return basket.calculationId;
}

const cancel = (calculationId: string) => stage.postSale({ calculationId, status: 'cancelled' });

describe('a call without an event', () => {
  test.each(['wrong-totals', 'late', 'honest'])('%s: wrong until its event has come', async (code) => {
    const calculationId = await call(code);
    expect(await stage.rowOf(code)).toMatchObject({
      verdict: 'wrong',
      faults: [{ fault: 'event-missing', idempotencyKey: calculationId }],
    });
    const outcome = { 'wrong-totals': FAILED, late: { ...FAILED, failureReason: 'timeout' } }[code];
    await stage.postSale({ ...saleOf(calculationId, 'r-1'), ...outcome });
    expect(await stage.rowOf(code)).toMatchObject({ verdict: 'right', faults: [] });
  });

  test('that a row of events would have met: the row is not played, and the call is wrong', async () => {
    await call('sale-internal-error');
    expect(await stage.rowOf('sale-internal-error')).toMatchObject({ verdict: 'not played' });
    expect((await stage.rowOf('honest')).faults).toMatchObject([{ fault: 'event-missing' }]);
  });

  test('whose basket lacked what the row spoils: nothing was calculated, so nothing is due', async () => {
    const { lines } = richBasket('member');
    await call('changed-protected-line', { lines: lines.map((line) => ({ ...line, noDiscount: false })) });
    expect(await stage.rowOf('changed-protected-line')).toMatchObject({ verdict: 'not played' });
  });

  test('that a later one superseded: nothing is due, and the row has shown no outcome', async () => {
    const first = await call('wrong-totals');
    const second = richBasket('member', { supersedesCalculationId: first });
    await stage.postBasket(second);
    await stage.postSale(saleOf(second.calculationId, 'r-1'));
    expect(await stage.rowOf('wrong-totals')).toMatchObject({
      verdict: 'not played',
      why: expect.stringContaining('superseded or cancelled'),
    });
  });
});

describe('a call that was cancelled', () => {
  test('shows no outcome, until another of its row is sold', async () => {
    await cancel(await call('wrong-totals'));
    expect(await stage.rowOf('wrong-totals')).toMatchObject({
      verdict: 'not played',
      faults: [],
      why: expect.stringContaining('superseded or cancelled'),
    });
    await stage.postSale({ ...saleOf(await call('wrong-totals'), 'r-2'), ...FAILED });
    expect(await stage.rowOf('wrong-totals')).toMatchObject({ verdict: 'right', attempts: { seen: 2, calls: 2 } });
  });

  test('and repeated is wrong all the same', async () => {
    const basket = richBasket('misbehave-error-unavailable');
    await stage.postBasket(basket);
    await stage.postBasket(basket);
    await cancel(basket.calculationId);
    expect((await stage.rowOf('error-unavailable')).faults).toMatchObject([{ fault: 'sent-again-after-answer' }]);
  });

  test('is right where no misbehaviour asks for an outcome', async () => {
    await cancel(await call('honest'));
    expect(await stage.rowOf('honest')).toMatchObject({ verdict: 'right' });
  });
});

describe('a call that never arrived', () => {
  const lost = (outcome: object) => stage.postSale({ ...saleOf(randomUUID(), 'r-1'), ...outcome });
  const handshake = () => fetch(stage.client.double.secureBaseUrl, { method: 'POST' }).catch(() => undefined);

  test.each([
    ['tls-untrusted', 1],
    ['tls-cut-handshake', 2],
  ])('%s: not played until its failure is reported', async (code, attempts) => {
    await stage.client.double.arm(code, stage.run);
    for (let made = 0; made < attempts; made += 1) await handshake();
    expect(await stage.rowOf(code)).toMatchObject({ verdict: 'not played', why: expect.stringContaining('event') });
    await lost({ status: 'cancelled', transactionId: undefined });
    expect(await stage.rowOf(code)).toMatchObject({ verdict: 'not played' });
    await lost({ status: 'failed', failureReason: 'connection_error' });
    expect(await stage.rowOf(code)).toMatchObject({ verdict: 'right' });
  });
});
