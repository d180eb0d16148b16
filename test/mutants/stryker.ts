import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeLink, root } from '../../scripts/setup/paths.mjs';
import { JUDGED } from './judged.ts';
import { keyOf, type Mutant, type Order, type Place } from './mutant.ts';
import { survivorsOf } from './table.ts';

/** Runs StrykerJS for some files of one folder, in a copy of the project. */

const STRYKER = join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js');

/** Two processes: the rest of a machine stays with whoever works on it. */
const CONCURRENCY = 2;

/** Random tests of other rooms draw a tenth of their cases: a change that these find is also found by all of them. */
const FEW_CASES = '0.1';

interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly ReportedMutant[] }>>;
}

interface ReportedMutant {
  readonly mutatorName: string;
  readonly replacement: string;
  readonly status: string;
  readonly location: { readonly start: Place; readonly end: Place };
}

/**
 * Runs the tests of the files' own room first, which are quick, and all unit tests only for the changes that survive these
 * and that nobody has judged: a change that makes a loop endless costs seconds instead of a minute. With `isNear` the tests
 * of the room are all that is run. The files are of one folder.
 */
export async function mutateFiles(orders: readonly Order[], folder: string, isNear: boolean): Promise<Mutant[]> {
  const fresh = orders.filter(({ earlier }) => earlier === undefined).map(({ file }) => file);
  const before = orders.flatMap(({ earlier }) => earlier?.mutants ?? []);
  const places = [...fresh, ...survivorsOf(before, JUDGED).map(placeOf)];
  const near = await run(places, roomOf(orders[0]!.file), folder);
  const known =
    near === undefined ? before : merge([...before, ...near.filter(({ file }) => fresh.includes(file))], near);
  const unknown = near === undefined ? places : survivorsOf(known, JUDGED).map(placeOf);
  if (unknown.length === 0 || (isNear && near !== undefined)) return known;
  const far = await run(unknown, '', folder);
  if (near === undefined && far === undefined) throw new Error(`${orders[0]!.file}: no unit test imports it`);
  return near === undefined
    ? merge([...before, ...far!.filter(({ file }) => fresh.includes(file))], far)
    : merge(known, far);
}

/** The tests of a room: `test/basket/` of `src/basket`, the tests of its package of a file of a package. */
function roomOf(file: string): string {
  const [first, name] = file.split('/');
  return first === 'packages' ? `packages/${name}/test/` : `test/${name}/`;
}

/** What a later run found of the same changes. */
function merge(mutants: readonly Mutant[], later: readonly Mutant[] = []): Mutant[] {
  const found = new Set(later.filter(({ isFound }) => isFound).map(keyOf));
  return mutants.map((mutant) => (found.has(keyOf(mutant)) ? { ...mutant, isFound: true } : mutant));
}

function placeOf({ file, start, end }: Mutant): string {
  return `${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;
}

/**
 * Makes the changes of these places, each alone, and runs the unit tests whose path begins with `tests`. Undefined when none
 * of them imports a file of the places.
 */
async function run(places: readonly string[], tests: string, folder: string): Promise<Mutant[] | undefined> {
  const report = join(folder, `report-${process.pid}.json`);
  const settings = join(folder, `stryker-${process.pid}.json`);
  rmSync(report, { force: true });
  writeFileSync(settings, JSON.stringify(settingsOf(places, report, folder)));
  await runStryker(settings, tests);
  if (!existsSync(report)) return undefined;
  const { files } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  return Object.entries(files).flatMap(([path, { source, mutants }]) =>
    mutants.filter(isOne).map((mutant) => toMutant(path, source.split('\n'), mutant)),
  );
}

function settingsOf(mutate: readonly string[], report: string, folder: string): object {
  return {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/mutants/vitest.config.ts', related: true },
    mutate,
    // A changed text of a message or a name breaks no decision; comparisons with a string are changed as operators.
    mutator: { excludedMutations: ['StringLiteral'] },
    coverageAnalysis: 'perTest',
    concurrency: CONCURRENCY,
    // A test that takes longer counts as endless, and its change as found: a busy machine must not look like that.
    timeoutMS: 20_000,
    timeoutFactor: 3,
    reporters: ['progress-append-only', 'json'],
    jsonReporter: { fileName: report },
    tempDirName: join(folder, 'copies'),
    ignorePatterns: ['.data', '.toolchain', '/load', '/release'],
    // Stryker reads a tsconfig.json by an interface that TypeScript no longer has; nothing in it concerns a copy.
    tsconfigFile: 'none.json',
    allowEmpty: true,
    logLevel: 'warn',
    warnings: { slow: false },
  };
}

function runStryker(settings: string, tests: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(nodeLink, [STRYKER, 'run', settings], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, CASES: process.env['CASES'] ?? (tests === '' ? FEW_CASES : '1'), MUTANTS_TESTS: tests },
    });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`StrykerJS ended with ${code}`));
    });
  });
}

/** A change that does not run, or that a comment of Stryker excludes, is no mutant. */
function isOne({ status }: ReportedMutant): boolean {
  return ['Killed', 'Timeout', 'Survived', 'NoCoverage'].includes(status);
}

function toMutant(file: string, lines: readonly string[], mutant: ReportedMutant): Mutant {
  const { start, end } = mutant.location;
  return {
    file,
    start,
    end,
    change: mutant.mutatorName,
    original: inOneLine(textBetween(lines, start, end)),
    replacement: inOneLine(mutant.replacement),
    isFound: mutant.status === 'Killed' || mutant.status === 'Timeout',
  };
}

function textBetween(lines: readonly string[], start: Place, end: Place): string {
  const within = lines.slice(start.line - 1, end.line);
  within[within.length - 1] = within.at(-1)!.slice(0, end.column - 1);
  within[0] = within[0]!.slice(start.column - 1);
  return within.join('\n');
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
