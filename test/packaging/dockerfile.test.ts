import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { pairFor } from '../../scripts/setup/platform.mjs';
import { ROOT } from '../architecture/source.ts';
import { copiedSources, instructions, isSentToBuilder, isWithin, neededSources } from './dockerfile.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const dockerfile = read('Dockerfile');
const copied = copiedSources(dockerfile);

describe('the image', () => {
  it('copies only what exists and is sent to the builder', () => {
    const sources = neededSources(dockerfile);
    expect(sources).toContain('package-lock.json');
    expect(sources.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(sources.filter((path) => !isSentToBuilder(read('.dockerignore'), path))).toEqual([]);
  });

  // `layers.config.mjs` keeps the imports of these folders inside them and inside the dependencies.
  it('holds every folder of the service', () => {
    expect(copied).toEqual(expect.arrayContaining(['package.json', 'config', 'workers', 'packages', 'src']));
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
