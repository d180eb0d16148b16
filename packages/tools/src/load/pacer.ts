import { Random } from '../../../simulator/src/random.ts';

/** When the requests of a load are due, and how the thread that wakes its generator waits for them (workers/pacer.ts). */

/** A part of the schedule with independent random requests, `perSecond` on average. */
export interface SchedulePart {
  readonly perSecond: number;
  readonly seconds: number;
}

/**
 * When requests are due. Only how the instants are drawn is kept, because those of a day would fill the memory: each thread
 * draws them for itself, and the same seed draws the same ones.
 */
export interface Schedule {
  readonly parts: readonly SchedulePart[];
  readonly seed: number;
  /** The first part begins then, in microseconds of the machine's monotonic clock. */
  readonly startUs: number;
}

/** Draws the instants, ascending. Requests are independent, as those of tills, so the gaps between them are exponential. */
export function* dueInstants({ parts, seed, startUs }: Schedule): Generator<number, undefined> {
  const random = new Random(seed);
  let endUs = startUs;
  for (const { perSecond, seconds } of parts) {
    let atUs = endUs;
    endUs += seconds * 1e6;
    for (;;) {
      atUs += random.gap(perSecond) * 1e6;
      if (atUs >= endUs) break;
      yield atUs;
    }
  }
}

/** Microseconds, with fractions, of the machine's monotonic clock, which is the same in every thread. */
export function nowUs(): number {
  return Number(process.hrtime.bigint()) / 1000;
}

/** Requests due within this time are sent by one wake-up; more wake-ups would only burn CPU. */
const MERGED_US = 100;

/** Runs in the thread: calls `wake` at each of the schedule's instants. */
export function wakeWhenDue(schedule: Schedule, wake: () => void): void {
  const instants = dueInstants(schedule);
  for (let due = instants.next(); !due.done; ) {
    const untilUs = due.value + MERGED_US;
    let lastUs = due.value;
    for (; !due.done && due.value <= untilUs; due = instants.next()) lastUs = due.value;
    sleepUntil(lastUs);
    wake();
  }
}

const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

function sleepUntil(instantUs: number): void {
  for (let leftUs = instantUs - nowUs(); leftUs > 0; leftUs = instantUs - nowUs()) {
    Atomics.wait(never, 0, 0, leftUs / 1000);
  }
}
