import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withSetupLock } from '../../scripts/setup/lock.mjs';
import { npmInstallFlags, runNpm } from '../../scripts/setup/npm.mjs';
import { announce } from '../../scripts/setup/report.mjs';

const FOLDER = import.meta.dirname;
const STAMP_FILE = join(FOLDER, 'node_modules', '.set-up');

/**
 * Installs the engines that ours is compared with: 600 packages, most of them the framework around Medusa's promotions.
 * They have a lock of their own, so that neither the service nor the rest of the benchmark gets them.
 */
export async function providePeers(): Promise<void> {
  if (arePeersInstalled()) return;
  await withSetupLock(() => {
    if (arePeersInstalled()) return;
    announce('installing the packages of bench/peers/package-lock.json (290 MB, about 40 seconds)');
    runNpm(process.execPath, ['ci', ...npmInstallFlags, '--prefix', FOLDER], {
      cwd: FOLDER,
      failure: 'npm ci could not install the packages of bench/peers; mend the network and try again',
    });
    writeFileSync(STAMP_FILE, expectedStamp());
  });
}

/** The suite compares with the peers where they are, and never installs them. */
export function arePeersInstalled(): boolean {
  return existsSync(STAMP_FILE) && readFileSync(STAMP_FILE, 'utf8') === expectedStamp();
}

function expectedStamp(): string {
  const lock = readFileSync(join(FOLDER, 'package-lock.json'));
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}\n`;
}
