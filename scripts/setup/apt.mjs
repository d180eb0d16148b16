import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { findOnPath } from './paths.mjs';
import { announce, runQuietly } from './report.mjs';

/** True when apt-get can install a package without asking a question: as root, or through a sudo that asks nothing. */
export function canUseApt() {
  return findOnPath('apt-get') !== undefined && rootPrefix() !== undefined;
}

/** The words before a command that needs root; undefined where there is no way to be root. */
function rootPrefix() {
  if (process.getuid?.() === 0) return [];
  if (findOnPath('sudo') === undefined) return undefined;
  return spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0 ? ['sudo', '-n'] : undefined;
}

/**
 * Installs a system package. `duration` is the expected time, shown to the user.
 * @param {string} name
 * @param {string} duration
 */
export function installWithApt(name, duration) {
  announce(`installing the package ${name} with apt-get (${duration})`);
  withoutStartingServices(() => {
    runAsRoot(['apt-get', 'update', '-q'], 'apt-get update failed; mend the network or its sources');
    runAsRoot(
      ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', 'install', '-q', '-y', '--no-install-recommends', name],
      `apt-get could not install ${name}; install it yourself and try again`,
    );
  });
}

/**
 * @param {string[]} words
 * @param {string} failure
 */
function runAsRoot(words, failure) {
  const [command = '', ...args] = [...(rootPrefix() ?? []), ...words];
  runQuietly(command, args, { failure });
}

const policyFile = '/usr/sbin/policy-rc.d';
const policyMark = '# Written by a set-up that wanted only the binary of a package';

/**
 * Runs `install` without starting the installed service. Debian starts a service with its package, but only the binary
 * is needed here, and a surprising server on port 6379 is not. The guard script refuses only while this process lives,
 * so one left behind by a kill is harmless. An existing policy belongs to the machine's owner and stays.
 * @param {() => void} install
 */
function withoutStartingServices(install) {
  const isOurs = !existsSync(policyFile) || readFileSync(policyFile, 'utf8').includes(policyMark);
  const failure = `${policyFile} could not be written`;
  if (isOurs) {
    const guard = `#!/bin/sh\n${policyMark}.\nkill -0 ${process.pid} 2>/dev/null && exit 101\nexit 0\n`;
    runAsRoot(['sh', '-c', 'printf %s "$1" >"$0" && chmod 755 "$0"', policyFile, guard], failure);
  }
  try {
    install();
  } finally {
    if (isOurs) runAsRoot(['rm', '-f', policyFile], failure);
  }
}
