import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withSetupLock } from '../scripts/setup/lock.mjs';
import { npmInstallFlags, runNpm } from '../scripts/setup/npm.mjs';
import { announce } from '../scripts/setup/report.mjs';

const FOLDER = import.meta.dirname;
const STAMP_FILE = join(FOLDER, 'node_modules', '.set-up');

/**
 * Installs what only the benchmark needs: the frameworks that it compares with and the load generator. They have a lock
 * of their own, so that whoever runs the service never gets them. Says one line, and nothing when all is there.
 */
export async function provideBenchPackages(): Promise<void> {
  if (isCurrent()) return;
  await withSetupLock(() => {
    if (isCurrent()) return;
    announce('installing the packages of bench/package-lock.json (about 5 seconds)');
    runNpm(process.execPath, ['ci', ...npmInstallFlags, '--prefix', FOLDER], {
      cwd: FOLDER,
      failure: 'npm ci could not install the packages of the benchmark; mend the network and try again',
    });
    writeFileSync(STAMP_FILE, expectedStamp());
  });
}

function isCurrent(): boolean {
  return existsSync(STAMP_FILE) && readFileSync(STAMP_FILE, 'utf8') === expectedStamp();
}

function expectedStamp(): string {
  const lock = readFileSync(join(FOLDER, 'package-lock.json'));
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}\n`;
}
