import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { npmInstallFlags, runNpm } from './npm.mjs';
import { isExecutableFile, nodeLink, toolchain } from './paths.mjs';
import { pinnedNodePackage } from './platform.mjs';
import { announce, SetupError } from './report.mjs';

/**
 * Node 22 runs TypeScript sources without a flag from 22.18 on; 22.19 is what package.json asks for. The native addon has no
 * binary for later majors.
 */
const fittingMajor = 22;
const oldestFittingMinor = 19;

/** @param {string} version without the leading v */
function fits(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major === fittingMajor && minor >= oldestFittingMinor;
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
  if (versionOf(node) !== pinned.version) {
    installPinnedNode(pinned, folder);
    assertRuns(node, pinned.version);
  }
  link(node);
  return { version: pinned.version };
}

/**
 * @param {string} node
 * @param {string} version
 */
function assertRuns(node, version) {
  if (versionOf(node) === version) return;
  throw new SetupError(
    `the installed ${node} does not run on this machine; install Node ${fittingMajor} yourself and try again`,
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
    failure: `could not install ${name}@${version} from npm; install Node ${fittingMajor} yourself or mend the network`,
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
