import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { listLongTests, listUnitTests } from './scripts/setup/needs.mjs';

/** A hang is found all the same; a busy machine is not one. */
const LIMITS = { testTimeout: 120_000, hookTimeout: 120_000 };

/** Without processes and sockets the files need no isolation, and so each thread loads the modules once. */
const UNIT_POOL = { pool: 'threads', isolate: false } as const;

/**
 * Processes, since tests start servers, load a native addon and send signals; each loads the modules once, and what a file started is
 * ended by the file itself. Threads that a test starts in its own process find their sources without types, as its processes do.
 */
const SYSTEM_POOL = {
  pool: 'forks' as const,
  isolate: false,
  setupFiles: ['test/support/end-of-file.ts'],
  execArgv: [`--import=${new URL('scripts/stripped/test.mjs', import.meta.url).href}`],
};

/** What all projects share. */
const shared = {
  // The client's tests, and the double's, run what is packed instead of the sources.
  resolve: {
    alias: { 'loyalty-basket-client': fileURLToPath(new URL('packages/client/lib/index.js', import.meta.url)) },
  },
};

const [unitTests, longTests] = [listUnitTests(), listLongTests()];

/** Vitest begins with the files that took longest in the last run, so that no worker idles at the end. */
export default defineConfig({
  test: {
    globalSetup: ['test/support/build-packages.ts'],
    watch: false,
    // Tests of processes and timers wait more than they work.
    maxWorkers: 4,
    reporters: ['default'],
    projects: [
      { ...shared, test: { name: 'unit', include: unitTests, ...UNIT_POOL, ...LIMITS } },
      {
        ...shared,
        test: {
          name: 'system',
          include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
          exclude: [...unitTests, '**/*.long.test.ts'],
          ...SYSTEM_POOL,
          ...LIMITS,
        },
      },
      { ...shared, test: { name: 'long', include: longTests, ...SYSTEM_POOL, ...LIMITS } },
    ],
  },
});
