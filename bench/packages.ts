import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withSetupLock } from '../scripts/setup/lock.mjs';
import { npmInstallFlags, runNpm } from '../scripts/setup/npm.mjs';
import { announce } from '../scripts/setup/report.mjs';

const STAMP = join(import.meta.dirname, 'node_modules', '.set-up');

/**
 * Installs the packages of the benchmark alone, unless they are current: the frameworks and autocannon. They have
 * their own lock file, so that running the service never installs them.
 */
export async function provideBenchPackages(): Promise<void> {
  if (isCurrent()) return;
  await withSetupLock(() => {
    if (isCurrent()) return;
    announce('installing the packages of bench/package-lock.json (about 10 seconds)');
    runNpm(process.execPath, ['ci', ...npmInstallFlags, '--prefix', import.meta.dirname], {
      cwd: import.meta.dirname,
      failure: 'npm ci could not install the packages of bench; fix the network and try again',
    });
    writeFileSync(STAMP, expectedStamp());
  });
}

function isCurrent(): boolean {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === expectedStamp();
}

function expectedStamp(): string {
  const lock = readFileSync(join(import.meta.dirname, 'package-lock.json'));
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}\n`;
}
