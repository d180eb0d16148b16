import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withSetupLock } from '../scripts/setup/lock.mjs';
import { npmInstallFlags, runNpm } from '../scripts/setup/npm.mjs';
import { announce } from '../scripts/setup/report.mjs';

/** Packages with their own lock file, so that running the service never installs them. */
interface PackageSet {
  readonly folder: string;
  readonly size: string;
}

const BENCH: PackageSet = { folder: 'bench', size: 'about 10 seconds' };
const PEERS: PackageSet = { folder: 'bench/peers', size: '290 MB, about 40 seconds' };

/** Installs the packages of the benchmark alone: the frameworks, the load generator, the charting library. */
export function provideBenchPackages(): Promise<void> {
  return provide(BENCH);
}

/** Installs the engines for the comparison: 600 packages, most of them the framework around Medusa's promotions. */
export function providePeers(): Promise<void> {
  return provide(PEERS);
}

/** True when the peers are installed. The suite compares with them only then, and never installs them. */
export function arePeersInstalled(): boolean {
  return isCurrent(PEERS);
}

/** Installs the packages and prints one line, unless they are current. */
async function provide(packages: PackageSet): Promise<void> {
  if (isCurrent(packages)) return;
  const { folder, size } = packages;
  await withSetupLock(() => {
    if (isCurrent(packages)) return;
    announce(`installing the packages of ${folder}/package-lock.json (${size})`);
    const cwd = pathOf(packages);
    runNpm(process.execPath, ['ci', ...npmInstallFlags, '--prefix', cwd], {
      cwd,
      failure: `npm ci could not install the packages of ${folder}; mend the network and try again`,
    });
    writeFileSync(stampFile(packages), expectedStamp(packages));
  });
}

function isCurrent(packages: PackageSet): boolean {
  const stamp = stampFile(packages);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === expectedStamp(packages);
}

function expectedStamp(packages: PackageSet): string {
  const lock = readFileSync(join(pathOf(packages), 'package-lock.json'));
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}\n`;
}

function stampFile(packages: PackageSet): string {
  return join(pathOf(packages), 'node_modules', '.set-up');
}

function pathOf({ folder }: PackageSet): string {
  return join(import.meta.dirname, '..', folder);
}
