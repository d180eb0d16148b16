/** The accountant's page: its commands, run in their order by a reader who closes a month. */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createKeys, EVENT_STREAMS } from '../../src/store/keys.ts';
import { ROOT } from '../architecture/source.ts';
import { ask, memberPath, OPS_TOKEN } from '../ops/admin-client.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import { temporaryDirectory } from '../support/cleanup.ts';
import { configurationOf, TWENTY } from '../support/configuration.ts';
import { environmentOf, useService } from '../support/service.ts';
import { until } from '../support/wait.ts';

const configuration = configurationOf({
  programme: { benefits: [{ ...TWENTY, fundedBy: 'Nordic Care AS' } as typeof TWENTY] },
  members: [],
});
const stage = useService({ configuration, env: { OPS_TOKEN } });
const KEYS = createKeys(configuration.environment);
/** `GET /admin/sales` looks at so many events. */
const LOOKED_AT = 40_000;
const page = readFileSync(join(ROOT, 'docs', 'accounting.md'), 'utf8');
const blocks = [...page.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map((match) => match[1] as string);

async function sell(loyaltyId: string): Promise<string> {
  const basket = basketOf([{}], { loyaltyId });
  await stage.caller.basket(basket);
  expect((await stage.caller.sale(saleOf(basket.calculationId))).status).toBe(200);
  return basket.calculationId;
}

test('a month is read, closed, decided and reconciled with the commands as they stand', {
  timeout: 120_000,
}, async () => {
  const { opsUrl } = stage.service;
  await ask(opsUrl, `PUT ${memberPath('guest')}`, { body: { status: 'active', grants: ['twenty'] } });
  const [right, conflict, lacking] = [await sell('guest'), await sell('guest'), await sell('guest')];
  expect((await stage.caller.sale(saleOf(conflict, 'cancelled'))).status).toBe(409);
  await until('the gateway to have told', async () => {
    const { rows } = (await ask<{ rows: Record<string, unknown>[] }>(opsUrl, 'GET /admin/costs?by=venue')).body;
    return rows.some(({ soldBaskets, conflicts }) => soldBaskets === 3 && conflicts === 1);
  });

  // More events than one search looks at have come since the conflict.
  const since = stage.redis.client.pipeline();
  for (let number = 0; number <= LOOKED_AT; number += 1) {
    const event = { calculationId: randomUUID(), result: 'expired', at: new Date().toISOString() };
    since.xadd(KEYS.events(number % EVENT_STREAMS), '*', 'event', JSON.stringify(event));
  }
  await since.exec();

  const back = { returnId: 'r-1', calculationId: right, lines: [{ lineId: 'line-1', quantity: 1 }] };
  expect((await ask(opsUrl, 'POST /admin/returns', { body: back })).body).toMatchObject({ refund: 8_000 });
  const directory = temporaryDirectory();
  const row = {
    calculationId: right,
    transactionId: 'receipt-1',
    total: 8_000,
    loyaltyStatus: 'applied',
    refunded: 8_000,
  };
  const { transactionId } = saleOf(right);
  writeFileSync(join(directory, 'transactions.ndjson'), `${JSON.stringify({ ...row, transactionId })}\n`);
  const dayOf = (daysFromNow: number) => new Date(Date.now() + daysFromNow * 86_400_000).toISOString().slice(0, 10);

  const loyalty = `${process.execPath} ${join(ROOT, 'packages/tools/src/loyalty.ts')}`;
  const commands = blocks.join('\n').replace('npm run --silent reconcile --', `${loyalty} reconcile`);
  const run = spawnSync('bash', ['--norc', '-c', commands], {
    cwd: directory,
    env: {
      ...environmentOf({ redisUrl: stage.redis.url, configuration }, directory),
      OPS: opsUrl,
      TOKEN: OPS_TOKEN,
      CONFLICT: conflict,
      FIRST_DAY: dayOf(-30),
      LAST_DAY: dayOf(1),
    },
    encoding: 'utf8',
  });
  expect(run.stderr).not.toContain('curl:');
  expect(run.stdout).toMatch(/^venueId,fundedBy,currency,.*\r\noslo-central,Nordic Care AS,NOK,3,3,6000,24000,/);
  expect(run.stdout).toContain('the month is as it was');
  const lists = run.stdout.split('\n').filter((line) => line.startsWith('{"sales":'));
  expect(lists.length).toBeGreaterThan(1);
  const listed = lists.flatMap((line) => (JSON.parse(line) as { sales: object[] }).sales);
  expect(listed).toEqual([expect.objectContaining({ calculationId: conflict, conflict: 'open' })]);
  expect(run.stdout).toContain('"second":{"status":"cancelled"');
  expect(run.stdout).toContain('"decision":{"outcome":"second"');
  const findings = readFileSync(join(directory, 'findings.ndjson'), 'utf8').trim().split('\n');
  expect(findings.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ kind: 'missing_transaction', calculationId: lacking }),
  ]);
  expect(run.status).toBe(1);
});
