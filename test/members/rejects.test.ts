/** The file of rejected rows. */
import { existsSync, lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { RejectsFile, toReject } from '../../packages/tools/src/members/rejects.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';

afterAll(cleanUp);

/** The path of a file with this content, or of none. */
function fileWith(content?: string): string {
  const path = join(temporaryDirectory(), 'rejects');
  if (content !== undefined) writeFileSync(path, content);
  return path;
}

test('a resumed run keeps what the interrupted one has written, up to its checkpoint', () => {
  const path = fileWith('one\ntwo\n');
  expect(new RejectsFile(path, 4).bytes).toBe(4);
  expect(readFileSync(path, 'utf8')).toBe('one\n');
});

test.each([
  ['gone', undefined],
  ['shorter', 'on\n'],
  ['another one', 'other\nlines\n'],
])('a resumed run refuses a file that is %s', (_, content) => {
  const path = fileWith(content);
  expect(() => new RejectsFile(path, 4)).toThrow(`${path} no longer has the rows rejected so far`);
  expect(existsSync(path) ? readFileSync(path, 'utf8') : undefined).toBe(content);
});

test.each([3, 4])('the rejects of an earlier run go at the end of one without: a row from line 3 to %d', (lastLine) => {
  const path = fileWith();
  const earlier = new RejectsFile(path, 0);
  earlier.write([toReject({ line: 3, lastLine, endOffset: 0 }, { path: 'status', found: '"x"', allowed: 'active' })]);
  earlier.removeEarlier();
  expect(existsSync(path)).toBe(true);
  new RejectsFile(path, 0).removeEarlier();
  expect(existsSync(path)).toBe(false);
});

test.each(['{"programmeId":"coffee-club","loyaltyId":"anna"}\n', '{"line":1}\n', ''])(
  'a file of others stays: %j',
  (content) => {
    const path = fileWith(content);
    new RejectsFile(path, 0).removeEarlier();
    expect(readFileSync(path, 'utf8')).toBe(content);
  },
);

test('what is no file of its own, such as /dev/stdout, is not removed', () => {
  const folder = temporaryDirectory();
  const path = join(folder, 'stdout');
  symlinkSync('/dev/null', path);
  for (const each of [path, folder]) new RejectsFile(each, 0).removeEarlier();
  // A resumed run has nothing to cut off there.
  expect(new RejectsFile(path, 4).bytes).toBe(4);
  expect([lstatSync(path).isSymbolicLink(), existsSync(folder)]).toEqual([true, true]);
});
