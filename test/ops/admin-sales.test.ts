/** Sales found without a receipt, and what the look-up says of one: both clocks, the member, and what was left before and after. */
import { expect, test } from 'vitest';
import { startOfDay } from '../../packages/console/src/days.ts';
import { BERGEN } from '../support/baskets.ts';
import { useSharedService } from '../support/shared-service.ts';
import { deskOf } from './desk.ts';

const stage = useSharedService();
const { call, get, put, sell: sellTo, tell, takeBack } = deskOf(stage);

interface Found {
  readonly sales: readonly { calculationId: string; status: string; reason?: string; benefits: object[] }[];
  readonly next?: string;
}

const search = (query: string) => get<Found>(`/admin/sales?${query}`);
const idsOf = ({ sales }: Found) => sales.map(({ calculationId }) => calculationId);

const sell = async (loyaltyId: string, more: object = {}, status = 'applied') =>
  (await sellTo(loyaltyId, more, { status })).calculationId;

test('by venue, time, member, status, reason and benefit', async () => {
  await put('searched', ['twenty'], { tier: 'gold' });
  await put('without');
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
  await put('returner', ['twenty']);
  const { calculationId } = await sellTo('returner', {}, { lines: [{ quantity: 3 }] });
  const refunds: number[] = [];
  for (const returnId of ['r-1', 'r-2']) {
    const { body } = await takeBack(calculationId, returnId);
    // A repetition is no other return.
    await takeBack(calculationId, returnId);
    refunds.unshift(body.refund);
  }
  expect((await search('status=returned&member=returner')).sales).toMatchObject([
    { calculationId, status: 'returned', returnId: 'r-2', refund: refunds[0] },
    { calculationId, status: 'returned', returnId: 'r-1', refund: refunds[1] },
  ]);
  expect((await search('status=conflict&member=returner')).sales).toEqual([]);
  for (const other of ['cancelled', 'failed']) expect((await tell(calculationId, other)).status).toBe(409);
  expect((await search('status=conflict&member=returner')).sales).toMatchObject([
    { calculationId, status: 'conflict' },
  ]);
  expect(idsOf(await search('member=returner'))).toEqual([calculationId]);
});

test('the look-up shows both clocks, the member, the configuration, and what was left before and after', async () => {
  await put('limited', ['single-use'], { tier: 'gold' });
  const requestedAt = new Date(Date.now() + 90_000).toISOString();
  const calculationId = await sell('limited', { requestedAt });
  type Found = { calculations: { past: { circumstances: object } }[] };
  const { calculations } = await get<Found>(`/admin/look-up?id=${calculationId}`);
  const { version } = await get<{ version: string }>('/admin/configuration');
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
