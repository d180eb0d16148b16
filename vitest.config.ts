import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { listUnitTests } from './scripts/setup/needs.mjs';

/** The longest files, longest first, so that no worker idles at the end. A test checks that each exists. */
const LONGEST = [
  'oracle/oracle',
  'bench/short-form',
  'model/model',
  'browser/live-page',
  'ops/reload-watch',
  'snippets/snippets',
  'faults/process-end',
  'deploy/alerts',
  'e2e/restart',
  'client/test/commands',
  'client/test/rules/rules',
  'faults/pressure',
  'conformance/test/kit',
  'faults/workers',
  'deploy/alerts-of-days',
  'pricing/properties',
  'faults/load',
  'faults/ghost-writes',
  'faults/resources',
  'faults/redis-unreachable',
  'recording/recording',
  'judge/mutator',
  'e2e/managed-redis',
  'redis/watch',
  'pricing/work',
].map((name) => `/${name}.test.ts`);

/** A hang is found all the same; a busy machine is not one. */
const LIMITS = { testTimeout: 120_000, hookTimeout: 120_000 };

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = LONGEST.findIndex((name) => moduleId.endsWith(name));
      return place < 0 ? LONGEST.length : place;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

/** What both halves of the suite share. */
const shared = {
  // The client's tests, and the double's, run what is packed instead of the sources.
  resolve: {
    alias: { 'loyalty-basket-client': fileURLToPath(new URL('packages/client/lib/index.js', import.meta.url)) },
  },
};

const unitTests = listUnitTests();

export default defineConfig({
  test: {
    globalSetup: ['test/support/build-packages.ts'],
    watch: false,
    // Tests of processes and timers wait more than they work.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    reporters: ['default'],
    projects: [
      {
        ...shared,
        test: {
          name: 'unit',
          include: unitTests,
          // Without processes and sockets the files need no isolation, and so each thread loads the modules once.
          pool: 'threads',
          isolate: false,
          ...LIMITS,
        },
      },
      {
        ...shared,
        test: {
          name: 'system',
          include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
          exclude: unitTests,
          // Processes, since tests start servers, load a native addon and send signals; each loads the modules once, and
          // what a file started is ended by the file itself.
          pool: 'forks',
          isolate: false,
          setupFiles: ['test/support/end-of-file.ts'],
          ...LIMITS,
        },
      },
    ],
  },
});
