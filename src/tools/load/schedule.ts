import { Random } from '../../../packages/simulator/src/random.ts';
import { nowUs } from './pacer.ts';

/** The first request is due this long after the call, so that the pacer has started. */
const START_DELAY_US = 250_000;

/** A part of the schedule with independent random requests, `perSecond` on average. */
export interface SchedulePart {
  readonly perSecond: number;
  readonly seconds: number;
}

/**
 * Creates the schedule. Requests are independent, as those of tills, so the gaps between them are exponential. Returns the
 * instants of the monotonic clock in microseconds, ascending, in memory that the pacer shares, and for each part the first
 * position after its end.
 */
export function createSchedule(parts: readonly SchedulePart[], seed: number) {
  const random = new Random(seed);
  const instants: number[] = [];
  const partEnds: number[] = [];
  let startUs = nowUs() + START_DELAY_US;
  for (const { perSecond, seconds } of parts) {
    const endUs = startUs + seconds * 1e6;
    for (let at = startUs; ; ) {
      at += random.gap(perSecond) * 1e6;
      if (at >= endUs) break;
      instants.push(at);
    }
    partEnds.push(instants.length);
    startUs = endUs;
  }
  const due = new Float64Array(new SharedArrayBuffer(instants.length * Float64Array.BYTES_PER_ELEMENT));
  due.set(instants);
  return { due, partEnds };
}
