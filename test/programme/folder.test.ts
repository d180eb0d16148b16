/** Several files are one environment: which files a path stands for, how they are joined, and each fault in its own file. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
import { loadEnvironmentFrom } from '../../src/programme/load.ts';
import { listEnvironmentFiles, MAX_FOLDER_DEPTH, readEnvironmentSource } from '../../src/programme/source.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';

afterAll(cleanUp);

const venue = (venueId: string, programmeId: string) =>
  `  - { venueId: ${venueId}, terminalSetups: ["${venueId}"], currencies: [NOK], timeZone: Europe/Oslo, programmeId: ${programmeId} }\n`;
const programme = (programmeId: string, benefit = '') =>
  `programmes:\n  - programmeId: ${programmeId}\n    benefits: [{ benefitId: ten, kind: line_percent, percent: 10${benefit} }]\n`;

const GOOD = {
  'environment.yaml': `environment: staging\nvenues:\n${venue('oslo', 'coffee')}${venue('bergen', 'bistro')}`,
  'members.yml': 'members:\n  - { programmeId: bistro, loyaltyId: anna, status: active, grants: [ten] }\n',
  'programmes/bistro.yaml': programme('bistro'),
  'programmes/coffee.yaml': programme('coffee'),
};

function folderOf(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = temporaryDirectory();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** The faults of a folder as `file:line:column path: found`. */
function faultsOf(files: Readonly<Record<string, string>>): string[] {
  const folder = folderOf(files);
  return inspectEnvironment(readEnvironmentSource(folder), '2026-11-21').faults.map(
    ({ file, line, column, path, found }) => `${file.slice(folder.length + 1)}:${line}:${column} ${path}: ${found}`,
  );
}

describe('a folder', () => {
  it('is one environment, which has another version when one of its files changes or is added', () => {
    const folder = folderOf(GOOD);
    const environment = loadEnvironmentFrom(readEnvironmentSource(folder));
    expect(environment.programmes.map(({ programmeId }) => programmeId)).toEqual(['bistro', 'coffee']);
    expect(environment.findVenue('bergen', 'bergen')?.programme.programmeId).toBe('bistro');
    expect(environment.findMember('bistro', 'anna')?.grants).toEqual(['ten']);
    const version = () => loadEnvironmentFrom(readEnvironmentSource(folder)).version;
    const versions = [version(), version()];
    writeFileSync(join(folder, 'members.yml'), `${GOOD['members.yml']}# a comment\n`);
    versions.push(version());
    writeFileSync(join(folder, 'programmes/new.yaml'), programme('new'));
    versions.push(version());
    expect(new Set(versions).size).toBe(3);
  });

  it('stands for its configuration files by name, without hidden ones and links that lead back; a file for itself', () => {
    const others = { '.coffee.yaml.swp': 'x', '..data/environment.yaml': 'x', 'd.yaml.bak': 'x', 'README.md': '#' };
    const folder = folderOf({ ...GOOD, ...others });
    symlinkSync('.', join(folder, 'again'));
    symlinkSync('programmes/missing', join(folder, 'missing'));
    expect(listEnvironmentFiles(folder)).toEqual(Object.keys(GOOD).map((name) => join(folder, name)));
    expect(listEnvironmentFiles(join(folder, 'README.md'))).toEqual([join(folder, 'README.md')]);
    expect(() => readEnvironmentSource(folderOf({}))).toThrow(
      'found no file, allowed: a folder with at least one .yaml',
    );
  });

  it('is read eight folders deep, and up to a thousand files', () => {
    const [last, beyond] = [MAX_FOLDER_DEPTH, MAX_FOLDER_DEPTH + 1].map((depth) => `${'x/'.repeat(depth)}a.yaml`);
    const deep = folderOf({ [last!]: '', [beyond!]: '' });
    expect(listEnvironmentFiles(deep)).toEqual([join(deep, last!)]);
    const folder = folderOf(Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`${at}.yaml`, ''])));
    expect(listEnvironmentFiles(folder)).toHaveLength(1_000);
    writeFileSync(join(folder, 'more.yaml'), '');
    expect(() => listEnvironmentFiles(folder)).toThrow(`${folder}: found more than 1000 .yaml files`);
  });

  it('with a named pipe is told, and not waited for', () => {
    const folder = folderOf({ 'a.yaml': 'a: 1' });
    const pipe = join(folder, 'b.yaml');
    execFileSync('mkfifo', [pipe]);
    const told = `${pipe}: found a pipe, a socket or a device, allowed: a file`;
    expect(() => readEnvironmentSource(folder)).toThrow(told);
  });

  it('with a file that is not UTF-8 tells its place', () => {
    const folder = folderOf({ 'a.yaml': 'a: 1', 'b.yaml': Buffer.from([0x61, 0x3a, 0x20, 0xe5]) });
    const [good, bad] = readEnvironmentSource(folder).files;
    expect(good).toEqual({ name: join(folder, 'a.yaml'), text: 'a: 1' });
    expect(bad!.encodingError).toMatchObject({ line: 1 });
  });
});

