/** The manifests of `packages/`: what the sources import, in the versions that are tested here. */
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PACKAGES } from '../../scripts/package/build.ts';
import { packageOf, ROOT, readSources, type SourceFile } from '../architecture/source.ts';

const sources = new Map(readSources(['src', 'packages']).map((file) => [file.path, file]));
const root = readJson('package.json');

function readJson(path: string) {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

/** Every source that the entries of a package import, directly or not. */
function closureOf(name: string): SourceFile[] {
  const { files } = readJson(`packages/${name}/tsconfig.build.json`) as { files: string[] };
  const waiting = files.map((file) => posix.join('packages', name, file));
  const found = new Map<string, SourceFile>();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    const file = sources.get(path);
    // A manifest is read, and not imported.
    if (!file) continue;
    found.set(path, file);
    waiting.push(...file.imports.flatMap(({ target }) => target ?? []));
  }
  return [...found.values()];
}

describe.each(PACKAGES)('packages/%s', (name) => {
  const manifest = readJson(`packages/${name}/package.json`);
  const closure = closureOf(name);

  test('depends on what its sources import, in the versions of the service', () => {
    const imported = closure.flatMap(({ imports }) => imports.flatMap(({ specifier }) => packageOf(specifier) ?? []));
    const wanted = [...new Set(imported)].sort().map((dependency) => [dependency, root.dependencies[dependency]]);
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
    const rooms = closure.map(({ path }) => path).filter((path) => !path.startsWith(`packages/${name}/src/`));
    expect(rooms.filter((path) => !/^src\/(?:basket|contract|money)\//.test(path))).toEqual([]);
  });
});

function versionOf(range: string): string {
  return /\d[\d.]*/.exec(range)![0];
}
