import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { findOnPath } from './paths.mjs';
import { announce, runQuietly } from './report.mjs';

/** True where apt-get can install a package without a question. */
export function canUseApt() {
  return findOnPath('apt-get') !== undefined && process.getuid?.() === 0;
}

/**
 * Installs a package of the system. `duration` is what to tell who waits.
 * @param {string} name
 * @param {string} duration
 */
export function installWithApt(name, duration) {
  announce(`installing the package ${name} with apt-get (${duration})`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  withoutStartingServices(() => {
    runQuietly('apt-get', ['update', '-q'], { env, failure: 'apt-get update failed; mend the network or its sources' });
    runQuietly('apt-get', ['install', '-q', '-y', '--no-install-recommends', name], {
      env,
      failure: `apt-get could not install ${name}; install it yourself and try again`,
    });
  });
}

const policyFile = '/usr/sbin/policy-rc.d';
const policyMark = '# Written by a set-up that wanted only the binary of a package';

/**
 * Debian starts a service as soon as its package is installed; here only the binary is wanted, and a server on port
 * 6379 that nobody asked for would be a surprise. The guard refuses only while this process lives, so one left behind
 * by a kill refuses nothing. A policy the machine already has is its owner's and stays.
 * @param {() => void} install
 */
function withoutStartingServices(install) {
  const isOurs = !existsSync(policyFile) || readFileSync(policyFile, 'utf8').includes(policyMark);
  if (isOurs) {
    const guard = `#!/bin/sh\n${policyMark}.\nkill -0 ${process.pid} 2>/dev/null && exit 101\nexit 0\n`;
    writeFileSync(policyFile, guard, { mode: 0o755 });
  }
  try {
    install();
  } finally {
    if (isOurs) rmSync(policyFile, { force: true });
  }
}
