/** Readiness for a load balancer: patient with what all pods lose at once, and with nothing else. */
import { expect, test } from 'vitest';
import { PatientReadiness } from '../../src/telemetry/readiness.ts';

const REDIS = ['redis'];

test('a pod that was ready stays ready for half a minute without Redis, and again after it came back', () => {
  const readiness = new PatientReadiness();
  expect(readiness.judge([], 0)).toBe(true);
  for (const outageMs of [1_000, 100_000]) {
    expect(readiness.judge(REDIS, outageMs)).toBe(true);
    expect(readiness.judge(REDIS, outageMs + 29_999)).toBe(true);
    expect(readiness.judge(REDIS, outageMs + 30_000)).toBe(false);
    expect(readiness.judge([], outageMs + 31_000)).toBe(true);
  }
});

test('a pod that was never ready, and one that drains or has no threads, is red at once', () => {
  expect(new PatientReadiness().judge(REDIS, 0)).toBe(false);
  const readiness = new PatientReadiness();
  expect(readiness.judge([], 0)).toBe(true);
  expect(readiness.judge(['admission'], 1)).toBe(false);
  expect(readiness.judge([...REDIS, 'workers'], 2)).toBe(false);
});
