/** Members in and out, against a real Redis: what is read, what is refused, what changes, and what is told of it. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { memberToken } from '../../src/store/keys.ts';
import { runCommand } from '../support/run-command.ts';
import { memberOf, useWorkplace } from './command.ts';

const stage = useWorkplace();

/** Sorted as the exports are that they are compared with. */
const sorted = (members: readonly object[]): object[] =>
  members
    .map((member) => JSON.stringify(member))
    .sort()
    .map((text) => JSON.parse(text) as object);

/** What is stored, by an export to a file. */
async function exported(): Promise<unknown[]> {
  const out = stage.place.path('out.ndjson');
  expect(await stage.place.run(['export', '--out', out])).toMatchObject({ code: 0 });
  return stage.place.read('out.ndjson');
}

test('what was imported is exported again, opaque IDs to the last unit, and a second import writes what changed', async () => {
  const { place } = stage;
  const members = [
    ...Array.from({ length: 700 }, (_, index) => memberOf(`card ${index}`)),
    memberOf('gold', { tier: 'gold', memberLabel: 'Gold {friend}', grants: ['twenty', 'single-use'] }),
    memberOf('stamps', {
      grants: ['twenty', { benefitId: 'twenty', grantId: 'card-7', quantity: 2, to: '2026-12-31' }],
    }),
    ...['{a}:b', 'line\nbreak', '\ud800', '🎁'.repeat(64)].map((id) => memberOf(id, { status: 'blocked' })),
  ];
  const imported = await place.run(['import', place.write('in.ndjson', members)]);
  expect(imported).toMatchObject({ code: 0, stdout: expect.stringMatching(/written +706\n/) });
  expect(await exported()).toEqual(sorted(members));
  expect(statSync(place.path('out.ndjson')).mode & 0o777).toBe(0o600);
  for (const left of ['import-state', 'rejects.ndjson'])
    expect(existsSync(place.path(`in.ndjson.${left}`))).toBe(false);
  members[700] = memberOf('gold');
  const again = await place.run(['import', place.write('in.ndjson', members), '--replace']);
  expect(again.stdout).toMatch(/written +706\nof these unchanged +705\n/);
});

test('bad rows are named by line and field, and the others are written', async () => {
  const { place } = stage;
  const file = place.write('in.ndjson', [
    memberOf('good'),
    'no json',
    memberOf('lost', { programmeId: 'tea-club' }),
    '',
    memberOf('granted', { grants: ['twenty', 'thirty'] }),
    memberOf('odd', { status: 'dormant' }),
    memberOf('typed', { teir: 'gold' }),
    memberOf('x'.repeat(65)),
    '[]',
    memberOf('last'),
  ]);
  const ran = await place.run(['import', file, '--rejects', place.path('rejects')]);
  expect(ran).toMatchObject({ code: 1, stdout: expect.stringMatching(/read +9\nwritten +2\n.*\nrejected +7\n/) });
  expect(ran.stdout).toContain(place.path('rejects'));
  const rejects = place.read('rejects') as { line: number }[];
  expect(rejects.toSorted((one, other) => one.line - other.line)).toEqual([
    { line: 2, field: '', reason: 'found something else, allowed: one JSON object' },
    { line: 3, field: 'programmeId', reason: 'found "tea-club", allowed: one of coffee-club' },
    { line: 5, field: 'grants[1]', reason: 'found "thirty", allowed: one of half-units, single-use, twenty' },
    { line: 6, field: 'status', reason: 'found "dormant", allowed: one of active, paused, expired, blocked' },
    {
      line: 7,
      field: '',
      reason: expect.stringMatching(/unknown field "teir", allowed: .*, grants, addGrants, removeGrants, ended$/),
    },
    { line: 8, field: 'loyaltyId', reason: expect.stringContaining('1 to 64 characters') },
    { line: 9, field: '', reason: 'found [], allowed: a mapping' },
  ]);
  const onlyBad = place.write('bad.ndjson', ['no json']);
  expect(await place.run(['import', onlyBad])).toMatchObject({ code: 1 });
  expect(await place.run(['import', onlyBad, '--allow-rejects'])).toMatchObject({ code: 0 });
  // A run without rejects leaves none of an earlier one.
  expect(existsSync(`${onlyBad}.rejects.ndjson`)).toBe(true);
  expect(await place.run(['import', place.write('bad.ndjson', [memberOf('good')])])).toMatchObject({ code: 0 });
  expect(existsSync(`${onlyBad}.rejects.ndjson`)).toBe(false);
});

