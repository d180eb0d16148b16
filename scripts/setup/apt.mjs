import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { findOnPath } from './paths.mjs';
import { announce, runQuietly } from './report.mjs';

/** True when apt-get can install a package without asking a question. */
export function canUseApt() {
  return findOnPath('apt-get') !== undefined && process.getuid?.() === 0;
}

/**
 * Installs a system package. `duration` is the expected time, shown to the user.
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
 * Runs `install` without starting the installed service. Debian starts a service with its package, but only the binary
 * is needed here, and a surprising server on port 6379 is not. The guard script refuses only while this process lives,
 * so one left behind by a kill is harmless. An existing policy belongs to the machine's owner and stays.
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
