import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmInstallFlags, runNpm } from './npm.mjs';
import { nodeLink, root, toolchain } from './paths.mjs';
import { announce, SetupError } from './report.mjs';

/**
 * The generators that the OpenAPI document is tried with. One test needs them, and they are as large as everything else
 * together, so they are installed apart and only for that test. Their exact versions are in its folder.
 */

const source = join(root, 'test', 'openapi', 'generators');
const folder = join(toolchain, 'generators');
const stampFile = join(folder, '.set-up');

function lockDigest() {
  return createHash('sha256')
    .update(readFileSync(join(source, 'package-lock.json')))
    .digest('hex');
}

/** True when the generators of the lock file are installed. */
export function generatorsAreCurrent() {
  try {
    return readFileSync(stampFile, 'utf8') === lockDigest();
  } catch {
    return false;
  }
}

/** Installs them. A failure is no reason to run no test at all: the test that needs them is skipped and says so. */
export function provideGenerators() {
  announce('installing the generators that the OpenAPI document is tried with (about 10 seconds)');
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(source, file), join(folder, file));
  try {
    runNpm(nodeLink, ['ci', ...npmInstallFlags, '--prefix', folder], {
      cwd: folder,
      failure: 'npm ci could not install the generators, so their test is skipped',
    });
    writeFileSync(stampFile, lockDigest());
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    announce(error.message);
  }
}
