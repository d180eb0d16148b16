import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { findOnPath } from './paths.mjs';
import { announce, runQuietly, SetupError } from './report.mjs';

/** The Redis server binary on PATH, or undefined. */
export function findRedisServer() {
  return findOnPath('redis-server') ?? findOnPath('valkey-server');
}

/** Installs a Redis server through the system's package manager, where that asks no question. */
export function provideRedisServer() {
  if (findOnPath('apt-get') !== undefined && process.getuid?.() === 0) installWithApt();
  else if (findOnPath('brew') !== undefined) installWithBrew();
  else throw new SetupError(`no Redis server was found on PATH; ${installAdvice()}, then try again`);
  if (findRedisServer() === undefined) {
    throw new SetupError('the Redis package is installed, yet neither redis-server nor valkey-server is on PATH');
  }
}

function installAdvice() {
  if (findOnPath('apt-get') !== undefined) return 'run `sudo apt-get install redis-server`';
  if (findOnPath('dnf') !== undefined) return 'run `sudo dnf install redis` or `sudo dnf install valkey`';
  return "install the package redis-server (or valkey) with the system's package manager";
}

function installWithApt() {
  announce('installing the package redis-server with apt-get (about half a minute)');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  withoutStartingServices(() => {
    runQuietly('apt-get', ['update', '-q'], { env, failure: 'apt-get update failed; mend the network or its sources' });
    runQuietly('apt-get', ['install', '-q', '-y', '--no-install-recommends', 'redis-server'], {
      env,
      failure: 'apt-get could not install redis-server; install it yourself and try again',
    });
  });
}

function installWithBrew() {
  announce('installing the package redis with brew (about a minute)');
  runQuietly('brew', ['install', 'redis'], {
    failure: 'brew could not install redis; install it yourself and try again',
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
