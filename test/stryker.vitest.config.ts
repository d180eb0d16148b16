import { defineConfig } from 'vitest/config';
import { isLong, listUnitTests } from '../scripts/setup/needs.mjs';

/** The unit tests below the path in TESTS, as mutation tests run them (stryker.config.mjs). */
export default defineConfig({
  test: {
    include: listUnitTests().filter((file) => file.startsWith(process.env['TESTS'] ?? '') && !isLong(file)),
    watch: false,
    testTimeout: 120_000,
  },
});
