/** A release: the same bytes from the same commit, its sums, and a service that starts from its tarball. */
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../architecture/source.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';

const VERSION = '7.8.9';
const place = temporaryDirectory();
const tree = join(place, 'tree');
const folders = ['one', 'other'].map((name) => join(place, name)) as [string, string];

function release(...args: string[]) {
  return spawnSync(process.execPath, ['scripts/release.ts', ...args], { cwd: tree, encoding: 'utf8' });
}

beforeAll(() => {
  // The files as they are now, as the one commit of a repository: a release wants a clean tree.
  mkdirSync(tree);
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', args, { cwd, maxBuffer: 1 << 28, env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' } });
  const listed = git(ROOT, 'ls-files', '-co', '--exclude-standard', '-z').toString().split('\0');
  const files = listed.filter((file) => file !== '' && existsSync(join(ROOT, file)));
  const tar = execFileSync('tar', ['-c', '-C', ROOT, '--null', '-T', '-'], {
    input: files.join('\0'),
    maxBuffer: 1 << 28,
  });
  execFileSync('tar', ['-x', '-C', tree], { input: tar });
  git(tree, 'init', '-q');
  git(tree, 'add', '-A');
  git(tree, '-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '-qm', 'all');
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
  appendFileSync(join(tree, '.git', 'info', 'exclude'), 'node_modules\n');
  for (const folder of folders) expect(release(VERSION, '--out', folder)).toMatchObject({ status: 0, stderr: '' });
});
afterAll(cleanUp);

test('twice from one commit gives the same bytes', () => {
  const [one, other] = folders.map((folder) => readdirSync(folder).sort()) as [string[], string[]];
  expect(one).toEqual(other);
  expect(one).toEqual([
    'CHANGES.md',
    'REPORT.md',
    'SHA256SUMS',
    `loyalty-basket-client-${VERSION}.tgz`,
    `loyalty-basket-conformance-${VERSION}.tgz`,
    `loyalty-basket-gateway-${VERSION}.cdx.json`,
    `loyalty-basket-gateway-${VERSION}.tgz`,
  ]);
  for (const file of one) {
    const [a, b] = folders.map((folder) => readFileSync(join(folder, file)));
    expect([file, a?.equals(b as Buffer)]).toEqual([file, true]);
  }
  execFileSync('sha256sum', ['-c', '--quiet', 'SHA256SUMS'], { cwd: folders[0] });
});

test('the list of materials has every locked package that the service runs on', () => {
  const {
    bomFormat,
    components,
    dependencies: edges,
  } = JSON.parse(readFileSync(join(folders[0], `loyalty-basket-gateway-${VERSION}.cdx.json`), 'utf8'));
  expect(bomFormat).toBe('CycloneDX');
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const locked = Object.entries<Record<string, string | true>>(packages).flatMap(([path, { version, dev, link }]) =>
    dev || link || !path.startsWith('node_modules/') ? [] : [`${path.split('node_modules/').at(-1)}@${version}`],
  );
  const listed: string[] = components.map(({ name, version }: Record<string, string>) => `${name}@${version}`);
  expect(listed.sort()).toEqual(locked.sort());
  expect(edges).toHaveLength(listed.length + 1);
});

test('the tarball of the service holds what it runs on, in its version, and no tests', () => {
  const target = join(place, 'unpacked');
  mkdirSync(target);
  execFileSync('tar', ['-xzf', join(folders[0], `loyalty-basket-gateway-${VERSION}.tgz`), '-C', target]);
  const root = join(target, `loyalty-basket-gateway-${VERSION}`);
  for (const manifest of ['package.json', 'packages/client/package.json', 'package-lock.json']) {
    expect(JSON.parse(readFileSync(join(root, manifest), 'utf8')).version).toBe(VERSION);
  }
  // What is unpacked is no clone, and the service says all the same which commit runs.
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: tree, encoding: 'utf8' }).trim();
  expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).gitHead).toBe(commit);
  expect(readdirSync(root)).not.toContain('test');
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  const checked = spawnSync(process.execPath, ['packages/tools/src/loyalty.ts', 'check'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([checked.status, checked.stderr]).toEqual([0, '']);
});

test('what cannot be released is refused in one line', () => {
  expect(release('next')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^release: version: found "next"/),
  });
  appendFileSync(join(tree, 'README.md'), '\n');
  const dirty = release(VERSION, '--out', folders[0]);
  expect(dirty).toMatchObject({ status: 1, stderr: expect.stringMatching(/^release: the tree is not clean.*README/) });
  expect(dirty.stderr.trim()).not.toContain('\n');
});
