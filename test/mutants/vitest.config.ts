import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { listUnitTests } from '../../scripts/setup/needs.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Tests that count what all their random cases have met; a run of all unit tests draws a tenth of them. */
const COUNTING = ['alone', 'integer-programme', 'rule-work', 'work'].map((name) => `test/pricing/${name}.test.ts`);

/** The first test that fails ends a run, so those that draw random cases, which take longest, come last. */
class RandomLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isRandom = new Map(files.map(({ moduleId }) => [moduleId, DRAWS.test(readFileSync(moduleId, 'utf8'))]));
    return [
      ...files.filter(({ moduleId }) => !isRandom.get(moduleId)),
      ...files.filter(({ moduleId }) => isRandom.get(moduleId)),
    ];
  }
}

const DRAWS = /effort\.ts'|fast-check'/;

/** The folder of tests that are run, or all of them. */
const folder = process.env['MUTANTS_TESTS'] ?? '';

/**
 * The tests of the quick loop, for a run in which the sources are changed. The tests of the house read the sources instead
 * of running them, so they would find a change by how it is written.
 */
export default defineConfig({
  root,
  resolve: { alias: { 'loyalty-basket-client': `${root}/packages/client/lib/index.js` } },
  test: {
    include: listUnitTests().filter(
      (file) =>
        !/^test\/(?:architecture|packaging|snippets)\//.test(file) &&
        !COUNTING.includes(file) &&
        file.startsWith(folder),
    ),
    pool: 'threads',
    isolate: false,
    watch: false,
    sequence: { sequencer: RandomLast },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
