/** Which options a resumed import goes on with. */
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { completeOptions, resumeOptions } from '../../packages/tools/src/members/import-options.ts';

test('the defaults depend on the name of the input', () => {
  expect(completeOptions('m.csv', {})).toEqual({ format: 'csv', rejects: resolve('m.csv.rejects.ndjson') });
  expect(completeOptions('-', { replace: true })).toEqual({
    ...{ format: 'ndjson', rejects: resolve('members.rejects.ndjson'), replace: true },
  });
  expect(completeOptions('m.csv', { format: 'ndjson', rejects: 'r' })).toEqual({
    ...{ format: 'ndjson', rejects: resolve('r') },
  });
});

const earlier = completeOptions('m.csv', { replace: true, programme: 'tea', rate: 5 });

test('a resumed import has the options of the interrupted one, except the rate and whether rejects are permitted', () => {
  expect(resumeOptions(earlier, {})).toEqual(earlier);
  expect(resumeOptions(earlier, { format: 'csv', replace: true, rate: 7, allowRejects: true })).toEqual({
    ...{ ...earlier, rate: 7, allowRejects: true },
  });
});

test('the rejects file is the same one in whatever folder an import is resumed', () => {
  expect(resumeOptions({ ...earlier, rejects: '/lists/r' }, { rejects: '/lists/old/../r' }).rejects).toBe('/lists/r');
  expect(resumeOptions(earlier, { rejects: 'm.csv.rejects.ndjson' }).rejects).toBe(resolve('m.csv.rejects.ndjson'));
});

test.each([
  [{ format: 'ndjson' }, '--format: the interrupted import began with csv'],
  [{ programme: 'coffee' }, '--programme: the interrupted import began with tea'],
  [{ keepEnded: true }, '--keep-ended: the interrupted import began without it'],
  [{ rejects: 'other' }, `--rejects: the interrupted import began with ${resolve('m.csv.rejects.ndjson')}`],
] as const)('%j is refused', (given, words) => {
  expect(() => resumeOptions(earlier, given)).toThrow(words);
});