describe('a fault in a folder', () => {
  it('has the path and the line of its own file, and names the other one if it is between two', () => {
    const files = { ...GOOD, 'programmes/coffee.yaml': programme('coffee', ', percnt: 5') };
    expect(faultsOf(files)).toEqual([
      'programmes/coffee.yaml:3:67 programmes[0].benefits[0]: the unknown field "percnt"',
    ]);
    const folder = folderOf({ ...GOOD, 'programmes/twice.yaml': programme('coffee') });
    expect(() => loadEnvironmentFrom(readEnvironmentSource(folder))).toThrow(
      `${join(folder, 'programmes/twice.yaml')}: programmes[0].programmeId: found "coffee" a second time, allowed: a value other than that of programmes[0].programmeId in ${join(folder, 'programmes/coffee.yaml')}`,
    );
  });

  it('all of them are told, of files that are no YAML or no mapping too', () => {
    const files = {
      ...GOOD,
      'programmes/bistro.yaml': 'programmes: [',
      'programmes/empty.yaml': '',
      'programmes/list.yaml': '[1]',
      'programmes/second.yaml': 'environment: staging\nprograms: []\n',
    };
    expect(faultsOf(files)).toEqual([
      'programmes/bistro.yaml:1:14 line 1: a [ that is never closed',
      'programmes/empty.yaml:1:1 : an empty file',
      'programmes/list.yaml:1:1 : [1]',
      'programmes/second.yaml:1:1 environment: the key a second time',
      'programmes/second.yaml:2:1 : the unknown field "programs"',
    ]);
  });

  it('counts the entries of its own file, however many stand in others', () => {
    const members = (...entries: readonly string[]) => `members:\n${entries.join('')}`;
    const member = (loyaltyId: string, status = 'active') =>
      `  - { programmeId: bistro, loyaltyId: ${loyaltyId}, status: ${status} }\n`;
    const many = Array.from({ length: 12 }, (_, at) => member(`many-${at}`));
    const odd = member('odd', 'actve');
    expect(faultsOf({ ...GOOD, 'many.yaml': members(...many), 'new.yaml': members(member('new'), odd) })).toEqual([
      'new.yaml:3:52 members[1].status: "actve"',
    ]);
    expect(faultsOf({ ...GOOD, 'many.yaml': members(...many.slice(1), odd), 'new.yaml': members(many[0]!) })).toEqual([
      'many.yaml:13:52 members[11].status: "actve"',
    ]);
  });

  it('is a name in two files, unless it is a piece for other places, or one that no file has', () => {
    const also = 'x-piece: [1]\ntestMembers: [anna]\n';
    expect(faultsOf({ ...GOOD, 'one.yaml': also, 'two.yaml': also })).toEqual([
      'two.yaml:2:1 testMembers: the key a second time',
    ]);
    const { 'environment.yaml': _, ...rest } = GOOD;
    expect(faultsOf(rest)[0]).toBe(':undefined:undefined environment: nothing');
  });
});
