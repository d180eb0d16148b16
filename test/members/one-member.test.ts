/** What is done to one member by a command: merged, given back, copied and erased with a certificate. */
import { execFile } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { memberToken } from '../../src/store/keys.ts';
import { ROOT } from '../architecture/source.ts';
import { memberOf, useWorkplace } from './command.ts';

const stage = useWorkplace();

const card = (grantId: string) => ({ benefitId: 'twenty', grantId, quantity: 1 });
const useKey = (loyaltyId: string) => `loyalty:staging:use:{${memberToken('coffee-club', loyaltyId)}}`;

test('a member is merged, given a use back, copied as a file, and erased with a certificate', async () => {
  const { place } = stage;
  const member = (loyaltyId: string, grantId: string) => memberOf(loyaltyId, { grants: [card(grantId)] });
  await place.run(['import', place.write('in.ndjson', [member('old', 'a'), member('new', 'b')])]);
  await place.redis.client.hset(useKey('old'), 'twenty/a:*', 1);

  const merged = await place.run(['merge', 'old', 'new']);
  expect(merged).toMatchObject({ code: 0, stdout: expect.stringContaining('1 grants, 1 counters') });
  const unknown = await place.run(['merge', 'new', 'nobody']);
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('has no member "nobody"') });
  // The nightly list still has the old card, and a list of vouchers may.
  const nightly = await place.run(['import', place.write('nightly.ndjson', [member('old', 'a')])]);
  expect(nightly).toMatchObject({ code: 1, stdout: expect.stringContaining('which was merged into "new"') });
  const ids = place.write('ids.csv', ['old']);
  const listed = await place.run(['grant', 'twenty', ids, '--grant-id', 'c', '--quantity', '1']);
  expect(listed.stdout).toMatch(/got it +1\n/);

  const wrong = await place.run(['give-back', 'old', 'b', '--reason', 'none']);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('only of: twenty/a:*') });
  const back = await place.run(['give-back', 'old', 'a', '--reason', 'spent by mistake']);
  expect(back).toMatchObject({ code: 0, stdout: '1 of twenty/a:* given back; 0 stay consumed.\n' });

  const file = place.path('copy.json');
  expect(await place.run(['copy', 'old', '--out', file])).toMatchObject({ code: 0 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    loyaltyId: 'new',
    mergedLoyaltyIds: ['old'],
    member: { grants: [card('b'), card('a'), card('c')] },
    used: { 'twenty/a:*': 0 },
    calculations: [],
  });

  const certificate = place.path('certificate.json');
  const refused = await place.run(['erase', 'old', '--certificate', certificate]);
  expect([refused.code, existsSync(certificate)]).toEqual([2, false]);
  expect(await place.run(['erase', 'new', '--certificate', certificate])).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(certificate, 'utf8'))).toMatchObject({
    certificate: 'erasure of a member',
    environment: 'staging',
    loyaltyIdDigest: memberToken('coffee-club', 'new'),
    erased: { member: true, mergedLoyaltyIds: 1 },
    remaining: 0,
  });
  expect(await place.redis.client.keys(`*{${memberToken('coffee-club', 'old')}}*`)).toEqual([]);
  const noted = await place.redis.client.xrange('loyalty:staging:changes', '-', '+');
  const actions = ['merge member', 'give back use', 'copy member', 'erase member'];
  expect(noted.map(([, words]) => words[3])).toEqual(expect.arrayContaining(actions));
  expect(JSON.stringify(noted)).not.toContain('"new"');
});

test('a certificate that cannot be written after the erasure is printed', async () => {
  const { place } = stage;
  await place.run(['import', place.write('in.ndjson', [memberOf('gone')])]);
  const certificate = place.path('certificate.json');
  mkdirSync(`${certificate}.partial`);
  const { code, stdout, stderr } = await place.run(['erase', 'gone', '--certificate', certificate]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('EISDIR')]);
  expect(JSON.parse(stdout)).toMatchObject({ certificate: 'erasure of a member', erased: { member: true } });
});

test('a device as an output is written and not replaced', async () => {
  const { place } = stage;
  await place.run(['import', place.write('in.ndjson', [memberOf('anna')])]);
  const device = place.path('device');
  symlinkSync('/dev/null', device);
  for (const args of [['export'], ['copy', 'anna']]) {
    expect(await place.run([...args, '--out', device])).toMatchObject({ code: 0 });
    expect(lstatSync(device).isSymbolicLink()).toBe(true);
  }
});

test('of two programmes the one is meant that has the member', async () => {
  const { place } = stage;
  place.config = 'config/staging.yaml';
  const members = [
    ...['lost', 'found', 'both'].map((id) => memberOf(id)),
    memberOf('both', { programmeId: 'harbour-bistro' }),
  ];
  await place.run(['import', place.write('in.ndjson', members)]);
  expect(await place.run(['merge', 'lost', 'found'])).toMatchObject({ code: 0, stderr: '' });
  expect(await place.run(['copy', 'lost'])).toMatchObject({ code: 0, stdout: expect.stringContaining('"found"') });
  for (const [loyaltyId, why] of Object.entries({ both: 'several have', stranger: 'none of them has' })) {
    const allowed = `one of coffee-club, harbour-bistro, because ${why} the member "${loyaltyId}"`;
    const stderr = `members: --programme: found nothing, allowed: ${allowed}\n`;
    expect(await place.run(['copy', loyaltyId])).toMatchObject({ code: 2, stderr });
  }
  const nowhere = await place.run(['export', '--programme', 'nope', '--out', place.path('out.ndjson')]);
  const known = 'members: --programme: found "nope", allowed: coffee-club, harbour-bistro\n';
  expect([nowhere.code, nowhere.stderr, existsSync(place.path('out.ndjson'))]).toEqual([2, known, false]);
  const named = await place.run(['copy', 'both', '--programme', 'harbour-bistro']);
  expect(named).toMatchObject({ code: 0, stdout: expect.stringContaining('"harbour-bistro"') });
  const list = place.write('ids.csv', ['both']);
  const granted = await place.run(['grant', 'birthday-trea', list]);
  expect(granted).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean birthday-treat?') });
});

test.skipIf(process.getuid?.() !== 0)('a user without a name is noted by number', async () => {
  const program = `const { userName } = await import('./packages/tools/src/commands/open-store.ts');
    process.setuid(54321);
    console.log(userName());`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { cwd: ROOT });
  expect(stdout).toBe('uid 54321\n');
});
