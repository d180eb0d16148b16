import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** One process in which the tests run as often as there are changes. */
export default defineConfig({
  root,
  resolve: {
    alias: [
      { find: /^vitest$/, replacement: `${root}/test/mutants/collected.ts` },
      { find: /^\.\/quick-start\.ts$/, replacement: `${root}/test/mutants/switched-start.ts` },
      { find: 'loyalty-basket-client', replacement: `${root}/packages/client/lib/index.js` },
    ],
  },
  test: {
    include: ['test/mutants/trial.ts'],
    globals: true,
    // A process: tests of the system start servers, and load the HTTP library.
    pool: 'forks',
    isolate: false,
    watch: false,
    testTimeout: 0,
    hookTimeout: 0,
    reporters: ['default'],
    disableConsoleIntercept: true,
    // What a change leaves behind may fail when no test is running.
    dangerouslyIgnoreUnhandledErrors: true,
  },
});
