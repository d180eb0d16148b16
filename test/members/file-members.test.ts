/** Members of the configuration file, which every start writes as they are there, in an import; and an import without rows. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { useWorkplace } from './command.ts';

const stage = useWorkplace();

/** In the tests' configuration. */
const IN_FILE = { programmeId: 'coffee-club', loyaltyId: 'member-twenty', status: 'active', grants: ['twenty'] };

test('a row that would change a member of the file is rejected, and one that leaves it as it is there is none', async () => {
  const { place } = stage;
  const rows = [
    IN_FILE,
    { programmeId: 'coffee-club', loyaltyId: 'member-twenty', addGrants: ['single-use'] },
    { ...IN_FILE, status: 'blocked' },
    { programmeId: 'coffee-club', loyaltyId: 'member-plain', tier: null },
    { ...IN_FILE, loyaltyId: 'another' },
  ];
  const file = place.write('in.ndjson', rows);
  for (const more of [['--dry-run'], ['--dry-run', '--replace'], []]) {
    const imported = await place.run(['import', file, ...more]);
    expect([more, imported.code]).toEqual([more, 1]);
    // With --replace the rows without a status are rejected by their shape.
    const rejects = place.read('in.ndjson.rejects.ndjson') as { line: number; field: string; reason: string }[];
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
  expect(await place.run(['export', '--out', place.path('out.ndjson')])).toMatchObject({ code: 0 });
  expect(place.read('out.ndjson')).toMatchObject([
    { ...IN_FILE, loyaltyId: 'another' },
    { loyaltyId: 'member-plain', grants: [] },
    IN_FILE,
  ]);
});

test('a dry run says what would be written', async () => {
  const { place } = stage;
  const { stdout } = await place.run([
    'import',
    place.write('in.ndjson', [{ ...IN_FILE, loyaltyId: 'a' }]),
    '--dry-run',
  ]);
  expect(stdout).toMatch(/nothing was written/);
  expect(stdout).toMatch(/would be written +1\n/);
  expect(stdout).not.toMatch(/^written/m);
});

test.each([
  ['in.csv', ['loyaltyId,status'], 'has a header and no row'],
  ['in.ndjson', [''], 'is empty'],
])('%s without a row is an error, and leaves nothing to resume', async (name, lines, words) => {
  const { place } = stage;
  const file = place.write(name, lines);
  for (const more of [[], ['--dry-run']]) {
    const { code, stderr } = await place.run(['import', file, ...more, '--programme', 'coffee-club']);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(stderr).not.toContain('--resume');
  }
  expect(existsSync(`${file}.import-state`)).toBe(false);
});
