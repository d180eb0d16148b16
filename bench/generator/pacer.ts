import { parentPort, workerData } from 'node:worker_threads';
import { nowUs } from './clock.ts';

/**
 * A thread that wakes the generator when a request is due. Timers of the event loop have a resolution of a millisecond,
 * about half of the measured latency; waiting on a futex has one of some ten microseconds.
 */

/** Instants of the monotonic clock in microseconds, ascending. */
const due = new Float64Array(workerData as SharedArrayBuffer);

/** Requests due within this time are sent by one wake-up; more wake-ups would only burn CPU. */
const MERGED_US = 100;

const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

let next = 0;
while (next < due.length) {
  const untilUs = (due[next] as number) + MERGED_US;
  while (next + 1 < due.length && (due[next + 1] as number) <= untilUs) next += 1;
  sleepUntil(due[next] as number);
  next += 1;
  parentPort?.postMessage(undefined);
}

function sleepUntil(instantUs: number): void {
  for (let leftUs = instantUs - nowUs(); leftUs > 0; leftUs = instantUs - nowUs()) {
    Atomics.wait(never, 0, 0, leftUs / 1000);
  }
}
