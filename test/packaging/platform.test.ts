/** Which Node and which HTTP library a system gets, and that all places tell the same story. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pairFor } from '../../scripts/setup/platform.mjs';
import { ROOT } from '../architecture/source.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const packageFile = JSON.parse(read('package.json'));
const lock = JSON.parse(read('package-lock.json'));

test.each([
  ['linux', '2.41', 26],
  ['linux', '2.38', 26],
  ['linux', '2.37', 22],
  ['linux', '2.36', 22],
  ['linux', '2.28', 22],
  ['linux', '3.0', 26],
  ['darwin', undefined, 26],
])('%s with glibc %s runs Node %i', (os, glibc, major) => {
  const pair = pairFor(os, glibc);
  expect(pair.major).toBe(major);
  expect(packageFile.engines.node).toContain(`>=${pair.major}.${pair.oldestMinor}.0 <${pair.major + 1}`);
  for (const { version, integrity } of Object.values(pair.packages)) {
    const [found, minor] = version.split('.').map(Number);
    expect(found).toBe(pair.major);
    expect(minor).toBeGreaterThanOrEqual(pair.oldestMinor);
    expect(integrity).toMatch(/^sha512-/);
  }
});

test.each([
  ['uWebSockets.js', 22],
  ['uWebSockets.js-26', 26],
])(
  '%s is locked with a binary for Node %i on every platform of its pair, with a digest on x64 Linux',
  (name, major) => {
    const { version, integrity } = lock.packages[`node_modules/${name}`];
    expect(packageFile.dependencies[name]).toBe(`npm:@uwsjs/core@${version}`);
    expect(integrity).toMatch(/^sha512-/);
    for (const platform of Object.keys(pairFor('linux', major === 26 ? '2.41' : '2.36').packages)) {
      const binary = lock.packages[`node_modules/@uwsjs/${platform}-${major}`];
      expect([platform, binary?.version, binary?.optional]).toEqual([platform, version, true]);
      if (platform === 'linux-x64') expect(binary.integrity).toMatch(/^sha512-/);
    }
  },
);
