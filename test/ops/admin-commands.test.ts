/** The commands of the runbook's Administration, run as they stand there. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../architecture/source.ts';
import { runBlock } from '../deploy/runbook.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import { useSharedService } from '../support/shared-service.ts';
import { OPS_TOKEN } from './admin-client.ts';

const stage = useSharedService();

/** Runs a block and reads what it printed: an answer a line. */
async function run(title: string, more: Record<string, string> = {}): Promise<Record<string, unknown>[]> {
  const output = await runBlock(title, { OPS: stage.service.opsUrl, TOKEN: OPS_TOKEN, ...more });
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('member, calculation, explanation, configuration, erasure', async () => {
  const written = await run('Make a member, or replace it');
  expect(written[0]).toMatchObject({ loyaltyId: 'card/4711', tier: 'gold' });
  expect(written[1]).toEqual(written[0]);

  const basket = basketOf([{}], { loyaltyId: 'card/4711' });
  const BASKET = join(stage.service.dataDirectory, 'basket.json');
  writeFileSync(BASKET, JSON.stringify(basket));
  const explained = await run('Why a basket is answered as it is', {
    BASKET,
    DRAFT: join(ROOT, 'config/staging.yaml'),
  });
  expect(explained).toMatchObject([
    { response: { status: 'unchanged' }, explanation: { at: basket.requestedAt } },
    { response: { status: 'unchanged' }, explanation: { at: '2026-12-24T15:00:00+01:00' } },
    { response: { status: 'unchanged' }, draft: { explanation: { programmeId: 'coffee-club' }, warnings: [] } },
  ]);
  await stage.caller.basket(basket);
  const RECEIPT = 'till 4 & 0815';
  await stage.caller.sale(saleOf(basket.calculationId, 'unchanged', { transactionId: RECEIPT }));
  const [told, found] = await run('What became of a calculation', { CALCULATION: basket.calculationId, RECEIPT });
  expect(told).toMatchObject({ state: 'sold', answered: { status: 'unchanged' } });
  expect(found).toMatchObject({ calculations: [{ calculation: told, past: { isSame: true } }], refusals: [] });

  const [ofAll, ofOne] = await run('The limits of an earlier period');
  expect([ofAll, ofOne]).toMatchObject([{ limits: [] }, { loyaltyId: 'card/4711', limits: expect.any(Array) }]);
  const [configuration, reloaded] = await run('The configuration in force');
  expect(reloaded?.version).toBe(configuration?.version);
  expect(await run('Erase a member')).toEqual([{ erased: { member: true, calculations: 1 } }]);
});
