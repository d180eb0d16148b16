/** Members in and out, against a real Redis: what is read, what is refused, what a killed import leaves. */

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { until } from '../support/wait.ts';
import { memberOf, useWorkplace } from './command.ts';

/** The key that notes the format of what is stored. */
const FORMAT_KEY = 1;
/** The list of changes, in which the import stands. */
const CHANGES_KEY = 1;

const stage = useWorkplace();

/** Sorted as the exports are that they are compared with. */
const sorted = (members: readonly object[]): object[] =>
  members
    .map((member) => JSON.stringify(member))
    .sort()
    .map((text) => JSON.parse(text) as object);

test('what was imported is exported again, opaque IDs to the last unit', async () => {
  const { place } = stage;
  const members = [
    ...Array.from({ length: 3000 }, (_, index) => memberOf(`card ${index}`)),
    memberOf('gold', { tier: 'gold', memberLabel: 'Gold {friend}', grants: ['twenty', 'single-use'] }),
    memberOf('stamps', {
      grants: ['twenty', { benefitId: 'twenty', grantId: 'card-7', quantity: 2, to: '2026-12-31' }],
    }),
    ...['{a}:b', 'line\nbreak', '\ud800', '🎁'.repeat(64)].map((id) => memberOf(id, { status: 'blocked' })),
  ];
  const imported = await place.run(['import', place.write('in.ndjson', members)]);
  expect(imported).toMatchObject({ code: 0 });
  expect(imported.stdout).toMatch(/written +3,006\n/);
  expect(await place.run(['export', '--out', place.path('out.ndjson')])).toMatchObject({ code: 0 });
  const fields = ({ programmeId, loyaltyId, status, tier, memberLabel, grants }: Record<string, unknown>) => ({
    programmeId,
    loyaltyId,
    status,
    tier,
    memberLabel,
    grants,
  });
  expect(place.read('out.ndjson')).toEqual(sorted(members.map(fields)));
  expect(statSync(place.path('out.ndjson')).mode & 0o777).toBe(0o600);
  expect(existsSync(place.path('in.ndjson.import-state'))).toBe(false);
  expect(existsSync(place.path('in.ndjson.rejects.ndjson'))).toBe(false);
});

