/** An import that was interrupted goes on where it was, with the options that it began with. */
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { CheckpointFile, completeOptions, resumeOptions } from '../../packages/tools/src/members/checkpoint.ts';
import { NOTHING_DONE } from '../../packages/tools/src/members/import-tally.ts';
import { until } from '../support/wait.ts';
import { memberOf, useWorkplace } from './command.ts';

const stage = useWorkplace();

test('a killed import goes on where it was by --resume alone, and at another rate if one is given', async () => {
  const { place } = stage;
  const count = 10_000;
  const gold = Array.from({ length: count }, (_, index) => memberOf(`card ${index}`, { tier: 'gold' }));
  await place.run(['import', place.write('gold.ndjson', gold)]);
  const rows = gold.map(({ loyaltyId, status }, index) => (index % 100 === 99 ? 'no json' : { loyaltyId, status }));
  const file = place.write('in.ndjson', rows);
  const child = place.spawn(['import', file, '--programme', 'coffee-club', '--replace', '--rate', '4000']);
  // It takes seconds, and with Redis standing still it cannot end before it is killed.
  await until('a checkpoint', () => existsSync(`${file}.import-state`));
  place.redis.pause();
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
  place.redis.resume();
  // A tenth of a second's rows is written at once: all rows at once would be no rate.
  const { counts } = JSON.parse(readFileSync(`${file}.import-state`, 'utf8')) as { counts: { read: number } };
  expect(counts.read).toBeLessThan(count);

  const resumed = await place.run(['import', file, '--resume', '--rate', '1000000']);
  expect(resumed).toMatchObject({ code: 1, stdout: expect.stringMatching(/done by an earlier run +\d/) });
  expect(resumed.stdout).toMatch(/read +10,000\nwritten +9,900\n.*\nrejected +100\n/);
  const rejected = (place.read('in.ndjson.rejects.ndjson') as { line: number }[]).map(({ line }) => line);
  expect([rejected.length, new Set(rejected).size]).toEqual([100, 100]);
  expect(existsSync(`${file}.import-state`)).toBe(false);
  await place.run(['export', '--out', place.path('out.ndjson')]);
  const tiers = (place.read('out.ndjson') as { tier?: string }[]).map(({ tier }) => tier);
  expect([tiers.length, tiers.filter((tier) => tier === 'gold').length]).toEqual([count, 100]);
});

/** A list of which an import has done nothing before it was interrupted, but for the bytes of its rejects. */
function interrupted(rejectsBytes = 0): string {
  const file = stage.place.write('in.ndjson', [{ loyaltyId: 'anna', status: 'active' }]);
  const options = completeOptions(file, { programme: 'coffee-club', rate: 1 });
  new CheckpointFile(file).write({ offset: 0, counts: NOTHING_DONE, rejectsBytes }, options);
  return file;
}

test('a resumed import refuses options that its first rows were not written with', async () => {
  const { place } = stage;
  const file = interrupted();
  expect(await place.run(['import', file, '--resume', '--replace'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--replace: the interrupted import began without it'),
  });
  expect(await place.run(['import', file, '--resume', '--dry-run'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--dry-run checks every row of the file, so leave out --resume'),
  });
  // The same ones may be repeated.
  const same = ['--programme', 'coffee-club', '--format', 'ndjson', '--rate', '1000000'];
  expect(await place.run(['import', file, '--resume', ...same])).toMatchObject({ code: 0 });
  expect(await place.run(['import', file, '--resume'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`there is no ${file}.import-state to continue from`),
  });
});

test('a resumed import without its rejects file, or of another list under the same name, ends with a reason', async () => {
  const { place } = stage;
  const file = interrupted(9);
  rmSync(`${file}.rejects.ndjson`, { force: true });
  expect(await place.run(['import', file, '--resume'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${file}.rejects.ndjson no longer has the rows rejected so far`),
  });
  place.write('in.ndjson', [memberOf('berit')]);
  expect(await place.run(['import', file, '--resume'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('changed input'),
  });
  expect(existsSync(`${file}.import-state`)).toBe(true);
});

const earlier = completeOptions('m.csv', { replace: true, programme: 'tea', rate: 5 });

test('a state file that cannot be read is named', async () => {
  const file = stage.place.write('in.ndjson', [memberOf('anna')]);
  const state = stage.place.write('in.ndjson.import-state', ['{"offset":']);
  const stderr = `members: ${state} cannot be read; import without --resume\n`;
  expect(await stage.place.run(['import', file, '--resume'])).toMatchObject({ code: 2, stderr });
});

test('the name of the input decides what is not said, and the rejects file is the same one in whatever folder', () => {
  expect(completeOptions('-', {})).toEqual({ format: 'ndjson', rejects: resolve('members.rejects.ndjson') });
  expect(earlier).toMatchObject({ format: 'csv', rejects: resolve('m.csv.rejects.ndjson') });
  expect(resumeOptions({ ...earlier, rejects: '/lists/r' }, { rejects: '/lists/old/../r' }).rejects).toBe('/lists/r');
  expect(resumeOptions(earlier, { rate: 7, allowRejects: true })).toEqual({ ...earlier, rate: 7, allowRejects: true });
});

test.each([
  [{ format: 'ndjson' }, '--format: the interrupted import began with csv'],
  [{ programme: 'coffee' }, '--programme: the interrupted import began with tea'],
  [{ keepEnded: true }, '--keep-ended: the interrupted import began without it'],
  [{ rejects: 'other' }, `--rejects: the interrupted import began with ${resolve('m.csv.rejects.ndjson')}`],
] as const)('an import cannot be resumed with %j', (given, words) => {
  expect(() => resumeOptions(earlier, given)).toThrow(words);
});
