/**
 * `npm run release -- <version>`: everything of a release, from the last commit of a clean tree, into `release/<version>/`. The same commit
 * gives the same bytes. Nothing is published and nothing in the tree is changed.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { auditOf } from './release/audit.ts';
import { changesOf } from './release/changes.ts';
import { billOfMaterials, licencesOf } from './release/materials.ts';
import { renderReport } from './release/report.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const USAGE = 'usage: npm run release -- <version> [--out <folder>]';
const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;
const MANIFESTS = ['package.json', 'packages/client/package.json', 'packages/conformance/package.json'];
/** What the service's tarball leaves out: it is for those who run the service. */
const NOT_SHIPPED = ['test', 'bench', 'packages/client/test', 'packages/conformance/test', '.ci'];

function main([version = '', ...rest]: readonly string[]): void {
  if (version === '--help') return void process.stdout.write(`${USAGE}\n`);
  if (!VERSION.test(version)) throw new Error(`version: found "${version}", expected one as 1.2.3; ${USAGE}`);
  const folder = resolve(rest[0] === '--out' && rest[1] ? rest[1] : join(ROOT, 'release', version));
  const changed = git('status', '--porcelain');
  if (changed !== '') throw new Error(`the tree is not clean, commit or remove first: ${changed.split('\n')[0]}`);
  const commit = git('rev-parse', 'HEAD');
  const changes = changesOf(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version);
  const stage = mkdtempSync(join(tmpdir(), 'loyalty-release-'));
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const tree = join(stage, `loyalty-basket-gateway-${version}`);
    const seconds = Number(git('log', '-1', '--format=%ct'));
    layOut(tree, version, commit);
    for (const name of ['client', 'conformance']) packPackage(tree, name, folder);
    const materials = billOfMaterials(tree, new Date(seconds * 1000));
    write(folder, `loyalty-basket-gateway-${version}.cdx.json`, `${JSON.stringify(materials, null, 2)}\n`);
    const audit = auditOf(tree);
    packService(stage, version, seconds, folder);
    write(folder, 'CHANGES.md', changes);
    const report = { version, commit, audit, licences: licencesOf(materials) };
    write(folder, 'REPORT.md', renderReport(report));
    writeSums(folder);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
  for (const file of readdirSync(folder).sort()) process.stdout.write(`${join(folder, file)}\n`);
}

/** Lays out the last commit, with this version in its manifests, and the packages that it is built with. */
function layOut(tree: string, version: string, commit: string): void {
  mkdirSync(tree);
  const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: ROOT, maxBuffer: 1 << 28 });
  execFileSync('tar', ['-x', '-C', tree], { input: archive });
  for (const manifest of [...MANIFESTS, 'package-lock.json']) {
    const path = join(tree, manifest);
    // The first one is the package's own; a lock file repeats it for the root package.
    let left = manifest === 'package-lock.json' ? 2 : 1;
    const text = readFileSync(path, 'utf8').replace(/"version": "[^"]*"/g, (found) => {
      left -= 1;
      return left >= 0 ? `"version": "${version}"` : found;
    });
    writeFileSync(path, text);
  }
  // The service reads it, because what is unpacked from a release is no clone.
  const manifest = join(tree, 'package.json');
  writeFileSync(
    manifest,
    `${JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), gitHead: commit }, null, 2)}\n`,
  );
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
}

function packPackage(tree: string, name: string, folder: string): void {
  execFileSync(process.execPath, ['scripts/package.ts', 'pack', name, folder], {
    cwd: tree,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // What was built would otherwise be in the service's tarball.
  rmSync(join(tree, 'packages', name, 'lib'), { recursive: true, force: true });
}

/** Packs the service: names in order, the commit's time, no owner. */
function packService(stage: string, version: string, seconds: number, folder: string): void {
  const name = `loyalty-basket-gateway-${version}`;
  rmSync(join(stage, name, 'node_modules'));
  for (const part of NOT_SHIPPED) rmSync(join(stage, name, part), { recursive: true, force: true });
  const fixed = [
    '--sort=name',
    `--mtime=@${seconds}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u=rwX,go=rX',
  ];
  const tar = execFileSync('tar', ['-c', '-C', stage, ...fixed, '--format=ustar', name], { maxBuffer: 1 << 28 });
  writeFileSync(join(folder, `${name}.tgz`), execFileSync('gzip', ['-9', '-n'], { input: tar, maxBuffer: 1 << 28 }));
}

function writeSums(folder: string): void {
  const sums = readdirSync(folder)
    .sort()
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, file)))
          .digest('hex')}  ${file}\n`,
    );
  write(folder, 'SHA256SUMS', sums.join(''));
}

function write(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}

try {
  main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`release: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
