/** The script loader. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { loadScripts } from '../../src/redis/scripts.ts';
import { runScript } from '../../src/store/scripts.ts';
import { useFixture } from './fixture.ts';

const fixture = useFixture();

test('every script is loaded with its includes, starts as a declared script and says its keys', () => {
  const scripts = loadScripts(new URL('../../src/store/scripts/', import.meta.url));
  expect(scripts.size).toBeGreaterThan(5);
  for (const { source, keyCount } of scripts.values()) {
    expect(source).toMatch(/^#!lua/);
    expect(source).not.toContain('@include');
    const named = [...source.matchAll(/KEYS\[(\d+)\]/g)].map((match) => Number(match[1]));
    expect(Math.max(...named)).toBe(keyCount ?? Math.max(...named));
  }
});

test('a script file whose name does not say its keys is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loyalty-scripts-'));
  writeFileSync(join(folder, 'unnamed.lua'), 'return 1');
  expect(() => loadScripts(pathToFileURL(`${folder}/`))).toThrow('<name>-<number of keys>.lua');
  rmSync(folder, { recursive: true });
});

test('a script that is not there, or that has another number of keys, is not sent', () => {
  const { connection, keys } = fixture.store;
  expect(() => runScript(connection, 'no-such-script', [keys.rate()], [])).toThrow('No script no-such-script of 1');
  expect(() => runScript(connection, 'read-clock', [], [])).toThrow('No script read-clock of 0 keys');
});
