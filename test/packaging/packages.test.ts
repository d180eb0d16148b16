/** The manifests of `packages/`: what the sources import, in the versions that are tested here. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { cruise } from 'dependency-cruiser';
import { beforeAll, describe, expect, test } from 'vitest';
import layers from '../../layers.config.mjs';
import { PACKAGES } from '../../scripts/package/build.ts';
import { ROOT, readSources } from '../architecture/source.ts';

const root = readJson('package.json');
const manifests = readdirSync(join(ROOT, 'packages'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => ({ folder: `packages/${name}/src`, manifest: readJson(`packages/${name}/package.json`) }));

function readJson(path: string) {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

/** Every source that the entries of a package import, directly or not, and the packages that these import. */
async function closureOf(name: string): Promise<{ sources: string[]; packages: string[] }> {
  const { files } = readJson(`packages/${name}/tsconfig.build.json`) as { files: string[] };
  const entries = files.map((file) => posix.join('packages', name, file));
  const { output } = await cruise(entries, { ...layers.options, baseDir: ROOT });
  if (typeof output === 'string') throw new Error(output);
  const sources = output.modules.map(({ source }) => source).filter((path) => /^(?:src|packages)\/.*\.ts$/.test(path));
  const imported = output.modules
    .filter(({ source }) => sources.includes(source))
    .flatMap(({ dependencies }) => dependencies)
    .filter(({ module }) => !module.startsWith('@loyalty/'))
    .filter(({ dependencyTypes }) => dependencyTypes.some((type) => type.startsWith('npm')));
  return { sources, packages: [...new Set(imported.map(({ module }) => packageOf(module)))].sort() };
}

/** `@scope/name/file.js` → `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

const versions = new Map<string, string>();

test('a package has one version, whichever manifests name it', () => {
  for (const { manifest } of [{ manifest: root }, ...manifests]) {
    for (const [name, version] of Object.entries<string>({ ...manifest.dependencies, ...manifest.devDependencies })) {
      expect([name, version]).toEqual([name, versions.get(name) ?? version]);
      versions.set(name, version);
    }
  }
});

test.each(manifests)('$folder imports what its manifest declares', ({ folder, manifest }) => {
  const declared = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  const imported = readSources([folder]).flatMap(({ code }) =>
    [...code.matchAll(/\b(?:from|import\(?)\s*'((?!\.|node:)[^'\s]+)'/g)].map(([, name]) => packageOf(name!)),
  );
  expect([...new Set(imported)].filter((name) => !declared.includes(name))).toEqual([]);
});

describe.each(PACKAGES)('packages/%s', (name) => {
  const manifest = readJson(`packages/${name}/package.json`);
  let closure: Awaited<ReturnType<typeof closureOf>>;
  beforeAll(async () => {
    closure = await closureOf(name);
  });

  test('depends on what its sources import, in the versions of the service', () => {
    const wanted = closure.packages.map((dependency) => [dependency, versions.get(dependency)]);
    expect(Object.entries(manifest.dependencies)).toEqual(wanted);
    for (const [, version] of wanted) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test('asks for the Node that its dependencies ask for', () => {
    const floors = Object.keys(manifest.dependencies).map(
      (dependency) => readJson(`node_modules/${dependency}/package.json`).engines?.node ?? '>=0.0.0',
    );
    const highest = floors.sort((a, b) => versionOf(a).localeCompare(versionOf(b), 'en', { numeric: true })).at(-1);
    expect(
      versionOf(manifest.engines.node).localeCompare(versionOf(highest), 'en', { numeric: true }),
    ).toBeGreaterThanOrEqual(0);
    expect(manifest.engines.node).toMatch(/^>=\d+\.\d+\.\d+$/);
  });

  test('says its licence, and has nothing of the inside of the service', () => {
    // The service's own, or a text that lies in the package.
    const hasText = existsSync(join(ROOT, 'packages', name, 'LICENSE'));
    expect(manifest.license).toBe(hasText ? 'SEE LICENSE IN LICENSE' : root.license);
    if (hasText) expect(manifest.files).toContain('LICENSE');
    expect(closure.sources).toContain('packages/contract/src/errors.ts');
    const others = closure.sources.filter((path) => !path.startsWith(`packages/${name}/src/`));
    expect(others.filter((path) => !path.startsWith('packages/contract/src/'))).toEqual([]);
  });
});

function versionOf(range: string): string {
  return /\d[\d.]*/.exec(range)![0];
}
