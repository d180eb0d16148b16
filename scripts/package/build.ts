/**
 * Builds a package of `packages/`: JavaScript with types in its `lib/`. The service runs its TypeScript sources as they
 * are, but Node refuses to strip types under `node_modules`, where others have these packages.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Files, packagesOf, relocate } from './relocate.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export const PACKAGES = ['client', 'conformance'] as const;
export type PackageName = (typeof PACKAGES)[number];

/** Holds the digest of the sources of `lib/`. Its ending keeps it out of the package. */
const STAMP = '.sources';

/** Brings `lib/` and the dependencies in package.json up to date. Throws with the compiler's output. */
export function buildPackage(name: PackageName): void {
  const folder = join(ROOT, 'packages', name);
  const stamp = join(folder, 'lib', STAMP);
  const digest = digestOfSources(name);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  const files = relocate(name, compile(folder));
  writeDependencies(join(folder, 'package.json'), packagesOf(files));
  place(join(folder, 'lib'), files);
  writeFileSync(stamp, digestOfSources(name));
}

/** The imports of the entries in tsconfig.build.json decide which files are emitted, and so the package's content. */
function compile(folder: string): Files {
  const output = mkdtempSync(join(tmpdir(), 'loyalty-package-'));
  try {
    const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const args = ['--project', join(folder, 'tsconfig.build.json'), '--outDir', output];
    const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, ...args], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`the compiler refused the sources\n${stdout}${stderr}`);
    return new Map(listFiles(output).map((path) => [path, readFileSync(join(output, path), 'utf8')]));
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

/** A package depends on what its files import, in the version with which the service is tested. */
function writeDependencies(path: string, packages: readonly string[]): void {
  const manifest = readFileSync(path, 'utf8');
  const tested = testedVersions();
  const unknown = packages.filter((wanted) => tested[wanted] === undefined);
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: imported, but in no package.json`);
  const dependencies = Object.fromEntries(packages.map((wanted) => [wanted, tested[wanted]]));
  // Only this one value, so that the rest stays laid out as it is.
  const text = JSON.stringify({ dependencies }, null, 2).slice(4, -2);
  const derived = manifest.replace(/"dependencies": \{[^}]*\}/, () => text);
  if (derived !== manifest) writeFileSync(path, derived);
}

/** The versions of all packages here; npm would install a second one beside another, and a test looks for that. */
function testedVersions(): Record<string, string> {
  const manifests = readdirSync(join(ROOT, 'packages'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join('packages', name, 'package.json'));
  const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8')).dependencies ?? {};
  return Object.assign({}, ...['package.json', ...manifests].map(read));
}

/** Each file is replaced whole, and only when it differs: tests may be reading this folder, or another build filling it. */
function place(lib: string, files: Files): void {
  mkdirSync(lib, { recursive: true });
  for (const path of listFiles(lib)) {
    // Another build's drafts have another ending.
    if (/\.(?:js|ts)$/.test(path) && !files.has(path)) rmSync(join(lib, path), { force: true });
  }
  for (const [path, text] of files) {
    const target = join(lib, path);
    if (existsSync(target) && readFileSync(target, 'utf8') === text) continue;
    mkdirSync(dirname(target), { recursive: true });
    const draft = `${target}.${process.pid}`;
    writeFileSync(draft, text);
    renameSync(draft, target);
  }
}

function digestOfSources(name: PackageName): string {
  const folders = [`packages/${name}/src`, 'packages/contract/src', 'scripts/package'];
  const sources = folders.flatMap((folder) => listFiles(join(ROOT, folder)).map((path) => posix.join(folder, path)));
  const manifests = [
    'package.json',
    `packages/${name}/package.json`,
    `packages/${name}/tsconfig.build.json`,
    'tsconfig.json',
  ];
  const hash = createHash('sha256');
  for (const path of [...sources.sort(), ...manifests]) hash.update(`${path}\n`).update(readFileSync(join(ROOT, path)));
  return hash.digest('hex');
}

/** Every file below a folder, with slashes. */
export function listFiles(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map(({ parentPath, name }) =>
    join(parentPath, name)
      .slice(folder.length + 1)
      .replaceAll(sep, '/'),
  );
}
