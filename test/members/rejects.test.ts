/** The file of rejected rows. */
import { existsSync, lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { RejectsFile } from '../../src/tools/members/rejects.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';

afterAll(cleanUp);

test('a new run removes the rejects of an earlier one, and a resumed run keeps what it has written', () => {
  const path = join(temporaryDirectory(), 'rejects');
  writeFileSync(path, 'one\ntwo\n');
  expect(new RejectsFile(path, 4).bytes).toBe(4);
  expect(readFileSync(path, 'utf8')).toBe('one\n');
  expect(new RejectsFile(path, 0).bytes).toBe(0);
  expect(existsSync(path)).toBe(false);
});

test('what is no file of its own, such as /dev/stdout, is not removed', () => {
  const folder = temporaryDirectory();
  const path = join(folder, 'stdout');
  symlinkSync('/dev/null', path);
  expect(new RejectsFile(path, 0).bytes).toBe(0);
  expect(new RejectsFile(folder, 0).bytes).toBe(0);
  expect([lstatSync(path).isSymbolicLink(), existsSync(folder)]).toEqual([true, true]);
});
