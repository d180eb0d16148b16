/** Lists that people keep in spreadsheets, and what becomes of grants whose campaigns ended. */
import { expect, test } from 'vitest';
import { memberToken } from '../../src/store/keys.ts';
import { memberOf, useWorkplace } from './command.ts';

const stage = useWorkplace();

test('an export reads back into an empty Redis, with grants whose campaigns ended', async () => {
  const { place } = stage;
  const card = { benefitId: 'last-winter', grantId: 'card-7', quantity: 1 };
  await place.run(['import', place.write('in.ndjson', [memberOf('anna', { tier: 'gold' }), memberOf('berit')])]);
  const key = `loyalty:staging:member:{${memberToken('coffee-club', 'anna')}}`;
  await place.redis.client.hset(key, 'grants', 'twenty', 'vouchers', JSON.stringify([card]));
  await place.run(['export', '--out', place.path('out.ndjson')]);
  const anna = memberOf('anna', { tier: 'gold', grants: ['twenty', card] });
  for (const replacing of [[], ['--replace']]) {
    await place.redis.client.flushall();
    const read = await place.run(['import', place.path('out.ndjson'), ...replacing]);
    expect(read).toMatchObject({ code: 0, stderr: expect.any(String) });
    expect(read.stdout).toMatch(/rejected +0\n/);
    expect(read.stdout).toMatch(/given, of ended benefits +1\n/);
    await place.run(['export', '--out', place.path('again.ndjson')]);
    expect(place.read('again.ndjson')).toEqual([{ ...anna, ended: ['last-winter'] }, memberOf('berit')]);
  }
  // An export from before the campaign ended does not say so, and neither does a list with a misspelt benefit.
  await place.redis.client.flushall();
  const before = place.write('before.ndjson', [anna]);
  expect(await place.run(['import', before])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('--keep-ended'),
  });
  expect(await place.run(['import', before, '--keep-ended'])).toMatchObject({ code: 0 });
  const more = place.write('more.ndjson', [memberOf('anna', { addGrants: ['thirty'] })]);
  expect(await place.run(['import', more, '--keep-ended'])).toMatchObject({ code: 1 });
});

test('what a spreadsheet breaks is reported with row, column, what was found and what to do', async () => {
  const { place } = stage;
  const lines = [
    'loyaltyId,status,tier',
    '1.23457E+11,active,',
    'anna,active,glod',
    ' berit,active,',
    'anna,active,gold',
  ];
  const file = place.write('sheet.csv', lines);
  place.config = 'config/staging.yaml';
  for (const options of [['--dry-run'], []]) {
    const ran = await place.run(['import', file, '--programme', 'coffee-club', ...options]);
    expect(ran).toMatchObject({ code: 1 });
    expect(ran.stdout).toMatch(/line 2, loyaltyId: found "1\.23457E\+11", allowed: the whole ID/);
    expect(ran.stdout).toMatch(/line 4, loyaltyId: found " berit", with blanks around it, allowed: "berit"/);
    expect(ran.stdout).toMatch(/line 3, tier: found "glod", which no benefit names; did you mean gold\?/);
    expect(ran.stdout).toMatch(/line 5, loyaltyId: "anna", which is also in line 3/);
  }
  for (const name of ['empty.csv', 'empty.ndjson']) {
    const empty = await place.run(['import', place.write(name, [])]);
    expect(empty).toMatchObject({ code: 2, stderr: expect.stringContaining('is empty') });
  }
});

test('a quote that is never closed costs one row, of a list of very many short ones too', async () => {
  const ids = Array.from({ length: 130_000 }, (_, index) => String(index).padStart(5, '0'));
  const file = stage.place.write('ids.csv', ['loyaltyId', `"${ids[0]}`, ...ids.slice(1)]);
  // A list without a programme is checked no further, which is fast.
  const ran = await stage.place.run(['import', file, '--dry-run', '--rejects', '/dev/null']);
  expect(ran).toMatchObject({ code: 1, stdout: expect.stringMatching(/read +130,000\n/) });
  expect(ran.stdout).toContain('line 2: found a quoted cell that is never closed');
});
