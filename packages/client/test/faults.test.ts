/**
 * The short form of the long run. The long one: `SALES_UNDER_FAULTS=10000 npm test -- packages/client/test/faults.test.ts`, which
 * takes about a minute and prints its figures, the longest wait of a till among them.
 */
import { expect, test } from 'vitest';
import { CAP_MS, SLACK_MS } from './fixture.ts';
import { sellUnderFaults } from './sales-under-faults.ts';

/** Every kind of fault at least once. */
const FAULTS = 5;
const SHORT = { sales: 400, callsPerSecond: 50, quietMs: 800, leastFaults: FAULTS };
const LONG = { callsPerSecond: 250, quietMs: 2_500, leastFaults: FAULTS };
const wanted = process.env['SALES_UNDER_FAULTS'];
const options = wanted === undefined ? SHORT : { ...LONG, sales: Number(wanted) };

test(`${options.sales} sales complete while service and Redis fail, and the books agree`, async () => {
  const run = await sellUnderFaults(options);
  if (wanted !== undefined) console.log(JSON.stringify(run, null, 2));
  expect(run.findings).toEqual([]);
  expect(run.complaints).toEqual([]);
  expect(run.sales).toBeGreaterThanOrEqual(options.sales);
  expect(run.faultsPlayed).toBeGreaterThanOrEqual(FAULTS);
  expect(run.overRedeemed).toBe(0);
  expect(run.longestSeenMs).toBeLessThan(CAP_MS + SLACK_MS);
  // Faults were felt, and selling went on.
  expect(run.outcomes['applied']).toBeGreaterThan(0);
  expect(Object.keys(run.outcomes)).toEqual(expect.arrayContaining(['http_error', 'connection_error']));
}, 600_000);