test('a second import finds everything as it was, and writes only what changed', async () => {
  const { place } = stage;
  const members = Array.from({ length: 700 }, (_, index) => memberOf(`card ${index}`, { tier: 'gold' }));
  await place.run(['import', place.write('in.ndjson', members)]);
  members[699] = memberOf('card 699');
  const again = await place.run(['import', place.write('in.ndjson', members), '--replace']);
  expect(again.stdout).toMatch(/written +700\nof these unchanged +699\n/);
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
  expect(ran).toMatchObject({ code: 1 });
  expect(ran.stdout).toMatch(/read +9\nwritten +2\n.*\nrejected +7\n/);
  expect(ran.stdout).toContain(place.path('rejects'));
  expect(
    readFileSync(place.path('rejects'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { line: 2, field: '', reason: 'found something else, allowed: one JSON object' },
    { line: 3, field: 'programmeId', reason: 'found "tea-club", allowed: one of coffee-club' },
    { line: 5, field: 'grants[1]', reason: 'found "thirty", allowed: one of half-units, single-use, twenty' },
    { line: 6, field: 'status', reason: 'found "dormant", allowed: one of active, paused, expired, blocked' },
    { line: 7, field: '', reason: expect.stringContaining('unknown field "teir"') },
    { line: 8, field: 'loyaltyId', reason: expect.stringContaining('1 to 64 characters') },
    { line: 9, field: '', reason: 'found [], allowed: a mapping' },
  ]);
  const onlyBad = place.write('bad.ndjson', ['no json']);
  expect(await place.run(['import', onlyBad])).toMatchObject({ code: 1 });
  expect(await place.run(['import', file, '--allow-rejects'])).toMatchObject({ code: 0 });
  expect(await place.run(['import', onlyBad, '--allow-rejects'])).toMatchObject({ code: 0 });
  // A run without rejects leaves none of an earlier one.
  expect(existsSync(`${onlyBad}.rejects.ndjson`)).toBe(true);
  expect(await place.run(['import', place.write('bad.ndjson', [memberOf('good')])])).toMatchObject({ code: 0 });
  expect(existsSync(`${onlyBad}.rejects.ndjson`)).toBe(false);
});

test('a CSV with one unclosed quote: every row is taken or named', async () => {
  const { place } = stage;
  const count = 3000;
  const lines = Array.from({ length: count }, (_, index) => `card ${index + 2},active,`);
  lines[777] = '"card 779,active,';
  lines[829] = '"card 831",active,';
  lines[1200] = '"card\n1202",dormant,';
  const file = place.write('in.csv', ['loyaltyId,status,tier', ...lines]);
  const ran = await place.run(['import', file, '--programme', 'coffee-club']);
  expect(ran).toMatchObject({ code: 1 });
  expect(ran.stdout).toMatch(/read +3,000\nwritten +2,998\n.*\nrejected +2\n/);
  expect(place.read('in.csv.rejects.ndjson')).toEqual([
    { line: 1202, lastLine: 1203, field: 'status', reason: expect.stringContaining('dormant') },
    { line: 779, field: '', reason: expect.stringContaining('never closed') },
  ]);
  expect(await place.redis.client.dbsize()).toBe(2998 + FORMAT_KEY + CHANGES_KEY);
  const [[, words]] = (await place.redis.client.xrange('loyalty:staging:changes', '-', '+')) as [[string, string[]]];
  expect(words.slice(2, 4)).toEqual(['action', 'import members']);
  expect(JSON.parse(words[5]!)).toMatchObject({ written: 2998 });
});

test('CSV is read by its header, from a file or standard input', async () => {
  const { place } = stage;
  const lines = [
    '\ufeffloyaltyId,status,memberLabel,grants,tier',
    'anna,active,"Gold, with ""quotes""\nand a line",twenty;single-use,gold',
    'berit,paused,,,',
    'one,too,few',
    'dag,active,,thirty,',
    'eva,active,,,',
  ];
  const csv = `${lines.join('\r\n')}\r\n`;
  const ran = await place.run(
    ['import', '-', '--format', 'csv', '--programme', 'coffee-club'].concat('--rejects', place.path('rejects')),
    csv,
  );
  expect(ran).toMatchObject({ code: 1 });
  expect(place.read('rejects')).toEqual([
    { line: 5, field: '', reason: 'found 3 cells, allowed: 5, as in the header' },
    { line: 6, field: 'grants[0]', reason: expect.stringContaining('thirty') },
  ]);
  const exported = await place.run(['export']);
  const members = exported.stdout
    .trimEnd()
    .split('\n')
    .sort()
    .map((line) => JSON.parse(line));
  expect(members).toEqual([
    memberOf('anna', {
      tier: 'gold',
      memberLabel: 'Gold, with "quotes"\nand a line',
      grants: ['twenty', 'single-use'],
    }),
    memberOf('berit', { status: 'paused' }),
    memberOf('eva'),
  ]);
  const odd = await place.run(['import', place.write('odd.csv', ['loyaltyId,level', 'a,b'])]);
  expect(odd).toMatchObject({ code: 2, stderr: expect.stringContaining('the column "level"') });
});

test('an import changes what it names and nothing else, and a dry run counts it before', async () => {
  const { place } = stage;
  const card = { benefitId: 'twenty', grantId: 'card-7', quantity: 2 };
  const anna = memberOf('anna', { tier: 'gold', memberLabel: 'Gold', grants: ['twenty', card] });
  await place.run(['import', place.write('in.ndjson', [anna, memberOf('berit', { tier: 'silver' })])]);
  const file = place.write('sorry.csv', ['loyaltyId,addGrants,removeGrants', 'anna,single-use,card-7', 'stranger,,']);
  const args = ['import', file, '--programme', 'coffee-club'];
  const counts = /new +0\nanother status +0\nanother tier +0\nanother label +0\ngrants given +1\ngrants taken +1\n/;
  const before = await place.redis.client.hgetall((await place.redis.client.keys('*:member:*'))[0]!);
  const rehearsed = await place.run([...args, '--dry-run']);
  expect(rehearsed.stdout).toMatch(counts);
  expect(rehearsed.stdout).toContain('grants given:\n  "anna": single-use\n');
  expect(rehearsed.stdout).toContain('grants taken:\n  "anna": twenty (card-7)\n');
  expect(await place.redis.client.hgetall((await place.redis.client.keys('*:member:*'))[0]!)).toEqual(before);
  const ran = await place.run(args);
  expect(ran.stdout).toMatch(counts);
  expect(place.read('sorry.csv.rejects.ndjson')).toEqual([
    { line: 3, field: 'status', reason: expect.stringContaining('no such member is stored') },
  ]);
  await place.run(['import', place.write('tier.csv', ['loyaltyId,tier', 'berit,']), '--programme', 'coffee-club']);
  await place.run(['export', '--out', place.path('out.ndjson')]);
  expect(place.read('out.ndjson')).toEqual(sorted([{ ...anna, grants: ['twenty', 'single-use'] }, memberOf('berit')]));
  const noted = await place.redis.client.xrange('loyalty:staging:changes', '-', '+');
  expect(JSON.parse(noted[1]![1]![5]!)).toMatchObject({
    ...{ file: 'sorry.csv', sha256: createHash('sha256').update(readFileSync(file)).digest('hex') },
    ...{ granted: 1, taken: 1, tier: 0, rejected: 1 },
  });
});

test('a grant whose campaign ended is no reason to reject the export that names it', async () => {
  const { place } = stage;
  await place.run(['import', place.write('in.ndjson', [memberOf('anna')])]);
  const [key] = await place.redis.client.keys('*:member:*');
  await place.redis.client.hset(key!, 'grants', 'last-winter,twenty');
  await place.run(['export', '--out', place.path('out.ndjson')]);
  expect(await place.run(['import', place.path('out.ndjson'), '--replace'])).toMatchObject({ code: 0 });
  const file = place.write('more.csv', ['programmeId,loyaltyId,addGrants', 'coffee-club,anna,single-use']);
  expect(await place.run(['import', file])).toMatchObject({ code: 0 });
  await place.run(['export', '--out', place.path('out.ndjson')]);
  expect(place.read('out.ndjson')).toEqual([
    memberOf('anna', { grants: ['last-winter', 'twenty', 'single-use'], ended: ['last-winter'] }),
  ]);
});

test('a dry run writes nothing and needs no Redis', async () => {
  const { place } = stage;
  const file = place.write('in.ndjson', [memberOf('anna'), 'no json']);
  const ran = await place.run(['import', file, '--dry-run']);
  expect(ran).toMatchObject({ code: 1, stdout: expect.stringContaining('nothing was written') });
  expect(place.read('in.ndjson.rejects.ndjson')).toHaveLength(1);
  // Nor does it remove anything: the rejects of an import belong to it.
  expect(await place.run(['import', place.write('in.ndjson', [memberOf('anna')]), '--dry-run'])).toMatchObject({
    code: 0,
  });
  expect(place.read('in.ndjson.rejects.ndjson')).toHaveLength(1);
  expect(await place.redis.client.dbsize()).toBe(0);
});

test('an import that was killed goes on where it was', async () => {
  const { place } = stage;
  const count = 40_000;
  const rows = Array.from({ length: count }, (_, index) =>
    index % 100 === 99 ? 'no json' : memberOf(`card ${index}`),
  );
  const file = place.write('in.ndjson', rows);
  const child = place.spawn(['import', file]);
  // With Redis standing still the import cannot end before it is killed.
  await until('a checkpoint', () => existsSync(`${file}.import-state`));
  place.redis.pause();
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
  place.redis.resume();

  const resumed = await place.run(['import', file, '--resume']);
  expect(resumed).toMatchObject({ code: 1 });
  expect(resumed.stdout).toMatch(/done by an earlier run +\d/);
  expect(resumed.stdout).toMatch(/read +40,000\nwritten +39,600\n.*\nrejected +400\n/);
  const lines = place.read('in.ndjson.rejects.ndjson') as { line: number }[];
  expect(new Set(lines.map(({ line }) => line)).size).toBe(400);
  expect(lines).toHaveLength(400);
  expect(await place.redis.client.dbsize()).toBe(39_600 + FORMAT_KEY + CHANGES_KEY);
  expect(existsSync(`${file}.import-state`)).toBe(false);
});

test('a changed input is not resumed', async () => {
  const { place } = stage;
  const file = place.write('in.ndjson', [memberOf('anna')]);
  place.write('in.ndjson.import-state', [{ input: 'another', position: { line: 1, offset: 9 }, counts: {} }]);
  expect(await place.run(['import', file, '--resume'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('changed input'),
  });
});

test.each([
  [[], 'Usage: npx loyalty members'],
  [['import'], "missing required argument 'file'"],
  [['import', 'nowhere.ndjson'], 'there is no file'],
  [['import', 'config'], 'config is a folder, allowed: a file'],
  [['import', '/dev/null'], '/dev/null is a pipe or a device, allowed: a file'],
  [['import', '-', '--resume'], '--resume'],
  [['import', '-', '--format', 'xml'], "'--format <kind>' argument 'xml' is invalid. Allowed choices are ndjson, csv."],
  [['import', '-', '--rate', '0'], "'--rate <n>' argument '0' is invalid. Allowed: a whole number from 1"],
  [['import', '-', '--programme', 'tea'], '--programme: found "tea", allowed: coffee-club'],
])('%j is refused in words', async (args, words) => {
  expect(await stage.place.run(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
});
