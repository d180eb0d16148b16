import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** The counts of a run of the suite. */
export interface SuiteCounts {
  readonly passed: number;
  /** Failed tests, tests that never ended, files that failed outside their tests, and errors outside all files. */
  readonly failed: number;
  readonly skipped: number;
}

/** The environment variable with the path of the counts file. */
export const COUNTS_FILE_VARIABLE = 'SUITE_COUNTS_FILE';

/** A vitest reporter that prints nothing and writes the counts of the run to a file. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const file = process.env[COUNTS_FILE_VARIABLE];
    if (file === undefined) return;
    const total = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      const counts = countModule(module);
      total.passed += counts.passed;
      total.failed += counts.failed;
      total.skipped += counts.skipped;
    }
    writeFileSync(file, JSON.stringify(total satisfies SuiteCounts));
  }
}

function countModule(module: TestModule): SuiteCounts {
  const states = [...module.children.allTests()].map((test) => test.result().state);
  const passed = states.filter((state) => state === 'passed').length;
  const skipped = states.filter((state) => state === 'skipped').length;
  const failed = states.length - passed - skipped;
  const failedOutsideTests = failed === 0 && module.state() === 'failed' ? 1 : 0;
  return { passed, failed: failed + failedOutsideTests, skipped };
}
