/** Limits of periods that are over: staff meals of October are taxable in November. */
import { expect, test } from 'vitest';
import { type Benefit, configurationOf, TWENTY } from '../support/configuration.ts';
import { useSharedService } from '../support/shared-service.ts';
import { memberPath } from './admin-client.ts';
import { deskOf, type Row } from './desk.ts';

const of = (benefitId: string, limit: Benefit['limit']): Benefit => ({
  ...{ ...TWENTY, benefitId, audience: 'everyone', ...(limit && { limit }) },
});
const base = configurationOf({
  members: [],
  programme: {
    benefits: [
      of('meal', [
        { quantity: 22, period: 'month', counts: 'baskets', limitId: 'meals' },
        { quantity: 2, period: 'day', counts: 'baskets', limitId: 'meals-a-day' },
        { quantity: 900, period: 'month', counts: 'baskets', of: 'programme', limitId: 'all-meals' },
        { quantity: 50, period: 'day', counts: 'baskets', of: 'venue', limitId: 'day-meals' },
      ]),
    ],
  },
});
const stage = useSharedService({ ...base, calculation: { ...base.calculation, retentionDays: 60 } });

const now = new Date();
const LAST = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 14, 12)).toISOString();
const MONTH = LAST.slice(0, '2026-10'.length);
const DAY = LAST.slice(0, '2026-10-14'.length);

const { get, put, sell, refusalOf } = deskOf(stage);
const read = async (path: string) => (await get<{ limits: Row[] }>(path)).limits;
const shown = (limits: readonly Row[]) =>
  limits.map(({ limitId, period, consumed, left, venueId }) => [
    limitId,
    period,
    consumed,
    left,
    ...(venueId ? [venueId] : []),
  ]);

test('the limits of last month, of a member and of all, with the days on which something was used', async () => {
  const path = memberPath('staff');
  await put('staff');
  for (const status of ['applied', 'applied', 'cancelled']) await sell('staff', { requestedAt: LAST }, { status });
  expect(shown(await read(`${path}?period=${MONTH}`))).toEqual([
    ['meals', MONTH, 2, 20],
    ['meals-a-day', DAY, 2, 0],
  ]);
  expect(shown(await read(`${path}?period=${DAY}`))).toEqual([['meals-a-day', DAY, 2, 0]]);
  expect(shown(await read(`${path}?period=${MONTH.slice(0, 4)}`))).toContainEqual(['meals', MONTH, 2, 20]);
  expect(shown(await read(`/admin/limits?period=${MONTH}`))).toEqual([
    ['all-meals', MONTH, 2, 898],
    ['day-meals', DAY, 2, 48, 'oslo-central'],
  ]);
  expect(shown(await read(`/admin/limits?period=${DAY}`))).toEqual([
    ['day-meals', DAY, 2, 48, 'oslo-central'],
    ['day-meals', DAY, 0, 50, 'bergen-quay'],
  ]);
  // Those that are running are other ones.
  expect((await read(path)).map(({ consumed }) => consumed)).toEqual([0, 0]);
});

test.each([
  ['none', /^period: found "none", allowed: a period such as 2026-10/],
  ['2026-13', /allowed: a period such as/],
  ['2026-W54', /allowed: a period such as/],
  ['*', /allowed: a period such as/],
  [
    '2019-10',
    /^period: found 2019-10, whose counters were kept until 2019-12-31T12:00:00\.000Z; allowed: a later one$/,
  ],
])('period=%s is refused', async (period, message) => {
  for (const path of ['/admin/limits', memberPath('staff')]) {
    const refused = await refusalOf(`GET ${path}?period=${encodeURIComponent(period)}`);
    expect(refused).toEqual([400, expect.stringMatching(message)]);
  }
});
