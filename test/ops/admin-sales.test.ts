/** Sales found without a receipt, and what the look-up says of one: both clocks, the member, and what was left before and after. */
import { expect, test } from 'vitest';
import { startOfDay } from '../../packages/console/src/admin/start-of-day.ts';
import { BERGEN, basketOf, saleOf } from '../support/baskets.ts';
import { useSharedService } from '../support/shared-service.ts';
import { ask, memberPath } from './admin-client.ts';

const stage = useSharedService();
const call = <T>(words: string, body?: unknown) =>
  ask<T>(stage.service.opsUrl, words, body === undefined ? {} : { body });

interface Found {
  readonly sales: readonly { calculationId: string; status: string; reason?: string; benefits: object[] }[];
  readonly next?: string;
}

const search = async (query: string) => (await call<Found>(`GET /admin/sales?${query}`)).body;
const idsOf = ({ sales }: Found) => sales.map(({ calculationId }) => calculationId);

async function sell(loyaltyId: string, more: object = {}, status = 'applied'): Promise<string> {
  const basket = basketOf([{}], { loyaltyId, ...more });
  expect((await stage.caller.basket(basket)).status).toBe(200);
  expect((await stage.caller.sale(saleOf(basket.calculationId, status))).status).toBe(200);
  return basket.calculationId;
}

test('by venue, time, member, status, reason and benefit', async () => {
  await call(`PUT ${memberPath('searched')}`, { status: 'active', tier: 'gold', grants: ['twenty'] });
  await call(`PUT ${memberPath('without')}`, { status: 'active' });
  const oslo = await sell('searched');
  const bergen = await sell('searched', { context: BERGEN });
  const unchanged = await sell('without', {}, 'unchanged');
  const cancelled = await sell('searched', {}, 'cancelled');
  expect(idsOf(await search(''))).toEqual([cancelled, unchanged, bergen, oslo]);
  expect(idsOf(await search(`venueId=${BERGEN.venueId}`))).toEqual([bergen]);
  expect(idsOf(await search('member=searched&status=applied'))).toEqual([bergen, oslo]);
  expect(idsOf(await search('benefitId=twenty'))).toEqual([bergen, oslo]);
  const { sales } = await search('reason=no_applicable_benefits');
  expect(sales).toMatchObject([{ calculationId: unchanged, status: 'unchanged', reason: 'no_applicable_benefits' }]);
  expect(idsOf(await search('to=2020-01-01'))).toEqual([]);
  expect(idsOf(await search('to=9999-12-31'))).toEqual([]);
  expect(idsOf(await search(`from=${new Date().toISOString().slice(0, 4)}-01-01&to=9999-12-31&limit=1`))).toEqual([
    cancelled,
  ]);
  const first = await search('limit=2');
  expect(idsOf(first)).toEqual([cancelled, unchanged]);
  expect(idsOf(await search(`limit=2&to=${first.next}`))).toEqual([bergen, oslo]);
  expect(JSON.stringify(await search(''))).not.toContain('searched');
  for (const wrong of ['from=yesterday', 'limit=0', 'limit=501', 'from=2026-02-01&to=2026-01-01', 'shop=1']) {
    expect([wrong, (await call(`GET /admin/sales?${wrong}`)).status]).toEqual([wrong, 400]);
  }
});

test('returns are rows of their own with their refunds, and conflicts are found', async () => {
  await call(`PUT ${memberPath('returner')}`, { status: 'active', grants: ['twenty'] });
  const basket = basketOf([{ quantity: 3 }], { loyaltyId: 'returner' });
  await stage.caller.basket(basket);
  const { calculationId } = basket;
  await stage.caller.sale(saleOf(calculationId));
  const [line] = basket.lines;
  const refunds: number[] = [];
  for (const returnId of ['r-1', 'r-2']) {
    const lines = [{ lineId: line!.lineId, quantity: 1 }];
    const { body } = await call<{ refund: number }>('POST /admin/returns', { calculationId, returnId, lines });
    // A repetition is no other return.
    await call('POST /admin/returns', { calculationId, returnId, lines });
    refunds.unshift(body.refund);
  }
  expect((await search('status=returned&member=returner')).sales).toMatchObject([
    { calculationId, status: 'returned', returnId: 'r-2', refund: refunds[0] },
    { calculationId, status: 'returned', returnId: 'r-1', refund: refunds[1] },
  ]);
  expect((await search('status=conflict&member=returner')).sales).toEqual([]);
  expect((await stage.caller.sale(saleOf(calculationId, 'cancelled'))).status).toBe(409);
  expect((await stage.caller.sale(saleOf(calculationId, 'failed'))).status).toBe(409);
  expect((await search('status=conflict&member=returner')).sales).toMatchObject([
    { calculationId, status: 'conflict' },
  ]);
  expect(idsOf(await search('member=returner'))).toEqual([calculationId]);
});

test('the look-up shows both clocks, the member, the configuration, and what was left before and after', async () => {
  await call(`PUT ${memberPath('limited')}`, { status: 'active', tier: 'gold', grants: ['single-use'] });
  const requestedAt = new Date(Date.now() + 90_000).toISOString();
  const calculationId = await sell('limited', { requestedAt });
  const { calculations } = (
    await call<{ calculations: { past: { circumstances: object } }[] }>(`GET /admin/look-up?id=${calculationId}`)
  ).body;
  const { version } = (await call<{ version: string }>('GET /admin/configuration')).body;
  const { circumstances } = calculations[0]!.past;
  expect(circumstances).toMatchObject({
    configuration: version,
    requestedAt,
    member: { status: 'active', tier: 'gold', grants: ['single-use'] },
    left: [{ benefitId: 'single-use', limit: 1, before: 1, after: 0 }],
  });
  const { offsetSeconds } = circumstances as { offsetSeconds: number };
  expect(offsetSeconds).toBeGreaterThan(30);
  expect(offsetSeconds).toBeLessThanOrEqual(90);
});

test('a day begins at its midnight, on days of a clock change too', () => {
  const at = (day: string, zone: string) => new Date(startOfDay(day, zone)!).toISOString();
  expect(at('2026-11-21', 'Europe/Oslo')).toBe('2026-11-20T23:00:00.000Z');
  expect(at('2026-03-29', 'Europe/Oslo')).toBe('2026-03-28T23:00:00.000Z');
  expect(at('2026-03-30', 'Europe/Oslo')).toBe('2026-03-29T22:00:00.000Z');
  expect(at('2026-01-01', 'Pacific/Kiritimati')).toBe('2025-12-31T10:00:00.000Z');
  expect(at('2026-01-01', 'Asia/Kathmandu')).toBe('2025-12-31T18:15:00.000Z');
  expect(startOfDay('2026-02-30', 'UTC')).toBeUndefined();
});