test('CSV is read by its header, from standard input too', async () => {
  const { place } = stage;
  const lines = [
    '\ufeffloyaltyId,status,memberLabel,grants,tier',
    'anna,active,"Gold, with ""quotes""\nand a line",twenty;single-use,gold',
    'berit,paused,,,',
    'one,too,few',
    'dag,active,,thirty,',
    'eva,active,,,',
  ];
  const args = ['import', '-', '--format', 'csv', '--programme', 'coffee-club', '--rejects', place.path('rejects')];
  expect(await place.run(args, `${lines.join('\r\n')}\r\n`)).toMatchObject({ code: 1 });
  expect(place.read('rejects')).toEqual([
    { line: 5, field: '', reason: 'found 3 cells, allowed: 5, as in the header' },
    { line: 6, field: 'grants[0]', reason: expect.stringContaining('thirty') },
  ]);
  const label = 'Gold, with "quotes"\nand a line';
  const anna = memberOf('anna', { tier: 'gold', memberLabel: label, grants: ['twenty', 'single-use'] });
  const members = [anna, memberOf('berit', { status: 'paused' }), memberOf('eva')];
  expect(await exported()).toEqual(members);
  const { stdout } = await place.run(['export']);
  expect(
    sorted(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ),
  ).toEqual(members);
});

test('an import changes what it names and nothing else, a dry run counts it before, and the list of changes has it', async () => {
  const { place } = stage;
  const card = { benefitId: 'twenty', grantId: 'card-7', quantity: 2 };
  const anna = memberOf('anna', { tier: 'gold', memberLabel: 'Gold', grants: ['twenty', card] });
  await place.run(['import', place.write('in.ndjson', [anna, memberOf('berit', { tier: 'silver' })])]);
  const file = place.write('sorry.csv', ['loyaltyId,addGrants,removeGrants', 'anna,single-use,card-7', 'stranger,,']);
  const args = ['import', file, '--programme', 'coffee-club'];
  const counts = /new +0\nanother status +0\nanother tier +0\nanother label +0\ngrants given +1\ngrants taken +1\n/;
  const before = await exported();
  const rehearsed = await place.run([...args, '--dry-run']);
  expect(rehearsed.stdout).toMatch(counts);
  expect(rehearsed.stdout).toContain('grants given:\n  "anna": single-use\n');
  expect(rehearsed.stdout).toContain('grants taken:\n  "anna": twenty (card-7)\n');
  expect(await exported()).toEqual(before);
  expect((await place.run(args)).stdout).toMatch(counts);
  expect(place.read('sorry.csv.rejects.ndjson')).toEqual([
    { line: 3, field: 'status', reason: expect.stringContaining('no such member is stored') },
  ]);
  await place.run(['import', place.write('tier.csv', ['loyaltyId,tier', 'berit,']), '--programme', 'coffee-club']);
  expect(await exported()).toEqual(sorted([{ ...anna, grants: ['twenty', 'single-use'] }, memberOf('berit')]));
  const noted = await place.redis.client.xrange('loyalty:staging:changes', '-', '+');
  const [, , , action, , facts] = noted[1]![1];
  expect(action).toBe('import members');
  expect(JSON.parse(facts!)).toMatchObject({
    file: 'sorry.csv',
    sha256: createHash('sha256').update(readFileSync(file)).digest('hex'),
    written: 1,
    rejected: 1,
    granted: 1,
    taken: 1,
    tier: 0,
  });
});

