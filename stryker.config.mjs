/**
 * Mutation tests of one folder with the unit tests of another: `TESTS=packages/contract/test/money CASES=0.1 npx stryker run --mutate 'packages/contract/src/money/*.ts'`.
 * Prints every change of an operator, a condition or a statement that none of these tests finds.
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/stryker.vitest.config.ts' },
  coverageAnalysis: 'perTest',
  reporters: ['clear-text', 'progress'],
  concurrency: 2,
  tempDirName: '.data/stryker',
  ignorePatterns: ['.toolchain', '.data', 'bench/results', 'release'],
  // TypeScript 7 has no interface that Stryker could rewrite a tsconfig with, and node strips types without one.
  tsconfigFile: '.data/none.json',
};
