/**
 * The checks of the project. The last line of each is `tests: N passed, N failed`; a failing check of the code counts as
 * one failure, and so does a suite that crashed or ran nothing. The exit code is 0 only when nothing failed.
 *
 *     npm test                  the code checks, then the whole suite
 *     npm test -- packages/contract/test/money    the tests of these paths alone; further arguments go to vitest
 *     npm run test:unit         the quick loop: tests that start no process, no server and no Redis, with a tenth of the random cases
 *     npm run test:long         the tests that take minutes, and four times as many random cases
 *     npm run check:code        type check, lint, layers, unused code, and the other rules of the house
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import './own-programs.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Colours are for terminals alone; files and CI logs get plain text. */
const isTerminal = process.stdout.isTTY === true;
const { FORCE_COLOR: _forced, ...plainEnvironment } = process.env;
const environment = isTerminal ? process.env : { ...plainEnvironment, NO_COLOR: '1' };

const CRUISER = 'dependency-cruiser/bin/dependency-cruiser.mjs';
const FOLDERS = ['src', 'workers', 'packages', 'bench', 'scripts', 'test'];

/** A tenth of the random cases finds nearly every change of one operator; the suite draws all. */
const QUICK_CASES = '0.1';
const LONG_CASES = '4';
/** Parts of the paths of what `npm run test:long` runs: the long files, and the random test that finds more in more cases. */
const LONG_PATHS = ['.long.test.ts', 'oracle/oracle.test.ts'];

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** What this script reads of the report that vitest's JSON reporter writes. */
interface SuiteReport {
  readonly numTotalTests: number;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  /** A file that fails outside its tests is failed and has no failed test. */
  readonly testResults: readonly { status: string; assertionResults: readonly { status: string }[] }[];
}

/** Runs a program of node_modules with the present Node. Resolves to true when it succeeded. */
function run(program: string, args: readonly string[], extra: NodeJS.ProcessEnv = {}): Promise<boolean> {
  const child = spawn(process.execPath, [join(root, 'node_modules', program), ...args], {
    cwd: root,
    env: { ...environment, ...extra },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  process.on('SIGINT', forward).on('SIGTERM', forward);
  return new Promise((resolve) => {
    const settle = (succeeded: boolean) => {
      process.off('SIGINT', forward).off('SIGTERM', forward);
      resolve(succeeded);
    };
    child.on('error', () => settle(false));
    child.on('exit', (code) => settle(code === 0));
  });
}

/** Runs one step, with its heading and its result line. */
async function step(name: string, work: () => Promise<Counts>): Promise<Counts> {
  console.log(`\n── ${name}`);
  const startedMs = performance.now();
  const counts = await work();
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`${name}: ${counts.failed === 0 ? 'ok' : 'FAILED'} (${seconds} s)`);
  return counts;
}

/** Runs a check, which counts as one failure when it fails, and as 0 when it passes. */
async function check(program: string, args: readonly string[]): Promise<Counts> {
  return { passed: 0, failed: (await run(program, args)) ? 0 : 1 };
}

async function runSuite(args: readonly string[], extra: NodeJS.ProcessEnv = {}): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), 'loyalty-tests-'));
  const report = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  try {
    const succeeded = await run('vitest/vitest.mjs', ['run', ...reporters, ...args], extra);
    return judgeSuite(report, succeeded);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads vitest's report; a crash or an empty run, which it cannot show, is one failure. */
function judgeSuite(file: string, succeeded: boolean): Counts {
  if (!existsSync(file)) {
    console.log('The suite crashed: vitest ended without a result.');
    return { passed: 0, failed: 1 };
  }
  const report: SuiteReport = JSON.parse(readFileSync(file, 'utf8'));
  const passed = report.numPassedTests;
  const failedOutsideTests = report.testResults.filter(
    ({ status, assertionResults: tests }) => status === 'failed' && tests.every((test) => test.status !== 'failed'),
  ).length;
  const failed = report.numFailedTests + failedOutsideTests;
  const skipped = report.numTotalTests - passed - report.numFailedTests;
  if (skipped > 0) console.log(`${skipped} tests were skipped; they count neither as passed nor as failed.`);
  if (passed + failed === 0) console.log('The suite ran no tests.');
  const failedUnseen = failed === 0 && (passed === 0 || !succeeded);
  return { passed, failed: failedUnseen ? 1 : failed };
}

/** Types, lint, imports and unused code. The other rules of the house are a part of the suite. */
async function checkTypesAndLint(): Promise<Counts[]> {
  return [
    await step('type check', () => check('typescript/bin/tsc', ['--noEmit'])),
    await step('type check of the pages', () =>
      check('typescript/bin/tsc', ['--noEmit', '-p', 'packages/console/src/pages/live']),
    ),
    await step('lint', () => check('@biomejs/biome/bin/biome', isTerminal ? ['ci'] : ['ci', '--colors=off'])),
    // Each of the two uses one core.
    ...(await Promise.all([
      step('layers', () => check(CRUISER, ['--config', 'layers.config.mjs', ...FOLDERS])),
      step('unused code', () => check('knip/bin/knip.js', ['--no-progress'])),
    ])),
  ];
}

async function checkCode(): Promise<Counts[]> {
  return [
    ...(await checkTypesAndLint()),
    await step('house rules', () => check('vitest/vitest.mjs', ['run', '--reporter=dot', 'test/architecture'])),
  ];
}

/** Runs the steps that the arguments select: `--code`, `--unit`, `--long`, or arguments of vitest. */
async function runAll(args: readonly string[]): Promise<Counts[]> {
  const [first, ...rest] = args;
  const suite = (name: string, words: readonly string[], cases = '1') =>
    step(name, () => runSuite([...words, ...rest], { CASES: cases, ...process.env }));
  if (first === '--code') return checkCode();
  if (first === '--unit') return [await suite('unit tests', ['--project=unit'], QUICK_CASES)];
  if (first === '--long') return [await suite('long tests', LONG_PATHS, LONG_CASES)];
  if (first !== undefined) return [await suite('suite', [first])];
  return [...(await checkTypesAndLint()), await suite('suite', ['--project=unit', '--project=system'])];
}

const results = await runAll(process.argv.slice(2));
const passed = results.reduce((sum, counts) => sum + counts.passed, 0);
const failed = results.reduce((sum, counts) => sum + counts.failed, 0);
console.log(`\ntests: ${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
