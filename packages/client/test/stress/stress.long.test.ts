/** The short form of `npm run stress:client`. */
import { expect, test } from 'vitest';
import { playStress } from './stress.ts';

const SHORT = { sales: 300, minutes: 3, seed: 5, tills: 2, tillFaultMs: 150, serviceFaultMs: 1_500 };

test(`${SHORT.sales} sales with killed callers, full disks, intruders and a dying service (seed ${SHORT.seed})`, async () => {
  const run = await playStress(SHORT, () => {});
  expect(run.faults).toEqual([]);
  expect(run.sales).toBeGreaterThanOrEqual(SHORT.sales);
  // Every kind of fault was played.
  expect(Object.values(run.faultsPlayed).filter((count) => count === 0)).toEqual([]);
}, 300_000);
