import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // It measures nothing, but it needs the benchmark's own packages, which a bare clone has only after `npm run bench`.
    exclude: ['test/bench/short-form.test.ts'],
    watch: false,
    // Each file in a process of its own: tests start servers, load a native addon and send signals.
    pool: 'forks',
    // Every file may run a service and a Redis server beside itself; more at once only measure the scheduler.
    maxWorkers: 2,
    // A hang is found all the same; a busy machine is not one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default'],
  },
});
