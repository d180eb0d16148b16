import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    watch: false,
    // Each file in a process of its own: tests start servers, load a native addon and send signals.
    pool: 'forks',
    // Every file may run a service and a Redis server beside itself; more at once only measure the scheduler.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default'],
  },
});
