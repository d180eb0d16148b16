/** Costs that were sold through the service, by the route of the administration, as JSON and as CSV. */
import { expect, test } from 'vitest';
import { createKeys } from '../../src/store/keys.ts';
import { configurationOf, memberOf, TWENTY } from '../support/configuration.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/wait.ts';
import { OPS_TOKEN } from './admin-client.ts';
import { deskOf, type Row } from './desk.ts';

const UNUSED = { benefitId: 'unused', kind: 'line_percent', percent: 5, audience: 'granted' } as const;
const stage = useService({
  env: { OPS_TOKEN },
  configuration: configurationOf({
    programme: { benefits: [TWENTY, UNUSED] },
    members: [memberOf('guest', ['twenty'])],
  }),
});

const getCsv = (query: string) =>
  fetch(`${stage.service.opsUrl}/admin/costs?${query}`, {
    headers: { Authorization: `Bearer ${OPS_TOKEN}`, Accept: 'text/csv' },
  });

test('the same rows as JSON and as CSV, with zeros for what nobody used', async () => {
  const { get, sell } = deskOf(stage);
  for (const status of ['applied', 'cancelled', 'applied']) {
    await sell('guest', {}, { lines: [{ quantity: 2, unitPrice: 5_000 }], status });
  }
  const rows = await until('the sales to be told', async () => {
    const body = await get<{ rows: Row[] }>('/admin/costs?by=benefit,tier');
    return body.rows.some(({ allBaskets }) => allBaskets === 2) && body.rows;
  });
  const sold = { soldBaskets: 2, units: 4, saved: 4_000, turnover: 16_000 };
  expect(rows.filter(({ currency }) => currency === 'NOK')).toMatchObject([
    { benefitId: 'twenty', tier: '', ...sold, allBaskets: 2, allTurnover: 16_000 },
    { benefitId: 'unused', soldBaskets: 0, saved: 0 },
  ]);

  const answer = await getCsv('by=benefit,tier');
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const [head = '', ...lines] = (await answer.text()).trimEnd().split('\r\n');
  expect(head).toBe(
    'programmeId,benefitId,tier,currency,soldBaskets,units,saved,turnover,allBaskets,allTurnover,allUndoneTurnover,' +
      'undoneBaskets,undoneSaved,undoneTurnover,undoneUnits,refunded,conflicts,soldBasketsBefore,unitsBefore,savedBefore,turnoverBefore,isMerged',
  );
  expect(lines).toEqual(
    rows.map(({ before, ...row }) => {
      const flat = Object.entries(before as object).map(([figure, value]) => [`${figure}Before`, value]);
      const cells = { ...row, ...Object.fromEntries(flat), isMerged: false } as Record<string, unknown>;
      return head
        .split(',')
        .map((name) => cells[name])
        .join();
    }),
  );
  const refused = await getCsv('by=product');
  expect([refused.status, refused.headers.get('content-type')]).toEqual([
    400,
    expect.stringContaining('application/json'),
  ]);
});

test('the CSV says in every row that sums of a day with too many rows name no venue', async () => {
  const [day, figures] = ['2026-10-31', '1 1 5 10 0 0 0 0 0 0'];
  const rows = { 'oslo   coffee-club NOK twenty': figures, '+   coffee-club NOK twenty': figures };
  await stage.redis.client.hset(createKeys('staging').costRows(day), rows);
  const csv = await (await getCsv(`from=${day}&to=${day}&by=day,venue,benefit&on=booking`)).text();
  const [head = '', ...lines] = csv.trimEnd().split('\r\n');
  expect(head.split(',').at(-1)).toBe('isMerged');
  expect(lines.map((line) => [line.split(',')[1], line.split(',').at(-1)])).toEqual([
    ['', 'true'],
    ['oslo', 'true'],
  ]);
});
