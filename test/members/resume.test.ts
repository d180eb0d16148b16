/** An import that was interrupted goes on with the options that it began with. */
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { until } from '../support/wait.ts';
import { memberOf, useWorkplace } from './command.ts';

const stage = useWorkplace();
const COUNT = 30;

const members = Array.from({ length: COUNT }, (_, index) => memberOf(`card ${index + 10}`));

/** An import that is killed after its first rows; one row a second leaves the time for it. */
async function interruptedImport(options: readonly string[] = [], first: readonly unknown[] = []): Promise<string> {
  const { place } = stage;
  const rows = members.map(({ loyaltyId, status }) => ({ loyaltyId, status }));
  const file = place.write('in.ndjson', [...first, ...rows]);
  const child = place.spawn(['import', file, '--programme', 'coffee-club', '--rate', '1', ...options]);
  await until('a checkpoint', () => existsSync(`${file}.import-state`));
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
  return file;
}

test('--resume alone goes on as the import began, at another rate if one is given', async () => {
  const { place } = stage;
  const gold = members.map((member) => ({ ...member, tier: 'gold' }));
  expect(await place.run(['import', place.write('gold.ndjson', gold)])).toMatchObject({ code: 0 });
  const file = await interruptedImport(['--replace']);
  const { counts } = JSON.parse(readFileSync(`${file}.import-state`, 'utf8')) as { counts: { read: number } };
  // A second for each row, and the checkpoint comes after the first one: all rows at once would be no rate.
  expect(counts.read).toBeLessThan(COUNT);
  const resumed = await place.run(['import', file, '--resume', '--rate', '1000000']);
  expect(resumed).toMatchObject({ code: 0, stdout: expect.stringMatching(/written +30\n/) });
  await place.run(['export', '--out', place.path('out.ndjson')]);
  expect(place.read('out.ndjson')).toEqual(members);
});

test('a resumed import refuses options that its first rows were not written with', async () => {
  const { place } = stage;
  const file = await interruptedImport();
  expect(await place.run(['import', file, '--resume', '--replace'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--replace: the interrupted import began without it'),
  });
  // The same ones may be repeated.
  const same = ['--programme', 'coffee-club', '--format', 'ndjson', '--rate', '1000000'];
  expect(await place.run(['import', file, '--resume', ...same])).toMatchObject({ code: 0 });
  expect(await place.run(['import', file, '--resume'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`there is no ${file}.import-state to continue from`),
  });
});

test('a resumed import without its rejects file, or as a dry run, ends with a reason', async () => {
  const { place } = stage;
  const file = await interruptedImport([], ['no json']);
  rmSync(`${file}.rejects.ndjson`);
  expect(await place.run(['import', file, '--resume'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${file}.rejects.ndjson no longer has the rows rejected so far`),
  });
  expect(await place.run(['import', file, '--resume', '--dry-run'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--dry-run checks every row of the file, so leave out --resume'),
  });
  expect(existsSync(`${file}.import-state`)).toBe(true);
});
