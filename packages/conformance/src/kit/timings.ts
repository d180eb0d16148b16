import { randomBytes } from 'node:crypto';
import { HTTP_OK } from '@loyalty/contract/errors';
import type { Baskets } from './baskets.ts';
import type { Exchange } from './exchange.ts';
import { serverTimingMs } from './judge/headers.ts';
import { BASKET_PATH, type Target } from './target.ts';

/** Response times against the targets (interface, section 4.9): p95 ≤ 150 ms, p99 ≤ 250 ms. */

export const TARGET_P95_MS = 150;
export const TARGET_P99_MS = 250;

/** The checkout's usual basket, and the largest the interface allows. */
const SIZES = [20, 200] as const;
/** The first calls open connections and warm caches up; a till keeps its connection alive. */
const WARM_UP_CALLS = 5;

/** After so many calls one with a wrong signature: as long on its way, and refused before any work. Of few calls after each. */
const CALLS_PER_REFUSED = 5;
const FEW_CALLS = 20;
/** What a median of round trips may differ by chance, and by the time of the answer's bytes. */
const UNTOLD_TOLERANCE_MS = 25;

/** One row of the table, milliseconds. */
export interface TimingRow {
  readonly lines: number;
  readonly calls: number;
  /** `round trip` is what the till waits; `Server-Timing` is what the service says it took of that. */
  readonly measured: 'round trip' | 'Server-Timing';
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  readonly isWithinTargets: boolean;
}

/**
 * Measures calls one after another over one kept-alive connection, at the kit's own pace. Calls that are not answered
 * with 200 are left out of the figures and returned as their number. `untoldMs` is what a usual call's round trip has
 * beyond its `Server-Timing`, less what a refused call of the same bytes has: work that the service did and did not tell.
 */
export async function measure(
  target: Target,
  baskets: Baskets,
  calls: number,
): Promise<{ rows: TimingRow[]; unanswered: number; untoldMs: number }> {
  const rows: TimingRow[] = [];
  let unanswered = 0;
  const untold: number[] = [];
  const onTheWay: number[] = [];
  for (const lines of SIZES) {
    const isUsual = lines === SIZES[0];
    const roundTrips: number[] = [];
    const serverTimes: number[] = [];
    for (let call = -WARM_UP_CALLS; call < calls; call += 1) {
      const basket = baskets.ofSize(lines);
      const exchange = await target.send(BASKET_PATH, basket);
      if (isUsual && call >= 0 && (calls <= FEW_CALLS || call % CALLS_PER_REFUSED === 0)) {
        onTheWay.push(untoldMs(await target.send(BASKET_PATH, basket, { secret: randomBytes(32) })));
      }
      if (exchange.status !== HTTP_OK) unanswered += 1;
      else if (call >= 0) {
        roundTrips.push(exchange.roundTripMs);
        serverTimes.push(serverTimingMs(exchange) ?? exchange.roundTripMs);
        if (isUsual) untold.push(untoldMs(exchange));
      }
    }
    rows.push(toRow(lines, 'round trip', roundTrips), toRow(lines, 'Server-Timing', serverTimes));
  }
  return { rows, unanswered, untoldMs: Math.max(0, medianOf(untold) - medianOf(onTheWay)) };
}

/** True when `Server-Timing` leaves out more of the work than chance explains. */
export function isTooMuchUntold(untoldMs: number): boolean {
  return untoldMs > UNTOLD_TOLERANCE_MS;
}

/** The part of a round trip that the server does not call its own. */
function untoldMs(exchange: Exchange): number {
  return exchange.roundTripMs - (serverTimingMs(exchange) ?? 0);
}

function medianOf(durationsMs: readonly number[]): number {
  return percentile(sortedOf(durationsMs), 0.5);
}

function sortedOf(durationsMs: readonly number[]): number[] {
  return [...durationsMs].sort((a, b) => a - b);
}

function toRow(lines: number, measured: TimingRow['measured'], durationsMs: readonly number[]): TimingRow {
  const sorted = sortedOf(durationsMs);
  const [p95, p99] = [percentile(sorted, 0.95), percentile(sorted, 0.99)];
  return {
    lines,
    calls: sorted.length,
    measured,
    p50: percentile(sorted, 0.5),
    p95,
    p99,
    max: percentile(sorted, 1),
    isWithinTargets: sorted.length > 0 && p95 <= TARGET_P95_MS && p99 <= TARGET_P99_MS,
  };
}

/** The smallest duration that this part of the calls did not exceed, in ms with one decimal. */
function percentile(sorted: readonly number[], part: number): number {
  const value = sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0;
  return Math.round(value * 10) / 10;
}
