import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { listUnitTests } from '../../scripts/setup/needs.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Tests that count what all their random cases have met; a run of all unit tests draws a tenth of them. */
const COUNTING = ['alone', 'integer-programme', 'rule-work', 'work'].map((name) => `test/pricing/${name}.test.ts`);

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
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
