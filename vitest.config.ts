import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { isLong, listUnitTests } from './scripts/setup/needs.mjs';

/** The longest files, longest first, so that no worker idles at the end. A test checks that each exists. */
const LONGEST = [
  'oracle/oracle',
  'model/model',
  'corpus/corpus',
  'browser/live-page',
  'bench/short-form',
  'ops/admin-drafts',
  'deploy/alerts',
  'deploy/runbook-commands',
  'deploy/nights',
  'ops/reload-watch',
  'snippets/snippets',
  'faults/process-end',
  'client/test/rules/rules',
  'client/test/commands',
  'conformance/test/kit',
  'e2e/restart',
  'members/members',
  'faults/load',
  'packaging/release',
  'e2e/managed-redis',
  'browser/guide',
  'browser/editor-page',
  'ops/admin-draft',
  'faults/redis-settings',
  'ops/admin-processes',
  'e2e/processes',
  'faults/pressure',
  'backtest/backtest',
  'recording/recording',
  'faults/redis-emptied',
  'faults/hung-process',
  'faults/clocks',
  'faults/workers',
  'deploy/alerts-of-days',
  'tools/command-line',
  'ops/admin-configurations',
  'faults/races',
  'faults/resources',
  'faults/redis-unreachable',
  'faults/ghost-writes',
  'e2e/drain',
  'cluster/dead-master',
  'deploy/backup',
  'e2e/fuzz',
  'cluster/skewed-clocks',
  'engine/test/properties',
  'judge/mutator',
  'redis/watch',
  'engine/test/work.long',
  'engine/test/rule-work.long',
].map((name) => `/${name}.test.ts`);

/** A hang is found all the same; a busy machine is not one. */
const LIMITS = { testTimeout: 120_000, hookTimeout: 120_000 };

/** Without processes and sockets the files need no isolation, and so each thread loads the modules once. */
const UNIT_POOL = { pool: 'threads', isolate: false } as const;

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
        test: { name: 'unit', include: unitTests.filter((file) => !isLong(file)), ...UNIT_POOL, ...LIMITS },
      },
      {
        ...shared,
        test: { name: 'long', include: unitTests.filter(isLong), ...UNIT_POOL, ...LIMITS },
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
