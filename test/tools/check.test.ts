/** `npm run check`: what it prints, and its exit codes. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ROOT } from '../architecture/source.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { runCommand } from '../support/run-command.ts';

afterAll(cleanUp);

const staging = readFileSync(join(ROOT, 'config/staging.yaml'), 'utf8');
const folder = temporaryDirectory();

const check = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCommand(['check', ...args], env);

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

it('prints every fault with file, line, column, path, found, allowed and the nearest name', async () => {
  const text = staging
    .replace('burst: 200', 'bursts: 200')
    .replace('kind: unit_price', 'kind: unit_prise')
    .replace('grants: [birthday-treat]', 'grants: [birthday-treet]');
  const file = fileOf('faults.yaml', text);
  const { code, stdout, stderr } = await check([file]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  const [burst, kind, grant, ...rest] = stdout.split('\n');
  expect(burst).toBe(
    `${file}:${placeOf(text, 'bursts')}: rateLimit: found the unknown field "bursts", allowed: sustained, burst; did you mean burst?`,
  );
  expect(kind).toMatch(/programmes\[0\]\.benefits\[7\]\.kind: found "unit_prise", .*; did you mean unit_price\?$/);
  expect(kind).toContain(`${file}:${placeOf(text, 'unit_prise')}: `);
  expect(grant).toMatch(/members\[3\]\.grants\[0\]: found "birthday-treet", .*; did you mean birthday-treat\?$/);
  expect(rest).toEqual([`${file}: 3 errors, 0 warnings`, '']);
});

it('exits with 0 for warnings alone, and knows the members of an export', async () => {
  const text = staging.replace('tiers: [family] }', 'tiers: [famly] }');
  // As an editor on another system saves it.
  const file = fileOf('warnings.yaml', `\ufeff${text.replaceAll('\n', '\r\n')}`);
  const warned = await check([file]);
  expect(warned.code).toBe(0);
  expect(warned.stdout).toMatch(
    /warning: nobody can get it: .* the tier famly; did you mean family\?\n.*: 0 errors, 1 warning\n$/,
  );
  const member = { programmeId: 'coffee-club', loyaltyId: 'x', status: 'active', tier: 'famly' };
  const members = fileOf('members.ndjson', `${JSON.stringify(member)}\n`);
  const stdout = `${file}: 0 errors, 0 warnings\n`;
  expect(await check([file, '--members', members])).toMatchObject({ code: 0, stdout });
});

it('warns of grants whose benefit is gone, and refuses nothing for them', async () => {
  const ended = ['regular-coffee-2019'];
  const grants = ['last-winter', { benefitId: 'regular-coffee-2019', grantId: 'a' }];
  const lines = grants.map((grant, at) => {
    const member = { programmeId: 'coffee-club', loyaltyId: `member ${at}`, status: 'active', grants: [grant], ended };
    return `${JSON.stringify(member)}\n`;
  });
  const args = [fileOf('ended.yaml', staging), '--members', fileOf('holders.ndjson', lines.join(''))];
  const { code, stdout } = await check(args);
  expect(code).toBe(0);
  expect(stdout).toMatch(/warning: 1 member holds a grant of last-winter, which the programme does not have/);
  expect(stdout).toMatch(/warning: 1 member holds a grant of regular-coffee-2019, .*: 0 errors, 2 warnings\n$/s);
});

it('checks a folder, and without a path the environment of the service', async () => {
  const environment = join(folder, 'environment');
  mkdirSync(environment);
  const [rest, members] = staging.split(/^(?=members:)/m) as [string, string];
  writeFileSync(join(environment, 'environment.yaml'), rest);
  writeFileSync(join(environment, 'members.yaml'), members.replace('status: paused', 'status: pausd'));
  const { code, stdout } = await check([], { LOYALTY_CONFIG: environment });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^\S+\/members\.yaml:\d+:\d+: members\[7\]\.status: found "pausd"/);
  expect((await check([])).stdout).toBe('config/staging.yaml: 0 errors, 0 warnings\n');
});

it('counts very many errors of one kind', async () => {
  const file = fileOf('aliases.yaml', `environment: staging\nx-lost:\n${'- *a\n'.repeat(130_000)}`);
  const stdout = expect.stringContaining(`${file}: 130000 errors`);
  expect(await check([file])).toMatchObject({ code: 1, stdout });
});

it('says the same as JSON', async () => {
  const { code, stdout } = await check([fileOf('7.yaml', 'environment: 7\nvenues: []\nprogrammes: []\n'), '--json']);
  const faults = [{ line: 1, column: 14, path: 'environment' }];
  expect([code, JSON.parse(stdout)]).toMatchObject([1, { faults, warnings: [] }]);
});

it('exits with 2 when there is nothing to check', async () => {
  const stderr = 'check: there is no file nowhere.yaml\n';
  expect(await check(['nowhere.yaml'])).toEqual({ code: 2, stdout: '', stderr });
  const found = expect.stringContaining('found no file');
  expect(await check([temporaryDirectory()])).toMatchObject({ code: 2, stderr: found });
});
