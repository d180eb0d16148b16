/** Costs that were sold through the service, by the route of the administration: by tier and venue, as JSON and as CSV. */
import { expect, test } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { configurationOf, memberOf, TWENTY } from '../support/configuration.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/wait.ts';
import { ask, memberPath, OPS_TOKEN } from './admin-client.ts';

const UNUSED = { benefitId: 'unused', kind: 'line_percent', percent: 5, audience: 'granted' } as const;
/** All members are on the first side of one salt, and none on that of the other. */
const SHARED = {
  benefitId: 'shared',
  kind: 'line_percent',
  percent: 1,
  audience: 'granted',
  when: { share: { from: 0, below: 100, salt: 'all' } },
};
const stage = useService({
  env: { OPS_TOKEN },
  configuration: configurationOf({
    programme: { benefits: [TWENTY, UNUSED, SHARED as unknown as typeof UNUSED] },
    members: [memberOf('guest', ['twenty'])],
  }),
});

interface Report {
  readonly rows: readonly Record<string, unknown>[];
}

const costs = async (query: string) => (await ask<Report>(stage.service.opsUrl, `GET /admin/costs?${query}`)).body.rows;

async function sell(loyaltyId: string, status = 'applied') {
  const basket = basketOf([{ quantity: 2, unitPrice: 5_000 }], { loyaltyId });
  await stage.caller.basket(basket);
  expect((await stage.caller.sale(saleOf(basket.calculationId, status))).status).toBe(200);
  return basket.calculationId;
}

test('sold baskets are there by benefit, venue, tier and day, with what was paid beside what was saved', async () => {
  await ask(stage.service.opsUrl, `PUT ${memberPath('gold-guest')}`, {
    body: { status: 'active', tier: 'gold', grants: ['twenty'] },
  });
  await sell('guest');
  const doubtful = await sell('gold-guest');
  await ask(stage.service.opsUrl, `PUT ${memberPath('without')}`, { body: { status: 'active' } });
  await sell('without', 'unchanged');
  await sell('guest', 'cancelled');
  // The first outcome stands, and the conflict is counted.
  expect((await stage.caller.sale(saleOf(doubtful, 'cancelled'))).status).toBe(409);
  const rows = await until('the rows to be told', async () => {
    const read = await costs('');
    return read.some(({ conflicts, allBaskets }) => conflicts === 1 && allBaskets === 3) && read;
  });
  const sums = { soldBaskets: 2, units: 4, saved: 4_000, turnover: 16_000 };
  const all = { allBaskets: 3, allTurnover: 26_000 };
  expect(rows.find(({ benefitId, currency }) => benefitId === 'twenty' && currency === 'NOK')).toMatchObject({
    ...sums,
    ...all,
    ...{ undoneBaskets: 0, undoneUnits: 0, undoneSaved: 0, refunded: 0, conflicts: 1 },
  });
  expect(rows.find(({ benefitId }) => benefitId === 'unused')).toMatchObject({ soldBaskets: 0, saved: 0 });

  const byShare = (await costs('by=share')).filter(({ soldBaskets }) => soldBaskets !== 0);
  expect(byShare.map(({ share, saved }) => [share, saved])).toEqual([['all 0-100', 4_000]]);

  const detailed = await costs('by=day,venue,tier,benefit');
  const sold = detailed.filter(({ soldBaskets }) => soldBaskets !== 0);
  expect(sold.map(({ venueId, tier, turnover }) => [venueId, tier, turnover])).toEqual([
    ['oslo-central', '', 8_000],
    ['oslo-central', 'gold', 8_000],
  ]);
});

test('the same as CSV, and a question that has no answer', async () => {
  const headers = { Authorization: `Bearer ${OPS_TOKEN}`, Accept: 'text/csv' };
  const answer = await fetch(`${stage.service.opsUrl}/admin/costs?by=benefit`, { headers });
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const [head = '', ...lines] = (await answer.text()).split('\r\n');
  expect(head).toContain('programmeId,benefitId,currency,soldBaskets,units,saved,turnover,');
  expect(lines.find((line) => line.startsWith('coffee-club,twenty,NOK'))).toMatch(
    /^coffee-club,twenty,NOK,2,4,4000,16000,/,
  );
  expect((await ask(stage.service.opsUrl, 'GET /admin/costs?by=product')).status).toBe(400);
  const refused = await fetch(`${stage.service.opsUrl}/admin/costs?by=product`, { headers });
  expect(refused.headers.get('content-type')).toContain('application/json');
});
