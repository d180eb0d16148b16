import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { findOnPath, toolchain, toolchainPrograms } from './paths.mjs';
import { announce, runQuietly } from './report.mjs';

/**
 * Packages of Debian and Ubuntu for a user who may not install any: apt-get fetches a package, and those that it needs and
 * the system lacks, into a folder of the project; they are unpacked there and left unconfigured. A script in
 * `.toolchain/bin` starts a program of it with the libraries beside it. Nothing outside the project is touched.
 */

/** True when packages can be fetched and unpacked without the rights of root. */
export function canUnpack() {
  return findOnPath('apt-get') !== undefined && findOnPath('dpkg-deb') !== undefined;
}

/**
 * @param {string} name of the package
 * @param {string} duration the expected time, shown to the user
 * @param {string[]} programs paths in the package; others, of packages that it needs, are nobody's business here
 */
export function installUnpacked(name, duration, programs) {
  announce(`unpacking the package ${name} into .toolchain/, because you are not root (${duration})`);
  const folder = unpackedFolder(name);
  const incoming = `${folder}.incoming`;
  rmSync(incoming, { recursive: true, force: true });
  const files = join(incoming, 'files');
  const archives = fetchPackages(name, incoming);
  mkdirSync(files, { recursive: true });
  for (const archive of archives) {
    runQuietly('dpkg-deb', ['-x', archive, files], { failure: `${basename(archive)} could not be unpacked` });
  }
  rmSync(folder, { recursive: true, force: true });
  renameSync(files, folder);
  rmSync(incoming, { recursive: true, force: true });
  for (const program of programs) writeLauncher(join(folder, program), folder);
}

/**
 * Fetches a package and the missing ones that it needs. Returns their files.
 * @param {string} name
 * @param {string} folder
 */
function fetchPackages(name, folder) {
  const state = join(folder, 'state');
  const cache = join(folder, 'cache');
  for (const part of [join(state, 'lists', 'partial'), join(cache, 'archives', 'partial')]) {
    mkdirSync(part, { recursive: true });
  }
  // The system's list of what is installed is only read.
  const options = [
    ['Dir::State', state],
    ['Dir::State::status', '/var/lib/dpkg/status'],
    ['Dir::Cache', cache],
    ['Debug::NoLocking', 'true'],
    ['APT::Sandbox::User', ''],
    ['APT::Install-Recommends', 'false'],
  ].flatMap(([option, value]) => ['-o', `${option}=${value}`]);
  runQuietly('apt-get', [...options, 'update', '-q'], {
    failure: 'apt-get update failed; mend the network or its sources',
  });
  runQuietly('apt-get', [...options, 'install', '-q', '-y', '--download-only', name], {
    failure: `apt-get could not fetch ${name}; have it installed and try again`,
  });
  const archives = join(cache, 'archives');
  return readdirSync(archives)
    .filter((file) => file.endsWith('.deb'))
    .map((file) => join(archives, file));
}

/**
 * Writes a script into `.toolchain/bin` that starts a program with the libraries of unpacked packages.
 * @param {string} program
 * @param {string} folder of the packages
 */
function writeLauncher(program, folder) {
  const libraries = new Set(
    filesOf(folder)
      .filter((file) => /\.so(?:\.|$)/.test(file))
      .map(dirname),
  );
  // Relative to the script, so that the project can be moved.
  const here = (/** @type {string} */ path) => `\${0%/*}/${relative(toolchainPrograms, path)}`;
  const path = [...libraries].map((library) => here(join(folder, library))).join(':');
  mkdirSync(toolchainPrograms, { recursive: true });
  const script = join(toolchainPrograms, basename(program));
  writeFileSync(`${script}.new`, `#!/bin/sh\nLD_LIBRARY_PATH="${path}" exec "${here(program)}" "$@"\n`, {
    mode: 0o755,
  });
  renameSync(`${script}.new`, script);
}

/** @param {string} folder */
function filesOf(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' });
}

/**
 * The folder of an unpacked package.
 * @param {string} name
 */
export function unpackedFolder(name) {
  return join(toolchain, 'packages', name);
}
