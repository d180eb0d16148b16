import { canUseApt, installWithApt } from './apt.mjs';
import { findOnPath, findProgram } from './paths.mjs';
import { announce, runQuietly, SetupError } from './report.mjs';
import { canUnpack, installUnpacked } from './unpacked.mjs';

/** Finds the Redis server binary on PATH or among the project's own programs, or returns undefined. */
export function findRedisServer() {
  return findProgram('redis-server') ?? findProgram('valkey-server');
}

/** The server, and what the pages tell people to use beside it. */
const PROGRAMS = ['usr/bin/redis-server', 'usr/bin/redis-cli', 'usr/bin/redis-check-aof', 'usr/bin/redis-check-rdb'];

/** Installs a Redis server with the system's package manager, if that needs no interaction, or for this project alone. */
export function provideRedisServer() {
  if (canUseApt()) installWithApt('redis-server', 'about half a minute');
  else if (findOnPath('brew') !== undefined) installWithBrew();
  else if (canUnpack()) installUnpacked('redis-server', 'about half a minute', PROGRAMS);
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

function installWithBrew() {
  announce('installing the package redis with brew (about a minute)');
  runQuietly('brew', ['install', 'redis'], {
    failure: 'brew could not install redis; install it yourself and try again',
  });
}
