/**
 * `npm run mutants`: changes one operator at a time in a copy of the project, and reports the changes that no unit test finds.
 *
 *     npm run mutants -- src/basket                  a room; files whose source and tests are unchanged are not run again
 *     npm run mutants -- src/pricing/settle/spread.ts       one file
 *     npm run mutants -- src/basket --near           only by the tests of the same room, in test/basket
 *     npm run mutants -- src/basket --again          every file, whatever an earlier run found
 *
 * The results are in .data/mutants, which also lets a run go on where another one was ended. Ends with 1 when a change survives
 * that nobody has judged.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import '../../scripts/own-programs.mjs';
import { listUnitTests } from '../../scripts/setup/needs.mjs';
import { root } from '../../scripts/setup/paths.mjs';
import { runCommandLine } from '../../src/tools/command-line/strict.ts';
import { JUDGED } from './judged.ts';
import { type FileResult, isJudged } from './mutant.ts';
import { mutateFile } from './stryker.ts';
import { describe, renderTable, survivorsOf } from './table.ts';

interface Options {
  readonly near?: boolean;
  readonly again?: boolean;
}

const folder = join(root, '.data/mutants');

const command = new Command('npm run mutants --')
  .description('changes one operator at a time and reports the changes that no unit test finds')
  .argument('<path...>', 'folders or files of src/')
  .option('--near', 'runs only the tests of the same room, and keeps no result')
  .option('--again', 'runs every file again, also those that an earlier run has finished')
  .action(async (paths: string[], options: Options) => {
    process.exitCode = (await main(paths, options)) ? 0 : 1;
  });

await runCommandLine(command, 'mutants', process.argv.slice(2));

async function main(paths: readonly string[], { near = false, again = near }: Options): Promise<boolean> {
  mkdirSync(folder, { recursive: true });
  const files = paths.flatMap(listFiles);
  const tests = fingerprintOf(listUnitTests());
  const results: FileResult[] = [];
  for (const [index, file] of files.entries()) {
    const result = await resultOf(file, `${fingerprintOf([file])} ${tests}`, { near, again });
    results.push(result);
    const found = result.mutants.filter(({ isFound }) => isFound).length;
    console.log(`${index + 1} of ${files.length}: ${file}, ${result.mutants.length} mutants, ${found} found`);
  }
  return printReport(results);
}

/** The sources of a folder, or the file itself. */
function listFiles(path: string): string[] {
  if (statSync(join(root, path)).isFile()) return [path];
  return globSync(`${path}/**/*.ts`, { cwd: root }).sort();
}

function fingerprintOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}

async function resultOf(file: string, fingerprint: string, { near, again }: Required<Options>): Promise<FileResult> {
  const path = join(folder, `${file.replaceAll('/', '-')}.result.json`);
  if (!again && existsSync(path)) {
    const earlier = JSON.parse(readFileSync(path, 'utf8')) as FileResult;
    if (earlier.fingerprint === fingerprint) return earlier;
  }
  const result = { file, fingerprint, mutants: await mutateFile(file, folder, near) };
  if (!near) writeFileSync(path, JSON.stringify(result));
  return result;
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