test('an export reads back into an empty Redis, with grants whose campaigns ended', async () => {
  const { place } = stage;
  const card = { benefitId: 'last-winter', grantId: 'card-7', quantity: 1 };
  await place.run(['import', place.write('in.ndjson', [memberOf('anna', { tier: 'gold' }), memberOf('berit')])]);
  const key = `loyalty:staging:member:{${memberToken('coffee-club', 'anna')}}`;
  await place.redis.client.hset(key, 'grants', 'twenty', 'vouchers', JSON.stringify([card]));
  const anna = memberOf('anna', { tier: 'gold', grants: ['twenty', card] });
  const before = [{ ...anna, ended: ['last-winter'] }, memberOf('berit')];
  expect(await exported()).toEqual(before);
  for (const replacing of [[], ['--replace']]) {
    await place.redis.client.flushall();
    const read = await place.run(['import', place.path('out.ndjson'), ...replacing]);
    expect(read).toMatchObject({ code: 0, stdout: expect.stringMatching(/given, of ended benefits +1\n/) });
    expect(await exported()).toEqual(before);
  }
  // A member who has such a grant can be given others.
  const csv = place.write('more.csv', ['programmeId,loyaltyId,addGrants', 'coffee-club,anna,single-use']);
  expect(await place.run(['import', csv])).toMatchObject({ code: 0 });
  // An export from before the campaign ended does not say so, and neither does a list with a misspelt benefit.
  await place.redis.client.flushall();
  const old = place.write('before.ndjson', [anna]);
  const unknown = await place.run(['import', old]);
  expect(unknown).toMatchObject({ code: 1, stdout: expect.stringContaining('--keep-ended') });
  expect(await place.run(['import', old, '--keep-ended'])).toMatchObject({ code: 0 });
  const more = place.write('more.ndjson', [memberOf('anna', { addGrants: ['thirty'] })]);
  expect(await place.run(['import', more, '--keep-ended'])).toMatchObject({ code: 1 });
});

test('what a spreadsheet breaks is reported with row, column, what was found and what to do', async () => {
  const { place } = stage;
  place.config = 'config/staging.yaml';
  const lines = ['1.23457E+11,active,', 'anna,active,glod', ' berit,active,', 'anna,active,gold', '"a\nb",dormant,'];
  const file = place.write('sheet.csv', ['loyaltyId,status,tier', ...lines]);
  for (const options of [['--dry-run'], []]) {
    const { code, stdout } = await place.run(['import', file, '--programme', 'coffee-club', ...options]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/line 2, loyaltyId: found "1\.23457E\+11", allowed: the whole ID/);
    expect(stdout).toMatch(/line 4, loyaltyId: found " berit", with blanks around it, allowed: "berit"/);
    expect(stdout).toMatch(/line 3, tier: found "glod", which no benefit names; did you mean gold\?/);
    expect(stdout).toMatch(/line 5, loyaltyId: "anna", which is also in line 3/);
    expect(stdout).toMatch(/lines 6 to 7, status: found "dormant"/);
  }
  const rejects = place.read('sheet.csv.rejects.ndjson');
  expect(rejects[2]).toEqual({ line: 6, lastLine: 7, field: 'status', reason: expect.stringContaining('dormant') });
});

test('a dry run writes nothing but the rejected rows', async () => {
  const { place } = stage;
  const { code, stdout } = await place.run([
    'import',
    place.write('in.ndjson', [memberOf('anna'), 'no json']),
    '--dry-run',
  ]);
  expect([code, stdout]).toEqual([1, expect.stringMatching(/nothing was written.*would be written +1\n/s)]);
  expect(stdout).not.toMatch(/^written/m);
  expect(place.read('in.ndjson.rejects.ndjson')).toHaveLength(1);
  // Nor does it remove anything: the rejects of an import belong to it.
  expect(await place.run(['import', place.write('in.ndjson', [memberOf('anna')]), '--dry-run'])).toMatchObject({
    code: 0,
  });
  expect(place.read('in.ndjson.rejects.ndjson')).toHaveLength(1);
  expect(await place.redis.client.dbsize()).toBe(0);
});

