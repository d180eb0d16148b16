/** Vouchers: given, used, revoked, ended and outstanding, through the socket; and the same through merges and erasures. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runBlock } from '../deploy/runbook.ts';
import { configurationOf, type Programme, TWENTY } from '../support/configuration.ts';
import { useSharedService } from '../support/shared-service.ts';
import { memberPath, OPS_TOKEN } from './admin-client.ts';
import { deskOf, type Row } from './desk.ts';

const CAKE = { benefitId: 'cake', kind: 'order_amount', amount: { NOK: 5000, EUR: 500 }, audience: 'granted' };
const BENEFITS = [CAKE, { ...TWENTY, benefitId: 'tea' }] as unknown as Programme['benefits'];
const stage = useSharedService(
  configurationOf({ members: [], bergenCurrencies: ['NOK', 'EUR'], programme: { benefits: BENEFITS } }),
);

const DAY_MS = 86_400_000;
const dayOf = (ms: number) => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Oslo' }).format(ms);
const today = () => dayOf(Date.now());
const { call, get, put: register, sell, takeBack } = deskOf(stage);

const rows = async (query = '') => (await get<{ rows: Row[] }>(`/admin/vouchers${query}`)).rows;
const COUNTS = ['given', 'used', 'revoked', 'ended', 'outstanding'] as const;
async function counts(benefitId = 'cake'): Promise<unknown[]> {
  const row = (await rows()).find((each) => each['benefitId'] === benefitId);
  return COUNTS.map((name) => row?.[name]);
}

const give = (loyaltyId: string, grantId: string, more: object = {}) =>
  call(`PUT ${memberPath(loyaltyId)}/grants/${grantId}`, { benefitId: 'cake', quantity: 1, ...more });
const revoke = (loyaltyId: string, grantId: string) => call(`DELETE ${memberPath(loyaltyId)}/grants/${grantId}`);

async function spend(loyaltyId: string): Promise<string> {
  const now = { requestedAt: new Date().toISOString() };
  const { status, calculationId } = await sell(loyaltyId, now, { lines: [{ quantity: 1, unitPrice: 20_000 }] });
  expect(status).toBe('applied');
  return calculationId;
}

test('what was given is used, revoked, ended or outstanding, in baskets and in money', async () => {
  for (const name of ['anna', 'berit', 'carl']) await register(name);
  await give('anna', 'card-1', { quantity: 3 });
  await give('berit', 'card-1');
  await give('berit', 'over', { to: dayOf(Date.now() - DAY_MS) });
  await give('carl', 'card-1');
  expect(await counts()).toEqual([6, 0, 0, 1, 5]);
  // The same grant again gives nothing new, and one without a quantity is no voucher.
  await give('carl', 'card-1');
  await call(`PUT ${memberPath('carl')}/grants/tea`, { benefitId: 'tea' });
  const sold = await spend('anna');
  await revoke('berit', 'card-1');
  await revoke('berit', 'over');
  expect(await counts()).toEqual([6, 1, 1, 1, 3]);
  expect(await rows()).toEqual([
    {
      ...{ programmeId: 'coffee-club', benefitId: 'cake' },
      ...{ given: 6, used: 1, revoked: 1, ended: 1, outstanding: 3, overRedeemed: 0 },
      amounts: {
        NOK: { given: 30_000, used: 5000, revoked: 5000, ended: 5000, outstanding: 15_000 },
        EUR: { given: 3000, used: 500, revoked: 500, ended: 500, outstanding: 1500 },
      },
    },
  ]);

  // What comes back can be used again; a use given back by hand too.
  await takeBack(sold, 'r');
  expect(await counts()).toEqual([6, 0, 1, 1, 4]);
  await spend('carl');
  const back = { units: 1, reason: 'by mistake' };
  expect((await call(`POST ${memberPath('carl')}/uses/card-1/give-back`, back)).status).toBe(200);
  await spend('carl');
  expect(await counts()).toEqual([6, 1, 1, 1, 3]);

  // A used one that is taken away stays used, and a lower quantity takes the rest.
  await revoke('carl', 'card-1');
  await give('anna', 'card-1', { quantity: 2 });
  expect(await counts()).toEqual([6, 1, 2, 1, 2]);
});

test('by month, as of a day, and as CSV', async () => {
  const month = today().slice(0, '2026-10'.length);
  expect(await rows('?by=benefit,month')).toMatchObject([{ month, benefitId: 'cake', given: 6, outstanding: 2 }]);
  expect(await rows(`?by=month&asOf=${today()}`)).toEqual([
    expect.not.objectContaining({ benefitId: expect.anything() }),
  ]);
  expect(await rows(`?asOf=${dayOf(Date.now() - DAY_MS)}`)).toEqual([]);
  const csv = await fetch(`${stage.service.opsUrl}/admin/vouchers?by=benefit,month`, {
    headers: { Authorization: `Bearer ${OPS_TOKEN}`, Accept: 'text/csv' },
  });
  expect([csv.headers.get('content-type'), await csv.text()]).toEqual([
    'text/csv; charset=utf-8',
    [
      'month,programmeId,benefitId,given,used,revoked,ended,outstanding,overRedeemed,givenEUR,usedEUR,revokedEUR,endedEUR,outstandingEUR,givenNOK,usedNOK,revokedNOK,endedNOK,outstandingNOK',
      `${month},coffee-club,cake,6,1,2,1,2,0,3000,500,1000,500,1000,30000,5000,10000,5000,10000`,
      '',
    ].join('\r\n'),
  ]);
  const CSV = join(stage.service.dataDirectory, 'vouchers.csv');
  const page = await runBlock('What became of the vouchers', {
    ...{ OPS: stage.service.opsUrl, TOKEN: OPS_TOKEN, DAY: today(), CSV },
  });
  expect(JSON.parse(page)).toEqual({ asOf: today(), rows: await rows() });
  expect(readFileSync(CSV, 'utf8')).toContain(`${month},coffee-club,cake,6,1,2,1,2,0`);
  for (const query of ['?asOf=soon', `?asOf=${dayOf(Date.now() + 2 * DAY_MS)}`, '?by=member']) {
    expect((await call(`GET /admin/vouchers${query}`)).status).toBe(400);
  }
});

test('a merge moves vouchers and gives none, and an erasure revokes what was left without changing what was', async () => {
  for (const name of ['lost', 'new']) await register(name);
  await give('lost', 'stamp', { benefitId: 'tea', quantity: 2, to: '2099-12-31' });
  await give('lost', 'other', { benefitId: 'tea' });
  await give('new', 'stamp', { benefitId: 'tea', quantity: 1, to: '2099-06-30' });
  await spend('lost');
  expect(await counts('tea')).toEqual([4, 1, 0, 0, 3]);
  expect((await call(`POST ${memberPath('lost')}/merge`, { into: 'new' })).status).toBe(200);
  expect((await call(`POST ${memberPath('lost')}/merge`, { into: 'new' })).status).toBe(200);
  expect(await counts('tea')).toEqual([4, 1, 0, 0, 3]);
  await spend('new');
  expect(await counts('tea')).toEqual([4, 2, 0, 0, 2]);
  const { vouchers: books } = await get<{ vouchers: Record<string, string> }>(`${memberPath('new')}/copy`);
  expect(Object.keys(books)).toEqual(expect.arrayContaining(['tea/stamp', 'tea/other']));
  // Two grants became one, which has the later day of them, whenever they were given.
  expect(books['tea/stamp']).toMatch(/ \d+g0~2099-12-31\b/);

  expect((await call(`DELETE ${memberPath('new')}`)).status).toBe(200);
  expect((await call(`DELETE ${memberPath('new')}`)).status).toBe(200);
  expect(await counts('tea')).toEqual([4, 2, 2, 0, 0]);
  const [key] = await stage.redis.client.keys('*:vouchers-erased');
  expect(JSON.stringify(await stage.redis.client.hgetall(key!))).not.toMatch(/stamp|other|new|lost/);
  // Whoever is registered again begins with nothing.
  await register('new');
  await give('new', 'stamp', { benefitId: 'tea' });
  expect(await counts('tea')).toEqual([5, 2, 2, 0, 1]);
});

test('a grant that is given again for fewer baskets and another day, or without one, is outstanding until then', async () => {
  await register('dora');
  const [given = 0, used, revoked, ended = 0, outstanding = 0] = (await counts('tea')) as number[];
  const over = { benefitId: 'tea', quantity: 3, to: dayOf(Date.now() - DAY_MS) };
  for (const name of ['longer', 'endless']) await give('dora', name, over);
  expect(await counts('tea')).toEqual([given + 6, used, revoked, ended + 6, outstanding]);
  await give('dora', 'longer', { benefitId: 'tea', quantity: 1, to: '2099-12-31' });
  await give('dora', 'endless', { benefitId: 'tea', quantity: 1 });
  expect(await counts('tea')).toEqual([given + 6, used, revoked, ended + 4, outstanding + 2]);
});
