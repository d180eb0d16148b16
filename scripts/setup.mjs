/**
 * Set-up: prepares a bare clone for `npm start` and `npm test`, on any system Node from 18.17 on.
 *
 * Three things are needed: a suitable Node behind `.toolchain/bin/node`, the packages of package-lock.json, and a Redis
 * server binary. Each is checked first and provided only when missing, so a second set-up prints no line, needs no
 * network and takes about the time Node needs to start. With `--tests`, followed by the arguments of the test runner,
 * only the needs of those tests are provided: a Redis server, curl and openssl for tests that start a process, Chromium for the tests of
 * the pages, the generators for the test of the OpenAPI document. With `--code`, Node and the packages are enough.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { findChromium, provideChromium } from './setup/chromium.mjs';
import { generatorsAreCurrent, provideGenerators } from './setup/generators.mjs';
import { withSetupLock } from './setup/lock.mjs';
import { needsOfTests } from './setup/needs.mjs';
import { findFittingNode, provideNode } from './setup/node.mjs';
import { packagesAreCurrent, providePackages } from './setup/packages.mjs';
import { nodeLink, root } from './setup/paths.mjs';
import { assertSupportedPlatform } from './setup/platform.mjs';
import { missingPrograms, providePrograms } from './setup/programs.mjs';
import { findRedisServer, provideRedisServer } from './setup/redis.mjs';
import { SetupError } from './setup/report.mjs';

const FILL = join(root, 'scripts', 'stripped', 'fill.mjs');
const [mode, ...testArguments] = process.argv.slice(2);
const needs = chooseNeeds();

function chooseNeeds() {
  const none = { redis: false, browser: false, programs: false, generators: false };
  if (mode === '--code') return none;
  if (mode !== '--tests') return { ...none, redis: true };
  const needed = needsOfTests(testArguments);
  // What reaches a server may as well be called by the programs that the pages name.
  return { ...needed, programs: needed.redis };
}

/** True when every need is met. */
function everythingIsInPlace() {
  const node = findFittingNode();
  const hasRedis = !needs.redis || findRedisServer() !== undefined;
  const hasBrowser = !needs.browser || findChromium() !== undefined;
  const hasPrograms = !needs.programs || missingPrograms().length === 0;
  const hasGenerators = !needs.generators || generatorsAreCurrent();
  const hasNeeds = hasRedis && hasBrowser && hasPrograms && hasGenerators;
  return node !== undefined && packagesAreCurrent(node.version) && hasNeeds;
}

/**
 * Provides the missing parts. It runs under the lock and checks again, because another set-up may just have provided
 * them.
 */
function provideWhatIsMissing() {
  assertSupportedPlatform();
  const node = findFittingNode() ?? provideNode();
  if (!packagesAreCurrent(node.version)) providePackages(node.version);
  if (needs.redis && findRedisServer() === undefined) provideRedisServer();
  if (needs.browser && findChromium() === undefined) provideChromium();
  if (needs.programs) providePrograms();
  if (needs.generators && !generatorsAreCurrent()) provideGenerators();
}

/**
 * True for an error of the operating system (no permission, no space), which names its file and call; a stack would add
 * no information.
 * @param {unknown} error
 * @returns {error is NodeJS.ErrnoException}
 */
function isSystemError(error) {
  return error instanceof Error && 'syscall' in error;
}

try {
  if (!everythingIsInPlace()) await withSetupLock(provideWhatIsMissing);
  // The service starts in half the time from sources without types. Where the folder belongs to another user, it strips them itself.
  if (mode === undefined) spawnSync(nodeLink, ['--disable-warning=ExperimentalWarning', FILL], { stdio: 'ignore' });
} catch (error) {
  console.error(error instanceof SetupError || isSystemError(error) ? `set-up failed: ${error.message}` : error);
  process.exitCode = 1;
}
