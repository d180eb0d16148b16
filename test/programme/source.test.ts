/** The files that an operator's path stands for, as they are read. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { listEnvironmentFiles, MAX_FOLDER_DEPTH, readEnvironmentSource } from '../../src/programme/source.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';

afterAll(cleanUp);

function folderOf(...names: string[]): string {
  const folder = temporaryDirectory();
  for (const own of new Set(names.map(dirname))) mkdirSync(join(folder, own), { recursive: true });
  for (const name of names) writeFileSync(join(folder, name), 'a: 1');
  return folder;
}

const listed = (folder: string) => listEnvironmentFiles(folder).map((name) => name.slice(folder.length + 1));

it('a folder stands for its configuration files by name, and a file for itself', () => {
  const folder = folderOf('a/b.yaml', 'a.yaml', 'c.yml', 'd.yaml.bak', 'e.json');
  expect(listed(folder)).toEqual(['a.yaml', 'a/b.yaml', 'c.yml']);
  expect(listEnvironmentFiles(join(folder, 'e.json'))).toEqual([join(folder, 'e.json')]);
});

it('files are read in eight folders within each other, and no deeper', () => {
  const [last, beyond] = [MAX_FOLDER_DEPTH, MAX_FOLDER_DEPTH + 1].map((depth) => `${'x/'.repeat(depth)}a.yaml`);
  expect(listed(folderOf(last!, beyond!))).toEqual([last]);
});

it('a thousand files are read, and one more is a mistake', () => {
  const folder = folderOf(...Array.from({ length: 1_000 }, (_, at) => `${at}.yaml`));
  expect(listEnvironmentFiles(folder)).toHaveLength(1_000);
  writeFileSync(join(folder, 'more.yaml'), '');
  expect(() => listEnvironmentFiles(folder)).toThrow(`${folder}: found more than 1000 .yaml files`);
});

it('a named pipe in a folder is told, and not waited for', () => {
  const folder = folderOf('a.yaml');
  const pipe = join(folder, 'b.yaml');
  execFileSync('mkfifo', [pipe]);
  const told = `${pipe}: found a pipe, a socket or a device, allowed: a file`;
  expect(() => readEnvironmentSource(folder)).toThrow(told);
});

it('a file that is not UTF-8 is told with its place, and another one is its text alone', () => {
  const folder = folderOf('a.yaml');
  writeFileSync(join(folder, 'b.yaml'), Buffer.from([0x61, 0x3a, 0x20, 0xe5]));
  const [good, bad] = readEnvironmentSource(folder).files;
  expect(good).toEqual({ name: join(folder, 'a.yaml'), text: 'a: 1' });
  expect(bad!.encodingError).toMatchObject({ line: 1 });
});
