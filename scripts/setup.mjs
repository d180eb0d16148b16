/**
 * Set-up: brings a bare clone to the point where `npm start` and `npm test` run, on any system Node from 16 on.
 *
 * Three things are needed: a fitting Node behind `.toolchain/bin/node`, the packages of package-lock.json, and a Redis
 * server binary. Each is looked at first and made only when it is missing, so a second set-up prints nothing, needs no
 * network and takes about the time Node needs to start. With `--tests`, followed by the arguments of the test runner, only
 * what those tests need is wanted: a Redis server for all that start something, a Chromium for the tests of the pages.
 * With `--code` Node and the packages are enough.
 */
import { findChromium, provideChromium } from './setup/chromium.mjs';
import { withSetupLock } from './setup/lock.mjs';
import { needsOfTests } from './setup/needs.mjs';
import { findFittingNode, provideNode } from './setup/node.mjs';
import { packagesAreCurrent, providePackages } from './setup/packages.mjs';
import { assertSupportedPlatform } from './setup/platform.mjs';
import { findRedisServer, provideRedisServer } from './setup/redis.mjs';
import { SetupError } from './setup/report.mjs';

const [mode, ...testArguments] = process.argv.slice(2);
const needs = chooseNeeds();

function chooseNeeds() {
  if (mode === '--code') return { redis: false, browser: false };
  return mode === '--tests' ? needsOfTests(testArguments) : { redis: true, browser: false };
}

/** True when nothing is left to do. */
function everythingIsInPlace() {
  const node = findFittingNode();
  const hasRedis = !needs.redis || findRedisServer() !== undefined;
  const hasBrowser = !needs.browser || findChromium() !== undefined;
  return node !== undefined && packagesAreCurrent(node.version) && hasRedis && hasBrowser;
}

/** Makes what is missing. Runs under the lock, so it looks again: another set-up may just have made it. */
function provideWhatIsMissing() {
  assertSupportedPlatform();
  const node = findFittingNode() ?? provideNode();
  if (!packagesAreCurrent(node.version)) providePackages(node.version);
  if (needs.redis && findRedisServer() === undefined) provideRedisServer();
  if (needs.browser && findChromium() === undefined) provideChromium();
}

/**
 * A refusal of the operating system (no right, no space) names its file and call; a stack would add nothing.
 * @param {unknown} error
 * @returns {error is NodeJS.ErrnoException}
 */
function isSystemError(error) {
  return error instanceof Error && 'syscall' in error;
}

try {
  if (!everythingIsInPlace()) await withSetupLock(provideWhatIsMissing);
} catch (error) {
  console.error(error instanceof SetupError || isSystemError(error) ? `set-up failed: ${error.message}` : error);
  process.exitCode = 1;
}
