/** Grants given to and taken from the members of a list. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { memberToken } from '../../src/store/keys.ts';
import { memberOf, useWorkplace } from './command.ts';

const stage = useWorkplace();

const sorry = { benefitId: 'twenty', grantId: 'twenty', quantity: 1, to: '2036-12-31' };

async function grantsOf(): Promise<Record<string, unknown>> {
  const { place } = stage;
  await place.run(['export', '--out', place.path('out.ndjson')]);
  const members = place.read('out.ndjson') as { loyaltyId: string; grants: unknown }[];
  return Object.fromEntries(members.map(({ loyaltyId, grants }) => [loyaltyId, grants]));
}

test('a grant is given to a list once, and taken again, with who used it already', async () => {
  const { place } = stage;
  const members = [memberOf('anna', { tier: 'gold', grants: ['single-use'] }), memberOf('berit'), memberOf('cecilie')];
  await place.run(['import', place.write('in.ndjson', members)]);
  const list = place.write('ids.csv', [
    'loyaltyId,name',
    'anna,Anna',
    '@stranger,?',
    '1.23457E+11,Dag',
    'berit,"B"',
    'anna,A',
  ]);
  const give = ['grant', 'twenty', list, '--quantity', '1', '--to', '2036-12-31'];

  const dry = await place.run([...give, '--dry-run']);
  expect(dry).toMatchObject({ code: 1, stdout: expect.stringContaining('nothing was written') });
  expect(dry.stdout).toMatch(/would get it +2\nhad it already +1\nunknown members +1\nrejected rows +1\n/);
  expect(await grantsOf()).toEqual({ anna: ['single-use'], berit: [], cecilie: [] });

  const given = await place.run([...give, '--report', place.path('report.csv')]);
  expect(given.stdout).toMatch(/got it +2\nhad it already +1\nunknown members +1\nrejected rows +1\n/);
  expect(given.stdout).toContain('line 3, loyaltyId: "@stranger"');
  expect(given.stdout).toMatch(/line 4, loyaltyId: found "1\.23457E\+11"/);
  expect(given.stdout).toContain('line 6, loyaltyId: "anna", which is also in line 2');
  const report = readFileSync(place.path('report.csv'), 'utf8');
  expect(report).toContain('\n2,anna,given,0,0,\n');
  // No spreadsheet computes it.
  expect(report).toContain("\n3,'@stranger,unknown,");
  expect(await grantsOf()).toEqual({ anna: ['single-use', sorry], berit: [sorry], cecilie: [] });

  await place.redis.client.hset(`loyalty:staging:use:{${memberToken('coffee-club', 'anna')}}`, 'twenty/twenty:*', 1);
  const again = await place.run(give);
  expect(again.stdout).toMatch(/got it +0\nhad it already +3\n[\s\S]*have used it already +1\n/);
  expect(again.stdout).toMatch(
    /line 2, loyaltyId: "anna": The grant twenty has been used once, so it gives nothing more/,
  );

  const revoked = await place.run(['revoke', 'twenty', place.write('plain.csv', ['anna', 'cecilie'])]);
  expect(revoked).toMatchObject({ code: 0, stdout: expect.stringContaining('line 1, loyaltyId: "anna", once') });
  expect(revoked.stdout).toMatch(/no longer do +1\ndid not have it +1\nunknown members +0\nhave used it already +1\n/);
  expect(await grantsOf()).toEqual({ anna: ['single-use'], berit: [sorry], cecilie: [] });
  const noted = await place.redis.client.xrevrange('loyalty:staging:changes', '+', '-');
  expect(noted.slice(0, 3).map(([, words]) => words[3])).toEqual(['revoke by list', 'grant by list', 'grant by list']);
  expect(JSON.parse(noted[0]![1]![5]!)).toMatchObject({ file: 'plain.csv', benefitId: 'twenty', taken: 1, used: 1 });
});

test('a grant whose last day is over is given with a warning', async () => {
  const { place } = stage;
  await place.run(['import', place.write('in.ndjson', [memberOf('dora')])]);
  const give = ['grant', 'twenty', place.write('dora.csv', ['dora']), '--grant-id', 'late', '--to'];
  const ended = await place.run([...give, '2020-12-31']);
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('can give nothing now') });
  expect(ended.stdout).toContain('The grant late ended on 2020-12-31, so it gives nothing.');
  expect((await place.run([...give, '2036-12-31'])).stdout).not.toContain('can give nothing now');
});

test.each([
  [['grant', 'twenti'], 'did you mean twenty?'],
  [['grant', 'twenty', '--to', '31.12.2026'], '--to: found "31.12.2026"'],
])('%j is refused before anything is written', async ([kind, benefit, ...options], words) => {
  const { place } = stage;
  const ran = await place.run([kind!, benefit!, place.write('ids.csv', ['anna']), ...options]);
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
});
