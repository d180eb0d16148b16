import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { pairFor } from '../../scripts/setup/platform.mjs';
import { packageOf, parseSource, ROOT, readSources, type SourceFile } from '../architecture/source.ts';
import { copiedSources, instructions, isSentToBuilder, isWithin, neededSources } from './dockerfile.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const dockerfile = read('Dockerfile');
const copied = copiedSources(dockerfile);
const dependencies = Object.keys(JSON.parse(read('package.json')).dependencies);
const service = readSources(['src', 'workers']);

/** What the files need at run time and the image does not hold, as `file:line: what`. */
function findMissing(files: readonly SourceFile[], inImage: readonly string[], packages: readonly string[]): string[] {
  return files.flatMap((file) =>
    file.imports
      .filter(({ typeOnly }) => !typeOnly)
      .filter(({ specifier, target }) => {
        if (target !== undefined) return !inImage.some((folder) => isWithin(target, folder));
        const name = packageOf(specifier);
        return name !== undefined && !isBuiltin(name) && !packages.includes(name);
      })
      .map(({ specifier, line }) => `${file.path}:${line}: ${specifier}`),
  );
}

describe('the image', () => {
  it('copies only what exists and is sent to the builder', () => {
    const sources = neededSources(dockerfile);
    expect(sources).toContain('package-lock.json');
    expect(sources.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(sources.filter((path) => !isSentToBuilder(read('.dockerignore'), path))).toEqual([]);
  });

  it('holds every file and package that the service imports at run time', () => {
    expect(service.length).toBeGreaterThan(0);
    expect(findMissing(service, copied, dependencies)).toEqual([]);
  });

  it('starts a file that it holds, by Node itself, as a user that is not root', () => {
    const words = instructions(dockerfile);
    const command: string[] = JSON.parse(
      words
        .findLast(([name]) => name === 'CMD')!
        .slice(1)
        .join(' '),
    );
    expect(command[0]).toBe('node');
    const script = command.at(-1)!;
    expect(copied.some((folder) => isWithin(script, folder))).toBe(true);
    expect(existsSync(join(ROOT, script))).toBe(true);
    expect(words.findLast(([name]) => name === 'USER')?.[1]).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  });

  it('runs on the Node that package.json asks for, on glibc', () => {
    const bases = instructions(dockerfile).filter(([name]) => name === 'FROM');
    const { major } = pairFor('linux', '2.41');
    expect(JSON.parse(read('package.json')).engines.node).toContain(`>=${major}.`);
    // Debian 13 has glibc 2.41.
    expect(bases.map(([, image]) => image)).toEqual(Array(2).fill(`node:${major}-trixie-slim`));
  });

  it('gets its Redis from compose.yaml, with a log of every write and no eviction', () => {
    const { services } = parse(read('compose.yaml'));
    expect(services.gateway.environment.REDIS_URL).toBe('redis://redis:6379');
    expect(services.redis.command).toBe(
      'redis-server --appendonly yes --appendfsync always --maxmemory-policy noeviction',
    );
  });
});

describe('the check of the image', () => {
  const judge = (path: string, text: string) => findMissing([parseSource(path, text)], ['src', 'workers'], ['ajv']);

  it.each([
    ["import { expect } from 'vitest';", 'a development package'],
    ["import { sign } from '../../test/support/signer.ts';", 'a file outside the image'],
    ["const file = new URL('../../bench/a.ts', import.meta.url);", 'a file outside the image, by URL'],
  ])('refuses %s: %s', (text) => {
    expect(judge('src/a/a.ts', text)).toHaveLength(1);
  });

  it.each([
    ["import { Ajv } from 'ajv';\nimport formats from 'ajv/dist/x.js';"],
    ["import { join } from 'node:path';\nimport type { T } from 'vitest';"],
    ["const file = new URL('../../workers/a.ts', import.meta.url);"],
  ])('lets pass %s', (text) => {
    expect(judge('src/a/a.ts', text)).toEqual([]);
  });

  it('reads copied sources and the ignore file', () => {
    const text =
      'FROM a AS b\nCOPY x y ./\nFROM c\nCOPY --from=b /y /y\nCOPY --chown=1:1 ./src \\\n  config/ /service/\n';
    expect(copiedSources(text)).toEqual(['src', 'config']);
    expect(neededSources(text)).toEqual(['x', 'y', 'src', 'config']);
    expect(isSentToBuilder('*\n!src\n', 'src/a.ts')).toBe(true);
    expect(isSentToBuilder('*\n!src\n', 'srcs')).toBe(false);
  });
});
