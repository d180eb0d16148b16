import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    watch: false,
    // Each file in a process of its own: tests start servers, load a native addon and send signals.
    pool: 'forks',
    // Every file may run a service and a Redis server beside itself; more at once only measure the scheduler.
    maxWorkers: 2,
    // A hang is found all the same; a busy machine is not one.
    testTimeout: 120_000,
    // The caller's 500 ms and the deadline of 400 ms are part of the contract: on a machine that stands still for so long
    // a right service looks late. One more try tells the two apart; what is broken fails twice.
    retry: 1,
    hookTimeout: 120_000,
    reporters: ['default'],
  },
});
