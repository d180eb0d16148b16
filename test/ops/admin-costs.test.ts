/** Costs that were sold through the service, by the route of the administration, as JSON and as CSV. */
import { expect, test } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { configurationOf, memberOf, TWENTY } from '../support/configuration.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/wait.ts';
import { ask, OPS_TOKEN } from './admin-client.ts';

const UNUSED = { benefitId: 'unused', kind: 'line_percent', percent: 5, audience: 'granted' } as const;
const stage = useService({
  env: { OPS_TOKEN },
  configuration: configurationOf({
    programme: { benefits: [TWENTY, UNUSED] },
    members: [memberOf('guest', ['twenty'])],
  }),
});

test('the same rows as JSON and as CSV, with zeros for what nobody used', async () => {
  for (const status of ['applied', 'cancelled', 'applied']) {
    const basket = basketOf([{ quantity: 2, unitPrice: 5_000 }], { loyaltyId: 'guest' });
    await stage.caller.basket(basket);
    expect((await stage.caller.sale(saleOf(basket.calculationId, status))).status).toBe(200);
  }
  type Report = { readonly rows: readonly Record<string, unknown>[] };
  const rows = await until('the sales to be told', async () => {
    const { body } = await ask<Report>(stage.service.opsUrl, 'GET /admin/costs?by=benefit,tier');
    return body.rows.some(({ allBaskets }) => allBaskets === 2) && body.rows;
  });
  const sold = { soldBaskets: 2, units: 4, saved: 4_000, turnover: 16_000 };
  expect(rows.filter(({ currency }) => currency === 'NOK')).toMatchObject([
    { benefitId: 'twenty', tier: '', ...sold, allBaskets: 2, allTurnover: 16_000 },
    { benefitId: 'unused', soldBaskets: 0, saved: 0 },
  ]);

  const headers = { Authorization: `Bearer ${OPS_TOKEN}`, Accept: 'text/csv' };
  const answer = await fetch(`${stage.service.opsUrl}/admin/costs?by=benefit,tier`, { headers });
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const [head = '', ...lines] = (await answer.text()).trimEnd().split('\r\n');
  expect(head).toBe(
    'programmeId,benefitId,tier,currency,soldBaskets,units,saved,turnover,allBaskets,allTurnover,allUndoneTurnover,' +
      'undoneBaskets,undoneSaved,undoneTurnover,undoneUnits,refunded,conflicts,soldBasketsBefore,unitsBefore,savedBefore,turnoverBefore',
  );
  expect(lines).toEqual(
    rows.map(({ before, ...row }) => {
      const flat = Object.entries(before as object).map(([figure, value]) => [`${figure}Before`, value]);
      const cells = { ...row, ...Object.fromEntries(flat) } as Record<string, unknown>;
      return head
        .split(',')
        .map((name) => cells[name])
        .join();
    }),
  );
  const refused = await fetch(`${stage.service.opsUrl}/admin/costs?by=product`, { headers });
  expect([refused.status, refused.headers.get('content-type')]).toEqual([
    400,
    expect.stringContaining('application/json'),
  ]);
});