test('without Redis a dry run checks the rows alone', async () => {
  const { place } = stage;
  const rows = [memberOf('anna', { status: undefined }), memberOf('anna', { tier: 'glod' }), 'no json'];
  const file = place.write('in.ndjson', rows);
  const env = { LOYALTY_CONFIG: 'config/staging.yaml', DATA_DIR: place.directory };
  const { code, stdout } = await runCommand(['members', 'import', file, '--dry-run'], env);
  expect(code).toBe(1);
  expect(stdout).toMatch(/would be written +2\nof these unchanged +0\nrejected +1\nnew +0\n/);
  expect(stdout).toContain('\nRedis cannot be reached, so that nobody knows what would change.\n');
  expect(stdout).toContain('line 2, tier: found "glod", which no benefit names; did you mean gold?');
  expect(stdout).toContain('line 2, loyaltyId: "anna", which is also in line 1');
});

test('a row that would change a member of the configuration file is rejected, and one that leaves it as it is there is none', async () => {
  const { place } = stage;
  /** In the tests' configuration. */
  const inFile = memberOf('member-twenty', { grants: ['twenty'] });
  const file = place.write('in.ndjson', [
    inFile,
    { programmeId: 'coffee-club', loyaltyId: 'member-twenty', addGrants: ['single-use'] },
    { ...inFile, status: 'blocked' },
    { programmeId: 'coffee-club', loyaltyId: 'member-plain', tier: null },
    { ...inFile, loyaltyId: 'another' },
  ]);
  for (const more of [['--dry-run'], ['--dry-run', '--replace'], []]) {
    const imported = await place.run(['import', file, ...more]);
    expect([more, imported.code]).toEqual([more, 1]);
    // With --replace the rows without a status are rejected by their shape.
    const rejects = place.read('in.ndjson.rejects.ndjson') as { line: number; reason: string }[];
    expect(rejects.map(({ line }) => line)).toEqual(more.includes('--replace') ? [2, 3, 4] : [2, 3]);
    expect(rejects.find(({ line }) => line === 3)).toEqual({
      line: 3,
      field: 'loyaltyId',
      reason:
        'found "member-twenty", which is in the configuration file, allowed: another member; change this one in the file, which every start writes',
    });
  }
  const { stdout } = await place.run(['import', file, '--allow-rejects']);
  expect(stdout).toMatch(/written +3\nof these unchanged +3\nrejected +2\n/);
  expect(stdout).toMatch(/grants given +0\n/);
  expect(await exported()).toMatchObject([
    { ...inFile, loyaltyId: 'another' },
    { loyaltyId: 'member-plain', grants: [] },
    inFile,
  ]);
});

describe('what cannot be imported', () => {
  test.each([
    ['in.csv', ['loyaltyId,status'], 'has a header and no row'],
    ['in.csv', [], 'is empty'],
    ['in.ndjson', [''], 'is empty'],
  ])('%s with the lines %j is an error, and leaves nothing to resume', async (name, lines, words) => {
    const file = stage.place.write(name, lines);
    for (const more of [[], ['--dry-run']]) {
      const { code, stderr } = await stage.place.run(['import', file, ...more, '--programme', 'coffee-club']);
      expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
      expect(stderr).not.toContain('--resume');
    }
    expect(existsSync(`${file}.import-state`)).toBe(false);
  });

  test.each([
    [[], 'Usage: npx loyalty members'],
    [['import', 'nowhere.ndjson'], 'there is no file'],
    [['import', 'config'], 'config is a folder, allowed: a file'],
    [['import', '/dev/null'], '/dev/null is a pipe or a device, allowed: a file'],
    [['import', '-', '--resume'], '--resume'],
    [['import', '-', '--programme', 'tea'], '--programme: found "tea", allowed: coffee-club'],
  ])('%j is refused in words', async (args, words) => {
    expect(await stage.place.run(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
  });
});
