import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** One process in which the tests of the store run as often as there are changes of the scripts. */
export default defineConfig({
  root,
  resolve: {
    alias: [
      { find: /^vitest$/, replacement: `${root}/test/mutants/collected.ts` },
      { find: '../redis/scripts.ts', replacement: `${root}/test/mutants/lua/called.ts` },
    ],
  },
  test: {
    include: ['test/mutants/lua/judge.ts'],
    globals: true,
    pool: 'forks',
    watch: false,
    testTimeout: 0,
    hookTimeout: 0,
    reporters: ['default'],
    disableConsoleIntercept: true,
  },
});
