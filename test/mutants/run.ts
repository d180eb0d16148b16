/**
 * `npm run mutants`: changes one operator at a time in a copy of the project, and reports the changes that no test finds.
 *
 *     npm run mutants -- packages/contract/src/basket                  a room; files whose source and tests are unchanged are not run again
 *     npm run mutants -- packages/engine/src/settle/spread.ts one file
 *     npm run mutants -- src/store/scripts           the Lua scripts, by the tests of test/store on a real Redis
 *     npm run mutants -- packages/contract/src/basket --near           only by the tests of the same room, in packages/contract/test/basket
 *     npm run mutants -- src/gateway --with 'test/e2e/*.ts'  also by these system tests; those of the room are always asked
 *     npm run mutants -- packages/contract/src/basket --again          every change, whatever an earlier run found
 *
 * The results are in .data/mutants, which also lets a run go on where another one was ended. Where only tests are new, only the
 * changes that survived are run again. Ends with 1 when a change survives that nobody has judged.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import '../../scripts/own-programs.mjs';
import { collect, runCommandLine } from '../../packages/tools/src/command-line/strict.ts';
import { listUnitTests } from '../../scripts/setup/needs.mjs';
import { root } from '../../scripts/setup/paths.mjs';
import { JUDGED } from './judged.ts';
import { judgeScripts } from './lua/run.ts';
import { type FileResult, isJudged, type Order } from './mutant.ts';
import { mutateFiles, systemTestsOf } from './mutate.ts';
import { describe, renderTable, survivorsOf } from './table.ts';

interface Options {
  readonly near?: boolean;
  readonly with?: readonly string[];
  readonly again?: boolean;
}

/** Files that are changed together: each start runs the tests once without a change, and a run that is ended loses its files. */
const FILES_AT_ONCE = 10;

const folder = join(root, '.data/mutants');

const command = new Command('npm run mutants --')
  .description('changes one operator at a time and reports the changes that no unit test finds')
  .argument('<path...>', 'folders or files of src/', collectExisting)
  .option('--near', 'runs only the tests of the same room')
  .option('--with <glob>', 'runs other system tests too; can be repeated', collect)
  .option('--again', 'runs every change again, also those that an earlier run has found')
  .action(async (paths: string[], options: Options) => {
    process.exitCode = (await main(paths, options)) ? 0 : 1;
  });

await runCommandLine(command, 'mutants', process.argv.slice(2));

async function main(
  paths: readonly string[],
  { near = false, again = false, with: globs = [] }: Options,
): Promise<boolean> {
  mkdirSync(folder, { recursive: true });
  const files = paths.flatMap(listFiles);
  const unitTests = listUnitTests();
  const others = globs.flatMap((glob) => globSync(glob, { cwd: root }));
  const storeTests = `${near ? 'near ' : ''}${fingerprintOf(globSync('{test/store/*,src/store/scripts/*.include.lua}', { cwd: root }))}`;
  const orders = files.map((file) => {
    if (file.endsWith('.lua')) return orderOf(file, [], storeTests, again);
    const systemTests = systemTestsOf(file, others);
    const tests = `${near ? 'near ' : ''}${fingerprintOf([...unitTests, ...systemTests])}`;
    return orderOf(file, systemTests, tests, again);
  });
  const open = orders.filter(isOpen);
  await judgeScripts(
    open.filter(({ file }) => file.endsWith('.lua')),
    folder,
    near,
  );
  for (const own of Map.groupBy(
    open.filter(({ file }) => file.endsWith('.ts')),
    ({ file }) => file.slice(0, file.lastIndexOf('/')),
  ).values()) {
    for (let at = 0; at < own.length; at += FILES_AT_ONCE) {
      const some = own.slice(at, at + FILES_AT_ONCE);
      const mutants = await mutateFiles(some, folder, near);
      for (const { file, source, tests, path } of some) {
        const result: FileResult = { file, source, tests, mutants: mutants.filter((mutant) => mutant.file === file) };
        writeFileSync(path, JSON.stringify(result));
        const found = result.mutants.filter(({ isFound }) => isFound).length;
        console.log(`${file}: ${result.mutants.length} mutants, ${found} found`);
      }
    }
  }
  return printReport(orders.map(({ path }) => JSON.parse(readFileSync(path, 'utf8')) as FileResult));
}

function collectExisting(path: string, before?: readonly string[]): string[] {
  if (!existsSync(join(root, path))) throw new InvalidArgumentError('There is no such file or folder.');
  return collect(path, before);
}

/** The sources of a folder, or the file itself. */
function listFiles(path: string): string[] {
  if (statSync(join(root, path)).isFile()) return [path];
  return globSync(`${path}/**/*.{ts,lua}`, { cwd: root }).sort();
}

function fingerprintOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}

function orderOf(file: string, systemTests: readonly string[], tests: string, again: boolean): Order {
  const path = join(folder, `${file.replaceAll('/', '-')}.result.json`);
  const source = fingerprintOf([file]);
  const order = { file, source, tests, path, systemTests };
  if (again || !existsSync(path)) return order;
  const earlier = JSON.parse(readFileSync(path, 'utf8')) as FileResult;
  return earlier.source === source ? { ...order, earlier } : order;
}

/** What all unit tests have said needs no tests of the room. */
function isOpen({ tests, earlier }: Order): boolean {
  if (earlier === undefined) return true;
  if (earlier.tests === tests || `near ${earlier.tests}` === tests) return false;
  return survivorsOf(earlier.mutants, JUDGED).length > 0;
}

function printReport(results: readonly FileResult[]): boolean {
  const mutants = results.flatMap((result) => result.mutants);
  const survivors = survivorsOf(mutants, JUDGED);
  const report = [renderTable(mutants, JUDGED), '', ...survivors.map(describe)].join('\n');
  writeFileSync(join(folder, 'report.md'), `${report}\n`);
  console.log(`\n${report}`);
  const files = new Set(results.map(({ file }) => file));
  for (const judgement of JUDGED) {
    const isThere = mutants.some((mutant) => !mutant.isFound && isJudged(mutant, [judgement]));
    if (files.has(judgement.file) && !isThere) {
      console.log(`${judgement.file}: judged, but not among those that survive: ${judgement.original}`);
    }
  }
  return survivors.length === 0;
}
