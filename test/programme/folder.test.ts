/** Several files are one environment: its lists are joined, and each fault is told in its own file. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
import { loadEnvironment, loadEnvironmentFrom } from '../../src/programme/load.ts';
import { listEnvironmentFiles, readEnvironmentSource } from '../../src/programme/source.ts';
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

function folderOf(files: Readonly<Record<string, string>>): string {
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
  it('is one environment', () => {
    const environment = loadEnvironmentFrom(readEnvironmentSource(folderOf(GOOD)));
    expect(environment.programmes.map(({ programmeId }) => programmeId)).toEqual(['bistro', 'coffee']);
    expect(environment.findVenue('bergen', 'bergen')?.programme.programmeId).toBe('bistro');
    expect(environment.findMember('bistro', 'anna')?.grants).toEqual(['ten']);
  });

  it('has another version when one of its files changes or is added', () => {
    const folder = folderOf(GOOD);
    const version = () => loadEnvironmentFrom(readEnvironmentSource(folder)).version;
    const versions = [version()];
    writeFileSync(join(folder, 'members.yml'), `${GOOD['members.yml']}# a comment\n`);
    versions.push(version());
    writeFileSync(join(folder, 'programmes/new.yaml'), programme('new'));
    versions.push(version());
    expect(new Set(versions).size).toBe(3);
    expect(version()).toBe(versions[2]);
  });

  it('leaves out hidden files, other files, and links that lead back', () => {
    const folder = folderOf({ ...GOOD, '.coffee.yaml.swp': 'x', '..data/environment.yaml': 'x', 'README.md': '#' });
    symlinkSync('.', join(folder, 'again'));
    symlinkSync('programmes/missing', join(folder, 'missing'));
    const names = Object.keys(GOOD).map((name) => join(folder, name));
    expect(listEnvironmentFiles(folder)).toEqual(names);
  });

  it('without any file is refused', () => {
    expect(() => readEnvironmentSource(folderOf({}))).toThrow(
      /found no file, allowed: a folder with at least one \.yaml/,
    );
  });

  it('of one file is that file', () => {
    const text = '{ environment: staging, venues: [], programmes: [] }';
    const source = readEnvironmentSource(folderOf({ 'all.yaml': text }));
    expect(loadEnvironmentFrom(source).version).toBe(loadEnvironment(text, 'all.yaml').version);
  });
});

describe('a fault in a folder', () => {
  it('has the path and the line of its own file', () => {
    const files = { ...GOOD, 'programmes/coffee.yaml': programme('coffee', ', percnt: 5') };
    expect(faultsOf(files)).toEqual([
      'programmes/coffee.yaml:3:67 programmes[0].benefits[0]: the unknown field "percnt"',
    ]);
    const folder = folderOf(files);
    expect(() => loadEnvironmentFrom(readEnvironmentSource(folder))).toThrow(
      `${join(folder, 'programmes/coffee.yaml')}: programmes[0].benefits[0]: found the unknown field "percnt"`,
    );
  });

  it('between two files names both', () => {
    const folder = folderOf({ ...GOOD, 'programmes/twice.yaml': programme('coffee') });
    expect(() => loadEnvironmentFrom(readEnvironmentSource(folder))).toThrow(
      `programmes/twice.yaml: programmes[0].programmeId: found "coffee" a second time, allowed: a value other than that of programmes[0].programmeId in ${join(folder, 'programmes/coffee.yaml')}`,
    );
  });

  it('of a limit that benefits share is told by the places of their own file', () => {
    const shared = (benefitId: string, limit: string) =>
      `\n      - { benefitId: ${benefitId}, kind: line_percent, percent: 10, limit: { quantity: ${limit}, period: day, counts: items, limitId: treats } }`;
    const files = {
      ...GOOD,
      'programmes/bistro.yaml': `programmes:\n  - programmeId: bistro\n    benefits:${shared('ten', '3')}`,
      'programmes/coffee.yaml': `programmes:\n  - programmeId: coffee\n    benefits:${shared('a', '5')}${shared('b', '6')}`,
    };
    const { faults } = inspectEnvironment(readEnvironmentSource(folderOf(files)), '2026-11-21');
    expect(faults.map(({ path, allowed }) => [path, allowed])).toEqual([
      ['programmes[0].benefits[1].limit.quantity', '5 as in programmes[0].benefits[0], which shares the limit treats'],
    ]);
  });

  it('all of them are told, of files that are no YAML or no mapping too', () => {
    const files = {
      ...GOOD,
      'programmes/bistro.yaml': 'programmes: [',
      'programmes/empty.yaml': '',
      'programmes/list.yaml': '[1]',
      'programmes/second.yaml': 'environment: staging\nprograms: []\n',
      'programmes/coffee.yaml': programme('coffee', ', text: ""'),
    };
    expect(faultsOf(files).map((fault) => fault.replace(/: (?:Flow|Expected).*/, ''))).toEqual([
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
    expect(
      faultsOf({ ...GOOD, 'many.yaml': members(...many), 'new.yaml': members(member('new'), member('odd', 'actve')) }),
    ).toEqual(['new.yaml:3:52 members[1].status: "actve"']);
    const oneOfMany = members(...many.slice(1), member('odd', 'actve'));
    expect(faultsOf({ ...GOOD, 'many.yaml': oneOfMany, 'new.yaml': members(member('new')) })).toEqual([
      'many.yaml:13:52 members[11].status: "actve"',
    ]);
  });

  it('is a name in two files, unless it is a piece for other places', () => {
    const also = 'x-piece: [1]\ntestMembers: [anna]\n';
    expect(faultsOf({ ...GOOD, 'one.yaml': also, 'two.yaml': also })).toEqual([
      'two.yaml:2:1 testMembers: the key a second time',
    ]);
  });

  it('a name that no file has is a fault of the folder', () => {
    const { 'environment.yaml': _, ...rest } = GOOD;
    expect(faultsOf(rest)[0]).toBe(':undefined:undefined environment: nothing');
  });
});
