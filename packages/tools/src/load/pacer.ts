import { Worker } from 'node:worker_threads';
import { dueInstants, type Schedule, type SchedulePart } from './schedule.ts';

/**
 * A thread that wakes the generator when a request is due. Timers of the event loop have a resolution of a millisecond,
 * about half of the measured latency; waiting on a futex has one of some ten microseconds.
 */

/** A schedule starts this long after it was created, so that the pacer has started. */
const START_DELAY_US = 250_000;

/** Creates a schedule that starts soon. */
export function createSchedule(parts: readonly SchedulePart[], seed: number): Schedule {
  return {
    parts: parts.map(({ perSecond, seconds }) => ({ perSecond, seconds })),
    seed,
    startUs: nowUs() + START_DELAY_US,
  };
}

/** Starts the thread for a schedule, and calls `onDue` whenever one or several of its instants have come. */
export function startPacer(schedule: Schedule, onDue: () => void): { stop(): Promise<unknown> } {
  const worker = new Worker(new URL('../../../../workers/pacer.ts', import.meta.url), { workerData: schedule });
  worker.on('message', onDue);
  return { stop: () => worker.terminate() };
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
