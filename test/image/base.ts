/** The Debian 13 that images stand on, by debootstrap, with Node as `node:26-trixie-slim` has it. */
import { cpSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { canUseApt, installWithApt } from '../../scripts/setup/apt.mjs';
import { npmProgram } from '../../scripts/setup/npm.mjs';
import { findOnPath, toolchain } from '../../scripts/setup/paths.mjs';
import { pairFor } from '../../scripts/setup/platform.mjs';
import { fetchOtherNode } from '../support/other-nodes.ts';
import { run } from './shell.ts';

const RELEASE = 'trixie';
const MIRROR = 'http://deb.debian.org/debian';
/** What the official image adds to a bare Debian. */
const PACKAGES = 'ca-certificates,libatomic1,libstdc++6';
/** The user of the official image. */
const USER_ID = '1000';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** Why no image can be built here; undefined where one can. */
export function findObstacle(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'it needs Linux on x64';
  if (process.getuid?.() !== 0) return 'it needs root, for chroot and mounts';
  if (findOnPath('debootstrap') === undefined && !canUseApt()) return 'it needs debootstrap';
  return undefined;
}

/** Makes the base, or finds the one that an earlier run made. Returns its folder. */
export function provideBase(say: (line: string) => void): string {
  const folder = join(toolchain, 'image', RELEASE);
  if (existsSync(folder)) return folder;
  if (findOnPath('debootstrap') === undefined) installWithApt('debootstrap', 'some seconds');
  say(`building a bare Debian (${RELEASE}) with debootstrap, about two minutes`);
  const incoming = `${folder}.incoming`;
  rmSync(incoming, { recursive: true, force: true });
  mkdirSync(incoming, { recursive: true });
  run('debootstrap', ['--variant=minbase', `--include=${PACKAGES}`, RELEASE, incoming, MIRROR]);
  for (const part of ['var/cache/apt/archives', 'var/lib/apt/lists']) {
    rmSync(join(incoming, part), { recursive: true, force: true });
  }
  // The network of this machine, and whom it trusts.
  for (const file of ['/etc/resolv.conf', '/etc/hosts', CERTIFICATES]) {
    if (existsSync(file)) cpSync(realpathSync(file), join(incoming, file), { force: true });
  }
  addNode(incoming);
  run('chroot', [incoming, 'useradd', '--create-home', '--uid', USER_ID, 'node']);
  renameSync(incoming, folder);
  return folder;
}

function addNode(root: string): void {
  const version = pairFor('linux', '2.41').packages['linux-x64']?.version;
  if (version === undefined) throw new Error('no Node for x64 Linux is pinned');
  const programs = join(root, 'usr', 'local', 'bin');
  mkdirSync(programs, { recursive: true });
  cpSync(fetchOtherNode(version), join(programs, 'node'));
  const npm = dirname(dirname(npmProgram()));
  const place = '/usr/local/lib/node_modules/npm';
  cpSync(npm, join(root, place), { recursive: true, dereference: true });
  run('ln', ['-s', `${place}/bin/npm-cli.js`, join(programs, 'npm')]);
  run('chmod', ['755', join(root, place, 'bin', 'npm-cli.js')]);
}
