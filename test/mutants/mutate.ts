import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isLong, listSystemTests, listUnitTests } from '../../scripts/setup/needs.mjs';
import { root } from '../../scripts/setup/paths.mjs';
import { copyWithChanges, type Switchable } from './copy.ts';
import { JUDGED } from './judged.ts';
import { isJudged, keyOf, type Mutant, type Order, type Place } from './mutant.ts';
import { runTrials } from './trials.ts';

/**
 * The unit tests that run the sources. The tests of the house read them instead, so they would find a change by how it is written.
 */
const TESTS = listUnitTests().filter(
  (file) => !/^test\/(?:architecture|packaging|snippets)\//.test(file) && !isLong(file),
);

/**
 * Makes each change of the files, which are of one folder. Runs the unit tests of the files' own room first, which are quick, and all unit
 * tests only for the changes that survive these and that nobody has judged. With `isNear` the tests of the room are all that is run.
 * The system tests of an order come last.
 */
export async function mutateFiles(orders: readonly Order[], folder: string, isNear: boolean): Promise<Mutant[]> {
  const copy = join(folder, `copy-${process.pid}`);
  const files = orders.map(({ file }) => file);
  const changes = await copyWithChanges(files, copy);
  const lines = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8').split('\n')]));
  const mutants = new Map(changes.map((change) => [change.id, toMutant(change, lines.get(change.fileName)!)]));
  const earlier = orders.flatMap((order) => order.earlier?.mutants ?? []);
  const known = new Set(earlier.filter(({ isFound }) => isFound).map(keyOf));
  let open = [...mutants.keys()].filter((id) => !known.has(keyOf(mutants.get(id)!)));
  const room = roomOf(files[0]!);
  const near = TESTS.filter((file) => file.startsWith(room));
  if (near.length > 0) open = await survivorsOf(open, near);
  if (!isNear) {
    const judged = open.filter((id) => isJudged(mutants.get(id)!, JUDGED));
    const others = open.filter((id) => !judged.includes(id));
    open = [...judged, ...(await survivorsOf(others, TESTS))];
  }
  const system = orders[0]!.systemTests;
  if (system.length > 0) open = await survivorsOf(open, system, true);
  rmSync(copy, { recursive: true, force: true });
  const survivors = new Set(open);
  return [...mutants].map(([id, mutant]) => ({ ...mutant, isFound: !survivors.has(id) }));

  async function survivorsOf(ids: readonly string[], tests: readonly string[], isSystem = false): Promise<string[]> {
    if (ids.length === 0) return [];
    const judged = ids.filter((id) => isJudged(mutants.get(id)!, JUDGED));
    const survivors = await runTrials({ root: copy, files: tests, isSystem, mutants: ids, judged });
    console.log(`${room}: ${ids.length} changes, ${survivors.size} survive ${tests.length} files of tests`);
    return ids.filter((id) => survivors.has(id));
  }
}

/** The system tests of a file's room, and those below other folders. */
export function systemTestsOf(file: string, others: readonly string[]): string[] {
  return listSystemTests([roomOf(file), ...others]);
}

/** The tests of a room: `packages/contract/test/basket/` of `packages/contract/src/basket`, the tests of its package of a file of a package. */
function roomOf(file: string): string {
  const [first, name] = file.split('/');
  return first === 'packages' ? `packages/${name}/test/` : `test/${name}/`;
}

function toMutant({ fileName, mutatorName, replacement, location }: Switchable, lines: readonly string[]): Mutant {
  const [start, end] = [location.start, location.end].map(({ line, column }) => ({
    line: line + 1,
    column: column + 1,
  }));
  const original = inOneLine(textBetween(lines, start!, end!));
  return {
    ...{ file: fileName, start: start!, end: end!, change: mutatorName },
    ...{ original, replacement: inOneLine(replacement), isFound: false },
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
