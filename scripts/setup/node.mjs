import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { canUseApt, installWithApt } from './apt.mjs';
import { npmInstallFlags, runNpm } from './npm.mjs';
import { isExecutableFile, nodeLink, toolchain, toolchainPrograms } from './paths.mjs';
import { pairHere, pinnedNodePackage } from './platform.mjs';
import { announce, runQuietly, SetupError } from './report.mjs';
import { canUnpack, installUnpacked, unpackedFolder } from './unpacked.mjs';

/** @param {string} version without the leading v */
function fits(version) {
  const pair = pairHere();
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major === pair.major && minor >= pair.oldestMinor;
}

/** Finds the Node behind `.toolchain/bin/node` if it is suitable, otherwise returns undefined. */
export function findFittingNode() {
  const path = linkTarget();
  if (path === undefined || !isExecutableFile(path)) return undefined;
  const version = versionOf(path);
  return version !== undefined && fits(version) ? { version } : undefined;
}

/**
 * Links a suitable Node to `.toolchain/bin/node`: the one that runs this, or the pinned one, which is installed if
 * missing.
 */
export function provideNode() {
  if (fits(process.versions.node)) {
    link(process.execPath);
    return { version: process.versions.node };
  }
  const pinned = pinnedNodePackage();
  const folder = installedNodeFolder(pinned.version);
  const node = join(folder, 'bin', 'node');
  if (versionOf(node) !== pinned.version) installPinnedNode(pinned, folder);
  completeNode(folder, pinned.version);
  link(node);
  assertRuns(pinned.version);
  return { version: pinned.version };
}

/**
 * Gives a Node from a package what it lacks on a bare system, if it does not run.
 * @param {string} folder
 * @param {string} version
 */
export function completeNode(folder, version) {
  if (versionOf(join(folder, 'bin', 'node')) !== version) provideLibrary(folder);
}

/** What Node needs of a bare Debian and does not bring along. */
const LIBRARY = 'libatomic1';

/**
 * Provides that library if this needs no interaction; a Node that lacks something else is found out later. Where it cannot
 * be installed it is put beside Node, whose file is told to look there: a variable would not reach every process.
 * @param {string} folder of Node
 */
function provideLibrary(folder) {
  if (canUseApt()) return installWithApt(LIBRARY, 'some seconds');
  if (!canUnpack()) return;
  installUnpacked(LIBRARY, 'some seconds', []);
  installUnpacked('patchelf', 'some seconds', ['usr/bin/patchelf']);
  const unpacked = unpackedFolder(LIBRARY);
  const library = readdirSync(unpacked, { recursive: true, encoding: 'utf8' }).find((file) => file.endsWith('.so.1'));
  if (library === undefined) return;
  mkdirSync(join(folder, 'lib'), { recursive: true });
  copyFileSync(realpathSync(join(unpacked, library)), join(folder, 'lib', basename(library)));
  runQuietly(join(toolchainPrograms, 'patchelf'), ['--set-rpath', '$ORIGIN/../lib', join(folder, 'bin', 'node')], {
    failure: `Node could not be told where ${LIBRARY} is; have it installed and try again`,
  });
}

/** @param {string} version */
function assertRuns(version) {
  if (versionOf(nodeLink) === version) return;
  throw new SetupError(
    `the installed Node ${version} does not run on this machine; install ${LIBRARY}, or Node ${pairHere().major} yourself, and try again`,
  );
}

/** @param {string} version */
function installedNodeFolder(version) {
  return join(toolchain, `node-${version}`);
}

function linkTarget() {
  try {
    return readlinkSync(nodeLink);
  } catch {
    return undefined;
  }
}

/**
 * Finds the version of a Node binary; undefined when it does not run. The running Node's version is known without
 * starting it, which keeps a set-up with nothing to do short.
 * @param {string} path
 */
function versionOf(path) {
  if (path === process.execPath) return process.versions.node;
  const result = spawnSync(path, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return result.status === 0 ? result.stdout.trim().replace(/^v/, '') : undefined;
}

/**
 * Installs in a temporary folder and moves it into place when complete, so that a killed install never looks finished.
 * @param {{ name: string, version: string, integrity: string }} pinned
 * @param {string} folder
 */
function installPinnedNode({ name, version, integrity }, folder) {
  announce(
    `Node ${process.versions.node} does not fit; installing Node ${version} into .toolchain/ (50 MB, about half a minute)`,
  );
  const incoming = join(toolchain, 'incoming');
  rmSync(incoming, { recursive: true, force: true });
  mkdirSync(incoming, { recursive: true });
  writeFileSync(join(incoming, 'package.json'), '{"private":true}\n');
  runNpm(process.execPath, ['install', ...npmInstallFlags, '--no-save', '--prefix', incoming, `${name}@${version}`], {
    cwd: incoming,
    failure: `could not install ${name}@${version} from npm; install Node ${pairHere().major} yourself or mend the network`,
  });
  assertIntegrity(incoming, name, integrity);
  rmSync(folder, { recursive: true, force: true });
  renameSync(join(incoming, 'node_modules', name), folder);
  rmSync(incoming, { recursive: true, force: true });
}

/**
 * Compares the digest that npm has verified and recorded with the pinned one.
 * @param {string} incoming
 * @param {string} name
 * @param {string} integrity
 */
function assertIntegrity(incoming, name, integrity) {
  const lock = JSON.parse(readFileSync(join(incoming, 'node_modules', '.package-lock.json'), 'utf8'));
  const received = lock.packages[`node_modules/${name}`]?.integrity;
  if (received === integrity) return;
  throw new SetupError(
    `${name} from the registry is not the pinned package (${received}); check which registry npm uses`,
  );
}

/** @param {string} target */
function link(target) {
  mkdirSync(dirname(nodeLink), { recursive: true });
  const fresh = `${nodeLink}.${process.pid}`;
  if (existsSync(fresh)) rmSync(fresh);
  symlinkSync(target, fresh);
  renameSync(fresh, nodeLink);
}
