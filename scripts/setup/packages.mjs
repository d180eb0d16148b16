import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmInstallFlags, runNpm } from './npm.mjs';
import { nodeLink, nodeModules, root } from './paths.mjs';
import { announce } from './report.mjs';

const stampFile = join(nodeModules, '.set-up');

/**
 * The stamp of node_modules: lock file, Node version and platform. It is written last, so a killed install has none.
 * @param {string} nodeVersion
 */
function expectedStamp(nodeVersion) {
  const lock = readFileSync(join(root, 'package-lock.json'));
  const digest = createHash('sha256').update(lock).digest('hex');
  return `${digest} node-${nodeVersion} ${process.platform}-${process.arch}\n`;
}

/** @param {string} nodeVersion */
export function packagesAreCurrent(nodeVersion) {
  return readStamp() === expectedStamp(nodeVersion);
}

function readStamp() {
  try {
    return readFileSync(stampFile, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Installs exactly the packages of package-lock.json, including development packages under any NODE_ENV: `npm test`
 * needs them, and one node_modules serves both commands.
 * @param {string} nodeVersion
 */
export function providePackages(nodeVersion) {
  announce('installing the packages of package-lock.json (about 20 seconds)');
  rmSync(stampFile, { force: true });
  runNpm(nodeLink, ['ci', ...npmInstallFlags, '--include=dev', '--include=optional', '--prefix', root], {
    cwd: root,
    failure: 'npm ci could not install the packages; mend the network or package-lock.json and try again',
  });
  mkdirSync(nodeModules, { recursive: true });
  writeFileSync(stampFile, expectedStamp(nodeVersion));
}
