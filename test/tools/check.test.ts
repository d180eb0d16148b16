/** `npm run check`: what it prints, and its exit codes. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../architecture/source.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { runCommand } from '../support/run-command.ts';

afterAll(cleanUp);

const staging = readFileSync(join(ROOT, 'config/staging.yaml'), 'utf8');
const folder = temporaryDirectory();

async function check(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { code: status, stdout, stderr } = await runCommand(['check', ...args], env);
  return { status, stdout, stderr };
}

function fileOf(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** The line and column of a text in another one. */
function placeOf(text: string, part: string): string {
  const before = text.slice(0, text.indexOf(part)).split('\n');
  return `${before.length}:${before.at(-1)!.length + 1}`;
}

describe('npm run check', () => {
  it('prints every fault with file, line, column, path, found, allowed and the nearest name', async () => {
    const text = staging
      .replace('burst: 200', 'bursts: 200')
      .replace('kind: unit_price', 'kind: unit_prise')
      .replace('grants: [birthday-treat]', 'grants: [birthday-treet]');
    const file = fileOf('faults.yaml', text);
    const { status, stdout, stderr } = await check([file]);
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    const lines = stdout.split('\n');
    expect(lines[0]).toBe(
      `${file}:${placeOf(text, 'bursts')}: rateLimit: found the unknown field "bursts", allowed: sustained, burst; did you mean burst?`,
    );
    expect(lines[1]).toMatch(
      /programmes\[0\]\.benefits\[7\]\.kind: found "unit_prise", .*; did you mean unit_price\?$/,
    );
    expect(lines[1]).toContain(`${file}:${placeOf(text, 'unit_prise')}: `);
    expect(lines[2]).toMatch(/members\[3\]\.grants\[0\]: found "birthday-treet", .*; did you mean birthday-treat\?$/);
    expect(lines.slice(3)).toEqual([`${file}: 3 errors, 0 warnings`, '']);
  });

  it('exits with 0 for warnings alone, and knows the members of an export', async () => {
    const file = fileOf('warnings.yaml', staging.replace('tiers: [family] }', 'tiers: [famly] }'));
    const warned = await check([file]);
    expect(warned.status).toBe(0);
    expect(warned.stdout).toMatch(
      /warning: nobody can get it: .* the tier famly; did you mean family\?\n.*: 0 errors, 1 warning\n$/,
    );
    const member = { programmeId: 'coffee-club', loyaltyId: 'x', status: 'active', tier: 'famly' };
    const members = fileOf('members.ndjson', `${JSON.stringify(member)}\n`);
    expect(await check([file, '--members', members])).toMatchObject({
      status: 0,
      stdout: `${file}: 0 errors, 0 warnings\n`,
    });
  });

  it('warns of grants whose benefit is gone, and refuses nothing for them', async () => {
    const file = fileOf('ended.yaml', staging);
    const line = (grant: object | string) =>
      `${JSON.stringify({ programmeId: 'coffee-club', loyaltyId: JSON.stringify(grant), status: 'active', grants: [grant], ended: ['regular-coffee-2019'] })}\n`;
    const members = fileOf(
      'holders.ndjson',
      line('last-winter') + line({ benefitId: 'regular-coffee-2019', grantId: 'a' }),
    );
    const { status, stdout } = await check([file, '--members', members]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/warning: 1 member holds a grant of last-winter, which the programme does not have/);
    expect(stdout).toMatch(/warning: 1 member holds a grant of regular-coffee-2019, .*: 0 errors, 2 warnings\n$/s);
  });

  it('checks a folder, and without a path the environment of the service', async () => {
    const environment = join(folder, 'environment');
    mkdirSync(environment);
    const [rest, members] = staging.split(/^(?=members:)/m) as [string, string];
    writeFileSync(join(environment, 'environment.yaml'), rest);
    writeFileSync(join(environment, 'members.yaml'), members.replace('status: paused', 'status: pausd'));
    const { status, stdout } = await check([], { LOYALTY_CONFIG: environment });
    expect(status).toBe(1);
    expect(stdout).toMatch(/^\S+\/members\.yaml:\d+:\d+: members\[7\]\.status: found "pausd"/);
    expect((await check([])).stdout).toBe('config/staging.yaml: 0 errors, 0 warnings\n');
  });

  it('names the place of a letter that is not UTF-8', async () => {
    const file = fileOf('windows.yaml', '');
    writeFileSync(file, Buffer.from('environment: staging\nvenues: []\n# på norsk\n', 'latin1'));
    const { status, stdout } = await check([file]);
    expect(status).toBe(1);
    expect(stdout).toContain(
      `${file}:3:4: line 3: found bytes that are not UTF-8; as Windows-1252 they read "# på norsk"`,
    );
    expect(stdout).toContain('allowed: UTF-8: save the file as UTF-8');
    writeFileSync(file, `\ufeff${staging.replaceAll('\n', '\r\n')}`);
    expect(await check([file])).toMatchObject({ status: 0, stdout: `${file}: 0 errors, 0 warnings\n` });
  });

  it('counts very many errors of one kind', async () => {
    const file = fileOf('aliases.yaml', `environment: staging\nx-lost:\n${'- *a\n'.repeat(130_000)}`);
    const { status, stdout } = await check([file]);
    expect([status, stdout]).toEqual([1, expect.stringContaining(`${file}: 130000 errors`)]);
  });

  it('says the same as JSON', async () => {
    const { status, stdout } = await check([
      fileOf('json.yaml', 'environment: 7\nvenues: []\nprogrammes: []\n'),
      '--json',
    ]);
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ faults: [{ line: 1, column: 14, path: 'environment' }], warnings: [] });
  });

  it('exits with 2 when there is nothing to check', async () => {
    expect(await check(['nowhere.yaml'])).toEqual({
      status: 2,
      stdout: '',
      stderr: 'check: there is no file nowhere.yaml\n',
    });
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    expect(await check([empty])).toMatchObject({ status: 2, stderr: expect.stringContaining('found no file') });
  });
});
